"""The test of CHAID: a branch for each group of values that are left when those with like rows are merged (Kass 1980).

Section 25 of explorer/ensembles/DEFINITIONS.md: the two groups whose class tables differ least are merged, again and
again, while their χ² is not significant at the level of the recipe.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import Floats, weights_of
from explorer.candidates.each_value import EachValueSplit
from explorer.candidates.splits import NodeFeature
from explorer.recipe.columns import kind_of
from explorer.recipe.condition import Condition
from explorer.recipe.significance import NEGLIGIBLE, log_upper_tail
from explorer.recipe.split_score import TIE, at_least
from explorer.values import Value

Groups = NDArray[np.intp]


@dataclass(frozen=True)
class Merge:
    """Two groups of values, by their positions among those present, whose pair was the most alike.

    `log_p` is the logarithm of the p of their χ²; `is_merged` says whether it is above the level.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    log_p: float
    is_merged: bool


@dataclass(frozen=True)
class ComparedGroups:
    """The same with the values of the feature, None among them the missing one, and the p itself."""

    first: tuple[Value | None, ...]
    second: tuple[Value | None, ...]
    p: float
    is_merged: bool


@dataclass(frozen=True, eq=False)
class Merging:
    """The group of every value present [v], numbered by their first values, and the pairs compared in turn."""

    group_of_value: Groups
    steps: tuple[Merge, ...]

    @property
    def n_groups(self) -> int:
        """How many groups are left."""
        return int(self.group_of_value.max(initial=-1)) + 1


def merge_values(table: Floats, level: float, is_ordered: bool = False, has_missing: bool = False) -> Merging:
    """Merge values with these class weights [v, K] until no pair of groups has a p above the level.

    Of ordered values only neighbours are merged; the last is the missing one where it `has_missing`, which may join any
    group. Of pairs that are as much alike the first is merged.

    >>> merging = merge_values(np.array([[2.0, 3.0], [0.0, 4.0], [3.0, 2.0]]), 0.05)        # Outlook
    >>> [(step.first, step.second, round(math.exp(step.log_p), 3)) for step in merging.steps]
    [((0,), (2,), 0.527), ((0, 2), (1,), 0.078)]
    >>> merging.n_groups
    1
    >>> merge_values(np.array([[2.0, 3.0], [0.0, 4.0], [3.0, 2.0]]), 0.1).group_of_value.tolist()
    [0, 1, 0]
    """
    weights = table.copy()
    members: dict[int, tuple[int, ...]] = {position: (position,) for position in range(len(table))}
    floating = len(table) - 1 if has_missing else -1
    log_ps = np.full((len(table), len(table)), -np.inf)
    for group in members:
        _compare(group, members, weights, log_ps, is_ordered, floating)
    log_level, steps = math.log(level) if level > 0.0 else -math.inf, list[Merge]()
    while len(members) > 1:
        largest = log_ps.max()
        first, second = map(int, np.argwhere(log_ps >= largest - TIE * max(1.0, -largest))[0])
        log_p, pair = float(log_ps[first, second]), (members[first], members[second])
        is_merged = log_p > log_level
        steps.append(Merge(*pair, log_p, is_merged))
        if not is_merged:
            break
        members[first] = tuple(sorted((*pair[0], *pair[1])))
        del members[second]
        weights[first] += weights[second]
        log_ps[second], log_ps[:, second] = -np.inf, -np.inf
        _compare(first, members, weights, log_ps, is_ordered, floating)
    groups = np.zeros(len(table), dtype=np.intp)
    for number, positions in enumerate(members.values()):
        groups[list(positions)] = number
    return Merging(groups, tuple(steps))


def _compare(
    group: int, members: dict[int, tuple[int, ...]], weights: Floats, log_ps: Floats, is_ordered: bool, floating: int
) -> None:
    """Write the p of every pair that a group may be merged in; of ordered values with neighbours or the missing one."""
    others = np.array([other for other in members if other != group], dtype=np.intp)
    if is_ordered and group != floating:
        known = others[others != floating]
        others = np.concatenate([known[known < group][-1:], known[known > group][:1], others[others == floating]])
    if len(others):
        log_ps[np.minimum(group, others), np.maximum(group, others)] = _log_ps_of_pairs(weights[others], weights[group])


