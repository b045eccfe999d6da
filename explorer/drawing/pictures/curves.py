"""Curves over one axis, such as scores by size or gains by threshold, with a place that the reader drags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.lesson_tree import LessonTree
from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class CurveLine:
    """A curve: its name, a value a place, and standard errors as a band (empty: none).

    `look` is "main", "quiet" (in grey), or "pale" (thin, without a name).
    """

    name: str
    values: tuple[float, ...]
    errors: tuple[float, ...] = ()
    look: str = "main"


@dataclass(frozen=True)
class CurveMark:
    """A place that is marked, by its position, and what it is."""

    position: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Curves(Picture):
    """Curves over ascending places `x` on scales from `least` to `most`; `shown` is the position read off at first.

    `readings` say something of every place (empty: the place itself); they stand in for a title where there is none.
    `limit` is a level with its text. `tree` is drawn as large as the place says: a node is a leaf up to the position
    in `leaf_until`; `classes` are the colours of its leaves.
    """

    kind: ClassVar[str] = "curves"
    title: str = ""
    x: tuple[float, ...]
    x_name: str
    y_name: str = ""
    lines: tuple[CurveLine, ...]
    least: float
    most: float
    shown: int = 0
    readings: tuple[str, ...] = ()
    marks: tuple[CurveMark, ...] = ()
    limit: float | None = None
    limit_text: str = ""
    is_log: bool = False
    has_shares: bool = False
    tree: LessonTree | None = None
    leaf_until: tuple[int, ...] = ()
    classes: tuple[str, ...] = ()
