"""The interactive picture of an ensemble: one stage slider moves fit, scores, rows and members."""
