"""Lines below a table that are no rows: notes, sources, totals. They are read as rows, whose removal is offered."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO, cast

from explorer.data.notes import LinesBelow
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.suggestions.extra_rows import is_total
from explorer.data.text.encoding import open_text
from explorer.data.text.form import TextForm
from explorer.data.text.lead import is_number
from explorer.data.text.ragged import skip_header

_MOST = 20
"""Lines of the longest text below a table."""


@dataclass(frozen=True)
class Footers:
    """The end of a text from the first line that is no row on: where it begins, and its lines as wide as the table.

    `offset` counts signs below the header, `line` lines of the file.
    """

    offset: int
    line: int
    rows: tuple[tuple[str, ...], ...]
    delimiter: str

    @property
    def remark(self) -> LinesBelow:
        """What was read below the table."""
        return LinesBelow(self.line, self.rows[0][0][:60])


class _Spliced(io.TextIOBase):
    """A text up to some sign, and another text after it."""

    def __init__(self, text: TextIO, length: int, end: str) -> None:
        self._text, self._left, self._end = text, length, io.StringIO(end)

    def read(self, size: int | None = -1, /) -> str:
        """Read on in the first text, then in the second."""
        size = -1 if size is None else size
        if self._left:
            part = self._text.read(self._left if size < 0 else min(size, self._left))
            self._left -= len(part)
            return part if size >= 0 else part + self._end.read()
        return self._end.read(size)

    def close(self) -> None:
        """Close the first text too."""
        self._text.close()
        super().close()


def with_footers(text: TextIO, footers: Footers) -> TextIO:
    """A text below its header, with its last lines as wide as the table."""
    end = io.StringIO()
    csv.writer(end, lineterminator="\n", delimiter=footers.delimiter).writerows(footers.rows)
    return cast(TextIO, _Spliced(text, footers.offset, end.getvalue()))


def find_footers(source: Source, encoding: str, form: TextForm, reading: Reading) -> list[Footers]:
    """The lines below the table, if its rows have no other fault; else nothing."""
    with open_text(source, encoding, reading) as text:
        first_line = skip_header(text, form) + 1
        counted = _Counted(text)
        reader = csv.reader(counted, delimiter=form.delimiter, skipinitialspace=True)
        offset, line = 0, first_line
        end: list[list[str]] = []
        place = (0, 0)
        try:
            for cells in reader:
                is_blank = not "".join(cells).strip()
                if end or not (is_blank or len(cells) == form.width):
                    place = place if end else (offset, line)
                    end += [] if is_blank else [cells]
                    if len(end) > _MOST or not _may_end(cells, form.width, len(end) > 1):
                        return []
                offset, line = counted.n_signs, first_line + reader.line_num
        except csv.Error:
            return []
    rows = tuple(_fitted(cells, form) for cells in end)
    return [Footers(*place, rows, form.delimiter)] if rows else []


class _Counted:
    """The lines of a text, and how many signs were read."""

    def __init__(self, text: TextIO) -> None:
        self._text, self.n_signs = text, 0

    def __iter__(self) -> Iterator[str]:
        for line in self._text:
            self.n_signs += len(line)
            yield line


def _may_end(cells: Sequence[str], width: int, is_below_another: bool) -> bool:
    """Whether a line may stand below a table: a row, a text alone, a total, or a sentence with delimiters in it."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled or len(cells) == width:
        return True
    if is_number(filled[0]):
        return False
    is_sentence = " " in filled[0] or ":" in filled[0]
    return (
        (len(filled) == 1 and (width > 2 or is_sentence))
        or is_total(filled[0])
        or (is_sentence and (len(cells) > width or is_below_another))
    )


def _fitted(cells: Sequence[str], form: TextForm) -> tuple[str, ...]:
    """A line as wide as the table: a row and a total keep their cells, all others become one text."""
    sign = form.delimiter if form.delimiter.isspace() else f"{form.delimiter} "
    is_row = len(cells) <= form.width and (len(cells) == form.width or is_total(cells[0]))
    own = list(cells) if is_row else [sign.join(cell.strip() for cell in cells if cell.strip())]
    return (*own, *[""] * (form.width - len(own)))
