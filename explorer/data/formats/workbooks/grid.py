"""The rows of a sheet, one after the other, as text in memory: empty cells and rows take no room."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO, TypeVar

import pandas as pd

from explorer.data.reading import Reading
from explorer.data.text.delimited import CellLayout, parse_cells
from explorer.data.text.form import no_header
from explorer.data.text.lead import Row, chosen_header_note, has_number, header_position, numbered_names, skipped_note
from explorer.errors import InputError
from explorer.messages import Words, message, plural

_HEAD_ROWS = 200
_SHORT = 16
"""Signs of a number with a point that are always its own shortest decimal."""
_WHOLE = re.compile(r"-?(?:0|[1-9]\d*)")


def number_text(written: str) -> str:
    """A stored number as its shortest decimal: programs write up to 17 digits, or a point after whole numbers.

    >>> number_text("1.1000000000000001"), number_text("2.0"), number_text("1234567890123456789"), number_text("0.5")
    ('1.1', '2', '1234567890123456789', '0.5')
    """
    if len(written) < _SHORT and not written.endswith("0") and "E" not in written and "e" not in written:
        return written
    if _WHOLE.fullmatch(written):
        return written
    try:
        number = float(written)
    except ValueError:
        return written
    if not math.isfinite(number):
        return written
    return str(int(number)) if number.is_integer() else repr(number)


@dataclass(frozen=True)
class Merged:
    """Cells that are merged into one: the first and the last row and column, counted from 0."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int


