"""Rows that are wider or narrower than the header: found, and named in an error."""

from __future__ import annotations

import csv
from typing import TextIO

import numpy as np

from explorer.data.reading import Reading
from explorer.data.source import BLOCK_BYTES, Source
from explorer.data.text.encoding import open_text
from explorer.data.text.form import TextForm
from explorer.errors import InputError
from explorer.messages import message, plural

_SIGNS_SHOWN = 200


def first_ragged_line(text: TextIO, delimiter: str, width: int) -> tuple[int, int] | None:
    """Return (line, number of cells) of the first row that is not `width` wide, or None; lines count from 1.

    >>> import io
    >>> first_ragged_line(io.StringIO("1,2\\n3\\n"), ",", 2)
    (2, 1)
    """
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=True)
    line = 1
    try:
        for row in reader:
            blank = not row or (len(row) == 1 and not row[0].strip())
            if not blank and len(row) != width:
                return line, len(row)
            line = reader.line_num + 1
    except csv.Error:
        return line, 1
    return None


def parse_error(error: Exception, source: Source, encoding: str, form: TextForm, reading: Reading) -> InputError:
    """Turn an error of pandas into the line, its cells and what to do."""
    if "EOF inside string" in str(error):
        return _open_quote(reading.name)
    ragged = _first_ragged(source, encoding, form, reading)
    if ragged is not None:
        return _ragged_error(*ragged, form.width, reading.name)
    return InputError(
        message(
            "'{file}' cannot be read as a table ({error}): check the file's quoting.",
            file=reading.name,
            error=str(error).strip()[:_SIGNS_SHOWN],
        )
    )


def _open_quote(name: str) -> InputError:
    return InputError(
        message("'{file}' opens a quotation mark (\") that is never closed: close or remove it.", file=name)
    )


def _first_ragged(source: Source, encoding: str, form: TextForm, reading: Reading) -> tuple[int, int] | None:
    """Return (line of the file, number of cells) of the first ragged row below the header."""
    with open_text(source, encoding, reading) as text:
        lines = skip_header(text, form)
        ragged = first_ragged_line(text, form.delimiter, form.width)
    return None if ragged is None else (lines + ragged[0], ragged[1])


def refuse_long_first_row(source: Source, encoding: str, form: TextForm, reading: Reading) -> None:
    """Raise `InputError` for a first row wider than the header (pandas takes its first cells as names of rows)."""
    with open_text(source, encoding, reading) as text:
        lines = skip_header(text, form)
        reader = csv.reader(text, delimiter=form.delimiter, skipinitialspace=True)
        try:
            cells = next((cells for cells in reader if cells), [])
        except csv.Error:  # a cell longer than csv allows
            return
    if len(cells) > form.width:
        raise _ragged_error(lines + reader.line_num, len(cells), form.width, reading.name)


def skip_header(text: TextIO, form: TextForm) -> int:
    """Read on until below the header; returns how many lines that took."""
    for _ in range(form.header.line - 1):
        text.readline()
    if not form.has_header:
        return form.header.line - 1
    reader = csv.reader(text, delimiter=form.delimiter, skipinitialspace=True)
    next(reader, None)
    return form.header.line - 1 + reader.line_num


def _ragged_error(line: int, cells: int, width: int, name: str) -> InputError:
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


def refuse_short_rows(n_rows: int, source: Source, encoding: str, form: TextForm, reading: Reading) -> None:
    """Raise `InputError` for a row with too few cells (pandas pads it silently).

    The last cell of such a row is always missing: to be called only if one is. Delimiters are counted, and lines are
    read only where the count is off or quotes may hide one.
    """
    expected = (n_rows + form.has_header) * (form.width - 1)
    if encoding in ("utf-8", "utf-8-sig", "cp1252", "latin_1") and form.header.line == 1:
        counted = _delimiters(source, form.delimiter, reading)
        if counted == expected:
            return
    ragged = _first_ragged(source, encoding, form, reading)
    if ragged is not None:
        raise _ragged_error(*ragged, form.width, reading.name)


def _delimiters(source: Source, delimiter: str, reading: Reading) -> int:
    """Return how often a sign occurs in a text, or −1 where it has quotation marks."""
    count, sign = 0, ord(delimiter)
    with reading.open(source) as stream:
        while block := stream.read(BLOCK_BYTES):
            if b'"' in block:
                return -1
            count += int(np.count_nonzero(np.frombuffer(block, dtype=np.uint8) == sign))
    return count
