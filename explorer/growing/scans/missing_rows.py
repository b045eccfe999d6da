"""The branch of rows without a value, and what a threshold gains with them.

They go with the median of the known rows, or of their own class (policy "same_class"), or are tried on either side
("default_direction"). The latter is XGBoost's sparsity-aware search (Chen and Guestrin 2016, algorithm 3), for every
impurity and score. Its last test of a feature is "missing or not": no row with a value goes to the left.
"""

import numpy as np

from explorer.growing.scans.branch_gains import (
    both_at_least,
    branch_statistics,
    branch_statistics_by_class,
    gain_of_two,
    subtract_statistics,
)
from explorer.growing.scans.buffers import DRAWN_THRESHOLD
from explorer.growing.scans.problem import column_values
from explorer.growing.scans.running_best import violates
from explorer.jit import borrowing
from explorer.recipe.condition import threshold_after, threshold_between
from explorer.recipe.missing import median_goes_left
from explorer.recipe.parameters import leaf_minimum, row_weight
from explorer.recipe.split_score import at_least, second_is_better

NOT_ALLOWED = -np.inf
"""In place of the gain of a test whose branches have too few rows, or violate a constraint."""


@borrowing
def cut_between(parameters, values, low, high, result):
    """The threshold between two codes: by the recipe, or the one that the node drew."""
    if parameters.random_thresholds:
        return result[DRAWN_THRESHOLD]
    return threshold_after(values, low, high, parameters.threshold_at)


@borrowing
def gain_of_imputed(problem, parameters, feature, rows, left, right, low, high, buffers):
    """What a threshold gains with missing rows where the median is, and whether that is the left; `NOT_ALLOWED` if not.

    `scan.left` are the known rows on its left.
    """
    scan, to_left, goes_left = buffers.scan, 0.0, True
    minimum = leaf_minimum(parameters, rows.row_weight)
    if right <= 0.0 or not both_at_least(parameters, left, right, scan.left, rows.row_weight, minimum):
        return NOT_ALLOWED, goes_left
    if rows.missing == 0.0 and not parameters.monotone:  # there is nothing to add to what lies on the left
        total = left + right if np.isnan(rows.total) else rows.total
        subtract_statistics(parameters, buffers)
        return gain_of_two(parameters, rows.mean, rows.before, scan.left, left, scan.second, right, total), goes_left
    values = column_values(problem, feature)
    if rows.by_class:
        to_left = branch_statistics_by_class(buffers, threshold_between(values, low, high, parameters.threshold_at))
    else:
        if rows.missing > 0.0:
            cut = cut_between(parameters, values, low, high, buffers.results[feature])
            goes_left = median_goes_left(left, right, values[low], values[high], cut)
        to_left = rows.missing if goes_left else 0.0
        branch_statistics(parameters, buffers, goes_left)
    first_weight, second_weight = left + to_left, right + (rows.missing - to_left)
    if parameters.monotone and violates(
        problem.monotone[feature], scan.first, first_weight, scan.second, second_weight, buffers.bounds
    ):
        return NOT_ALLOWED, goes_left
    total = first_weight + second_weight if np.isnan(rows.total) else rows.total
    gain = gain_of_two(
        parameters, rows.mean, rows.before, scan.first, first_weight, scan.second, second_weight, total
    )  # fmt: skip
    return gain, goes_left


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
