"""Tables inside other containers: an Excel workbook as CSV text, a Parquet file as a frame."""

import csv
import datetime
import io
import itertools
import zipfile
import zlib
from collections.abc import Iterator
from xml.etree.ElementTree import ParseError

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl.utils.exceptions import InvalidFileException

from explorer.errors import InputError
from explorer.messages import Words, message

_BROKEN_WORKBOOK = (
    zipfile.BadZipFile,
    zlib.error,
    InvalidFileException,
    ParseError,
    KeyError,
    ValueError,
    TypeError,
    EOFError,
    OSError,
)


def excel_text(raw: bytes, name: str, notes: list[Words], wanted: str | None) -> tuple[str, tuple[str, ...], str]:
    """Return a sheet (None: the first that has data) as CSV text, the names of all sheets, and of the one read.

    Booleans read TRUE and FALSE, dates as in ISO 8601, formulas as the values that were saved with them.
    Raises `InputError` for a damaged workbook, an unknown sheet or a workbook without data.
    """
    try:
        workbook = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
        sheets = tuple(sheet.title for sheet in workbook.worksheets)
        _check_sheet(wanted, sheets, name)
        for sheet in workbook.worksheets:
            rows = _sheet_rows(sheet) if wanted in (None, sheet.title) else []
            if rows:
                notes.append(_sheet_note(sheet.title, len(sheets) if wanted is None else 1))
                return _as_csv(rows), sheets, sheet.title
    except _BROKEN_WORKBOOK as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            message("'{file}' is a damaged workbook ({error}): save it again as .xlsx.", file=name, error=error)
        ) from error
    raise InputError(
        message("'{file}' has no sheet with data: put the table on a sheet, or save it as CSV.", file=name)
    )


def _check_sheet(wanted: str | None, sheets: tuple[str, ...], name: str) -> None:
    if wanted is not None and wanted not in sheets:
        raise InputError(
            message(
                "'{file}' has no sheet '{sheet}': choose one of {sheets}.",
                file=name,
                sheet=wanted,
                sheets=", ".join(f"'{sheet}'" for sheet in sheets),
            )
        )


def _sheet_note(title: str, sheets: int) -> Words:
    if sheets == 1:
        return lambda: message("Read from sheet '{sheet}'.", sheet=title)
    return lambda: message("Read from sheet '{sheet}', the first of {sheets} with data.", sheet=title, sheets=sheets)


def _sheet_rows(sheet: "openpyxl.worksheet.worksheet.Worksheet") -> list[list[str]]:
    """Return a sheet's rows as text, without empty rows before the first and columns after the last value."""
    if hasattr(sheet, "reset_dimensions"):
        sheet.reset_dimensions()  # some programs write a wrong extent into the file
    rows = [[_cell_text(value) for value in row] for row in sheet.iter_rows(values_only=True)]
    rows = list(itertools.dropwhile(lambda row: not any(row), rows))
    width = max((_used_width(row) for row in rows), default=0)
    first = min((_first_used(row) for row in rows if any(row)), default=0)
    return [(row + [""] * width)[first:width] for row in rows]


def _used_width(row: list[str]) -> int:
    return next((len(row) - i for i, cell in enumerate(reversed(row)) if cell), 0)


def _first_used(row: list[str]) -> int:
    return next(i for i, cell in enumerate(row) if cell)


def _cell_text(value: object) -> str:
    """Return a cell as CSV text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ") if value.time() != datetime.time() else value.date().isoformat()
    return str(value)


def _as_csv(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def parquet_frame(raw: bytes, name: str, notes: list[Words], missing: frozenset[str]) -> pd.DataFrame:
    """Return a Parquet file as a frame of numbers, dates and text; texts in `missing` become missing cells.

    Booleans become the words true and false, decimals become numbers.
    Raises `InputError` for a damaged file or a file whose columns hold lists or structures only.
    """
    try:
        table = pq.read_table(pa.BufferReader(raw))
        kept = {column: _plain(table.column(position)) for position, column in _flat_columns(table, notes)}
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            message("'{file}' is a damaged Parquet file ({error}): write it again.", file=name, error=error)
        ) from error
    if not kept:
        raise InputError(
            message("'{file}' has no column of numbers or text: flatten its nested columns first.", file=name)
        )
    frame = pd.DataFrame({position: column.to_pandas() for position, column in enumerate(kept.values())})
    for position in frame.columns:
        if pd.api.types.is_string_dtype(frame[position]):
            frame[position] = frame[position].mask(frame[position].str.strip().isin(missing))
    frame.columns = pd.Index([column for _, column in kept])
    return frame


def _flat_columns(table: pa.Table, notes: list[Words]) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield (position, (position, name)) of the columns with a single value per cell; others are noted."""
    for position, field in enumerate(table.schema):
        if pa.types.is_nested(field.type) or pa.types.is_binary(field.type) or pa.types.is_large_binary(field.type):
            notes.append(_nested_note(field.name, str(field.type)))
        else:
            yield position, (position, field.name)


def _nested_note(column: str, cells: str) -> Words:
    return lambda: message(
        "Column '{column}' was left out: its cells are {type}, not single values.", column=column, type=cells
    )


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as numbers, text or timestamps: no dictionaries, booleans, decimals or bare dates."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_boolean(column.type):
        return column.cast(pa.string())
    if pa.types.is_decimal(column.type):
        return column.cast(pa.float64())
    if pa.types.is_date(column.type) or pa.types.is_time(column.type) or pa.types.is_null(column.type):
        return column.cast(pa.string())
    return column
