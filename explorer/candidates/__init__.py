"""Every possible split of one node with its numbers: the readable definition."""
