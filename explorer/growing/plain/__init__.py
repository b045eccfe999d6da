"""Grow on plain tables, complete and with rows that weigh 1 each, in fewer steps and bytes than the general engine."""
