"""Scenes about the size of a tree: overfitting and the methods of pruning."""
