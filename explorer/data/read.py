"""A file's bytes → a table, or a clear error.

Every kind of file ends as one pandas frame with unique column names; every assumption is recorded as a note.
"""

import gzip
import io
import re
import tempfile
import warnings
import zlib
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import IO

import pandas as pd
from pandas.errors import DtypeWarning, ParserError

from explorer.data.budget import DEFAULT, Budget
from explorer.data.excel_parquet import excel_text, parquet_frame
from explorer.data.file_format import (
    DELIMITERS,
    NO_DELIMITER,
    TextForm,
    file_type,
    first_ragged_line,
    text_form,
    to_utf8,
)
from explorer.data.table import MISSING_MARKERS, Table
from explorer.errors import InputError
from explorer.messages import Words, message, plural, worded

_SPOOL_BYTES = 1 << 23  # pandas parses a file on disk in parallel, a buffer it does not
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")

Source = str | PathLike[str] | bytes | bytearray | memoryview | IO[bytes]


def read_table(
    source: Source,
    name: str | None = None,
    *,
    sheet: str | None = None,
    header_line: int | None = None,
    budget: Budget | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Table:
    """Read CSV, TSV, either of them gzipped, Parquet or .xlsx from a path, bytes or a binary file.

    `sheet` names a sheet of a workbook (None: the first with data). Raises `InputError` for anything that is not a
    table with a header line and at least one row.

    >>> table = read_table(b"Outlook;Play\\nSunny;No\\nRain;?\\n", name="tennis.csv")
    >>> table.frame["Play"].isna().tolist()
    [False, True]
    >>> table.notes[0]
    'Read as text in UTF-8, cells separated by semicolons.'
    """
    raw, path, source_name = _bytes_of(source)
    name = name or source_name
    if not raw:
        raise InputError(message("'{file}' is empty: load a file with a header line and at least one row.", file=name))
    notes: list[Words] = []
    kind = file_type(raw, name)
    if kind == "gzip":
        raw, path = _unzipped(raw, name), None
        notes.append(lambda: message("Unpacked with gzip."))
        kind = file_type(raw, name)
    sheets: tuple[str, ...] = ()
    read_sheet = ""
    if kind == "excel":
        text, sheets, read_sheet = excel_text(raw, name, notes, sheet)
        frame = _parsed(text.encode(), TextForm(",", ".", ()), None, name, notes)
    else:
        frame = _frame(raw, kind, path, name, notes)
    frame = _without_blanks(frame, notes)
    if frame.empty:
        raise InputError(
            message(
                "'{file}' has column names but no rows: load a file with at least one row under the header.", file=name
            )
        )
    (budget or DEFAULT).check(name, *frame.shape)
    _note_missing(frame, notes)
    return Table(frame, tuple(notes), name, sheets, read_sheet, header_line or 1)


def _bytes_of(source: Source) -> tuple[bytes, Path | None, str]:
    """Return (bytes, path where the bytes lie on disk, name) of a source."""
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), None, "table"
    if isinstance(source, str | PathLike):
        path = Path(source)
        return _file_bytes(path), path, path.name
    content: object = source.read()
    if not isinstance(content, bytes):
        raise InputError(message("The file was opened as text: open it in binary mode ('rb') or give its path."))
    return content, None, Path(str(getattr(source, "name", "table"))).name


