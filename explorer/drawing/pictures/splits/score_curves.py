"""Scores as curves over sizes, such as accuracy by number of leaves, with a size that is dragged and its tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class ScoreLine:
    """A curve: its name, a value a size, and standard errors as a band (empty: none)."""

    name: str
    values: tuple[float, ...]
    errors: tuple[float, ...] = ()


@dataclass(frozen=True)
class SizeMark:
    """A size that is marked, by its position, and what it is."""

    position: int
    text: str


@dataclass(frozen=True)
class Twig:
    """A node of the tree: where it stands from 0 (left) to 1, its depth, its parent, and the code of its class.

    It is drawn from position `since` on, and as an inner node from `until` on (None: always a leaf).
    """

    across: float
    depth: int
    parent: int
    code: int
    since: int
    until: int | None = None


@dataclass(frozen=True, kw_only=True)
class ScoreCurves(Picture):
    """Curves of shares (0 to 1) over ascending `sizes`; `shown` is the position read off at first.

    `twigs` draw the tree of the position below the curves (empty: no tree), its leaves in the colours of `classes`.
    `least` is where the scale of scores begins; `baseline` is the score of predicting the majority class, None without
    a line for it.
    """

    kind: ClassVar[str] = "score_curves"
    title: str
    size_name: str
    sizes: tuple[int, ...]
    lines: tuple[ScoreLine, ...]
    least: float
    baseline: float | None = None
    marks: tuple[SizeMark, ...] = ()
    shown: int = 0
    twigs: tuple[Twig, ...] = ()
    classes: tuple[str, ...] = ()
