"""Breiman's ordering: the categories of a feature sorted by the share of a class, and a cut between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class CategoryShare:
    """A category with its rows, the share of the class among them, and its place in the table's order."""

    label: str
    rows: float
    share: float
    place: int


@dataclass(frozen=True, kw_only=True)
class OrderedCategories(Picture):
    """Categories by ascending share; `cuts` are the Gini indices of the cuts after the first, the second, … of them.

    `groupings` are those of all groupings into two, ascending; `best` is the position of the best cut. `is_sorted` says
    whether the categories stand in the order of their shares at first, which the reader can change.
    """

    kind: ClassVar[str] = "ordered_categories"
    title: str
    class_name: str
    code: int
    categories: tuple[CategoryShare, ...]
    cuts: tuple[float, ...]
    groupings: tuple[float, ...]
    best: int
    shown: int = 0
    is_sorted: bool = True
