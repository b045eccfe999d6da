"""The cells of a text → a frame: pandas parses it part by part, so that a reader sees progress and can stop."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from pandas.errors import DtypeWarning, EmptyDataError, ParserError

from explorer.data.table import MISSING_MARKERS
from explorer.messages import Words, listing_with_more, plural

_LARGEST_EXACT = 2.0**53
"""From here on, a whole number as a float may be another than the one written."""

_WIDE = 1000

Check = Callable[[int, int], None]
"""Called with rows and columns so far; raises where there are too many."""


@dataclass(frozen=True)
class CellLayout:
    """How rows are written. Rows of `padded` text may be narrower; without `has_spaces` none needs to be stripped."""

    width: int
    delimiter: str = ","
    decimal: str = "."
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
    as true, numbers beside words, and whole numbers too long for a float are kept as they are written. `names` are
    used in notes. Raises pandas' ParserError or ValueError for rows wider than the first, or an open quotation mark.
    """

    def parts(as_text: Sequence[int]) -> list[pd.DataFrame]:
        with open_at_first_row() as text:
            return list(_checked(_parts(text, layout, as_text), layout.width, check))

    parsed = parts(())
    by_column = zip(*(part.dtypes for part in parsed), strict=True)
    unclear = [i for i, dtypes in enumerate(by_column) if _is_unclear(dtypes)]
    frame = _joined(parsed, layout.width)
    del parsed
    long = sorted({i for i in _float_columns(frame) if _has_long_whole(frame.iloc[:, i])} - set(unclear))
    again = sorted({*unclear, *long})
    if not again:
        return frame
    written = _joined(parts(again), len(again))
    columns = {position: written.iloc[:, i] for i, position in enumerate(again)}
    long = [i for i in long if _is_long_text(columns[i])]
    _note_long([names[i] for i in long], notes)
    return _with_columns(frame, {i: columns[i].array for i in (*unclear, *long)})


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
                na_values=sorted(MISSING_MARKERS),
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


def _float_columns(frame: pd.DataFrame) -> list[int]:
    return [i for i, dtype in enumerate(frame.dtypes) if dtype == np.float64]


def _has_long_whole(column: pd.Series) -> bool:
    """Return whether a column of floats holds a whole number that a float may not tell from its neighbours."""
    numbers = column.to_numpy()
    large = numbers[np.abs(numbers) >= _LARGEST_EXACT]
    return bool(len(large)) and bool(np.isfinite(large).any())


def _is_long_text(written: pd.Series) -> bool:
    """Return whether all cells are digits, and some number is changed by becoming a float."""
    known = written.dropna().str.strip()
    if not known.str.fullmatch(r"[+-]?\d+").all():
        return False
    return any(int(float(cell)) != int(cell) for cell in known if len(cell) < 300)


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