def _file_bytes(path: Path) -> bytes:
    """Read a file; `InputError` where the system refuses."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(message("There is no file '{path}': check the path.", path=path)) from error
    except (OSError, ValueError) as error:
        raise InputError(
            message("'{path}' cannot be read ({error}): choose a readable file.", path=path, error=error)
        ) from error


def _unzipped(raw: bytes, name: str) -> bytes:
    """Return what a gzip file holds; `InputError` where it is damaged, empty or gzipped twice."""
    try:
        content = gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            message("'{file}' is a damaged gzip file ({error}): pack or download it again.", file=name, error=error)
        ) from error
    if not content:
        raise InputError(message("'{file}' is an empty gzip file: load one that holds a table.", file=name))
    if content.startswith(b"\x1f\x8b"):
        raise InputError(message("'{file}' was packed with gzip twice: unpack it once and load the result.", file=name))
    return content


def _frame(raw: bytes, kind: str, path: Path | None, name: str, notes: list[Words]) -> pd.DataFrame:
    """Return the frame of a file of a known type, its column names already unique; notes are appended."""
    if kind == "parquet":
        frame = parquet_frame(raw, name, notes, MISSING_MARKERS)
        frame.columns = pd.Index(_unique_names([str(column) for column in frame.columns], notes))
        return frame
    text, encoding = to_utf8(raw, name)
    form = text_form(text)
    if not form.rows:
        raise InputError(
            message("'{file}' holds nothing but blank lines: load a file with a header line and rows.", file=name)
        )
    _note_form(form, encoding, notes)
    return _parsed(text, form, path if text is raw else None, name, notes)


def _note_form(form: TextForm, encoding: Words, notes: list[Words]) -> None:
    """Note the encoding, the delimiter, the decimal sign and a header that looks like data."""
    if form.delimiter == NO_DELIMITER:
        notes.append(
            lambda: message(
                "Read as text in {encoding} with a single column: no commas, semicolons, tabs or vertical bars "
                "between cells.",
                encoding=worded(encoding),
            )
        )
    else:
        notes.append(
            lambda: message(
                "Read as text in {encoding}, cells separated by {delimiters}.",
                encoding=worded(encoding),
                delimiters=DELIMITERS[form.delimiter],
            )
        )
    if form.decimal == ",":
        notes.append(lambda: message("Numbers are written with a decimal comma."))
    if all(_NUMBER.fullmatch(cell.strip()) for cell in form.rows[0]):
        notes.append(
            lambda: message("The first line was read as column names, though all of it is numbers: add a header line.")
        )


def _parsed(text: bytes, form: TextForm, path: Path | None, name: str, notes: list[Words]) -> pd.DataFrame:
    """Parse UTF-8 text with pandas; ragged rows are refused, words such as true and false stay text."""
    if path is not None:
        frame = _parsed_file(path, text, form, name)
    elif len(text) >= _SPOOL_BYTES:
        with tempfile.TemporaryDirectory() as folder:
            spooled = Path(folder) / "table.csv"
            spooled.write_bytes(text)
            frame = _parsed_file(spooled, text, form, name)
    else:
        frame = _parsed_file(None, text, form, name)
    _refuse_short_rows(frame, text, form, name)
    header = _header_cells(text, form, len(frame.columns))
    frame.columns = pd.Index(_unique_names(header, notes))
    return frame


def _parsed_file(path: Path | None, text: bytes, form: TextForm, name: str) -> pd.DataFrame:
    """Run pandas' C reader on a path, or on the text itself; columns that are neither numbers nor text come as text."""
    frame = _pandas_csv(path or io.BytesIO(text), text, form, name)
    unclear = [i for i, dtype in enumerate(frame.dtypes) if dtype in (object, bool)]
    if unclear:
        as_text = _pandas_csv(path or io.BytesIO(text), text, form, name, unclear)
        for i, position in enumerate(unclear):
            frame.isetitem(position, as_text.iloc[:, i].array)
    return frame


