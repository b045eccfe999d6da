"""The picture of rows that are left out, one at a time."""
