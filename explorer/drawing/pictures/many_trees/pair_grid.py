"""All pairs of some rows as cells of a triangle, each with one of a few outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True, kw_only=True)
class PairGrid(Picture):
    """The outcome of every pair of rows: `cells` are in the order (0, 1), (0, 2), …, (1, 2), …, by position.

    `outcomes` are the words for them, the most frequent first, with how many pairs have each; `pair` is the cell that
    is pointed out at first.
    """

    kind: ClassVar[str] = "pair_grid"
    title: str
    rows: tuple[str, ...]
    outcomes: tuple[tuple[str, int], ...]
    cells: tuple[int, ...]
    pair: tuple[int, int] = (0, 1)
