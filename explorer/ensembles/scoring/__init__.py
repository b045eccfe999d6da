"""Scores of an ensemble: stage by stage, and on the rows that members did not draw."""
