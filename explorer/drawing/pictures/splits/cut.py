"""A numeric target by one feature: rows as points, a cut that is dragged, and the squared errors it leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class CutAt:
    """A threshold, the means on its two sides, and the sum of the squared errors from them."""

    threshold: float
    left_mean: float
    right_mean: float
    squared_error: float


@dataclass(frozen=True, kw_only=True)
class Cut(Picture):
    """Points (x, y), and all thresholds in ascending order; `shown` is the one drawn at first.

    Without thresholds the whole table has one mean. `has_curve` shows the sums of all thresholds as a curve below;
    `best` is the position of the smallest, None while it is asked for.
    """

    kind: ClassVar[str] = "cut"
    x_name: str
    y_name: str
    points: tuple[tuple[float, float], ...]
    mean: float
    squared_error: float
    cuts: tuple[CutAt, ...] = ()
    shown: int = 0
    has_curve: bool = True
    best: int | None = None
