"""Growing with the readable layer alone: slow, and a second witness of what the fast loops do.

It serves small tables while the fast loops are still being compiled, and tests hold the two against each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.candidates import FeatureCandidates, count_rows
from explorer.contest import hold_contest, statistics
from explorer.costs import NONE, Floats
from explorer.dataset import Dataset
from explorer.kernels.assemble import Tables
from explorer.kernels.problem import centre
from explorer.limits import EMPTY, SPLIT, node_impurity, node_weight, rules_for, stop_before_search
from explorer.missing import heaviest
from explorer.recipe import Recipe
from explorer.usage import EACH_VALUE, THRESHOLD, Column


@dataclass
class _Growth:
    """The table of nodes while it is being filled."""

    data: Dataset
    columns: list[Column]
    recipe: Recipe
    factors: Floats
    ints: list[list[int]] = field(default_factory=list)
    floats: list[list[float]] = field(default_factory=list)
    pairs: list[tuple[int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules = rules_for(self.recipe, self.data, factors=self.factors)
        self.weights = self.data.weight_of_rows()
        self.shift = centre(self.data) if self.rules.regression else 0.0

    def add(self, rows: NDArray[np.intp], parent: int, branch: int, depth: int, spent: frozenset[int]) -> None:
        """Write a node, choose its test, and go on with its branches."""
        node, rules = len(self.ints), self.rules
        stats = statistics(self.data, rows, rules) if len(rows) else np.zeros(rules.n_stats)
        weight = float(node_weight(rules, stats))
        self.ints.append([parent, branch, -1, depth, EMPTY, -1, 0])
        shown = stats - np.array([0.0, self.shift, 0.0]) if rules.regression and len(rows) else stats
        self.floats.append([weight, float(node_impurity(rules, stats)) if weight else 0.0, np.nan, 0.0, *shown])
        if not len(rows):
            return
        pure = bool(np.ptp(self.data.y[rows]) == 0)
        reason = int(stop_before_search(rules, stats, pure, depth, len(self.columns) - len(spent)))
        if reason == SPLIT:
            features, places = self._search(rows, stats, spent)
            contest = hold_contest(features, stats, rules, float(self.weights.sum()))
            reason = contest.reason
        self.ints[node][4] = reason
        if reason == SPLIT:
            self._split(node, rows, depth, spent, places[contest.winner], features[contest.winner])

    def _search(
        self, rows: NDArray[np.intp], stats: NDArray[np.float64], spent: frozenset[int]
    ) -> tuple[list[FeatureCandidates], list[int]]:
        """The features with a test to offer, and their places among the columns."""
        mean = stats[1] if self.rules.regression else 0.0
        features, places = [], []
        for place, column in enumerate(self.columns):
            counts = count_rows(column, rows, self.data.y, self.weights, self.rules, mean)
            if place not in spent and len(counts.codes) > 1:
                features.append(FeatureCandidates(column, counts, stats, self.rules))
                places.append(place)
        return features, places

    def _split(
        self, node: int, rows: NDArray[np.intp], depth: int, spent: frozenset[int], place: int, found: FeatureCandidates
    ) -> None:
        column, codes = self.columns[place], self.columns[place].codes[rows]
        branch_of_code = self._branches(column, found)
        missing_branch = self._missing_branch(column, found, branch_of_code)
        branch = np.where(codes == column.n_values, missing_branch, np.append(branch_of_code, -1)[codes])
        n_branches = int(branch_of_code.max()) + 1
        self.ints[node][2], self.ints[node][5], self.ints[node][6] = place, missing_branch, n_branches
        if column.test == THRESHOLD:
            threshold = found.condition(found.best).threshold
            self.floats[node][2] = np.nan if threshold is None else threshold
        else:
            self.pairs += [(node, int(c), int(branch_of_code[c])) for c in np.flatnonzero(branch_of_code >= 0)]
        self.floats[node][3] = float(self.weights[rows][codes == column.n_values].sum())
        below = spent | {place} if column.test == EACH_VALUE else spent
        for i in range(n_branches):
            self.add(rows[branch == i], node, i, depth + 1, below)

    def _branches(self, column: Column, found: FeatureCandidates) -> NDArray[np.int64]:
        """The branch of every code, −1 where the node has no row of it."""
        codes = found.counts.codes
        branches = np.full(column.n_values, -1, dtype=np.int64)
        if column.test == THRESHOLD:
            return (np.arange(column.n_values) > codes[found.best]).astype(np.int64)
        if column.test == EACH_VALUE:
            kept = column.training_codes if self.rules.empty_branches else codes
            branches[kept] = np.arange(len(kept))
        elif found.second is not None:
            branches[codes] = found.second[found.best]
        return branches

    def _missing_branch(self, column: Column, found: FeatureCandidates, branches: NDArray[np.int64]) -> int:
        """The branch of the median or of the most common category."""
        table = found.counts.table
        weights = np.ascontiguousarray(table[:, 0] if self.rules.regression else table.sum(axis=1))
        if column.test != THRESHOLD:
            return int(branches[found.counts.codes[heaviest(weights)]])
        known = np.cumsum(weights)
        left = found.median_is_left(known[:-1], known[-1] - known[:-1])
        return 0 if left[found.best] else 1


def grow_by_definition(data: Dataset, columns: list[Column], recipe: Recipe, factors: Floats = NONE) -> Tables:
    """The table of nodes of the tree on all rows of `data` (parents before children)."""
    growth = _Growth(data, columns, recipe, factors)
    growth.add(np.arange(data.n_rows), -1, 0, 0, frozenset())
    return Tables(
        0,
        np.array(growth.ints, dtype=np.int32),
        np.array(growth.floats, dtype=np.float64),
        np.array(growth.pairs, dtype=np.int32).reshape(-1, 3),
        np.empty((0, len(columns), 3)),
    )
