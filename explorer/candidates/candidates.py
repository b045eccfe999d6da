"""Every candidate of one node with its numbers: the readable definition (DEFINITIONS sections 3 and 4).

All tests of a feature are groupings of the rows of its contingency table, so that is all that is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import (
    Bools,
    Contingency,
    Floats,
    pair_gains,
    pair_split_information,
    row_weights,
    summed_below,
    weights_of,
)
from explorer.recipe.category_order import EXHAUSTIVE, category_order, prefixes_are_exact
from explorer.recipe.columns import EACH_VALUE, ONE_VS_REST, THRESHOLD, TrainingColumn
from explorer.recipe.condition import Condition, threshold_between
from explorer.recipe.impurity import NEGLIGIBLE, between_two, node_total_impurity, split_information, weight_times_error
from explorer.recipe.missing import OWN_BRANCH, SAME_CLASS, by_known_rows, heaviest, median_goes_left, weighted_median
from explorer.recipe.parameters import GrowParameters, leaf_minimum, node_impurity, node_weight, row_weight
from explorer.recipe.split_score import BY_SQUARED_SHARE, at_least, first_best, scores_of, threshold_penalty


@dataclass(frozen=True)
class Candidate:
    """One test that a node could use, with the numbers it competes by.

    `gain` is the decrease of the recipe's impurity, a penalty taken off; `gain_ratio` is gain by split information;
    `score` is what features compete by, with the feature's `cost` where the recipe's score minds it.
    `rejected` says why the test is out of the contest, None if it is in. `is_best` marks the best of its feature.
    `branch_stats` [branches, K] are class weights, or (W, mean, M2); `impurities` and `weights` go by branch. Where
    rows without a value are left out of the comparison (`missing_weight`) they are not in these either; `known_share`
    is the share of the others, and the gain is already multiplied by it. `filled_weight` is that of rows that
    lack a value but count as having another. `n_thresholds` are those paid for, 0 if none.
    """

    feature: str
    condition: Condition
    gain: float
    split_info: float
    gain_ratio: float | None
    score: float | None
    rejected: str | None
    is_best: bool
    approximate: bool
    branch_stats: Floats = field(compare=False)
    weights: tuple[float, ...]
    impurities: tuple[float, ...]
    cost: float = 1.0
    known_share: float = 1.0
    missing_weight: float = 0.0
    n_thresholds: int = 0
    filled_weight: float = 0.0

    @property
    def weighted_impurity(self) -> float:
        """Impurity left after the test, Σ W_m/W · impurity_m: what CART's books print as the Gini of a split."""
        return float(np.dot(self.weights, self.impurities) / np.sum(self.weights))


