"""A tree's numbers as formulas that can be read and checked."""
