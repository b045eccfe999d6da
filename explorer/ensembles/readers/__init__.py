"""Ensembles that other programs have fitted, as `Ensemble`s with the same predictions."""
