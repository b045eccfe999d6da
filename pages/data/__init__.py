"""The Data page: choose a table, its target and the types of its columns."""
