"""Rows as balls that fall into the branches of a split; the reader can let them fall by another feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class RowGroup:
    """One branch: its name, its rows by their positions, and the lines below it, such as its entropy."""

    label: str
    rows: tuple[int, ...]
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Division:
    """All branches of one split; `name` is on its button, `result` stands below the branches.

    In a list it has a bar of a `value`, with the text for it ("?" while it is asked for) and how it is worked out.
    """

    name: str
    groups: tuple[RowGroup, ...]
    result: str = ""
    value: float = 0.0
    text: str = ""
    arithmetic: str = ""
    is_best: bool = False


@dataclass(frozen=True, kw_only=True)
class RowGroups(Picture):
    """Rows in the branches of one of several divisions, by default the one at position `shown`.

    A row has a label, which is also its key from one step to the next, the code of its class, and its cells as one
    line, shown while the reader points at it. With `has_shares` a strip shows each branch's share of the rows. Where
    `marks` are given, they stand on the balls in place of the labels. With `most`, the number of a bar of full length,
    divisions are chosen from a list with bars.
    """

    kind: ClassVar[str] = "row_groups"
    rows: tuple[str, ...]
    codes: tuple[int, ...]
    classes: tuple[str, ...]
    divisions: tuple[Division, ...]
    details: tuple[str, ...] = ()
    shown: int = 0
    has_shares: bool = False
    title: str = ""
    marks: tuple[str, ...] | None = None
    most: float = 0.0
    state: str = ""
    """Where it changes, the reader's choice of a division ends."""
