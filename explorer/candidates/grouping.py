"""Tests that send some categories down one branch and the others down another: one against the rest, and subsets.

A grouping says for each category present whether it goes to the second branch; the earliest one present is always in
the first, so that no grouping is listed twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import Bools, Floats, summed_below, weights_of
from explorer.candidates.splits import NodeFeature, TwoBranchSplits
from explorer.recipe.category_order import EXHAUSTIVE, category_order, prefixes_are_exact
from explorer.recipe.columns import ONE_VS_REST
from explorer.recipe.condition import Condition
from explorer.recipe.split_score import at_least

Pair = tuple[Floats, Floats]


class Groupings(Protocol):
    """Groupings of the categories present at a node. Forms that many categories have take memory for each once."""

    def sums(self, table: Floats) -> Pair:
        """Sums of the rows of a table [categories present, K] by branch, [groupings, K] both."""
        ...

    def in_second(self, which: int) -> Bools:
        """Which categories go to the second branch, [categories present]."""
        ...


class Listed:
    """Groupings listed one by one, [groupings, categories present]: for few categories.

    >>> Listed(every_subset(3)).sums(np.array([[1.0], [10.0], [100.0]]))[1].ravel().tolist()
    [110.0, 100.0, 10.0]
    """

    def __init__(self, in_second: Bools) -> None:
        self._in_second = in_second
        self._counts_in_second = in_second.astype(float)

    def sums(self, table: Floats) -> Pair:
        """As the protocol says."""
        return (1.0 - self._counts_in_second) @ table, self._counts_in_second @ table

    def in_second(self, which: int) -> Bools:
        """As the protocol says."""
        return self._in_second[which]


class Prefixes:
    """The first one, two, … categories of an order against the others.

    >>> prefixes = Prefixes(np.array([2, 0, 1]))
    >>> [prefixes.in_second(which).astype(int).tolist() for which in range(2)]
    [[0, 0, 1], [0, 1, 0]]
    >>> prefixes.sums(np.array([[1.0], [10.0], [100.0]]))[1].ravel().tolist()
    [100.0, 10.0]
    """

    def __init__(self, order: NDArray[np.intp]) -> None:
        self._order, self._earliest = order, int(np.argmin(order))

    def sums(self, table: Floats) -> Pair:
        """As the protocol says."""
        group, rest = summed_below(table[self._order])
        return _earliest_first(group, rest, self._earliest)

    def in_second(self, which: int) -> Bools:
        """As the protocol says."""
        prefix = np.zeros(len(self._order), dtype=bool)
        prefix[self._order[: which + 1]] = True
        return prefix ^ prefix[0]

    def listed(self) -> Bools:
        """All of them, [groupings, categories present]."""
        return np.array([self.in_second(which) for which in range(len(self._order) - 1)])


class PrefixesOfEach:
    """The prefixes of several orders, one order after the other; one that an earlier order has is not listed again.

    >>> prefixes = PrefixesOfEach([np.array([2, 0, 1]), np.array([1, 2, 0])])  # {1} against the rest is in both
    >>> [prefixes.in_second(which).astype(int).tolist() for which in range(3)]
    [[0, 0, 1], [0, 1, 0], [0, 1, 1]]
    >>> prefixes.sums(np.array([[1.0], [10.0], [100.0]]))[1].ravel().tolist()
    [100.0, 10.0, 110.0]
    """

    def __init__(self, orders: Sequence[NDArray[np.intp]]) -> None:
        new = [np.flatnonzero(~_are_in(order, orders[:which])) for which, order in enumerate(orders)]
        self._parts = [(Prefixes(order), which) for order, which in zip(orders, new, strict=True)]

    def sums(self, table: Floats) -> Pair:
        """As the protocol says."""
        sums = [(prefixes.sums(table), new) for prefixes, new in self._parts]
        first, second = (np.concatenate([pair[side][new] for pair, new in sums]) for side in (0, 1))
        return first, second

    def in_second(self, which: int) -> Bools:
        """As the protocol says."""
        for prefixes, new in self._parts:
            if which < len(new):
                return prefixes.in_second(int(new[which]))
            which -= len(new)
        raise IndexError(which)


def _are_in(order: NDArray[np.intp], others: Sequence[NDArray[np.intp]]) -> Bools:
    """Which prefixes of an order divide the categories as a prefix of one of the other orders does."""
    n_present = len(order)
    in_prefix, are_in = np.arange(1, n_present), np.zeros(n_present - 1, dtype=bool)
    for other in others:
        places = np.argsort(other)[order[:-1]]
        are_in |= np.maximum.accumulate(places) == in_prefix - 1  # they are the first there
        are_in |= np.minimum.accumulate(places) == n_present - in_prefix  # or the last
    return are_in


class OneVsRest:
    """Each category against the rest; a single test where there are two.

    >>> singles = OneVsRest(3)      # the first category is always in the first branch
    >>> [singles.in_second(which).astype(int).tolist() for which in range(3)]
    [[0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> singles.sums(np.array([[1.0], [10.0], [100.0]]))[1].ravel().tolist()
    [110.0, 10.0, 100.0]
    """

    def __init__(self, n_present: int) -> None:
        self._n_present, self._n_tests = n_present, n_present if n_present > 2 else 1

    def sums(self, table: Floats) -> Pair:
        """As the protocol says."""
        single = table[: self._n_tests]
        return _earliest_first(table.sum(axis=0) - single, single, 1)

    def in_second(self, which: int) -> Bools:
        """As the protocol says."""
        is_single = np.arange(self._n_present) == which
        return is_single ^ is_single[0]


def _earliest_first(group: Floats, rest: Floats, n_swapped: int) -> Pair:
    """Both sums, with those of the first `n_swapped` groupings in each other's place."""
    is_swapped = np.arange(len(group))[:, None] < n_swapped
    return np.where(is_swapped, rest, group), np.where(is_swapped, group, rest)


class GroupingSplits(TwoBranchSplits):
    """Groupings of a feature's categories."""

    def __init__(self, feature: NodeFeature, groupings: Groupings, approximate: bool = False) -> None:
        """Sum the counts of the categories in each branch."""
        self.in_second, self.approximate = groupings.in_second, approximate
        first, second = groupings.sums(feature.missing.table)
        if not feature.parameters.regression:
            first, second = np.maximum(first, 0.0), np.maximum(second, 0.0)  # see `ThresholdSplits`
        if feature.counts.ranked is not None:
            self.feature = feature
            for which in range(len(first)):
                first[which, 2], second[which, 2] = self._losses(which)
        known_first, known_second = groupings.sums(feature.known_rows[:, None])
        super().__init__(feature, first, second, (known_first[:, 0], known_second[:, 0]), feature.parameters.min_leaf)

    def _losses(self, which: int) -> Floats:
        """Total loss around the quantile of each branch."""
        counts, missing = self.feature.counts, self.feature.missing
        of_missing = self.branch_of_missing(which) if missing.imputed else -1
        groups = self.in_second(which).astype(np.intp)
        return counts.statistics_of_groups(groups, of_missing, self.feature.parameters)[:, 2]

    def branch_of_missing(self, which: int) -> int:
        """That of the most common category."""
        return int(self.in_second(which)[self.feature.missing.imputed_categories[0]])

    def condition(self, which: int) -> Condition:
        """The categories of the two branches."""
        encoding, codes = self.feature.column.encoding, self.feature.counts.codes
        names = [encoding.labels[code] for code in codes]
        is_second = self.in_second(which)
        branches = tuple(tuple(names[i] for i in np.flatnonzero(group)) for group in (~is_second, is_second))
        return Condition(encoding.name, encoding.test, None, branches, has_intervals=encoding.is_binned)


def grouping_splits(feature: NodeFeature) -> GroupingSplits:
    """All groupings of the kind of the feature's test."""
    n_present = len(feature.counts.codes)
    if n_present < 2:
        return GroupingSplits(feature, Listed(np.zeros((0, n_present), dtype=bool)))
    if feature.column.test == ONE_VS_REST:
        return GroupingSplits(feature, OneVsRest(n_present))
    return subset_splits(feature)


def subset_splits(feature: NodeFeature) -> GroupingSplits:
    """The subsets: prefixes of Breiman's order where the best is sure to be a prefix, then all others if few."""
    parameters, table, n_present = feature.parameters, feature.missing.table, len(feature.counts.codes)
    # Breiman et al. (1984), theorem 4.5: sort the categories by their mean, then scan as if they were numbers.
    means_of = table[:, 1:2] if parameters.regression else table
    of_weights = weights_of(table, parameters)
    if feature.counts.ranked is not None:  # by their quantiles: the best need not be a prefix
        means_of, of_weights = feature.sums_of_values[:, 1:2], np.ones(n_present)
    prefixes = Prefixes(category_order(np.ascontiguousarray(means_of), of_weights, parameters.regression))
    exact = prefixes_are_exact(means_of, parameters.regression) and not feature.by_squared_share
    exact = exact and feature.counts.ranked is None
    if n_present > EXHAUSTIVE:
        some_too_small = not at_least(feature.known_rows, parameters.min_leaf).all()
        return GroupingSplits(feature, prefixes, approximate=not exact or some_too_small or parameters.monotone)
    every = every_subset(n_present)
    if not exact:
        return GroupingSplits(feature, Listed(every))
    first = prefixes.listed()
    is_other = np.ones(len(every), dtype=bool)
    is_other[_numbers_of(first)] = False
    return GroupingSplits(feature, Listed(np.vstack([first, every[is_other]])))


def every_subset(n_present: int) -> Bools:
    """All 2^(k − 1) − 1 groupings of k categories: the bits of a number say which join the first category.

    >>> every_subset(3).astype(int).tolist()
    [[0, 1, 1], [0, 0, 1], [0, 1, 0]]
    """
    joins = np.arange(2 ** (n_present - 1) - 1)[:, None] >> np.arange(n_present - 1) & 1
    return np.column_stack([np.zeros(len(joins), dtype=bool), joins == 0])


def _numbers_of(groupings: Bools) -> NDArray[np.intp]:
    """The place of each grouping among `every_subset`.

    >>> _numbers_of(every_subset(4)).tolist()
    [0, 1, 2, 3, 4, 5, 6]
    """
    joins: NDArray[np.intp] = ~groupings[:, 1:] @ (1 << np.arange(groupings.shape[1] - 1))
    return joins
