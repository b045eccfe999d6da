"""Error rate against the number of leaves: training, cross-validation with its standard errors, the 1-SE tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture
from explorer.drawing.pictures.pruning.lesson_tree import LessonTree


@dataclass(frozen=True)
class SizePoint:
    """A subtree of the sequence: its leaves, its training error, and its cross-validated error with standard error."""

    leaves: int
    training: float
    mean: float
    standard_error: float


@dataclass(frozen=True, kw_only=True)
class SizeCurve(Picture):
    """The points from the full tree to the root, and the tree at the position dragged, from `begin`.

    `leaf_from` is the position from which each node of the tree is a leaf. `best` and `one_se` are positions, marked
    unless None; `shows_validation` draws the cross-validated curve, `others` the means by other folds, pale.
    """

    kind: ClassVar[str] = "size_curve"
    tree: LessonTree
    leaf_from: tuple[int, ...]
    points: tuple[SizePoint, ...]
    begin: int
    shows_validation: bool = True
    best: int | None = None
    one_se: int | None = None
    others: tuple[tuple[float, ...], ...] = ()
