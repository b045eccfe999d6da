"""What is known of the rows of a node: whether held-out rows disagree, and what is special about them."""
