"""The lines above a table: blank ones, comments, titles and `sep=;` — and with them the line of the header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.messages import Words, listing_with_more, message, plural
from explorer.values import MISSING_MARKERS

NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
SEPARATOR_LINE = re.compile(r"\s*\"?sep=([!#$%&*+,\-./:;<=>?@\\^_`|~\t])\"?\s*", re.IGNORECASE)
"""Excel's own first line, which names the sign between cells."""
_COMMENT_SIGNS = ("#", "%")
_LISTED = 4


@dataclass(frozen=True)
class Row:
    """One row near the top of a file: the number of its (first) line, and its cells."""

    line: int
    cells: list[str]

    @property
    def is_blank(self) -> bool:
        """Whether a line holds nothing but spaces (pandas skips such lines, too)."""
        return not self.cells or (len(self.cells) == 1 and not self.cells[0].strip())

    @property
    def filled(self) -> int:
        """How many cells hold something."""
        return sum(bool(cell.strip()) for cell in self.cells)

    @property
    def is_comment(self) -> bool:
        """Whether the line starts with the sign of a comment."""
        return bool(self.cells) and self.cells[0].lstrip().startswith(_COMMENT_SIGNS)


def header_position(rows: Sequence[Row]) -> int:
    """Return the position of the row with the column names among the first rows of a file.

    Comments and titles come before it: a title fills a single cell, or fewer cells than all later rows have.

    >>> rows = [["Sales 2024"], [], ["# in euro"], ["shop", "sum"], ["A", "10"], ["B", "12"]]
    >>> header_position([Row(line, cells) for line, cells in enumerate(rows, start=1)])
    3
    """
    kept = [i for i, row in enumerate(rows) if not row.is_blank]
    kept = _without_comments(rows, kept)
    while len(kept) > 2 and _is_title(rows, kept):
        kept = _without_comments(rows, kept[1:])
    return kept[0] if kept else len(rows)


def _without_comments(rows: Sequence[Row], kept: list[int]) -> list[int]:
    """Drop leading comments, but not the last of them where it is the header: `#id,name` above rows with numbers."""
    comments = 0
    while comments < len(kept) and rows[kept[comments]].is_comment:
        comments += 1
    if 0 < comments < len(kept):
        last, following = rows[kept[comments - 1]], rows[kept[comments]]
        if len(last.cells) > 1 and len(last.cells) == len(following.cells) and has_number(following.cells):
            comments -= 1
    return kept[comments:]


def _is_title(rows: Sequence[Row], kept: Sequence[int]) -> bool:
    """Return whether the first of the kept rows is a title, and a header comes later."""
    first, others = rows[kept[0]], [rows[i] for i in kept[1:]]
    width = _usual_width(others)
    header = next((row for row in others if len(row.cells) == width and row.filled > 1), None)
    if width < 2 or header is None or has_number(header.cells):
        return False
    below = others[others.index(header) + 1 :]
    if not below or first.filled >= min(width, header.filled):
        return False
    is_apart = others[0].line > first.line + 1
    if len(first.cells) == width:  # padded with empty cells, as spreadsheets do
        return first.filled <= 1 and (width > 2 or is_apart or _names_numbers(header, below))
    agreeing = sum(len(row.cells) == width for row in below)
    if agreeing < 0.8 * len(below):
        return False
    return width > 2 or is_apart or _names_numbers(header, below)


def _usual_width(rows: Sequence[Row]) -> int:
    widths: dict[int, int] = {}
    for row in rows:
        widths[len(row.cells)] = widths.get(len(row.cells), 0) + 1
    return max(widths, key=lambda width: (widths[width], width), default=0)


def _names_numbers(header: Row, below: Sequence[Row]) -> bool:
    """Return whether some column is numbers under a name that is none."""
    columns = zip(*(row.cells for row in below if len(row.cells) == len(header.cells)), strict=True)
    return any(all(is_number(cell) for cell in column) for column in columns)


def has_number(cells: Sequence[str]) -> bool:
    """Return whether some cell is a number."""
    return any(NUMBER.fullmatch(cell.strip()) for cell in cells)


def is_number(cell: str) -> bool:
    """Return whether a cell is a number or missing."""
    return NUMBER.fullmatch(cell.strip()) is not None or cell.strip() in MISSING_MARKERS


def skipped_note(skipped: Sequence[Row]) -> Words | None:
    """A remark on the lines above the header that are not blank (blank ones alone need no word)."""
    skipped = [row for row in skipped if row.filled]
    if not skipped:
        return None
    lines = [f"{row.line} ('{' '.join(row.cells).strip()[:60]}')" for row in skipped[:_LISTED]]
    return lambda: plural(
        len(skipped),
        "Line {lines} stands above the header and was skipped.",
        "Lines {lines} stand above the header and were skipped.",
        lines=listing_with_more(lines, len(skipped) > _LISTED),
    )


def numbered_names(width: int) -> list[str]:
    """The names of columns without a header."""
    return [f"column {position}" for position in range(1, width + 1)]


def chosen_header_note(line: int, has_header: bool = True) -> Words:
    """A remark on a header line that was asked for, or on the first row of a table that has none."""
    if not has_header:
        return lambda: message("Line {line:,} was read as the first row: the columns are numbered.", line=line)
    return lambda: message("The column names were read from line {line:,}.", line=line)
