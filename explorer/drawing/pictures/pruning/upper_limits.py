"""The upper limit of a leaf's error rate against its rows, and the expected errors of a subtree against a leaf's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.lesson_tree import LessonTree
from explorer.drawing.pictures.picture import Picture
from explorer.pruning.error_bound import TABLE


@dataclass(frozen=True)
class CountedLeaf:
    """A leaf with its wrong rows and its rows, as it is named."""

    text: str
    errors: int
    rows: int


@dataclass(frozen=True, kw_only=True)
class UpperLimits(Picture):
    """Curves over rows from 1 to `most_rows`; the limits of `leaves` are dots on them, written where `shows_limits`.

    There is a curve for each number of `errors`, by C4.5's rule; the confidence is dragged. `table` holds C4.5's
    confidences and deviates.
    """

    kind: ClassVar[str] = "upper_limits"
    leaves: tuple[CountedLeaf, ...]
    errors: tuple[int, ...]
    most_rows: int = 20
    confidence: float = 0.25
    shows_limits: bool = True
    table: tuple[tuple[float, ...], tuple[float, ...]] = TABLE


@dataclass(frozen=True, kw_only=True)
class ExpectedErrors(Picture):
    """N·U(E, N) of the leaves of a subtree as one bar, and of the node as a leaf as another.

    `nodes` are the numbers of the `leaves` in the tree; `leaf` is the root as a leaf, its bar hidden where `asks`. The
    confidence is dragged where `can_drag`. A subtree is pruned unless it is better by more than `slack`.
    """

    kind: ClassVar[str] = "expected_errors"
    tree: LessonTree
    nodes: tuple[int, ...]
    leaves: tuple[CountedLeaf, ...]
    leaf: CountedLeaf
    slack: float
    confidence: float = 0.25
    asks: bool = False
    can_drag: bool = False
    is_pruned: bool = False
    table: tuple[tuple[float, ...], tuple[float, ...]] = TABLE
