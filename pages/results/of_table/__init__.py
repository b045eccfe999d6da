"""What is known of the table in use beside its rows: the suggestions that are open."""
