"""Counting a table in blocks of codes that Spark keeps: what its workers do, and the engine that asks them."""
