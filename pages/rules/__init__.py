"""The Rules page: the tree as rules, filtered, pruned and exported."""
