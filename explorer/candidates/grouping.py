"""Tests that send some categories down one branch and the others down another: one against the rest, and subsets.

A grouping says for each category present whether it goes to the second branch; the earliest one present is always in
the first, so that no grouping is listed twice.
"""

from __future__ import annotations

import numpy as np

from explorer.candidates.counts import Bools, Floats, weights_of
from explorer.candidates.splits import NodeFeature, TwoBranchSplits
from explorer.recipe.category_order import EXHAUSTIVE, category_order, prefixes_are_exact
from explorer.recipe.columns import ONE_VS_REST
from explorer.recipe.condition import Condition
from explorer.recipe.split_score import at_least


class GroupingSplits(TwoBranchSplits):
    """Groupings of a feature's categories, `in_second` [tests, categories present]."""

    def __init__(self, feature: NodeFeature, in_second: Bools, approximate: bool = False) -> None:
        """Sum the counts of the categories in each branch."""
        self.in_second, self.approximate = in_second, approximate
        in_first, in_other = (~in_second).astype(float), in_second.astype(float)
        table, rows = feature.missing.table, feature.known_rows
        known = in_first @ rows, in_other @ rows
        super().__init__(feature, in_first @ table, in_other @ table, known, feature.parameters.min_leaf)

    def condition(self, which: int) -> Condition:
        """The categories of the two branches."""
        encoding, codes = self.feature.column.encoding, self.feature.counts.codes
        names = [encoding.labels[code] for code in codes]
        groups = (~self.in_second[which], self.in_second[which])
        branches = tuple(tuple(names[i] for i in np.flatnonzero(group)) for group in groups)
        return Condition(encoding.name, encoding.test, None, branches)


def grouping_splits(feature: NodeFeature) -> GroupingSplits:
    """All groupings of the kind of the feature's test."""
    n_present = len(feature.counts.codes)
    if n_present < 2:
        return GroupingSplits(feature, np.zeros((0, n_present), dtype=bool))
    if feature.column.test == ONE_VS_REST:
        return GroupingSplits(feature, one_vs_rest(n_present))
    return subset_splits(feature)


def one_vs_rest(n_present: int) -> Bools:
    """Each category against the rest; a single test where there are two.

    >>> one_vs_rest(3).astype(int).tolist()      # the first category is always in the first branch
    [[0, 1, 1], [0, 1, 0], [0, 0, 1]]
    """
    single = np.eye(n_present, dtype=bool)[: n_present if n_present > 2 else 1]
    return single ^ single[:, :1]


def subset_splits(feature: NodeFeature) -> GroupingSplits:
    """The subsets: prefixes of Breiman's order where the best is sure to be a prefix, then all others if few."""
    parameters, table, n_present = feature.parameters, feature.missing.table, len(feature.counts.codes)
    # Breiman et al. (1984), theorem 4.5: sort the categories by their mean, then scan as if they were numbers.
    means_of = table[:, 1:2] if parameters.regression else table
    prefixes = prefixes_of(
        category_order(np.ascontiguousarray(means_of), weights_of(table, parameters), parameters.regression)
    )
    exact = prefixes_are_exact(means_of, parameters.regression) and not feature.by_squared_share
    if n_present > EXHAUSTIVE:
        some_too_small = not at_least(feature.known_rows, parameters.min_leaf).all()
        return GroupingSplits(feature, prefixes, approximate=not exact or some_too_small or parameters.monotone)
    every = every_subset(n_present)
    if not exact:
        return GroupingSplits(feature, every)
    listed = {row.tobytes() for row in prefixes}
    others = [row[None] for row in every if row.tobytes() not in listed]
    return GroupingSplits(feature, np.vstack([prefixes, *others]))


def prefixes_of(order: Floats) -> Bools:
    """The first one, two, … categories of an order against the others.

    >>> prefixes_of(np.array([2, 0, 1])).astype(int).tolist()
    [[0, 0, 1], [0, 1, 0]]
    """
    n_present = len(order)
    prefixes = np.zeros((n_present - 1, n_present), dtype=bool)
    for i in range(n_present - 1):
        prefixes[i, order[: i + 1]] = True
    return prefixes ^ prefixes[:, :1]


def every_subset(n_present: int) -> Bools:
    """All 2^(k − 1) − 1 groupings of k categories: the bits of a number say which join the first category.

    >>> every_subset(3).astype(int).tolist()
    [[0, 1, 1], [0, 0, 1], [0, 1, 0]]
    """
    joins = np.arange(2 ** (n_present - 1) - 1)[:, None] >> np.arange(n_present - 1) & 1
    return np.column_stack([np.zeros(len(joins), dtype=bool), joins == 0])
