"""A test that a person names: its numbers at a node, with the definitions of every other candidate (section 3).

The limits of the recipe do not bind a person: the test only needs rows on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.counts import Bools, Contingency, Floats
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.formatting import number_text, value_text
from explorer.recipe.columns import MOST_BRANCHES, THRESHOLD, USED_UP, TrainingColumn
from explorer.recipe.condition import Condition, SplitRequest, midpoint, threshold_between
from explorer.recipe.missing import past_half
from explorer.recipe.parameters import GrowParameters
from explorer.recipe.split_score import first_best


class CustomSplit(FeatureCandidates):
    """The tests of a feature with the one that a question means in the place of the `best`."""

    def __init__(
        self, question: SplitRequest, column: TrainingColumn, counts: Contingency, stats: Floats, rules: GrowParameters
    ) -> None:
        """Find or add the test; raises InputError where it does not part the rows of the node."""
        self.threshold = question.threshold
        self.grouping: Bools | None = None
        asked = requested_column(question, column)
        if len(counts.codes) < 2:
            raise InputError(f"'{column.usage.name}' has {len(counts.codes)} different values here: ask for another.")
        if question.threshold is not None:
            self.position = _position(question.threshold, column, counts)
        elif question.categories:
            self.grouping = _grouping(question, column, counts)
        super().__init__(asked, counts, stats, rules)

    @cached_property
    def best(self) -> int:
        """Position of the test asked for; of a kind of test the best one, if need be beyond the recipe's limits."""
        if self.threshold is not None:
            return self.position
        within = int(first_best(np.where(self.admissible, self.gain, np.nan), self.impurity))
        return within if within >= 0 else int(first_best(self.gain, self.impurity))

    def condition(self, which: int) -> Condition:
        """The test at a position; the one asked for with its own threshold."""
        found = super().condition(which)
        return found if self.threshold is None or which != self.best else replace(found, threshold=self.threshold)

    def median_is_left(self, left: Floats, right: Floats) -> Bools:
        """As for every threshold; the one asked for may lie elsewhere between its two values than the recipe's."""
        sides = super().median_is_left(left, right)
        if self.threshold is not None:
            at, values = self.position, self.column.values[self.counts.codes]
            half = past_half(left[at], left[at] + right[at])
            sides[at] = midpoint(values[at], values[at + 1]) <= self.threshold if half == 0 else half > 0
        return sides

    def _cuts(self) -> list[float]:
        cuts = super()._cuts()
        if self.threshold is not None:
            cuts[self.position] = self.threshold
        return cuts

    def _groupings(self) -> Bools:
        return super()._groupings() if self.grouping is None else self.grouping


def requested_column(question: SplitRequest, column: TrainingColumn) -> TrainingColumn:
    """The column with the test that is asked for in place of its own; InputError where it cannot be asked."""
    name, own = column.usage.name, column.usage.test
    if column.test == THRESHOLD:
        if question.test not in ("best", "threshold"):
            raise InputError(f"'{name}' is numeric and asked by thresholds here: name a threshold.")
        return column
    if question.test == "threshold":
        parts = "intervals" if own == "bins" else "categories"
        raise InputError(f"'{name}' is asked by {parts} here, not by thresholds: name {parts}.")
    if question.test == "best" or (question.test == "each_value" and own in USED_UP):
        return column
    if question.test == "each_value" and column.n_values > MOST_BRANCHES:
        raise InputError(f"'{name}' has {column.n_values} categories and a test up to {MOST_BRANCHES} branches.")
    test = "subset" if question.test == "grouping" else question.test
    return replace(column, usage=replace(column.usage, test=test))


def _position(threshold: float, column: TrainingColumn, counts: Contingency) -> int:
    """Which two neighbouring values of the node the threshold lies between."""
    values = column.values[counts.codes]
    position = int(np.searchsorted(values, threshold, side="right")) - 1
    if not 0 <= position < len(values) - 1:
        least, largest = number_text(values[0]), number_text(values[-1])
        raise InputError(
            f"{column.usage.name} ≤ {number_text(threshold)} leaves a branch empty: the values here go from {least} to "
            f"{largest}, so give a threshold from {least} on and below {largest}."
        )
    return position


def check_categories(question: SplitRequest, column: TrainingColumn) -> None:
    """InputError for a category that the column does not have."""
    unknown = [value for value in question.categories if value not in column.usage.labels]
    if unknown and column.test != THRESHOLD:
        listed = ", ".join(value_text(value) for value in column.usage.labels[:8])
        raise InputError(f"'{column.usage.name}' has no category '{value_text(unknown[0])}': it has {listed}.")


def _grouping(question: SplitRequest, column: TrainingColumn, counts: Contingency) -> Bools:
    """Who goes to the second branch [1, categories present]; the earliest category is in the first."""
    check_categories(question, column)
    named = np.array([column.usage.labels[code] in question.categories for code in counts.codes], dtype=bool)
    if named.all() or not named.any():
        listed = ", ".join(value_text(column.usage.labels[code]) for code in counts.codes[:8])
        raise InputError(
            f"The grouping of '{column.usage.name}' leaves a branch empty: of the categories here, {listed}, "
            "put some on either side."
        )
    return (named ^ named[0])[None]


@dataclass(frozen=True, eq=False)
class Profile:
    """A feature at one node: class weights [v, K] of its values there (or W, mean, M2), and its tests in order.

    `values` are numbers or categories, ascending or in order; `thresholds` and `gains` [v − 1] are those of a numeric
    feature asked by thresholds, empty for others.
    """

    values: tuple[Value | None, ...]
    stats: Floats
    thresholds: Floats
    gains: Floats

    @property
    def is_numeric(self) -> bool:
        """Whether the feature is asked by thresholds."""
        return bool(self.thresholds.size)

    def histogram(self, most: int = 30) -> tuple[Floats, Floats]:
        """Equal intervals over the numbers [b + 1] and the class weights (or the weight) in each, [b, K]."""
        numbers = np.array(self.values, dtype=np.float64)
        bins = min(most, max(2 * len(numbers) - 1, 2))
        place = np.minimum(((numbers - numbers[0]) / (numbers[-1] - numbers[0]) * bins).astype(np.intp), bins - 1)
        heights = np.zeros((bins, self.stats.shape[1]))
        np.add.at(heights, place, self.stats)
        return np.linspace(numbers[0], numbers[-1], bins + 1), heights


def profile_of(found: FeatureCandidates, unit: float) -> Profile:
    """Read the profile off a feature's counts and tests; `unit` turns bits into the recipe's unit."""
    column, counts = found.column, found.counts
    stats = counts.table
    if found.rules.regression:
        weight = np.maximum(stats[:, 0], 1e-300)
        spread = np.maximum(stats[:, 2] - stats[:, 1] ** 2 / weight, 0.0)
        stats = np.stack([stats[:, 0], counts.mean + stats[:, 1] / weight, spread], axis=1)
    if column.test != THRESHOLD:
        return Profile(tuple(column.usage.labels[code] for code in counts.codes), stats, np.empty(0), np.empty(0))
    cuts = np.array([threshold_between(column.values, *pair, found.rules.place) for pair in pairwise(counts.codes)])
    return Profile(tuple(column.values[counts.codes].tolist()), stats, cuts, found.decrease * unit)
