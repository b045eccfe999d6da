"""A split that a person requests: its numbers at a node, by the definitions of every other candidate (section 3).

The limits of the recipe do not apply to it: the test only needs rows in both branches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from explorer.candidates.candidates import NO_BOUNDS, FeatureCandidates, can_split
from explorer.candidates.counts import Bools, Contingency, Floats
from explorer.candidates.grouping import GroupingSplits, Listed
from explorer.candidates.missing_rows import MissingRows
from explorer.candidates.splits import Splits
from explorer.candidates.threshold import CustomThreshold, ThresholdSplits
from explorer.data.codes.scale import NUMBERS, Scale
from explorer.ranges import between, scale_of
from explorer.recipe.columns import MOST_BRANCHES, THRESHOLD, USED_UP, TrainingColumn
from explorer.recipe.condition import BELOW_ALL, SplitRequest
from explorer.recipe.feature_constraints import Bounds
from explorer.recipe.parameters import GrowParameters
from explorer.recipe.remarks import ImpossibleSplitError, Remark
from explorer.recipe.split_score import first_best
from explorer.values import Value


class CustomSplit(FeatureCandidates):
    """The tests of a feature, the requested test being the `best`."""

    def __init__(
        self,
        request: SplitRequest,
        column: TrainingColumn,
        counts: Contingency,
        stats: Floats,
        parameters: GrowParameters,
        bounds: Bounds = NO_BOUNDS,
    ) -> None:
        """Find or add the test; raises ImpossibleSplitError where it does not split the rows of the node."""
        tested = requested_column(request, column)
        if not can_split(column, counts, parameters):
            raise ImpossibleSplitError(Remark("too_few_values", (column.encoding.name, len(counts.codes))))
        self.threshold: CustomThreshold | None = None
        self.grouping: Bools | None = None
        if request.threshold is not None:
            tests_missing = request.threshold == BELOW_ALL and MissingRows(column, counts, parameters).both_ways
            position = len(counts.codes) - 1 if tests_missing else _position(request.threshold, column, counts)
            self.threshold = CustomThreshold(position, request.threshold)
        elif request.categories:
            self.grouping = _grouping(request, column, counts)
        super().__init__(tested, counts, stats, parameters, bounds=bounds)
        if not len(self):
            raise ImpossibleSplitError(Remark("values_merged_by_hand", (column.encoding.name,)))

    def _enumerate(self) -> Splits:
        """The tests of the feature with the chosen threshold among them, or the chosen grouping alone."""
        if self.threshold is not None:
            return ThresholdSplits(self.at_node, self.threshold)
        return super()._enumerate() if self.grouping is None else GroupingSplits(self.at_node, Listed(self.grouping))

    @cached_property
    def best(self) -> int:
        """Position of the requested test; of a kind of test the best, if need be beyond the recipe's limits."""
        if self.threshold is not None:
            return self.threshold.position
        within_limits = int(first_best(np.where(self.admissible, self.gain, np.nan), self.impurity))
        return within_limits if within_limits >= 0 else int(first_best(self.gain, self.impurity))


def requested_column(request: SplitRequest, column: TrainingColumn) -> TrainingColumn:
    """The column with the requested test instead of its own; ImpossibleSplitError where the column cannot have it."""
    name, own = column.encoding.name, column.encoding.test
    if column.test == THRESHOLD:
        if request.test not in ("best", "threshold"):
            raise ImpossibleSplitError(Remark("needs_threshold", (name,)))
        return column
    if request.test == "threshold":
        raise ImpossibleSplitError(Remark("needs_intervals" if own == "bins" else "needs_categories", (name,)))
    if request.test == "best":
        return column
    if request.test == "each_value" and own in USED_UP:
        return replace(column, merge_level=None)
    if request.test == "each_value" and column.n_values > MOST_BRANCHES:
        raise ImpossibleSplitError(Remark("too_many_branches", (name, column.n_values, MOST_BRANCHES)))
    test = "subset" if request.test == "grouping" else request.test
    return replace(column, encoding=replace(column.encoding, test=test))


