"""The types of the formats: a column of each type in each format, and what becomes of it."""
