"""Results with more than one tree: ensembles, stability under resampling, several targets, the shortest tree."""
