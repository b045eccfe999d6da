"""A regression tree of one feature as the staircase that it predicts, and below it the tree in the same scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class Stair:
    """A node: the interval of x that reaches it, its mean, its depth, and its parent (−1 at the root).

    It has been there since so many splits (`since`), and is split by the next one after `until` (None: it stays a
    leaf); `threshold` is where.
    """

    low: float
    high: float
    mean: float
    depth: int
    parent: int
    since: int
    until: int | None = None
    threshold: float | None = None


@dataclass(frozen=True, kw_only=True)
class Staircase(Picture):
    """Points (x, y) and the nodes of the tree; `squared_errors` are those of the tree after 0, 1, 2, … splits.

    `shown` is how many splits are drawn at first; the reader adds and removes them.
    """

    kind: ClassVar[str] = "staircase"
    x_name: str
    y_name: str
    points: tuple[tuple[float, float], ...]
    stairs: tuple[Stair, ...]
    squared_errors: tuple[float, ...]
    shown: int = 0
