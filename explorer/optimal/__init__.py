"""Optimal decision trees: the best tree of a given depth, proven, beside what greedy growth finds (section 27)."""