class Grid:
    """Collects rows with cells in given columns (both counted from 0), within the budget, and makes a frame of them."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._head: list[Row] = []
        self._text = io.StringIO()
        self._writer = csv.writer(self._text, lineterminator="\n")
        self._ends: list[int] = []
        self.n_rows = self._width = self._last_row = 0
        self._merged: list[Merged] = []
        self._n_begun = self._n_spread = 0
        self._values: dict[int, tuple[int, str]] = {}

    def merge(self, merged: Merged) -> None:
        """Say that cells are merged, before their first row is added, and in the order of first rows."""
        self._merged.append(merged)
        self._reading.check(len(self._merged), 1)

    def add(self, number: int, cells: Sequence[str]) -> None:
        """Add the row with this number (from 0); rows without a value are only counted, by the gap in the numbers."""
        width = next((i for i in range(len(cells), 0, -1) if cells[i - 1]), 0)
        if not width:
            return
        self._width = max(self._width, width)
        spread = self._spread(number, cells[:width]) if self._merged else cells[:width]
        self.n_rows += 1
        self._last_row = number + 1
        self._reading.check(self.n_rows, self._width)
        # before the row is written: a workbook holds a long text once, however many cells refer to it
        self._reading.budget.check(self._reading.name, unpacked=self._text.tell() + sum(map(len, spread)))
        self._writer.writerow(spread)
        if len(self._head) < _HEAD_ROWS:
            self._head.append(Row(number + 1, list(cells[:width])))
            self._ends.append(self._text.tell())

    def _spread(self, number: int, cells: Sequence[str]) -> list[str]:
        """The cells of a row with the values of merged cells in each of them, within the width of the table so far."""
        row = [*cells, *[""] * (self._width - len(cells))]
        while self._n_begun < len(self._merged) and self._merged[self._n_begun].first_row <= number:
            merged = self._merged[self._n_begun]
            value = row[merged.first_column] if merged.first_row == number and merged.first_column < len(row) else ""
            columns = range(merged.first_column, min(merged.last_column + 1, self._width))
            self._n_spread += len(columns)
            self._reading.budget.check_cells(self._reading.name, self._n_spread)
            self._values.update(dict.fromkeys(columns, (merged.last_row, value)))
            self._n_begun += 1
        self._values = {column: kept for column, kept in self._values.items() if kept[0] >= number}
        return [cell or self._values.get(column, (0, ""))[1] for column, cell in enumerate(row)]

    def _header_lines(self, head: Sequence[Row], position: int) -> tuple[int, list[str]]:
        """The position of the last line of the header, and the names: merged cells may make a header of several lines.

        A cell that is merged downwards says how many; below a cell that is merged sideways there is one more.
        """
        row = head[position].line - 1
        own = [merged for merged in self._merged if merged.first_row == row and merged.first_column < self._width]
        sideways = [merged for merged in own if merged.last_column > merged.first_column]
        last_row = max((merged.last_row for merged in own), default=row)
        if last_row == row and sideways:
            last_row += 1
        below = [i for i in range(position + 1, len(head)) if head[i].line - 1 <= last_row]
        is_named = all(head[i].cells[merged.first_column] for i in below[:1] for merged in sideways)
        if not below or not is_named or any(has_number(head[i].cells) for i in below):
            return position, head[position].cells
        lines = [list(head[i].cells) for i in (position, *below)]
        for merged in sideways:
            value, end = lines[0][merged.first_column], min(merged.last_column + 1, self._width)
            lines[0][merged.first_column : end] = [value] * (end - merged.first_column)
        names = (dict.fromkeys(cell.strip() for cell in column if cell.strip()) for column in zip(*lines, strict=True))
        return below[-1], [" ".join(parts) for parts in names]

    def frame(self) -> pd.DataFrame:
        """Return the rows below the header, named by the header; columns left of the first value are left out."""
        reading, head = self._reading, self._padded_head()
        position = self._header(head)
        first = min((_first_filled(row) for row in head), default=0)
        last, names = self._header_lines(head, position)
        start = self._ends[last]
        if not reading.options.has_header:
            names, start = numbered_names(len(names)), self._ends[position - 1] if position else 0
        layout = CellLayout(self._width, missing=reading.options.missing, padded=True)
        frame = parse_cells(lambda: self._below(start), layout, names, reading.check, reading.remarks)
        reading.header_line = head[position].line
        self._note(head, position, last, len(frame))
        frame.columns = pd.Index(names, dtype=object)
        return _without_empty_left(frame, first)

    def _padded_head(self) -> list[Row]:
        """The first rows as wide as the table, so that a title is known by its single cell."""
        return [Row(row.line, row.cells + [""] * (self._width - len(row.cells))) for row in self._head]

    def _header(self, head: Sequence[Row]) -> int:
        wanted = self._reading.wanted_header
        if wanted is None:
            position = header_position(head)
        else:
            position = next((i for i, row in enumerate(head) if row.line >= wanted), len(head))
        if position == len(head):
            raise InputError(no_header(self._reading.name, wanted))
        return position

    def _below(self, start: int) -> TextIO:
        """A text at the first row below the header."""
        text = io.StringIO(self._text.getvalue(), newline="")
        text.seek(start)
        return text

    def _note(self, head: Sequence[Row], position: int, last: int, n_rows: int) -> None:
        notes = self._reading.remarks
        skipped = skipped_note(head[:position])
        if self._reading.wanted_header or not self._reading.options.has_header:
            skipped = chosen_header_note(head[position].line, self._reading.options.has_header)
        if skipped is not None:
            notes.append(skipped)
        if last > position:
            notes.append(
                lambda: message(
                    "The column names stand in lines {first:,} to {last:,}, in merged cells.",
                    first=head[position].line,
                    last=head[last].line,
                )
            )
        n_merged = sum(merged.first_row >= head[last].line for merged in self._merged)
        if n_merged:
            notes.append(
                lambda: plural(
                    n_merged,
                    "{n:,} merged cell was read as its value in each of the cells that it covers.",
                    "{n:,} merged cells were read as their value in each of the cells that they cover.",
                )
            )
        n_blank = self._last_row - head[last].line - n_rows + (not self._reading.options.has_header)
        if n_blank:
            notes.append(
                lambda: plural(
                    n_blank, "{n:,} row without any value was left out.", "{n:,} rows without any value were left out."
                )
            )


def _first_filled(row: Row) -> int:
    return next((i for i, cell in enumerate(row.cells) if cell), len(row.cells))


def _without_empty_left(frame: pd.DataFrame, first: int) -> pd.DataFrame:
    """Leave out the columns left of the table, if they are empty further down, too."""
    empty = first and frame.iloc[:, :first].isna().to_numpy().all()
    return frame.iloc[:, first:] if empty else frame


def no_data(name: str) -> InputError:
    """The error for a workbook or file whose sheets are all empty."""
    return InputError(
        message("'{file}' has no sheet with data: put the table on a sheet, or save it as CSV.", file=name)
    )


def damaged(name: str, error: object) -> InputError:
    """The error for a workbook whose parts do not fit together."""
    return InputError(
        message("'{file}' is a damaged workbook ({error}): save it again as .xlsx.", file=name, error=error)
    )


Sheet = TypeVar("Sheet")


def best_sheet(
    sheets: Iterable[Sheet], grid_of: Callable[[Sheet], Grid], reading: Reading
) -> tuple[Sheet, pd.DataFrame] | None:
    """The first of some sheets that is a table of several columns, else the first that is any table; None without data.

    Raises the `InputError` of the first that is refused where none is a table.
    """
    refused: InputError | None = None
    best: tuple[Sheet, pd.DataFrame, list[Words]] | None = None
    n_remarks = len(reading.remarks)
    for sheet in sheets:
        try:
            grid = grid_of(sheet)
            if not grid.n_rows:
                continue
            frame = grid.frame()
        except InputError as error:
            refused = refused or error
        else:
            found = sheet, frame, reading.remarks[n_remarks:]
            if best is None or (best[1].empty and not frame.empty):
                best = found
            if min(frame.shape) > 0 and frame.shape[1] > 1:
                best = found
                break
        del reading.remarks[n_remarks:]
    if best is None:
        if refused is not None:
            raise refused
        return None
    reading.remarks[n_remarks:] = best[2]
    return best[:2]
