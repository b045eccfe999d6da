"""What is said of the rows of a node, on the pages that have a tree of the table."""
