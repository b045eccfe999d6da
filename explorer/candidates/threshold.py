"""Tests on a number: x ≤ threshold, between each two neighbouring values of the node (section 3; CART, C4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from explorer.candidates.counts import Bools, Contingency, Floats, row_weights, summed_below, weights_of
from explorer.candidates.missing_rows import threshold_of
from explorer.candidates.splits import NodeFeature, TwoBranchSplits
from explorer.recipe.columns import THRESHOLD, TrainingColumn
from explorer.recipe.condition import BELOW_ALL, Condition, midpoint
from explorer.recipe.feature_draw import path_hash, random_threshold
from explorer.recipe.missing import SAME_CLASS, past_half
from explorer.recipe.parameters import GrowParameters, leaf_minimum
from explorer.recipe.split_score import second_is_better


class CustomThreshold(NamedTuple):
    """A threshold that a person chose, and its position among those of the node."""

    position: int
    value: float


def draw_threshold(
    column: TrainingColumn, counts: Contingency, path: Sequence[int], position: int, parameters: GrowParameters
) -> CustomThreshold | None:
    """The threshold that a node draws for a numeric feature, at this position of its candidates; None without one."""
    if not parameters.random_thresholds or column.test != THRESHOLD:
        return None
    values = column.values[counts.codes]
    threshold = float(random_threshold(parameters.feature_seed, path_hash(path), position, values[0], values[-1]))
    return CustomThreshold(int(np.searchsorted(values, threshold, side="right")) - 1, threshold)


class ThresholdSplits(TwoBranchSplits):
    """Every threshold of a feature, ascending; a person may have chosen one of them.

    `missing_left` [tests] says on which side rows without a value count. Where both sides are tried for them it is the
    better one, and the last test is "missing or not".
    """

    def __init__(self, feature: NodeFeature, custom: CustomThreshold | None = None) -> None:
        """Sum the counts up to each value, and let the missing rows follow the median or the better side."""
        self.feature, self.custom = feature, custom
        below, above = summed_below(feature.counts.table)
        if not feature.parameters.regression:
            np.maximum(above, 0.0, out=above)  # subtracting fractional weights can fall just below zero
        if feature.missing.both_ways:
            self._try_both_sides(below, above)
            return
        left = np.zeros((len(below), 1), dtype=bool)
        if feature.counts.missing.any() and not feature.missing.by_known_rows:
            left = self.missing_goes_left(below, above)
            below, above = below + left * feature.counts.missing, above + ~left * feature.counts.missing
        if feature.counts.ranked is not None:
            has_missing = not feature.missing.by_known_rows
            self._put_losses(below, above, left[:, 0] & has_missing, ~left[:, 0] & has_missing)
        self.missing_left: Bools = left[:, 0]
        rows, total = np.cumsum(feature.known_rows)[:-1], feature.known_rows.sum()
        minimum = float(leaf_minimum(feature.parameters, float(total)))
        super().__init__(feature, below, above, (rows, total - rows), minimum)

    def _try_both_sides(self, below: Floats, above: Floats) -> None:
        """Every threshold with the missing rows on its better side (equal: left), and last "missing or not"."""
        feature, missing = self.feature, self.feature.counts.missing[None]
        of_missing = float(row_weights(missing, feature.parameters)[0])
        rows, total = np.cumsum(feature.known_rows)[:-1], float(feature.known_rows.sum())
        minimum = float(leaf_minimum(feature.parameters, total + of_missing))
        on_left, on_right = (below + missing, above.copy()), (below.copy(), above + missing)
        if feature.counts.ranked is not None:
            every = np.ones(len(below), dtype=bool)
            self._put_losses(*on_left, every, ~every)
            self._put_losses(*on_right, ~every, every)
        left = TwoBranchSplits(feature, *on_left, (rows + of_missing, total - rows), minimum)
        right = TwoBranchSplits(feature, *on_right, (rows, total - rows + of_missing), minimum)
        sides = zip(left.gains(), right.gains(), strict=True)
        is_better = np.array([second_is_better(gain, other, feature.impurity) for gain, other in sides], dtype=bool)
        goes_right = right.admissible & (~left.admissible | is_better)
        self.missing_left = np.append(~goes_right, True)
        known = feature.counts.table.sum(axis=0)[None]
        is_left = self.missing_left[:-1, None]
        first = np.vstack([np.where(is_left, left.first, right.first), missing])
        second = np.vstack([np.where(is_left, left.second, right.second), known])
        if feature.counts.ranked is not None:
            first[-1, 2], second[-1, 2] = feature.losses_at_thresholds[[1, 2], 0]
        in_first = np.append(rows + is_left[:, 0] * of_missing, of_missing)
        super().__init__(feature, first, second, (in_first, total + of_missing - in_first), minimum)

    def _put_losses(self, below: Floats, above: Floats, in_below: Bools, in_above: Bools) -> None:
        """Write the total loss of each branch, with or without the missing rows, in place of the last statistic."""
        losses = self.feature.losses_at_thresholds[:, 1:-1]
        below[:, 2] = np.where(in_below, losses[1], losses[0])
        above[:, 2] = np.where(in_above, losses[3], losses[2])

    def branch_of_missing(self, which: int) -> int:
        """The side of the median, or the better one."""
        return 0 if self.missing_left[which] else 1

    def missing_goes_left(self, below: Floats, above: Floats) -> Bools:
        """Whether missing cells are on the left of each threshold, [tests, 1], or by class, [tests, K]."""
        parameters = self.feature.parameters
        if parameters.missing != SAME_CLASS:
            return self.median_is_left(weights_of(below, parameters), weights_of(above, parameters))[:, None]
        medians = self.feature.missing.class_medians
        return np.array([medians <= threshold for threshold in self._thresholds()], dtype=bool).reshape(len(below), -1)

    def median_is_left(self, left: Floats, right: Floats) -> Bools:
        """Whether the median is left of each threshold, from the known weights of its two branches."""
        sides = self.feature.missing.median_is_left(left, right)
        if self.custom is not None:
            i, values = self.custom.position, self.feature.column.values[self.feature.counts.codes]
            half = past_half(left[i], left[i] + right[i])
            sides[i] = midpoint(values[i], values[i + 1]) <= self.custom.value if half == 0 else half > 0
        return sides

    def _thresholds(self) -> list[float]:
        thresholds = self.feature.thresholds()
        if self.custom is not None:
            thresholds[self.custom.position] = self.custom.value
        return thresholds

    def condition(self, which: int) -> Condition:
        """X ≤ threshold, with a third branch where missing values have their own."""
        column, codes = self.feature.column, self.feature.counts.codes
        if which == len(codes) - 1:
            return Condition(column.encoding.name, "threshold", BELOW_ALL)
        threshold = threshold_of(column, codes[which], codes[which + 1], self.feature.parameters)
        if self.custom is not None and which == self.custom.position:
            threshold = self.custom.value
        own_branch, scale = self.feature.missing.own_branch, column.encoding.scale
        return Condition(column.encoding.name, "threshold", float(threshold), (), own_branch, scale=scale)
