"""The table that one draws, on the Learn page: kept in the session, grown at every move, taken to the other pages."""
