"""The Prune page: α, the sequence of pruned subtrees, and the other methods of pruning."""
