"""What a reader has chosen on the Evaluate page: part of the settings and the address."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.parts.address import AddressReader

ROWS = ("valid", "held_out", "train")
"""Validation rows; every row by a tree that did not see it; the rows that the tree grew on."""


@dataclass(frozen=True)
class Judging:
    """The rows that judge the tree, the cell and the row picked, the class whose curves are drawn, the root as an end.

    `rows` "" takes the validation rows where there are some. `cell` are class codes (true, answered), `row` is the
    number of a row in the table; `of_class` None leaves the class to the page. `at_root` tells the root chosen as a
    node where rows stop from a tree in which nothing is selected.
    """

    rows: str = ""
    cell: tuple[int, int] | None = None
    row: int | None = None
    of_class: int | None = None
    at_root: bool = False

    def with_other_tree(self) -> Judging:
        """The same once the tree is another: what was picked among its answers is let go."""
        return dataclasses.replace(self, cell=None, row=None, at_root=False)

    def to_address(self) -> dict[str, list[str]]:
        """What is not the default, as query parameters."""
        texts = {
            "e.rows": self.rows,
            "e.cell": "" if self.cell is None else "-".join(map(str, self.cell)),
            "e.row": "" if self.row is None else str(self.row),
            "e.class": "" if self.of_class is None else str(self.of_class),
            "e.leaf": "root" if self.at_root else "",
        }
        return {key: [text] for key, text in texts.items() if text}

    @classmethod
    def from_address(cls, reader: AddressReader) -> Judging:
        """What query parameters ask for."""
        cell = reader.numbers("e.cell", 2)
        return cls(
            rows=reader.choice("e.rows", "", dict.fromkeys(ROWS)),
            cell=(cell[0], cell[1]) if cell else None,
            row=next(iter(reader.numbers("e.row", 1)), None),
            of_class=next(iter(reader.numbers("e.class", 1)), None),
            at_root=reader.choice("e.leaf", "", {"root": True}) == "root",
        )
