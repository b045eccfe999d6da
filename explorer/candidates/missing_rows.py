"""The rows without a value of a feature, and what they count as under each policy (section 6).

There are three cases. Where a policy imputes, the missing rows count as a category that other rows have, or follow the
median. Where tests are evaluated on known rows, the missing rows are left out of the comparison. With a branch of their
own, they are one more branch of a threshold (among categories, "missing" is a category already).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import Bools, Contingency, Floats, newton_sums, row_weights, weights_of
from explorer.recipe.columns import THRESHOLD, TrainingColumn
from explorer.recipe.condition import threshold_between
from explorer.recipe.impurity import between_branches, node_total_impurity
from explorer.recipe.missing import (
    DEFAULT_DIRECTION,
    OWN_BRANCH,
    SAME_CLASS,
    by_known_rows,
    heaviest,
    median_goes_left,
    past_halves,
    weighted_median,
)
from explorer.recipe.newton import newton_pairs
from explorer.recipe.parameters import GrowParameters
from explorer.recipe.split_score import at_least


def threshold_of(column: TrainingColumn, low: int, high: int, parameters: GrowParameters) -> float:
    """The threshold between two neighbouring codes of a node."""
    if column.cuts is not None:
        return float(column.cuts[low])
    return float(threshold_between(column.values, low, high, parameters.threshold_at))


class MissingRows:
    """The rows of one node that have no value of one feature."""

    def __init__(self, column: TrainingColumn, counts: Contingency, parameters: GrowParameters) -> None:
        """Sum their weight, and find out on which rows tests are evaluated."""
        self.column, self.counts, self.parameters = column, counts, parameters
        self.weight = float(weights_of(counts.missing[None], parameters)[0])
        self.by_known_rows = bool(by_known_rows(parameters.missing))
        self.both_ways = parameters.missing == DEFAULT_DIRECTION and column.test == THRESHOLD and self.weight > 0.0
        self.own_branch = parameters.missing == OWN_BRANCH and column.test == THRESHOLD and self.weight > 0.0

    @property
    def left_out(self) -> float:
        """Weight of the rows that a gain is not measured on."""
        return self.weight if self.by_known_rows and not self.own_branch else 0.0

    @property
    def imputed(self) -> float:
        """Weight of the rows that count as having a value of others."""
        return 0.0 if self.by_known_rows or self.own_branch or self.both_ways else self.weight

    @property
    def outcome(self) -> float:
        """Weight of the rows that split information counts as an outcome of their own."""
        return self.weight if self.parameters.missing_outcome else 0.0

    @cached_property
    def imputed_categories(self) -> NDArray[np.intp]:
        """Position of the category that a missing cell counts as, by class of its row (one for all but same_class)."""
        table = self.counts.table
        overall = heaviest(weights_of(table, self.parameters))
        if self.parameters.missing != SAME_CLASS:
            return np.full(table.shape[1], overall)
        return np.array([heaviest(column.copy()) if column.any() else overall for column in table.T])

    @cached_property
    def table(self) -> Floats:
        """The counts that tests on categories are evaluated on: missing rows count as the imputed categories."""
        if not len(self.counts.table) or self.by_known_rows or not self.counts.missing.any():
            return self.counts.table
        table = self.counts.table.copy()
        np.add.at(table, (self.imputed_categories, np.arange(table.shape[1])), self.counts.missing)
        return table

    @cached_property
    def class_medians(self) -> Floats:
        """The median of each class's known values, [K]; that of all where a class has none."""
        values, table = self.column.values[self.counts.codes], self.counts.table
        overall = weighted_median(values, table.sum(axis=1))
        medians = np.array([weighted_median(values, column.copy()) for column in table.T])
        return np.where(np.isnan(medians), overall, medians)

    def median_is_left(self, left: Floats, right: Floats) -> Bools:
        """Whether the median, which missing cells count as, is left of each threshold with these known weights."""
        codes, values = self.counts.codes, self.column.values
        half = np.asarray(past_halves(left, left + right))
        sides = half > 0
        for i in np.flatnonzero(
            half == 0
        ):  # the halves meet at the threshold, which the median may lie on either side of
            low, high = codes[i], codes[i + 1]
            cut = threshold_of(self.column, low, high, self.parameters)
            sides[i] = median_goes_left(left[i], right[i], values[low], values[high], cut)
        return sides

    def own_branch_gain(self, impurity: float, weight: float) -> float:
        """Decrease of a node's impurity by a branch for missing values, before the known rows are split; else 0."""
        if not self.own_branch:
            return 0.0
        known, missing = self.counts.table.sum(axis=0), self.counts.missing
        if self.counts.ranked is not None:
            known_is_first = np.zeros(len(self.counts.codes), dtype=np.intp)
            after = self.counts.statistics_of_groups(known_is_first, 1, self.parameters)[:, 2].sum()
            return impurity - float(after) / weight
        if self.parameters.regression:
            kind, mean = self.parameters.impurity, self.counts.mean
            return float(between_branches(kind, mean, known[0], known[1], missing[0], missing[1])) / weight
        kind = self.parameters.impurity
        after = sum(node_total_impurity(kind, branch, branch.sum()) for branch in (known, missing))
        return impurity - after / weight

    def own_branch_newton_gain(self) -> float:
        """The same by Newton's gain."""
        if not self.own_branch:
            return 0.0
        tables = [self.counts.table.sum(axis=0, keepdims=True), self.counts.missing[None]]
        known, missing = (newton_sums(table, self.parameters) for table in tables)
        weights = [weights_of(table, self.parameters) for table in tables]
        return float(newton_pairs(self.parameters, self.counts.mean, known, missing, *weights)[0])

    def own_branch_is_allowed(self, minimum: float) -> bool:
        """Whether the branch of missing values has the rows that each branch needs; True where there is none."""
        if not self.own_branch or self.parameters.two_branches:
            return True
        rows = float(row_weights(self.counts.missing[None], self.parameters)[0])
        return bool(at_least(rows, minimum))
