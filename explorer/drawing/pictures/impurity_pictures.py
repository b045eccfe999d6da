"""How mixed a node is: bags of balls, and its measures against the shares of two or three classes.

Counts go by class, in the order of the classes; of two classes, shares are those of the second ("Yes" after "No").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture

MEASURES = ("entropy", "gini", "error")


@dataclass(frozen=True)
class Bag:
    """A bag: a large text below it, such as its entropy, with its unit; the balls of the bag without a name move on."""

    label: str
    counts: tuple[int, ...]
    name: str = ""
    text: str = ""
    unit: str = ""
    is_best: bool = False


@dataclass(frozen=True, kw_only=True)
class Bags(Picture):
    """Bags side by side; with `measures`, a single one that the reader changes ball by ball, and its measures."""

    kind: ClassVar[str] = "bags"
    classes: tuple[str, ...]
    bags: tuple[Bag, ...]
    measures: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ImpurityTriangle(Picture):
    """A measure of three classes over all their mixtures; the point begins at `start`, of `n` balls."""

    kind: ClassVar[str] = "impurity_triangle"
    classes: tuple[str, str, str]
    n: int
    start: tuple[int, int, int]
    measure: str


@dataclass(frozen=True, kw_only=True)
class ClassQuestions(Picture):
    """Yes/no questions that name the class of a ball, one class after the other; balls are drawn in `order`, by class.

    `asks` hides how many questions each class takes.
    """

    kind: ClassVar[str] = "class_questions"
    classes: tuple[str, ...]
    counts: tuple[int, ...]
    order: tuple[int, ...]
    asks: bool = False
