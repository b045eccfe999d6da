"""Subtree raising, compiled: expected errors, the choice at every node, and the rows that a raised branch receives."""
