"""A table as read from a file: the frame, what was assumed, and where in the file it stood."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from explorer.data.reading import ReadingOptions
from explorer.data.suggestions import Repair, Suggestion, suggestions_of
from explorer.messages import Words, worded

MISSING_MARKERS: frozenset[str] = frozenset(
    {"", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "<NA>", "#N/A", "\\N"}
)
"""Cells that count as missing. "none" is not among them: tables use it as a category."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table as read: `frame` (pandas), a remark per assumption, `name` (of the file).

    `sheets` are the sheets, database tables or archive members to choose from (empty where a file holds one table by
    nature), and `sheet` is the one read. `header_line` is the line of the text or the row of the sheet with the column
    names, counted from 1. `weight_column` holds the weights that the file gives its rows ("" where it gives none).
    `read_as` is how a text was read, None for other files. `repairs` are those applied since.
    """

    frame: pd.DataFrame
    remarks: tuple[Words, ...]
    name: str
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    header_line: int = 1
    weight_column: str = ""
    repairs: tuple[Repair, ...] = ()
    read_as: ReadingOptions | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks as sentences in the language in force."""
        return tuple(worded(remark) for remark in self.remarks)

    @cached_property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """What a person would repair, in the whole table first, then by column; nothing is changed by itself."""
        return suggestions_of(self)
