"""Thresholds of a feature with missing cells, each tried with those rows on either side (policy "default_direction").

XGBoost's sparsity-aware search (Chen and Guestrin 2016, algorithm 3), for every impurity and score. The last test of a
feature is "missing or not": no row with a value goes to the left.
"""

import numpy as np

from explorer.growing.scans.branch_gains import branch_statistics, gain_of_two
from explorer.jit import borrowing
from explorer.recipe.parameters import leaf_minimum, row_weight
from explorer.recipe.split_score import at_least, second_is_better

NOT_ALLOWED = -np.inf
"""In place of the gain of a test whose branches have too few rows, or violate a constraint."""


@borrowing
def gain_of_better_side(parameters, stats, rows, left, right, scale, buffers):
    """What a threshold gains with the missing rows on the better side, and whether that is the left one.

    `scan.left` are the known rows on its left. The right side is taken where it is better but for rounding, or the only
    one allowed.
    """
    gain = gain_of_side(parameters, stats, rows, left, right, True, buffers)
    other = gain_of_side(parameters, stats, rows, left, right, False, buffers)
    if gain == NOT_ALLOWED or other == NOT_ALLOWED:
        return max(gain, other), other == NOT_ALLOWED
    return (other, False) if second_is_better(gain, other, scale) else (gain, True)


@borrowing
def gain_of_side(parameters, stats, rows, left, right, missing_to_left, buffers):
    """What a threshold gains with the missing rows on one side."""
    scan = buffers.scan
    branch_statistics(parameters, buffers, missing_to_left)
    first = left + (rows.missing if missing_to_left else 0.0)
    second = right + (0.0 if missing_to_left else rows.missing)
    in_first, in_second = first, second
    if parameters.row_factor.size:
        in_first, in_second = row_weight(parameters, scan.first), row_weight(parameters, scan.second)
    minimum = leaf_minimum(parameters, row_weight(parameters, stats))
    if not (at_least(in_first, minimum) and at_least(in_second, minimum) and first > 0.0 and second > 0.0):
        return NOT_ALLOWED
    return gain_of_two(parameters, rows.mean, rows.before, scan.first, first, scan.second, second, first + second)
