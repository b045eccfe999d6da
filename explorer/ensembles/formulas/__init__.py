"""The arithmetic of a boosting round: how a vote, new row weights, or a leaf's value and a score come about."""

from explorer.ensembles.formulas.leaf_values import leaf_formula, step_formula
from explorer.ensembles.formulas.votes import has_vote_formula, vote_formula

__all__ = ["has_vote_formula", "leaf_formula", "step_formula", "vote_formula"]
