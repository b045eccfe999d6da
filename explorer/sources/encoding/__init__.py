"""From the columns of a table of any length to codes, batch by batch."""
