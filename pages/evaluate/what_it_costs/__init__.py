"""What one limit, direction, choice or column of the tree costs: in words, and in a table."""
