"""A file of new rows: how its columns and categories are read, and what a tree or an ensemble predicts for it."""