def _log_ps_of_pairs(others: Floats, own: Floats) -> Floats:
    """Logarithm of the p of χ² of one group's class weights [K] and those of each of some others, [g]."""
    classes = others + own
    rows, of_own = others.sum(axis=1), own.sum()
    totals = rows + of_own
    shares = np.divide(classes, totals[:, None], out=np.zeros_like(classes), where=totals[:, None] > 0.0)
    statistic = np.zeros(len(others))
    for observed, weight in ((others, rows[:, None]), (own, of_own)):
        expected = weight * shares
        terms = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(classes), where=expected > 0.0)
        statistic += terms.sum(axis=1)
    statistic[statistic <= NEGLIGIBLE * totals] = 0.0
    df = np.where((rows > 0.0) & (of_own > 0.0), (classes > 0.0).sum(axis=1) - 1, 0)
    pairs = zip(statistic.tolist(), df.tolist(), strict=True)
    return np.array([log_upper_tail(*pair) for pair in pairs], dtype=np.float64)


def ways_nominal(categories: int, groups: int) -> int:
    """Ways of merging categories into groups: the Stirling number of the second kind.

    >>> ways_nominal(4, 2), ways_nominal(4, 3), ways_nominal(10, 2)
    (7, 6, 511)
    """
    terms = ((-1) ** i * math.comb(groups, i) * (groups - i) ** categories for i in range(groups + 1))
    return sum(terms) // math.factorial(groups)


def ways_ordered(values: int, groups: int) -> int:
    """Ways of cutting values in order into groups of neighbours.

    >>> ways_ordered(14, 2), ways_ordered(4, 3)
    (13, 3)
    """
    return math.comb(values - 1, groups - 1)


def ways_floating(values: int, groups: int) -> int:
    """The same where one of the values is the missing one, which joins any group or stands alone.

    >>> ways_floating(3, 2), ways_floating(4, 2), ways_floating(4, 3)
    (3, 5, 5)
    """
    alone = math.comb(values - 2, groups - 2) if groups > 1 else 0
    return alone + groups * math.comb(values - 2, groups - 1)


class MergedSplit(EachValueSplit):
    """The single such test of a feature; none where all its values are merged."""

    def __init__(self, feature: NodeFeature) -> None:
        """Merge the values, and find out whether enough branches have the rows that they need."""
        column, parameters = feature.column, feature.parameters
        assert column.merge_level is not None, "only such columns are merged"
        self.feature, self.minimum = feature, parameters.min_leaf
        self.has_missing = column.missing_code < column.n_values and column.missing_code in feature.counts.codes
        self.merging = merge_values(feature.row_table, column.merge_level, column.is_ordered, self.has_missing)
        self.groups, n_groups = self.merging.group_of_value, self.merging.n_groups
        self.n_tests = int(n_groups >= 2)
        self.table = self._summed(feature.missing.table)
        self.weights = weights_of(self.table, parameters)
        n_large = int(at_least(self._summed(feature.known_rows[:, None])[:, 0], self.minimum).sum())
        needed = min(2, n_groups) if parameters.two_branches else n_groups
        self.admissible = np.array([n_large >= needed] * self.n_tests, dtype=bool)

    def _summed(self, table: Floats) -> Floats:
        """The rows of a table [v, K] summed by group."""
        sums = np.zeros((self.merging.n_groups, table.shape[1]))
        np.add.at(sums, self.groups, table)
        return sums

    @property
    def log_ways(self) -> float:
        """Logarithm of the number of ways of merging the values present into so many groups (Kass 1980)."""
        n_values, n_groups = len(self.groups), self.merging.n_groups
        if n_groups < 2:
            return 0.0
        if not self.feature.column.is_ordered:
            return math.log(ways_nominal(n_values, n_groups))
        return math.log((ways_floating if self.has_missing else ways_ordered)(n_values, n_groups))

    def condition(self, which: int) -> Condition:
        """A branch for every group."""
        encoding = self.feature.column.encoding
        names = [encoding.labels[code] for code in self.feature.counts.codes]
        members = [np.flatnonzero(self.groups == group) for group in range(self.merging.n_groups)]
        branches = tuple(tuple(names[position] for position in group) for group in members)
        kind = kind_of(encoding.test, [len(group) for group in branches])
        return Condition(encoding.name, kind, None, branches, has_intervals=encoding.is_binned)

    @property
    def compared(self) -> tuple[ComparedGroups, ...]:
        """The pairs that were compared, in turn."""
        names = [self.feature.column.encoding.labels[code] for code in self.feature.counts.codes]

        def named(group: tuple[int, ...]) -> tuple[Value | None, ...]:
            return tuple(names[position] for position in group)

        return tuple(
            ComparedGroups(named(step.first), named(step.second), math.exp(step.log_p), step.is_merged)
            for step in self.merging.steps
        )

    def branch_of_missing(self, which: int) -> int:
        """That of the most common category."""
        return int(self.groups[self.feature.missing.imputed_categories[0]])

    def branch_counts(self, which: int) -> Floats:
        """The counts of each group."""
        return self.table
