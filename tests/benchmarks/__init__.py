"""Measurements against scikit-learn: run `python -m tests.benchmarks.grow` in the repository's folder."""
