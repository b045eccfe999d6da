"""What the tests compare with: naive second implementations, tables and trees made by hand, recipes, and laws."""
