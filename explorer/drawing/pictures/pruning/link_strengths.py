"""Cost-complexity pruning: g(t) of every split node, in every round of pruning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.lesson_tree import LessonTree
from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class LinkRow:
    """A split node of the pruned tree: R(t), R(T_t), |T_t|, g(t), and g(t) as written; `is_weakest`: the least."""

    node: int
    risk: float
    risk_below: float
    leaves_below: int
    strength: float
    text: str
    is_weakest: bool


@dataclass(frozen=True)
class LinkRound:
    """The nodes pruned so far, the leaves left, and the links of those that still split."""

    pruned: tuple[int, ...]
    leaves: int
    rows: tuple[LinkRow, ...]


@dataclass(frozen=True, kw_only=True)
class LinkStrengths(Picture):
    """The rounds of a tree, begun at `begin`; the reader moves through them where `can_move`.

    `most` is the length of the bars' axis; `asks` hides every g(t).
    """

    kind: ClassVar[str] = "link_strengths"
    tree: LessonTree
    rounds: tuple[LinkRound, ...]
    most: float
    begin: int = 0
    can_move: bool = False
    asks: bool = False
