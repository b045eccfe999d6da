"""What greedy growth below a node costs beside the best trees, in the tab of its candidates."""
