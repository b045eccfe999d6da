"""The sequence of pruned subtrees over α, their scores, and which size to take."""
