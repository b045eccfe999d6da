"""What a reader has filled in on the Predict page: part of the settings and of the address.

A cell is written as a text: a number, the place of a category in its column's list, MISSING, or NEW for a value that
the tree never saw. Features go by their place among those of the table.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.parts.address import AddressReader

MISSING, NEW = "missing", "new"
POOLS = {"valid": "Validation rows", "train": "Training rows"}
_NUMBER = r"-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?"
_CELL = re.compile(rf"(\d{{1,6}}):({MISSING}|{NEW}|{_NUMBER})", re.ASCII)
_GOAL = re.compile(rf"\d{{1,6}}|[<>]{_NUMBER}", re.ASCII)
_PLACES = re.compile(r"\d{1,6}(-\d{1,6})*", re.ASCII)


@dataclass(frozen=True)
class Prediction:
    """The row asked about, the tree that answers, and what its answer should become.

    `row` is the number of the table's row that the form begins with (None: the usual value of every feature), `cells`
    what was filled in over it. `is_full` takes the tree before pruning. `goal` is the class wanted, by its place, or
    "<" or ">" and a number; "" leaves it open. The features `kept` must not change. `pool` are the rows to pick from;
    "" takes the validation rows where there are some.
    """

    row: int | None = None
    cells: tuple[tuple[int, str], ...] = ()
    is_full: bool = False
    goal: str = ""
    kept: tuple[int, ...] = ()
    pool: str = ""

    def with_cells(self, cells: Mapping[int, str]) -> Prediction:
        """The same with more cells filled in; a later one replaces an earlier one."""
        return dataclasses.replace(self, cells=tuple(sorted({**dict(self.cells), **cells}.items())))

    def begun_with(self, row: int | None) -> Prediction:
        """The same with another row to begin with; what was filled in is let go."""
        return dataclasses.replace(self, row=row, cells=())

    def of_tree(self, is_full: bool) -> Prediction:
        """The same asked of the full tree, or of the pruned one."""
        return dataclasses.replace(self, is_full=is_full)

    def to_address(self) -> dict[str, list[str]]:
        """What is not the default, as query parameters."""
        texts = {
            "ask.row": "" if self.row is None else str(self.row),
            "ask.cells": ",".join(f"{place}:{text}" for place, text in self.cells),
            "ask.tree": "full" if self.is_full else "",
            "ask.goal": self.goal,
            "ask.kept": "-".join(map(str, self.kept)),
            "ask.rows": self.pool,
        }
        return {key: [text] for key, text in texts.items() if text}

    @classmethod
    def from_address(cls, reader: AddressReader) -> Prediction:
        """What query parameters ask for."""
        return cls(
            row=next(iter(reader.numbers("ask.row", 1)), None),
            cells=reader.read_by(read_cells, "ask.cells", ()),
            is_full=reader.choice("ask.tree", "", {"full": True}) == "full",
            goal=reader.read_by(read_goal, "ask.goal", ""),
            kept=reader.read_by(read_places, "ask.kept", ()),
            pool=reader.choice("ask.rows", "", POOLS),
        )


def read_cells(text: str) -> tuple[tuple[int, str], ...] | None:
    """Cells as an address writes them; None where the text is none of it.

    >>> read_cells("0:1,2:22.5,3:missing"), read_cells("0=1")
    (((0, '1'), (2, '22.5'), (3, 'missing')), None)
    """
    found = [_CELL.fullmatch(one) for one in text.split(",")] if text else []
    pairs = [(int(one[1]), one[2]) for one in found if one is not None]
    return tuple(sorted(dict(pairs).items())) if len(pairs) == len(found) else None


def read_goal(text: str) -> str | None:
    """A goal as an address writes it; None where the text is no goal.

    >>> read_goal("2"), read_goal(">25.5"), read_goal("more")
    ('2', '>25.5', None)
    """
    return text if not text or _GOAL.fullmatch(text) else None


def read_places(text: str) -> tuple[int, ...] | None:
    """Places joined by a minus sign; None where the text is none of it.

    >>> read_places("0-3"), read_places("-1")
    ((0, 3), None)
    """
    if not text:
        return ()
    return tuple(map(int, text.split("-"))) if _PLACES.fullmatch(text) else None
