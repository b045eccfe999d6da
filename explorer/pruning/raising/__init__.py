"""Subtree raising, compiled: rows divided by tests, expected errors, the choice at every node, and what rows move."""
