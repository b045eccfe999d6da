"""How large a tree: pruning by α, by expected errors, by a validation set, and curves over sizes."""