class FeatureCandidates:
    """All tests of one feature at one node as arrays, in the order of the tie rule; numbers are in bits.

    `gain` is what the tests of a feature compete by, `decrease` that of the impurity: the same but under the score
    "seed000_regression".
    """

    def __init__(self, column: TrainingColumn, counts: Contingency, stats: Floats, rules: GrowParameters) -> None:
        """Enumerate and score the tests. `stats` [K] are the node's statistics."""
        self.column, self.counts, self.stats, self.rules = column, counts, stats, rules
        self.impurity, self.weight = float(node_impurity(rules, stats)), float(node_weight(rules, stats))
        self.literal = rules.score == BY_SQUARED_SHARE
        self.missing_weight = float(weights_of(counts.missing[None], rules)[0])
        self.by_known = bool(by_known_rows(rules.missing))
        self.own_branch = rules.missing == OWN_BRANCH and column.test == THRESHOLD and self.missing_weight > 0.0
        self.approximate = False
        self.n_thresholds = 0
        self.second: Bools | None = None
        self.gain: Floats
        self.decrease: Floats
        self.split_info: Floats
        self.admissible: Bools
        if column.test == EACH_VALUE:
            self._score_each_value()
        elif column.test == THRESHOLD:
            self._score_pairs(*self._thresholds())
        else:
            self.second = self._groupings()
            self._score_pairs(*self._sum_groups(self.second))
        if rules.penalty and column.test == THRESHOLD and self.admissible.any():
            self.n_thresholds = int(self.admissible.sum())
            rows = float(row_weight(rules, stats))
            self.gain = threshold_penalty(self.gain, self.n_thresholds, rows)
            self.decrease = self.gain

    def __len__(self) -> int:
        """How many tests there are."""
        return len(self.gain)

    @cached_property
    def best(self) -> int:
        """Position of the best admissible test: the first whose gain equals the largest; −1 if there is none."""
        return int(first_best(np.where(self.admissible, self.gain, np.nan), self.impurity))

    @property
    def best_gain(self) -> float:
        """Gain of the best test; nan where there is none, or where the penalty leaves nothing."""
        if self.best < 0 or (self.n_thresholds and not self.gain[self.best] > 0.0):
            return float("nan")
        return float(self.gain[self.best])

    @property
    def left_out(self) -> float:
        """Weight of the rows that a gain is not measured on, for want of a value."""
        return self.missing_weight if self.by_known and not self.own_branch else 0.0

    @cached_property
    def stand_ins(self) -> NDArray[np.intp]:
        """Position of the category that a missing cell counts as, by class of its row (one for all but same_class)."""
        table = self.counts.table
        overall = heaviest(weights_of(table, self.rules))
        if self.rules.missing != SAME_CLASS:
            return np.full(table.shape[1], overall)
        return np.array([heaviest(column.copy()) if column.any() else overall for column in table.T])

    @cached_property
    def scores(self) -> Floats:
        """What each test would compete by, [tests]."""
        rules = self.rules
        found = scores_of(self.gain, self.split_info, self.column.cost, rules.score, rules.nunez_w)
        return np.asarray(found, dtype=np.float64)

    @cached_property
    def _known(self) -> Floats:
        """Row weight [v] of every value present."""
        return row_weights(self.counts.table, self.rules)

    @cached_property
    def _filled(self) -> Floats:
        """The table with the missing rows counted as the categories that stand in for them, if any do."""
        if not len(self.counts.table) or self.by_known or not self.counts.missing.any():
            return self.counts.table
        table = self.counts.table.copy()
        np.add.at(table, (self.stand_ins, np.arange(table.shape[1])), self.counts.missing)
        return table

    def _thresholds(self) -> tuple[Floats, Floats]:
        """Statistics of the two branches of every threshold; missing rows follow the median."""
        table, missing = self.counts.table, self.counts.missing
        below, above = summed_below(table)
        if not self.rules.regression:
            np.maximum(above, 0.0, out=above)  # subtracting fractional weights can fall just below zero
        if missing.any() and not self.by_known:
            left = self.missing_goes_left(below, above)
            below, above = below + left * missing, above + ~left * missing
        return below, above

    def missing_goes_left(self, below: Floats, above: Floats) -> Bools:
        """Whether missing cells are on the left of each threshold, [tests, 1], or by class, [tests, K]."""
        if self.rules.missing != SAME_CLASS:
            return self.median_is_left(weights_of(below, self.rules), weights_of(above, self.rules))[:, None]
        return np.array([self.class_medians <= cut for cut in self._cuts()], dtype=bool).reshape(len(below), -1)

    @cached_property
    def class_medians(self) -> Floats:
        """The median of each class's known values, [K]; that of all where a class has none."""
        values, table = self.column.values[self.counts.codes], self.counts.table
        overall = weighted_median(values, table.sum(axis=1))
        own = np.array([weighted_median(values, column.copy()) for column in table.T])
        return np.where(np.isnan(own), overall, own)

    def _cuts(self) -> list[float]:
        codes, values, place = self.counts.codes, self.column.values, self.rules.place
        return [float(threshold_between(values, a, b, place)) for a, b in pairwise(codes)]

    def median_is_left(self, left: Floats, right: Floats) -> Bools:
        """Whether the median, which missing cells count as, is left of each threshold with these known weights."""
        codes, values, place = self.counts.codes, self.column.values, self.rules.place
        sides = zip(left, right, codes, codes[1:], strict=False)
        return np.array([median_goes_left(wl, wr, values, a, b, place) for wl, wr, a, b in sides], dtype=bool)

    def _groupings(self) -> Bools:
        """Who goes to the second branch, [tests, categories present]; the earliest one present is in the first."""
        table, n_present = self._filled, len(self.counts.codes)
        if n_present < 2:
            return np.zeros((0, n_present), dtype=bool)
        if self.column.test == ONE_VS_REST:
            single = np.eye(n_present, dtype=bool)[: n_present if n_present > 2 else 1]
            return single ^ single[:, :1]
        sums = table[:, 1:2] if self.rules.regression else table
        order = category_order(np.ascontiguousarray(sums), weights_of(table, self.rules), self.rules.regression)
        prefixes = np.zeros((n_present - 1, n_present), dtype=bool)
        for i in range(n_present - 1):
            prefixes[i, order[: i + 1]] = True
        prefixes ^= prefixes[:, :1]
        exact = prefixes_are_exact(sums, self.rules.regression) and not self.literal
        if n_present > EXHAUSTIVE:
            bound = not at_least(self._known, self.rules.min_leaf).all()
            self.approximate = not exact or bound
            return prefixes
        joins = np.arange(2 ** (n_present - 1) - 1)[:, None] >> np.arange(n_present - 1) & 1
        every = np.column_stack([np.zeros(len(joins), dtype=bool), joins == 0])
        if not exact:
            return every
        known = {row.tobytes() for row in prefixes}
        return np.vstack([prefixes, *(row[None] for row in every if row.tobytes() not in known)])

    def _sum_groups(self, second: Bools) -> tuple[Floats, Floats]:
        return (~second).astype(float) @ self._filled, second.astype(float) @ self._filled

    def _score_pairs(self, one: Floats, other: Floats) -> None:
        """Gains and split information of tests with two branches."""
        self.one, self.other = one, other
        left, right = weights_of(one, self.rules), weights_of(other, self.rules)
        known_weight = float(self._known.sum())
        at_threshold = self.column.test == THRESHOLD
        self.minimum = float(leaf_minimum(self.rules, known_weight)) if at_threshold else self.rules.min_leaf
        lighter = np.minimum(*self._known_weights())
        self.admissible = (at_least(lighter, self.minimum)) & (lighter > 0)
        if self.own_branch and not self.rules.two_branches:
            lacking = float(row_weights(self.counts.missing[None], self.rules)[0])
            self.admissible &= bool(at_least(lacking, self.minimum))
        gains = pair_gains(self.rules, self._total_before, self.weight, one, other, self._gain_of_own_branch())
        self.decrease = _without_noise(gains, self.impurity)
        self.gain = self._weighted_again(one, other) if self.literal else self.decrease
        self.split_info = pair_split_information(left, right, self._missing_outcome)

    @cached_property
    def _total_before(self) -> float:
        """Weight times impurity of the rows that the test is judged by (not used for a numeric target)."""
        known = self._filled.sum(axis=0)
        return 0.0 if self.rules.regression else float(node_total_impurity(self.rules.impurity, known, known.sum()))

    @property
    def _missing_outcome(self) -> float:
        """Weight of the rows that split information counts as an outcome of their own."""
        return self.missing_weight if self.rules.missing_outcome else 0.0

    def _gain_of_own_branch(self) -> float:
        """What it gains to set the missing rows apart from the others, before the others are parted."""
        if not self.own_branch:
            return 0.0
        known, missing = self.counts.table.sum(axis=0), self.counts.missing
        if self.rules.regression:
            return float(between_two(known[0], known[1], missing[0], missing[1])) / self.weight
        after = sum(node_total_impurity(self.rules.impurity, part, part.sum()) for part in (known, missing))
        return self.impurity - after / self.weight

    def _weighted_again(self, *branches: Floats) -> Floats:
        """Impurity less Σ (W_m/W)²·impurity_m: squared errors multiplied once more by the rows they come from."""
        after = np.zeros(len(branches[0]))
        for parts in branches:
            after += [weight_times_error(part[0], part[1], part[2]) for part in parts]
        judged = self._filled.sum(axis=0)
        before = weight_times_error(judged[0], judged[1], judged[2])
        gains = (before - after) / (judged[0] * self.weight)
        return _without_noise(gains, self.impurity)

    def _known_weights(self) -> tuple[Floats, Floats]:
        """Row weight of the rows in each branch whose value is known: what the minima are about."""
        known = self._known
        if self.second is None:
            left = np.cumsum(known)[:-1]
            return left, known.sum() - left
        return (~self.second).astype(float) @ known, self.second.astype(float) @ known

    def _score_each_value(self) -> None:
        """Gain and split information of the one test with a branch per category present."""
        parts = self._filled
        weights = weights_of(parts, self.rules)
        needed = min(2, len(parts)) if self.rules.two_branches else len(parts)
        self.minimum = self.rules.min_leaf
        reaching = int(at_least(self._known, self.minimum).sum())
        enough = len(parts) >= 2 and reaching >= needed
        if self.rules.regression:
            total = parts[:, 1].sum() ** 2 / max(weights.sum(), 1e-300) if self.by_known else 0.0
            gain = float((parts[:, 1] ** 2 / np.where(weights > 0, weights, 1)).sum() - total) / self.weight
        else:
            after = sum(
                node_total_impurity(self.rules.impurity, part, w) for part, w in zip(parts, weights, strict=True)
            )
            gain = (self._total_before - after) / self.weight
        exists = int(len(parts) >= 2)
        self.admissible = np.array([enough] * exists, dtype=bool)
        self.decrease = self.gain = _without_noise(np.full(exists, gain), self.impurity)
        if self.literal and exists:
            self.gain = self._weighted_again(*parts[:, None])
        self.split_info = np.array([split_information([*weights, self._missing_outcome])] * exists)

    def condition(self, which: int) -> Condition:
        """The test at a position, in the feature's own values."""
        usage, codes = self.column.usage, self._branch_codes()
        if self.column.test == THRESHOLD:
            cut = threshold_between(self.column.values, codes[which], codes[which + 1], self.rules.place)
            return Condition(usage.name, "threshold", float(cut), (), self.own_branch)
        names = [usage.labels[code] for code in codes]
        if self.second is None:
            return Condition(usage.name, usage.test, None, tuple((name,) for name in names))
        groups = (~self.second[which], self.second[which])
        branches = tuple(tuple(names[i] for i in np.flatnonzero(group)) for group in groups)
        return Condition(usage.name, usage.test, None, branches)

    def _branch_codes(self) -> NDArray[np.intp]:
        """The codes that have a branch: those present, and where empty branches are kept those of all training rows."""
        keep_empty = self.column.test == EACH_VALUE and self.rules.empty_branches
        return self.column.training_codes if keep_empty else self.counts.codes

    def branches(self, which: int) -> Floats:
        """Statistics of each branch of a test, [branches, K]."""
        if self.column.test == EACH_VALUE:
            codes = self._branch_codes()
            parts = np.zeros((len(codes), self.counts.table.shape[1]))
            parts[np.searchsorted(codes, self.counts.codes)] = self._filled
        else:
            parts = np.stack([self.one[which], self.other[which], *([self.counts.missing] * self.own_branch)])
        if not self.rules.regression:
            return parts
        weight, sums, squares = np.maximum(parts[:, 0], 1e-300), parts[:, 1], parts[:, 2]
        spread = np.maximum(squares - sums * sums / weight, 0.0)
        return np.stack([parts[:, 0], self.counts.mean + sums / weight, spread], axis=1)


def _without_noise(gains: Floats, impurity: float) -> Floats:
    """`impurity.rounded_to_zero` of many gains at once: a number with many values has as many tests."""
    return np.where(np.abs(gains) > NEGLIGIBLE * impurity, gains, 0.0)
