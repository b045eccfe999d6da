"""How the rows of a table in memory are divided into sets, and the columns by which they can be."""
