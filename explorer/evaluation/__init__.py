"""How good trees are, on which rows, and how two trees differ."""
