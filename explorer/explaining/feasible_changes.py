"""Feasible changes of a feature of one row, their distance, and the value to propose (DEFINITIONS section 8).

Distances are Gower's (1971): |new − old| by the training column's range for numbers, 1 for another category, and 1 for
a missing cell that becomes known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise

import numpy as np

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.row_values import Cells
from explorer.messages import message
from explorer.ranges import LARGEST, scale_of
from explorer.tree.routing import UNSEEN
from explorer.values import Value

ROOM = 1e-3
"""Share of the column's range by which a new number may pass a threshold, to have few digits."""


@dataclass(frozen=True)
class Interval:
    """Numbers above `low` and up to `high`."""

    low: float = -math.inf
    high: float = math.inf

    def narrowed(self, other: Interval) -> Interval:
        """The numbers in both."""
        return Interval(max(self.low, other.low), min(self.high, other.high))


UNKNOWN_LEVEL = Interval(low=LARGEST)
"""Where a level that the tree does not know lies: no change leads there."""


@dataclass(frozen=True)
class Codes:
    """Some codes of categories; −2 is the row's own category where the tree does not know it."""

    codes: frozenset[int]

    def narrowed(self, other: Codes) -> Codes:
        """The codes in both."""
        return Codes(self.codes & other.codes)


@dataclass(frozen=True)
class StaysMissing:
    """A missing cell that stays missing."""

    def narrowed(self, other: StaysMissing) -> StaysMissing:
        """The same."""
        return other


@dataclass(frozen=True)
class NumberChanges:
    """Changes of a number, nan where it is missing, inf for a level that is unknown.

    A column of whole numbers is given whole numbers.
    `span` is the column's range times `scale`, without which the range of the largest numbers is infinite.
    """

    own: float
    span: float
    middle: float
    is_whole: bool
    scale: float = 1.0

    def holds(self, allowed: Interval) -> bool:
        """Whether the row's own number is in the interval."""
        return allowed.low < self.own <= allowed.high

    def distance(self, allowed: Interval) -> float | None:
        """The distance to the nearest number of the interval, or to its excluded limit; None where it is empty."""
        low, high = self._ends(allowed)
        if low > high or (low == high and not self.is_whole):
            return None
        if not math.isfinite(self.own):
            return 1.0
        own = self.own * self.scale
        return max(low * self.scale - own, own - high * self.scale, 0.0) / self.span

    def value(self, allowed: Interval) -> float:
        """A number to propose: the nearest, or one with few digits slightly beyond the limit."""
        low, high = self._ends(allowed)
        goal = self.own if math.isfinite(self.own) else self.middle
        if self.is_whole:
            return min(max(float(round(goal)), low), high)
        if allowed.low < goal <= allowed.high:
            return goal
        room = ROOM * self.span / self.scale
        if goal > high:
            return short_number(max(low, high - room), high, from_top=True)
        return short_number(low, min(high, low + room), from_top=False)

    def _ends(self, allowed: Interval) -> tuple[float, float]:
        """The interval's ends, or the least and the largest whole number in it; numbers are finite."""
        low, high = allowed.low, min(allowed.high, LARGEST)
        if not self.is_whole:
            return low, high
        above = max(math.floor(low) + 1.0, math.nextafter(low, math.inf)) if math.isfinite(low) else low
        return above, float(math.floor(high))


