"""Tables that stay where they are: which the server's owner allows, and those that are connected at the moment."""
