"""Counting by SQL: the text of the queries, and the engine that asks them."""
