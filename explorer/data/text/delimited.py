"""The cells of a text → a frame: pandas parses it part by part, so that a reader sees progress and can stop."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO, cast

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from pandas.errors import DtypeWarning, EmptyDataError, ParserError

from explorer.data.suggestions.cells import Cells
from explorer.data.suggestions.written_numbers import Separators
from explorer.data.text.written_signs import WatchedText
from explorer.messages import Words, listing_with_more, plural
from explorer.values import EXACT_WHOLE, LEADING_ZERO, MISSING_MARKERS, has_leading_zero, have_open_points, is_rounded

_WIDE = 1000
_SHORT = 15
"""Digits that a float always keeps."""
_WHOLE = re.compile(r"[+-]?\d+")

Check = Callable[[int, int], None]
"""Called with rows and columns so far; raises where there are too many."""


@dataclass(frozen=True)
class CellLayout:
    """How rows are written. Rows of `padded` text may be narrower; without `has_spaces` none needs to be stripped.

    Only these `missing` marks mean a missing cell in columns of text, if they are set by hand. With a sign between
    `thousands`, columns of text that are numbers so written become numbers. `dotted` and `whole` are the columns of the
    form in which a point may separate thousands: they stay as they are written, for a reader to say.
    """

    width: int
    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""
    missing: tuple[str, ...] | None = None
    dotted: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()
    rows_at_once: int = 1 << 16
    has_spaces: bool = True
    padded: bool = False


def parse_cells(
    open_at_first_row: Callable[[], TextIO],
    layout: CellLayout,
    names: Sequence[str],
    check: Check,
    notes: list[Words],
) -> pd.DataFrame:
    """Return the rows of a text as a frame with numbered columns; `open_at_first_row` is called once or twice.

    A column becomes whole numbers, numbers or text. One that is neither throughout is read again as text: words such
    as true, numbers beside words, whole numbers too long for a float and those with a leading zero are kept as they
    are written. `names` are used in notes. Raises pandas' ParserError or ValueError for rows wider than the first, or
    an open quotation mark.
    """
    with open_at_first_row() as text:
        watched = WatchedText(text, layout.delimiter)
        parsed = list(_checked(_parts(cast(TextIO, watched), layout, ()), layout.width, check))
    by_column = list(zip(*(part.dtypes for part in parsed), strict=True))
    unclear = {i for i, dtypes in enumerate(by_column) if _is_unclear(dtypes)}
    unclear |= {i for i, dtypes in enumerate(by_column) if "S" in map(_kind, dtypes) and _begins_whole(parsed[0][i])}
    if layout.missing is not None:
        unclear |= {i for i, dtypes in enumerate(by_column) if "S" in map(_kind, dtypes)}
    frame = _joined(parsed, layout.width)
    del parsed
    possible = _possible_names(frame, watched.has_leading_zero) - unclear
    dotted = _with_points(frame, layout) - unclear - possible
    again = sorted(unclear | possible | dotted)
    if again:
        with open_at_first_row() as text:
            parts = list(_checked(_parts(text, layout, again), layout.width, check))
        written = _joined(parts, len(again))
        columns = {position: written.iloc[:, i] for i, position in enumerate(again)}
        names_of_things = _noted_names({i: columns[i] for i in sorted(possible)}, names, notes)
        points = [i for i in dotted if have_open_points(columns[i].dropna().str.strip())]
        frame = _with_columns(frame, {i: columns[i].array for i in (*unclear, *names_of_things, *points)})
    return _with_thousands(frame, layout) if layout.thousands else frame


def _possible_names(frame: pd.DataFrame, has_leading_zero: bool) -> set[int]:
    """The columns of numbers that may be names as they are written, by their length or their leading zeros."""
    return {
        i
        for i, dtype in enumerate(frame.dtypes)
        if (dtype == np.float64 and _has_long_whole(frame.iloc[:, i])) or (has_leading_zero and _kind(dtype) in "iuf")
    }


def _with_points(frame: pd.DataFrame, layout: CellLayout) -> set[int]:
    """The columns of numbers in which points may separate thousands."""
    late = {i for i in layout.whole if frame.dtypes[i] == np.float64 and not _is_whole(frame.iloc[:, i])}
    return late | {i for i in layout.dotted if frame.dtypes[i] == np.float64}


def _noted_names(columns: Mapping[int, pd.Series], names: Sequence[str], notes: list[Words]) -> list[int]:
    """The positions of the columns whose digits are names; they are noted."""
    long = [i for i, column in columns.items() if _has_rounded(column)]
    zeros = [i for i, column in columns.items() if i not in long and _has_leading_zero(column)]
    _note_long([names[i] for i in long], notes)
    _note_zeros([names[i] for i in zeros], notes)
    return [*long, *zeros]


def _with_thousands(frame: pd.DataFrame, layout: CellLayout) -> pd.DataFrame:
    """The frame with numbers for columns of text that are all numbers with these separators, beside missing marks."""
    form, columns = Separators(layout.decimal, layout.thousands), dict[int, ExtensionArray]()
    for i in (i for i, dtype in enumerate(frame.dtypes) if isinstance(dtype, pd.StringDtype)):
        cells = Cells.of(frame.iloc[:, i])
        value_of = {text: _signed(form, text.strip()) for text in cells.texts if text.strip() not in MISSING_MARKERS}
        if value_of and None not in value_of.values():
            columns[i] = pd.Series(cells.numbers(value_of.get)).array
    return _with_columns(frame, columns) if columns else frame


def _signed(form: Separators, text: str) -> float | None:
    """The number that a text stands for, None for one that is a name or no number."""
    digits = text.removeprefix("-") if text.startswith("-") else text.removeprefix("+")
    if has_leading_zero(text) or is_rounded(text.replace(form.group, "")):
        return None
    value = form.number(digits)
    return -value if value is not None and text.startswith("-") else value


def _with_columns(frame: pd.DataFrame, columns: Mapping[int, ExtensionArray]) -> pd.DataFrame:
    """Return the frame with other columns in some positions."""
    return pd.DataFrame({i: columns[i] if i in columns else frame.iloc[:, i] for i in range(frame.columns.size)})


def _parts(text: TextIO, layout: CellLayout, as_text: Sequence[int]) -> Iterator[pd.DataFrame]:
    """Yield frames of some rows each; `as_text` names the positions of the only columns to keep, as text."""
    only = as_text and not layout.padded  # pandas takes no choice of columns where all rows of a part are too narrow
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DtypeWarning)  # such columns are read again as text
        try:
            read = pd.read_csv(
                text,
                sep=layout.delimiter,
                decimal=layout.decimal,
                header=None,
                names=range(layout.width),
                keep_default_na=False,
                na_values=sorted(_marks(layout, bool(as_text))),
                skipinitialspace=layout.has_spaces,
                usecols=list(as_text) if only else None,
                dtype=str if as_text else None,
                chunksize=layout.rows_at_once,
                low_memory=False,
            )
            for part in read:
                yield part[list(as_text)] if as_text and layout.padded else part
        except EmptyDataError:
            return


def _marks(layout: CellLayout, is_text: bool) -> set[str]:
    """The marks that mean a missing cell: in columns of text those set by hand, if any."""
    own = {"", *(layout.missing or ())}
    return own if is_text and layout.missing is not None else own | MISSING_MARKERS


def _checked(parts: Iterator[pd.DataFrame], width: int, check: Check) -> Iterator[pd.DataFrame]:
    """Pass parts on as long as they fit the budget; ParserError for a first row wider than the header."""
    rows = 0
    for part in parts:
        if not isinstance(part.index, pd.RangeIndex):
            raise ParserError("the first row is longer than the header")
        rows += len(part)
        check(rows, width)
        yield part


def _joined(parts: Sequence[pd.DataFrame], width: int) -> pd.DataFrame:
    """Return all parts below each other, columns numbered from 0."""
    if not parts:
        return pd.DataFrame({i: pd.Series(dtype=np.float64) for i in range(width)})
    frame = parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)
    if width > _WIDE:
        frame = frame.copy()  # puts the columns together, which makes all that follows faster
    frame.columns = pd.RangeIndex(width)
    return frame


def _is_unclear(dtypes: Sequence[object]) -> bool:
    """Return whether the parts of a column do not agree on whole numbers, numbers or text."""
    kinds = {_kind(dtype) for dtype in dtypes}
    return bool(kinds & {"O", "b"}) or ("i" in kinds and "u" in kinds) or ("S" in kinds and len(kinds) > 1)


def _kind(dtype: object) -> str:
    return "S" if isinstance(dtype, pd.StringDtype) else str(getattr(dtype, "kind", "O"))


def _has_long_whole(column: pd.Series) -> bool:
    """Return whether a column of floats holds a whole number that a float may not tell from its neighbours."""
    numbers = column.to_numpy()
    large = numbers[np.abs(numbers) >= EXACT_WHOLE]
    return bool(len(large)) and bool(np.isfinite(large).any())


def _begins_whole(column: pd.Series) -> bool:
    """Return whether a text is a whole number at first: pandas leaves marks beside numbers of 64 bits as they are."""
    known = (cell.strip() for cell in column.iloc[:100] if isinstance(cell, str))
    return _WHOLE.fullmatch(next((cell for cell in known if cell not in MISSING_MARKERS), "")) is not None


def _is_whole(column: pd.Series) -> bool:
    """Return whether all numbers of a column are whole."""
    if column.dtype != np.float64:
        return True
    numbers = column.to_numpy()
    return bool((np.isnan(numbers) | (numbers == np.floor(numbers))).all())


def _has_rounded(written: pd.Series) -> bool:
    """Return whether some cell is a whole number that is changed by becoming a float."""
    long = [cell.strip() for cell in written.dropna()[written.dropna().str.len() > _SHORT]]
    return any(map(is_rounded, long))


def _has_leading_zero(written: pd.Series) -> bool:
    """Return whether some cell is a number of several digits with a leading zero."""
    known = written.dropna()
    return bool(known.str.strip().str.fullmatch(LEADING_ZERO).any())


def _note_long(columns: Sequence[str], notes: list[Words]) -> None:
    if not columns:
        return
    notes.append(
        lambda: plural(
            len(columns),
            "{n:,} column holds whole numbers too long to be exact and was read as text: {columns}.",
            "{n:,} columns hold whole numbers too long to be exact and were read as text: {columns}.",
            columns=listing_with_more((f"'{column}'" for column in columns[:3]), len(columns) > 3),
        )
    )


def _note_zeros(columns: Sequence[str], notes: list[Words]) -> None:
    if not columns:
        return
    notes.append(
        lambda: plural(
            len(columns),
            "{n:,} column has numbers with leading zeros, such as zip codes, and was read as text: {columns}.",
            "{n:,} columns have numbers with leading zeros, such as zip codes, and were read as text: {columns}.",
            columns=listing_with_more((f"'{column}'" for column in columns[:3]), len(columns) > 3),
        )
    )