def _pandas_csv(
    source: Path | io.BytesIO, text: bytes, form: TextForm, name: str, only: list[int] | None = None
) -> pd.DataFrame:
    """Call pandas; `only` names the positions of the columns to read, as text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DtypeWarning)  # such columns are read again as text
            frame = pd.read_csv(
                source,
                sep=form.delimiter,
                decimal=form.decimal,
                keep_default_na=False,
                na_values=sorted(MISSING_MARKERS),
                skipinitialspace=True,
                usecols=only,
                dtype=None if only is None else str,
            )
    except (ParserError, ValueError, OverflowError) as error:
        raise _parse_error(error, text, form, name) from error
    if not isinstance(frame.index, pd.RangeIndex):
        raise _parse_error(ValueError(message("the first row is longer than the header")), text, form, name)
    return frame


def _parse_error(error: Exception, text: bytes, form: TextForm, name: str) -> InputError:
    """Turn an error of pandas into the line, its cells and what to do."""
    if "EOF inside string" in str(error):
        return InputError(
            message("'{file}' opens a quotation mark (\") that is never closed: close or remove it.", file=name)
        )
    ragged = first_ragged_line(text, form.delimiter)
    if ragged is None:
        return InputError(
            message(
                "'{file}' cannot be read as a table ({error}): check the file's quoting.",
                file=name,
                error=str(error).strip(),
            )
        )
    return _ragged(ragged, text, form, name)


def _ragged(ragged: tuple[int, int], text: bytes, form: TextForm, name: str) -> InputError:
    line, cells = ragged
    width = len(form.rows[0]) if form.rows else text.partition(b"\n")[0].count(form.delimiter.encode()) + 1
    return InputError(
        plural(
            cells,
            "Line {line} of '{file}' has {n} cell, but the header has {header}: correct or quote that line.",
            "Line {line} of '{file}' has {n} cells, but the header has {header}: correct or quote that line.",
            line=line,
            file=name,
            header=width,
        )
    )


def _refuse_short_rows(frame: pd.DataFrame, text: bytes, form: TextForm, name: str) -> None:
    """Raise `InputError` for a row with too few cells (pandas pads it silently).

    The last cell of such a row is always missing. Only then are delimiters counted, and lines read if the count is off.
    """
    if frame.columns.size < 2 or not frame.iloc[:, -1].isna().any():
        return
    expected = (len(frame) + 1) * (frame.columns.size - 1)
    if b'"' not in text and text.count(form.delimiter.encode()) == expected:
        return
    ragged = first_ragged_line(text, form.delimiter)
    if ragged is not None:
        raise _ragged(ragged, text, form, name)


def _header_cells(text: bytes, form: TextForm, width: int) -> list[str]:
    """Return the header's cells as written (pandas renames repeated ones)."""
    rows = form.rows or text_form(text).rows
    return list(rows[0]) if rows and len(rows[0]) == width else [""] * width


def _unique_names(names: Sequence[str], notes: list[Words]) -> list[str]:
    """Return stripped, non-empty, distinct column names in order; every change is noted.

    >>> _unique_names(["a", "", "a "], [])
    ['a', 'column 2', 'a (2)']
    """
    stripped = [name.strip() for name in names]
    taken = set(stripped)
    used: set[str] = set()
    for position, name in enumerate(stripped):
        new = name or f"column {position + 1}"
        count = 1
        while new in used or (new != name and new in taken):
            count += 1
            new = f"{name or f'column {position + 1}'} ({count})"
        if new != name:
            notes.append(_renamed_text(position + 1, name, new))
        used.add(new)
        stripped[position] = new
    return stripped


def _renamed_text(position: int, name: str, new: str) -> Words:
    if not name:
        return lambda: message("Column {position} has no name and is called '{new}'.", position=position, new=new)
    return lambda: message(
        "The column name '{name}' occurs twice: column {position} is called '{new}'.",
        name=name,
        position=position,
        new=new,
    )


def _without_blanks(frame: pd.DataFrame, notes: list[Words]) -> pd.DataFrame:
    """Drop rows without any cell, and unnamed columns without any; both are noted."""
    blank = _blank_rows(frame)
    n_blank = int(blank.sum())
    if n_blank:
        frame = frame[~blank].reset_index(drop=True)
        notes.append(
            lambda: plural(
                n_blank, "{n:,} row without any value was left out.", "{n:,} rows without any value were left out."
            )
        )
    unnamed = [c for i, c in enumerate(frame.columns) if c == f"column {i + 1}" and frame.iloc[:, i].isna().all()]
    if unnamed and len(unnamed) < frame.columns.size:
        frame = frame.drop(columns=unnamed)
        notes.append(
            lambda: plural(
                len(unnamed),
                "Left out because it has neither a name nor a value: {columns}.",
                "Left out because they have neither a name nor a value: {columns}.",
                columns=", ".join(unnamed),
            )
        )
    return frame


def _blank_rows(frame: pd.DataFrame) -> "pd.Series[bool]":
    """Return which rows have no value at all; stops at the first column that leaves none."""
    blank = pd.Series(True, index=frame.index)
    for position in range(frame.columns.size):
        blank &= frame.iloc[:, position].isna()
        if not blank.any():
            break
    return blank


def _note_missing(frame: pd.DataFrame, notes: list[Words]) -> None:
    """Note how many cells are missing."""
    missing = int(frame.isna().to_numpy().sum())
    if missing:
        notes.append(
            lambda: plural(
                missing,
                "{n:,} cell is missing (empty, ?, NA, NaN, N/A or null).",
                "{n:,} cells are missing (empty, ?, NA, NaN, N/A or null).",
            )
        )
