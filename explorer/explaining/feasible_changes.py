"""What a feature of one row may be changed to, how far that is, and which value to name (DEFINITIONS section 8).

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
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.explaining.row_values import Cells
from explorer.tree.routing import UNSEEN

ROOM = 1e-3
"""Share of the column's range by which a new number may go past a threshold to be a short one."""


@dataclass(frozen=True)
class Interval:
    """Numbers above `low` and up to `high`."""

    low: float = -math.inf
    high: float = math.inf

    def narrowed(self, other: Interval) -> Interval:
        """The numbers in both."""
        return Interval(max(self.low, other.low), min(self.high, other.high))


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
class NumberMoves:
    """Changes of a number, nan where it is missing; a column of whole numbers is given whole numbers."""

    own: float
    span: float
    middle: float
    is_whole: bool

    def holds(self, asked: Interval) -> bool:
        """Whether the row's own number will do."""
        return asked.low < self.own <= asked.high

    def distance(self, asked: Interval) -> float | None:
        """How far the nearest number of the interval is (its limit where it is open); None where there is none."""
        low, high = self._ends(asked)
        if low > high or (low == high and not self.is_whole):
            return None
        if math.isnan(self.own):
            return 1.0
        return max(low - self.own, self.own - high, 0.0) / self.span

    def value(self, asked: Interval) -> float:
        """A number to name: the nearest one, or a short one that goes past the limit by little."""
        low, high = self._ends(asked)
        goal = self.middle if math.isnan(self.own) else self.own
        if self.is_whole:
            return min(max(float(round(goal)), low), high)
        if asked.low < goal <= asked.high:
            return goal
        room = ROOM * self.span
        if goal > high:
            return short_number(max(low, high - room), high, from_top=True)
        return short_number(low, min(high, low + room), from_top=False)

    def _ends(self, asked: Interval) -> tuple[float, float]:
        """The interval's ends, or the least and the largest whole number in it."""
        if not self.is_whole:
            return asked.low, asked.high
        low, high = asked.low, asked.high
        return (math.floor(low) + 1.0 if math.isfinite(low) else low), (
            math.floor(high) if math.isfinite(high) else high
        )


@dataclass(frozen=True)
class CodeMoves:
    """Changes of a category, or of a number that the tree takes as one (then with the numbers behind each code)."""

    own: int
    labels: tuple[Value | None, ...]
    number: NumberMoves | None = None
    intervals: tuple[Interval, ...] = field(default=(), repr=False)

    @property
    def codes(self) -> frozenset[int]:
        """All codes that the row may have: those of values, and its own."""
        known = {code for code, label in enumerate(self.labels) if label is not None}
        return frozenset(known | {self.own} if self.own == UNSEEN else known)

    def holds(self, asked: Codes) -> bool:
        """Whether the row's own category will do."""
        return self.own in asked.codes

    def distance(self, asked: Codes) -> float | None:
        """1 for another category; for numbers the least distance; None where there is no code."""
        distances = [self._distance(code) for code in asked.codes]
        return min((distance for distance in distances if distance is not None), default=None)

    def value(self, asked: Codes) -> Value:
        """The first of the nearest categories, or a number behind it."""
        codes = sorted(code for code in asked.codes if self._distance(code) is not None)
        nearest = min(codes, key=lambda code: self._distance(code) or 0.0)
        if self.number is not None:
            return self.number.value(self.intervals[nearest])
        label = self.labels[nearest]
        assert label is not None  # such a code has no distance
        return label

    def _distance(self, code: int) -> float | None:
        """How far a code lies from the row's own; None where no known value has it: a cell is never made missing."""
        if code == UNSEEN or self.labels[code] is None:
            return None
        return 1.0 if self.number is None else self.number.distance(self.intervals[code])


def moves_of(cells: Cells, data: Dataset) -> dict[int, NumberMoves | CodeMoves]:
    """What each feature that the open tree asks for may be changed to; `data` gives ranges of numbers."""
    tree = cells.tree
    asked = set(tree.feature[tree.is_inner].tolist())
    if tree.surrogates is not None:
        asked |= set(tree.surrogates.feature.tolist())
    return {feature: _moves(cells, data, feature) for feature in sorted(asked)}


def _moves(cells: Cells, data: Dataset, feature: int) -> NumberMoves | CodeMoves:
    usage = cells.tree.features[feature]
    if usage.kind == "categorical":
        return CodeMoves(cells.code(feature), usage.labels)
    number = _number_moves(cells.number(feature), usage.name, data)
    if usage.test == "threshold":
        return number
    if usage.test == "bins":
        edges = [-math.inf, *usage.edges, math.inf]
        between = tuple(Interval(low, high) for low, high in pairwise(edges))
        return CodeMoves(cells.code(feature), usage.labels, number, between)
    numbers = [float(label) for label in usage.labels if label is not None]
    single = tuple(Interval(float(np.nextafter(one, -math.inf)), one) for one in numbers)
    return CodeMoves(cells.code(feature), usage.labels, number, single)


def _number_moves(own: float, name: str, data: Dataset) -> NumberMoves:
    """The range, the median and the kind of numbers of a training column."""
    for feature, codes in zip(data.features, data.codes, strict=True):
        if feature.name == name and feature.kind == "numeric":
            known = feature.values[codes[codes < feature.n_values]]
            span, whole = float(np.ptp(known)), bool((known == np.floor(known)).all())
            return NumberMoves(own, span or 1.0, float(np.median(known)), whole)
    raise InputError(f"The training rows have no numeric column '{name}', whose range is needed: give those rows.")


def short_number(low: float, high: float, from_top: bool) -> float:
    """The shortest decimal above `low` and up to `high`; of those nearest to the top, or to the bottom.

    >>> short_number(2.45, 2.456, from_top=False), short_number(2.44, 2.4500000476, from_top=True)
    (2.451, 2.45)
    """
    bottom, top = Decimal(low), Decimal(high)
    begin = (top - bottom).adjusted() + 1
    for exponent in range(begin, begin - 20, -1):
        step = Decimal(1).scaleb(exponent)
        below = ((top if from_top else bottom) / step).to_integral_value(ROUND_FLOOR)
        found = float((below if from_top else below + 1) * step)
        if low < found <= high:
            return found
    return high if from_top else math.nextafter(low, math.inf)
