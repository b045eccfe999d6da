"""Cost-complexity pruning: losses of pruned subtrees as lines over α, and g(t) in every round of pruning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.lesson_tree import LessonTree
from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class PenaltyLine:
    """A pruned subtree: its risk, its leaves, its pruned nodes; `alpha` is where it becomes the cheapest, or None."""

    risk: float
    leaves: int
    pruned: tuple[int, ...]
    alpha: float | None = None


@dataclass(frozen=True)
class Breakpoint:
    """An α at which the cheapest subtree changes, as it is written."""

    alpha: float
    text: str


@dataclass(frozen=True, kw_only=True)
class PenaltyLines(Picture):
    """Lines over α from 0 to `most`, beside the tree; α begins at `alpha` and is dragged.

    Lines with an `alpha` form the lower envelope, thick where `shows_envelope`. `breakpoints` are written at the axis.
    """

    kind: ClassVar[str] = "penalty_lines"
    tree: LessonTree
    lines: tuple[PenaltyLine, ...]
    most: float
    alpha: float
    breakpoints: tuple[Breakpoint, ...] = ()
    shows_envelope: bool = True


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


@dataclass(frozen=True)
class AlphaInterval:
    """The tree that pruning with a fixed α leaves from `begin` on, as it is written."""

    begin: float
    leaves: int
    pruned: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class AlphaRule:
    """A rule of pruning with a fixed α: its title and its trees as α grows."""

    title: str
    intervals: tuple[AlphaInterval, ...]


@dataclass(frozen=True, kw_only=True)
class FixedAlphaRules(Picture):
    """One tree pruned by each rule side by side, above the leaves over α; α, now `alpha`, is dragged.

    α goes from `least`, below every change, to `most`; `asks` hides the leaves over α, and α stays.
    """

    kind: ClassVar[str] = "fixed_alpha_rules"
    tree: LessonTree
    rules: tuple[AlphaRule, ...]
    least: float
    most: float
    alpha: float
    asks: bool = False
