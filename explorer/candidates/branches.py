"""The branches of a feature's best test: that of every code, and that of missing cells (DEFINITIONS section 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.counts import row_weights, weights_of
from explorer.candidates.surrogates import first_largest
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.missing import DEFAULT_DIRECTION, FRACTIONAL, OWN_BRANCH, SURROGATE, heaviest

Branches = NDArray[np.int64]


def branches_of_codes(candidates: FeatureCandidates) -> Branches:
    """The branch of every code of a feature under its best test, −1 where the node has no row of it."""
    column, codes = candidates.column, candidates.counts.codes
    branches = np.full(column.n_values, -1, dtype=np.int64)
    if column.test == THRESHOLD:
        highest = -1 if candidates.tests_missing else codes[candidates.best]
        return (np.arange(column.n_values) > highest).astype(np.int64)
    if column.test == EACH_VALUE and not column.merges:
        is_in_branch = column.training_codes if candidates.parameters.empty_branches else codes
        branches[is_in_branch] = np.arange(len(is_in_branch))
    else:
        branches[codes] = candidates.branch_of_values(candidates.best)
    return branches


def branch_of_missing(candidates: FeatureCandidates, branches: Branches) -> int:
    """The branch of the median or of the most common category, or that of missing values; −1 where there is none."""
    column, policy = candidates.column, candidates.parameters.missing
    if policy == FRACTIONAL:
        return -1
    if policy == OWN_BRANCH:
        if column.test == THRESHOLD:
            return 2 if candidates.missing.own_branch else -1
        return int(branches[column.missing_code]) if column.missing_code < column.n_values else -1
    if policy == DEFAULT_DIRECTION:
        return default_branch(candidates, branches)
    if policy == SURROGATE:
        return _heaviest_branch(candidates, branches)
    weights = weights_of(candidates.counts.table, candidates.parameters)
    if column.test != THRESHOLD:
        return int(branches[candidates.counts.codes[heaviest(weights)]])
    known = np.cumsum(weights)
    left = candidates.median_is_left(known[:-1], known[-1] - known[:-1])
    return 0 if left[candidates.best] else 1


def default_branch(candidates: FeatureCandidates, branches: Branches) -> int:
    """The better side for the rows without a value; without any at the node the heaviest branch.

    Where no training row lacks a value it is the first branch, as in XGBoost.
    """
    column = candidates.column
    better_side = candidates.missing_branch(candidates.best)
    if better_side is not None:
        return better_side
    if column.missing_code < column.n_values and branches[column.missing_code] >= 0:
        return int(branches[column.missing_code])
    if not column.lacks_values:
        return 0
    return _heaviest_branch(candidates, branches)


def _heaviest_branch(candidates: FeatureCandidates, branches: Branches) -> int:
    """The branch with the largest weight of rows whose value is known; of equal ones the first."""
    rows = row_weights(candidates.counts.table, candidates.parameters)
    return int(first_largest(np.bincount(branches[candidates.counts.codes], weights=rows)))
