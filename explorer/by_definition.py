"""Growing with the readable layer alone: slow, and a second witness of what the fast loops do.

It serves small tables while the fast loops are still being compiled, and tests hold the two against each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.candidates import FeatureCandidates
from explorer.contest import hold_contest, statistics
from explorer.contingency import count_rows
from explorer.costs import NONE, Floats
from explorer.dataset import Dataset
from explorer.kernels.assemble import Mimics, Tables
from explorer.kernels.problem import centre
from explorer.limits import EMPTY, SPLIT, node_impurity, node_weight, rules_for, stop_before_search
from explorer.parting import Part, send
from explorer.recipe import Recipe
from explorer.surrogates import Found
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
    mimic_ints: list[tuple[int, ...]] = field(default_factory=list)
    mimic_floats: list[tuple[float, ...]] = field(default_factory=list)
    mimic_pairs: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules = rules_for(self.recipe, self.data, factors=self.factors)
        self.total = float(self.data.weight_of_rows().sum())
        self.shift = centre(self.data) if self.rules.regression else 0.0

    def add(self, part: Part, parent: int, branch: int, depth: int, spent: frozenset[int]) -> None:
        """Write a node, choose its test, and go on with its branches."""
        node, rules, rows = len(self.ints), self.rules, part.rows
        stats = statistics(self.data, rows, part.weights, rules) if len(rows) else np.zeros(rules.n_stats)
        weight = float(node_weight(rules, stats))
        self.ints.append([parent, branch, -1, depth, EMPTY, -1, 0])
        shown = stats - np.array([0.0, self.shift, 0.0]) if rules.regression and len(rows) else stats
        self.floats.append([weight, float(node_impurity(rules, stats)) if weight else 0.0, np.nan, 0.0, *shown])
        if not len(rows):
            return
        pure = bool(np.ptp(self.data.y[rows]) == 0)
        reason = int(stop_before_search(rules, stats, pure, depth, len(self.columns) - len(spent)))
        if reason == SPLIT:
            features, places = self._search(part, stats, spent)
            contest = hold_contest(features, stats, rules, self.total)
            reason = contest.reason
        self.ints[node][4] = reason
        if reason == SPLIT:
            self._split(node, part, depth, spent, places[contest.winner], features[contest.winner])

    def _search(
        self, part: Part, stats: NDArray[np.float64], spent: frozenset[int]
    ) -> tuple[list[FeatureCandidates], list[int]]:
        """The features with a test to offer, and their places among the columns."""
        mean = stats[1] if self.rules.regression else 0.0
        features, places = [], []
        for place, column in enumerate(self.columns):
            counts = count_rows(column, part.rows, self.data.y, part.weights, self.rules, mean)
            if place not in spent and len(counts.codes) > 1:
                features.append(FeatureCandidates(column, counts, stats, self.rules))
                places.append(place)
        return features, places

    def _split(
        self, node: int, part: Part, depth: int, spent: frozenset[int], place: int, found: FeatureCandidates
    ) -> None:
        column, classes = self.columns[place], self._classes(part.rows)
        sent = send(found, part, self.columns, place, classes)
        self.ints[node][2], self.ints[node][5], self.ints[node][6] = place, sent.missing_branch, len(sent.parts)
        branch_of_code = sent.branch_of_code
        if column.test == THRESHOLD:
            threshold = found.condition(found.best).threshold
            self.floats[node][2] = np.nan if threshold is None else threshold
        else:
            self.pairs += [(node, int(c), int(branch_of_code[c])) for c in np.flatnonzero(branch_of_code >= 0)]
        self.floats[node][3] = float(part.weights[column.codes[part.rows] >= column.missing_code].sum())
        self._keep(node, sent.surrogates)
        below = spent | {place} if column.test == EACH_VALUE else spent
        for i, rows in enumerate(sent.parts):
            self.add(rows, node, i, depth + 1, below)

    def _keep(self, node: int, found: list[Found]) -> None:
        """Write the node's surrogates."""
        for one in found:
            codes = np.flatnonzero(one.branch_of_code >= 0) if np.isnan(one.cut) else np.empty(0, np.intp)
            below, above = (-1, -1) if np.isnan(one.cut) else one.branch_of_code[[0, -1]].tolist()
            self.mimic_ints.append((node, one.place, below, above, len(codes)))
            self.mimic_floats.append((one.cut, one.agreement, one.adjusted))
            self.mimic_pairs += [(int(code), int(one.branch_of_code[code])) for code in codes]

    def _classes(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """The class of each row, 0 for a numeric target."""
        return np.zeros(len(rows), np.intp) if self.rules.regression else self.data.y[rows].astype(np.intp)


def grow_by_definition(data: Dataset, columns: list[Column], recipe: Recipe, factors: Floats = NONE) -> Tables:
    """The table of nodes of the tree on all rows of `data` (parents before children)."""
    growth = _Growth(data, columns, recipe, factors)
    growth.add(Part(np.arange(data.n_rows), data.weight_of_rows()), -1, 0, 0, frozenset())
    return Tables(
        0,
        np.array(growth.ints, dtype=np.int32),
        np.array(growth.floats, dtype=np.float64),
        np.array(growth.pairs, dtype=np.int32).reshape(-1, 3),
        np.empty((0, len(columns), 3)),
        Mimics(
            np.array(growth.mimic_ints, dtype=np.int32).reshape(-1, 5),
            np.array(growth.mimic_floats, dtype=np.float64).reshape(-1, 3),
            np.array(growth.mimic_pairs, dtype=np.int32).reshape(-1, 2),
        ),
    )
