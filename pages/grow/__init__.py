"""The Grow page: the settings of growing, the tree, and the candidates behind each of its nodes."""
