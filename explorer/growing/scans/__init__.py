"""What a scan of a column reads at a node, and the scans: the best test by sorted keys, counted values, categories."""
