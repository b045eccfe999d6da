"""What is set column by column: costs, and the directions of predictions."""
