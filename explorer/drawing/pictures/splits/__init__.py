"""Pictures about splits: bags of rows, cuts of numbers and of sorted categories, and the size of a tree."""
