"""Grow on plain tables, complete and with whole row weights, in fewer steps and bytes than the general engine."""
