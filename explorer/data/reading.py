"""One file being read: what was asked for, how far it is, and what was found on the way."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

from explorer.data.budget import Budget
from explorer.data.source import BLOCK_BYTES, Source, read_fully, watched
from explorer.errors import InputError
from explorer.messages import Words, listing_with_more, message

Progress = Callable[[int, int], object]
"""Called with (bytes done, bytes in all); it may raise `Stopped`."""


@dataclass
class Reading:
    """What the caller asks of a reader (the first five fields), and what the reader says of the file (the others).

    `has_spaces` is False where a text is known to hold no space at all: it can then be parsed faster. `has_marks` says
    that texts such as "NA" stand for missing cells, of which the format has no others.
    """

    name: str
    wanted_sheet: str | None
    wanted_header: int | None
    budget: Budget
    progress: Progress | None
    size: int = 0
    remarks: list[Words] = field(default_factory=list)
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    header_line: int = 1
    weight_column: str = ""
    has_spaces: bool = True
    has_marks: bool = True
    _span: tuple[float, float] = (0.0, 1.0)
    _done: int = 0

    def at(self, share: float) -> None:
        """Report that this share of the present stage is done."""
        if self.progress is not None:
            first, last = self._span
            share = first + (last - first) * min(max(share, 0.0), 1.0)
            self._done = max(self._done, int(share * self.size))  # parts of a file are read more than once
            self.progress(self._done, self.size)

    @contextmanager
    def stage(self, first: float, last: float) -> Iterator[None]:
        """Within this block, work runs from one share of the present stage to another."""
        outer = self._span
        width = outer[1] - outer[0]
        self._span = (outer[0] + first * width, outer[0] + last * width)
        try:
            yield
        finally:
            self._span = outer

    def check(self, rows: int, columns: int) -> None:
        """Raise `InputError` where the table so far is larger than the budget."""
        self.budget.check(self.name, rows, columns)

    def open(self, source: Source) -> BinaryIO:
        """Open a source so that reading it reports progress and stays within the budget of bytes."""
        stream = source.open()
        size = source.size or 1
        share = getattr(stream, "share", None)

        def watch(done: int) -> None:
            self.budget.check(self.name, unpacked=done)
            self.at(share() if share else done / size)

        return watched(stream, watch)

    def content(self, source: Source) -> bytes:
        """All bytes of a source, within the budget."""
        with self.open(source) as stream:
            return read_fully(stream, self.budget.bytes + BLOCK_BYTES)

    def seekable(self, source: Source) -> BinaryIO:
        """Open a source such that one can jump in it: where it lies, or unpacked into memory within the budget."""
        stream = source.open()
        if source.path is not None or isinstance(stream, io.BytesIO):  # a packed one unpacks anew at each jump back
            self.budget.check(self.name, unpacked=source.size or 0)
            return stream
        stream.close()
        return io.BytesIO(self.content(source))

    def choose(self, names: tuple[str, ...]) -> None:
        """Keep the names that one can choose from; `InputError` where the one asked for is not among them."""
        self.sheets = names
        if self.wanted_sheet and self.wanted_sheet not in names:
            raise InputError(no_such_sheet(self.name, self.wanted_sheet, names))

    def candidates(self) -> tuple[str, ...]:
        """The names to try in order: the one asked for, or all."""
        return (self.wanted_sheet,) if self.wanted_sheet else self.sheets


def no_such_sheet(file: str, sheet: str, names: tuple[str, ...]) -> str:
    """The error for a sheet, table or archive member that is not there."""
    listed = listing_with_more((f"'{name}'" for name in names[:20]), len(names) > 20)
    return message("'{file}' has no sheet '{sheet}': choose one of {sheets}.", file=file, sheet=sheet, sheets=listed)
