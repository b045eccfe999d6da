"""A tree's numbers as formulas that can be read and worked out again."""
