"""What pages keep of a tree: the tree itself and its scores."""
