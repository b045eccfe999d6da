"""Seeded fuzzing from a damaged file to the exports of its tree: `python -m tests.fuzz --cases 20000 --seed 0`."""
