"""One file being read: what was asked for, how far it is, and what was found on the way."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Any, BinaryIO

from explorer.data.budget import Budget
from explorer.data.source import BLOCK_BYTES, Source, read_fully, watched
from explorer.errors import InputError
from explorer.messages import Words, listing, listing_with_more, message, worded

DECIMALS = (".", ",")
THOUSANDS = ("", ",", ".", " ", "'")
_OF_TEXT = ("separator", "decimal", "thousands", "encoding", "cuts")
"""What only a text has: a sheet has cells, and its numbers are numbers."""

_LONGEST_LINE = 100_000
"""The sign after which a line is cut last."""


def _damaged() -> InputError:
    return InputError(message("These are no options of reading a file: give names of options and their values."))


def _refuse_other(what: Words, value: str | None, known: tuple[str, ...]) -> None:
    if value is not None and value not in known:
        signs = listing(repr(sign) for sign in known)
        raise InputError(
            message("The {what} is {value!r}: use one of {signs}.", what=worded(what), value=value, signs=signs)
        )


def _is_text_encoding(name: str) -> bool:
    try:
        return isinstance(b"a".decode(name, "replace"), str)  # "hex" and its like make no text
    except (LookupError, ValueError, TypeError):
        return False


def _are_cuts(cuts: tuple[int, ...]) -> bool:
    are_whole = all(isinstance(cut, int) and not isinstance(cut, bool) for cut in cuts)
    return are_whole and all(low < high for low, high in pairwise((0, *cuts))) and max(cuts, default=0) <= _LONGEST_LINE


@dataclass(frozen=True)
class ReadingOptions:
    """What is set by hand; None stands for what is found.

    `separator` is the sign between cells, `decimal` the decimal sign, `thousands` the sign between thousands ("": none)
    and `encoding` a name that Python knows. Without `has_header` the first line is a row. `missing` are the marks that
    mean a missing cell in columns of text; an empty cell always does, and so do the usual marks in columns of numbers.
    `cuts` are the numbers of signs after which columns of fixed width end, but for the last; no separator counts then.
    With `stacked`, all sheets, tables or members that have the same columns are put below each other.
    Raises `InputError` for what no text can be read with.

    >>> ReadingOptions(thousands=".").decimal_sign, ReadingOptions(separator=";").given
    (',', {'separator': ';'})
    """

    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    has_header: bool = True
    missing: tuple[str, ...] | None = None
    cuts: tuple[int, ...] | None = None
    stacked: bool = False

    def __post_init__(self) -> None:
        """Refuse what contradicts itself or is not known."""
        _refuse_other(lambda: message("decimal sign"), self.decimal, DECIMALS)
        _refuse_other(lambda: message("sign between thousands"), self.thousands, THOUSANDS)
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\r\n'):
            raise InputError(
                message("The separator is {sign!r}: it must be one sign, such as ',' or ';'.", sign=self.separator)
            )
        if self.thousands and self.thousands == self.decimal:
            raise InputError(
                message("'{sign}' cannot be both decimal sign and thousands separator.", sign=self.thousands)
            )
        if self.cuts is not None and not _are_cuts(self.cuts):
            raise InputError(
                message("The cuts must be rising numbers of signs from 1 on, such as 4 and 11: give others.")
            )
        if self.encoding is not None and not _is_text_encoding(self.encoding):
            raise InputError(
                message("The encoding '{encoding}' is not known: use one such as utf-8.", encoding=self.encoding)
            )

    @property
    def decimal_sign(self) -> str | None:
        """The decimal sign that is set, or follows from the sign between thousands."""
        if self.decimal is None and self.thousands in DECIMALS:
            return "," if self.thousands == "." else "."
        return self.decimal

    @property
    def given(self) -> dict[str, Any]:
        """What is set by hand, by name."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) != field.default}

    @property
    def of_text(self) -> tuple[str, ...]:
        """The names of what is set and only a text has."""
        return tuple(name for name in self.given if name in _OF_TEXT)

    @classmethod
    def from_plain(cls, plain: object) -> ReadingOptions:
        """The options from their `given` as JSON holds them; InputError where they are none."""
        if not isinstance(plain, Mapping) or not plain.keys() <= {field.name for field in fields(cls)}:
            raise _damaged()
        values = dict(plain)
        missing = values.get("missing")
        if isinstance(missing, list | tuple) and all(isinstance(mark, str) for mark in missing):
            values["missing"] = tuple(missing)
        elif missing is not None:
            raise _damaged()
        if isinstance(values.get("cuts"), list | tuple):
            values["cuts"] = tuple(values["cuts"])
        elif values.get("cuts") is not None:
            raise _damaged()
        texts = [values.get(name) for name in _OF_TEXT if name != "cuts"]
        if not all(text is None or isinstance(text, str) for text in texts):
            raise _damaged()
        if not all(isinstance(values.get(name, True), bool) for name in ("has_header", "stacked")):
            raise _damaged()
        return cls(**values)


AS_FOUND = ReadingOptions()

Progress = Callable[[int, int], object]
"""Called with (bytes done, bytes in all); it may raise `Stopped`."""


@dataclass
class Reading:
    """What the caller asks of a reader (the first six fields), and what the reader says of the file (the others).

    Where `declares_order` is False, categories in order are only in the order of their codes.
    `has_spaces` is False where a text is known to hold no space at all: it can then be parsed faster. `has_marks` says
    that texts such as "NA" stand for missing cells, of which the format has no others. `read_as` is how a text was
    read, None for other files; where it `escapes_quotes`, a quotation mark within a cell is written with a backslash.
    `recut` puts tabs between the cells of a line (its text, its number) where a text has no signs between them.
    """

    name: str
    wanted_sheet: str | None
    wanted_header: int | None
    budget: Budget
    progress: Progress | None
    options: ReadingOptions = AS_FOUND
    size: int = 0
    remarks: list[Words] = field(default_factory=list)
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    header_line: int = 1
    weight_column: str = ""
    target_column: str = ""
    aside: tuple[str, ...] = ()
    described: tuple[tuple[str, str], ...] = ()
    declares_order: bool = True
    has_spaces: bool = True
    has_marks: bool = True
    read_as: ReadingOptions | None = None
    escapes_quotes: bool = False
    recut: Callable[[str, int], str] | None = None
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
