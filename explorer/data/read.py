"""A file's bytes, or a frame of another library → a table, or a clear error.

Every kind of file ends as one pandas frame with unique column names; every assumption is recorded as a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.arrow_frame import arrow_table, is_foreign_frame, pandas_frame
from explorer.data.budget import DEFAULT, Budget
from explorer.data.codes.scale import order_of
from explorer.data.column_names import unique_names
from explorer.data.formats import read_any
from explorer.data.notes import MissingCells, listed_names
from explorer.data.reading import Progress, Reading, ReadingOptions
from explorer.data.source import Given, source_of
from explorer.data.table import Table
from explorer.errors import InputError
from explorer.messages import Words, listing, listing_with_more, message, plural


def read_table(
    source: Given | Any,
    name: str | None = None,
    *,
    sheet: str | None = None,
    header_line: int | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    has_header: bool = True,
    missing: Sequence[str] | None = None,
    cuts: Sequence[int] | None = None,
    stacked: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Table:
    """Read a table from a path, bytes, a binary file, or a frame of pandas, Polars or Arrow.

    Formats: CSV, TSV and other text, .xlsx, .xls, .ods, Parquet, Feather, JSON, ARFF, KEEL, C4.5, Orange, libsvm,
    SQLite, DuckDB, dBase, SPSS, Stata, SAS and R, and a zip or gzip file of one of them. `sheet` names a sheet of a
    workbook, a table of a database or a member of an archive (None: the first with data). `header_line` is the line or
    row of the column names, counted from 1 (None: it is found). `separator`, `decimal`, `thousands`, `encoding`,
    `has_header`, `missing`, `cuts` and `stacked` are set as `ReadingOptions` says. `budget` limits bytes, rows, columns
    and cells. `progress(done, total)` is called in bytes, and may raise `Stopped`. Raises `InputError` for anything
    that is not a table with a header line and at least one row.

    >>> table = read_table(b"Outlook;Play\\nSunny;No\\nRain;?\\n", name="tennis.csv")
    >>> table.frame["Play"].isna().tolist()
    [False, True]
    >>> table.notes[0]
    'Read as text in UTF-8, cells separated by semicolons.'
    """
    marks = None if missing is None else tuple(missing)
    ends = None if cuts is None else tuple(cuts)
    options = ReadingOptions(separator, decimal, thousands, encoding, has_header, marks, ends, stacked)
    reading = Reading(name or "table", sheet or None, header_line or None, budget or DEFAULT, progress, options)
    if header_line is not None and header_line < 0:
        raise InputError(message("The header line is {line}: lines count from 1.", line=header_line))
    try:
        frame = _frame_of(source, name, reading)
        _refuse_unknown_sheet(reading)
        _refuse_options_of_text(reading)
        return _finished(frame, reading)
    except MemoryError as error:
        raise InputError(
            message("'{file}' is too large for the memory of this computer: load a part of it.", file=reading.name)
        ) from error


def _frame_of(source: Given | Any, name: str | None, reading: Reading) -> pd.DataFrame:
    """Return the frame as it is in the source."""
    reading.has_marks = not (isinstance(source, pd.DataFrame) or is_foreign_frame(source))
    if isinstance(source, pd.DataFrame):
        return source.set_axis(pd.Index([str(column) for column in source.columns], dtype=object), axis=1)
    if is_foreign_frame(source):
        return pandas_frame(arrow_table(source), reading.remarks)
    file, own_name = source_of(source)
    reading.name, reading.size = name or own_name, file.size or 0
    reading.at(0)
    frame = read_any(file, reading)
    reading.at(1)
    return frame


def _refuse_unknown_sheet(reading: Reading) -> None:
    if reading.wanted_sheet and not reading.sheets:
        raise InputError(
            message(
                "'{file}' has no sheet '{sheet}': it holds a single table, so leave the sheet out.",
                file=reading.name,
                sheet=reading.wanted_sheet,
            )
        )


def _refuse_options_of_text(reading: Reading) -> None:
    known = reading.read_as.given if reading.read_as else {}
    others = [name for name in reading.options.of_text if name not in known]
    if others:
        raise InputError(
            message(
                "'{file}' is no text with separators: read it without {options}.",
                file=reading.name,
                options=listing(others),
            )
        )


def _finished(frame: pd.DataFrame, reading: Reading) -> Table:
    """Return the table: unique names, no blank rows, missing cells counted, within the budget."""
    reading.check(*frame.shape)
    notes = reading.remarks
    frame = frame.set_axis(pd.Index(unique_names(list(frame.columns), notes)), axis=1)
    missing = frame.isna().to_numpy()
    n_rows = len(frame)
    frame, missing = _without_blanks(frame, missing, notes)
    if frame.empty and n_rows:
        raise InputError(
            plural(
                n_rows,
                "'{file}' has no rows with a value: every cell of its {n:,} row is missing. Load a table with values.",
                "'{file}' has no rows with a value: every cell of its {n:,} rows is missing. Load a table with values.",
                file=reading.name,
            )
        )
    if frame.empty:
        raise InputError(
            message(
                "'{file}' has column names but no rows: load a file with at least one row under the header.",
                file=reading.name,
            )
        )
    if n_missing := int(missing.sum()):
        notes.append(MissingCells(n_missing, has_marks=reading.has_marks))
    ordered = tuple(_in_declared_order(frame)) if reading.declares_order else ()
    if ordered:
        notes.append(_ordered_note(ordered))
    read = reading.sheets, reading.sheet, reading.header_line, reading.weight_column, reading.target_column
    return Table(
        frame,
        tuple(notes),
        reading.name,
        *read,
        read_as=reading.read_as,
        options=reading.options,
        ordered=ordered,
        aside=reading.aside,
        described=reading.described,
    )


def _in_declared_order(frame: pd.DataFrame) -> Iterator[str]:
    """The columns whose type puts three levels or more in order: of two, tests by their order are all there are."""
    for i, name in enumerate(frame.columns):
        if order_of(frame.iloc[:, i]) and frame.iloc[:, i].nunique() > 2:
            yield str(name)


def _ordered_note(columns: Sequence[str]) -> Words:
    return lambda: message(
        "The file declares the order of these levels, and tests go by it: {columns}. The type “categorical” takes it "
        "back.",
        columns=listed_names(list(columns)),
    )


def _without_blanks(
    frame: pd.DataFrame, missing: NDArray[np.bool_], notes: list[Words]
) -> tuple[pd.DataFrame, NDArray[np.bool_]]:
    """Drop rows without any cell, and unnamed columns without any, from the frame and its mask; both are noted."""
    blank: NDArray[np.bool_] = np.asarray(missing.all(axis=1))
    n_blank = int(blank.sum())
    if n_blank:
        frame, missing = frame.loc[~blank].reset_index(drop=True), missing[~blank]
        notes.append(
            lambda: plural(
                n_blank, "{n:,} row without any value was left out.", "{n:,} rows without any value were left out."
            )
        )
    empty: NDArray[np.bool_] = np.asarray(missing.all(axis=0))
    unnamed = [i for i, name in enumerate(frame.columns) if empty[i] and name == f"column {i + 1}"]
    if unnamed and len(unnamed) < frame.columns.size:
        notes.append(_unnamed_note([str(frame.columns[i]) for i in unnamed]))
        kept = np.setdiff1d(np.arange(frame.columns.size), unnamed)
        frame, missing = frame.iloc[:, kept], missing[:, kept]
    return frame, missing


def _unnamed_note(columns: Sequence[str]) -> Words:
    return lambda: plural(
        len(columns),
        "Left out because it has neither a name nor a value: {columns}.",
        "Left out because they have neither a name nor a value: {columns}.",
        columns=listing_with_more(columns[:5], len(columns) > 5),
    )
