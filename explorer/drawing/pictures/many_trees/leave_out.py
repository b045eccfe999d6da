"""Rows that can be left out one at a time, and the scores of all features without the row that is out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class Result:
    """What a tree is grown from: the score of every feature, and the position of the one that splits the root."""

    scores: tuple[float, ...]
    root: int


@dataclass(frozen=True, kw_only=True)
class LeaveOut(Picture):
    """The rows as buttons over bars of the features' scores.

    `rows` are their names and `codes` their classes, by position in `classes`; `whole` is the result on all rows,
    `without` that without each of them. `struck` is the row that is out at first. `is_sorted` puts every row to the
    feature that splits the root without it.
    """

    kind: ClassVar[str] = "leave_out"
    title: str
    rows: tuple[str, ...]
    codes: tuple[int, ...]
    classes: tuple[str, ...]
    features: tuple[str, ...]
    whole: Result
    without: tuple[Result, ...]
    most: float
    struck: int | None = None
    is_sorted: bool = False
