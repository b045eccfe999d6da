"""Column by column: costs, directions of predictions, the numbers of adjusted p, and how wide tables of them are."""
