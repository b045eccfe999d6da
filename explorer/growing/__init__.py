"""From a data set and a recipe to a tree, and why each node was split as it was."""