def _position(threshold: float, column: TrainingColumn, counts: Contingency) -> int:
    """Which two neighbouring values of the node the threshold lies between."""
    values = column.values[counts.codes]
    position = int(np.searchsorted(values, threshold, side="right")) - 1
    if not 0 <= position < len(values) - 1:
        ends = float(values[0]), float(values[-1])
        raise ImpossibleSplitError(Remark("threshold_outside", (column.encoding.name, float(threshold), *ends)))
    return position


def check_categories(request: SplitRequest, column: TrainingColumn) -> None:
    """ImpossibleSplitError for a category that the column does not have."""
    unknown = [value for value in request.categories if value not in column.encoding.labels]
    if unknown and column.test != THRESHOLD:
        name, labels = column.encoding.name, column.encoding.labels
        raise ImpossibleSplitError(Remark("unknown_category", (name, unknown[0], labels[:8])))


def _grouping(request: SplitRequest, column: TrainingColumn, counts: Contingency) -> Bools:
    """Which categories go to the second branch, [1, categories present]; the earliest category is in the first."""
    check_categories(request, column)
    named = np.array([column.encoding.labels[code] in request.categories for code in counts.codes], dtype=bool)
    if named.all() or not named.any():
        categories = tuple(column.encoding.labels[code] for code in counts.codes[:8])
        raise ImpossibleSplitError(Remark("grouping_leaves_branch_empty", (column.encoding.name, categories)))
    return (named ^ named[0])[None]


@dataclass(frozen=True, eq=False)
class Profile:
    """A feature at one node: class weights [v, K] of its values there (or W, mean, M2), and its tests in order.

    `values` are numbers or categories, ascending or in order; `thresholds` and `gains` [v − 1] are those of a numeric
    feature split at thresholds, empty for others.
    """

    values: tuple[Value | None, ...]
    stats: Floats
    thresholds: Floats
    gains: Floats
    scale: Scale = NUMBERS
    """What its numbers stand for."""

    @property
    def is_numeric(self) -> bool:
        """Whether the feature is split at thresholds."""
        return bool(self.thresholds.size)

    def histogram(self, most: int = 30) -> tuple[Floats, Floats]:
        """Equal intervals over the numbers [b + 1] and the class weights (or the weight) in each, [b, K]."""
        numbers = np.array(self.values, dtype=np.float64)
        bins = min(most, max(2 * len(numbers) - 1, 2))
        scaled = numbers * scale_of(numbers)
        shares = (scaled - scaled[0]) / (scaled[-1] - scaled[0])
        position = np.minimum((shares * bins).astype(np.intp), bins - 1)
        heights = np.zeros((bins, self.stats.shape[1]))
        np.add.at(heights, position, self.stats)
        return between(float(numbers[0]), float(numbers[-1]), np.linspace(0.0, 1.0, bins + 1)), heights


def profile_of(feature: FeatureCandidates, unit: float) -> Profile:
    """Read the profile off a feature's counts and tests; `unit` turns bits into the recipe's unit."""
    column, counts = feature.column, feature.counts
    stats = counts.statistics(counts.table, feature.parameters) if feature.parameters.regression else counts.table
    if counts.ranked is not None:
        stats = counts.statistics_of_groups(np.arange(len(counts.codes)), -1, feature.parameters)
    if column.test != THRESHOLD:
        return Profile(tuple(column.encoding.labels[code] for code in counts.codes), stats, np.empty(0), np.empty(0))
    thresholds = np.array(feature.at_node.thresholds())
    values, gains = tuple(column.values[counts.codes].tolist()), feature.decrease[: len(thresholds)] * unit
    return Profile(values, stats, thresholds, gains, column.encoding.scale)