@dataclass(frozen=True)
class CodeChanges:
    """Changes of a category, or of a number that the tree treats as a category (then with the numbers of each code)."""

    own: int
    labels: tuple[Value | None, ...]
    number: NumberChanges | None = None
    intervals: tuple[Interval, ...] = field(default=(), repr=False)

    @property
    def codes(self) -> frozenset[int]:
        """All codes that the row may have: those of values, and its own."""
        known = {code for code, label in enumerate(self.labels) if label is not None}
        return frozenset(known | {self.own} if self.own == UNSEEN else known)

    def holds(self, allowed: Codes) -> bool:
        """Whether the row's own category is one of the codes."""
        return self.own in allowed.codes

    def distance(self, allowed: Codes) -> float | None:
        """1 for another category; for numbers the least distance; None where there is no code."""
        distances = [self._distance(code) for code in allowed.codes]
        return min((distance for distance in distances if distance is not None), default=None)

    def value(self, allowed: Codes) -> Value:
        """The first of the nearest categories, or a number of it."""
        codes = sorted(code for code in allowed.codes if self._distance(code) is not None)
        nearest = min(codes, key=lambda code: self._distance(code) or 0.0)
        if self.number is not None:
            return self.number.value(self.intervals[nearest])
        label = self.labels[nearest]
        assert label is not None  # such a code has no distance
        return label

    def _distance(self, code: int) -> float | None:
        """The distance of a code from the row's own; None for a missing or unseen value, which is never proposed."""
        if code == UNSEEN or self.labels[code] is None:
            return None
        return 1.0 if self.number is None else self.number.distance(self.intervals[code])


def feasible_changes(cells: Cells, data: Dataset) -> dict[int, NumberChanges | CodeChanges]:
    """The feasible changes of each feature that the tree tests; `data` gives the ranges of numbers."""
    return {feature: _changes(cells, data, feature) for feature in cells.tree.tested_features()}


def _changes(cells: Cells, data: Dataset, feature: int) -> NumberChanges | CodeChanges:
    encoding = cells.tree.features[feature]
    if encoding.kind == "categorical":
        return CodeChanges(cells.code(feature), encoding.labels)
    number = _number_changes(cells.number(feature), encoding.name, data)
    if encoding.test == "threshold":
        return number
    if encoding.test == "bins":
        edges = [-math.inf, *encoding.edges, math.inf]
        bins = tuple(Interval(low, high) for low, high in pairwise(edges))
        return CodeChanges(cells.code(feature), encoding.labels, number, bins)
    numbers = [float(label) for label in encoding.labels if label is not None]
    intervals = tuple(Interval(float(np.nextafter(value, -math.inf)), value) for value in numbers)
    return CodeChanges(cells.code(feature), encoding.labels, number, intervals)


def _number_changes(own: float, name: str, data: Dataset) -> NumberChanges:
    """The range and the median of a training column, and whether its numbers are whole."""
    for feature, codes in zip(data.features, data.codes, strict=True):
        if feature.name == name and feature.kind == "numeric":
            known = feature.values[codes[codes < feature.n_values]]
            scale, is_whole = scale_of(known), bool((known == np.floor(known)).all())
            span, middle = float(np.ptp(known * scale)), float(np.median(known * scale)) / scale
            return NumberChanges(own, span or 1.0, middle, is_whole, scale)
    raise InputError(
        message(
            "The distance in '{feature}' needs the range of its training values, "
            "but `data` has no such numeric column. Give the training set.",
            feature=name,
        )
    )


def short_number(low: float, high: float, from_top: bool) -> float:
    """The shortest decimal above `low` and up to `high`; of those nearest to the top, or to the bottom.

    >>> short_number(2.45, 2.456, from_top=False), short_number(2.44, 2.4500000476, from_top=True)
    (2.451, 2.45)
    >>> short_number(13.35, 13.396, from_top=False), short_number(3.0, 3.3, from_top=True)
    (13.36, 3.3)
    """
    bottom, top = Decimal(repr(float(low))), Decimal(repr(float(high)))
    largest = (top - bottom).adjusted() + 1
    for exponent in range(largest, largest - 20, -1):
        step = Decimal(1).scaleb(exponent)
        below = ((top if from_top else bottom) / step).to_integral_value(ROUND_FLOOR)
        candidate = float((below if from_top else below + 1) * step)
        if low < candidate <= high:
            return candidate
    return high if from_top else math.nextafter(low, math.inf)
