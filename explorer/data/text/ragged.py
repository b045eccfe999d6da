"""Rows that are wider or narrower than the header: found, and named in an error."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TextIO

import numpy as np

from explorer.data.reading import Reading
from explorer.data.source import BLOCK_BYTES, Source
from explorer.data.text.encoding import open_text
from explorer.data.text.form import TextForm
from explorer.data.text.lead import Row, is_number
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


def with_wider_rows(source: Source, encoding: str, form: TextForm, reading: Reading) -> TextForm:
    """Return the form with a name for one more cell, where the first row has it; `InputError` where that fits no more.

    The last cell of every row may be empty: a delimiter ends each line. Or the first may be the name of a row, as R
    writes it: numbers from 1 on, or a text that no other row has. Both are noted.
    """
    with open_text(source, encoding, reading) as text:
        lines = skip_header(text, form)
        reader = csv.reader(text, delimiter=form.delimiter, skipinitialspace=True)
        try:
            first = next((cells for cells in reader if cells), [])
            if len(first) <= form.width:
                return form
            line, rows = lines + reader.line_num, iter([first])
            if len(first) == form.width + 1:
                rows = chain(rows, (cells for cells in reader if len(cells) > 1 or "".join(cells).strip()))
            names = _names_of_wider(rows, form)
        except csv.Error:  # a cell longer than csv allows
            return form
    if names is None:
        raise _ragged_error(line, len(first), form.width, reading.name)
    if names[0]:
        reading.remarks.append(
            lambda: message("The lines have one cell more than the header: the first one is the name of the row.")
        )
    else:
        reading.remarks.append(lambda: message("Each line ends with a delimiter, after which nothing stands."))
    before, after = names
    return replace(form, header=Row(form.header.line, [*before, *form.header.cells, *after]))


def _names_of_wider(rows: Iterable[Sequence[str]], form: TextForm) -> tuple[list[str], list[str]] | None:
    """The name of one more cell before the others or after them; None where neither fits the rows.

    The last rows may be others: they are looked at later.
    """
    n, is_over, is_filled, is_counted, is_named, texts = 0, False, False, True, True, set[str]()
    for cells in rows:
        if len(cells) != form.width + 1:
            is_over = True
            continue
        if is_over:
            return None
        n, text = n + 1, cells[0].strip()
        is_filled |= bool(cells[-1].strip())
        is_counted &= text == str(n)
        is_named &= text not in texts and not is_number(text)
        if is_named:
            texts.add(text)
    if n and not is_filled:
        return [], [""]
    return (["row name"], []) if n > 1 and (is_counted or is_named) else None


def skip_header(text: TextIO, form: TextForm) -> int:
    """Read on until below the header; returns how many lines that took."""
    for _ in range(form.header.line - 1):
        text.readline()
    if not form.has_header:
        return form.header.line - 1
    reader = csv.reader(text, delimiter=form.delimiter, skipinitialspace=True)
    next(reader, None)
    return form.header.line - 1 + reader.line_num


class RaggedError(InputError):
    """A row has more or fewer cells than the header."""


def _ragged_error(line: int, cells: int, width: int, name: str) -> RaggedError:
    return RaggedError(
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
    if not form.header.cells[-1] and _are_all(form.width - 1, source, encoding, form, reading):
        return
    is_plain = encoding in ("utf-8", "utf-8-sig", "cp1252", "latin_1") and reading.recut is None
    if is_plain and form.header.line == 1:
        counted = _delimiters(source, form.delimiter, reading)
        if counted == expected:
            return
    ragged = _first_ragged(source, encoding, form, reading)
    if ragged is not None:
        raise _ragged_error(*ragged, form.width, reading.name)


def _are_all(width: int, source: Source, encoding: str, form: TextForm, reading: Reading) -> bool:
    """Return whether all rows are so wide: the header alone ends with a delimiter."""
    with open_text(source, encoding, reading) as text:
        skip_header(text, form)
        return first_ragged_line(text, form.delimiter, width) is None


def _delimiters(source: Source, delimiter: str, reading: Reading) -> int:
    """Return how often a sign occurs in a text, or −1 where it has quotation marks."""
    count, sign = 0, ord(delimiter)
    with reading.open(source) as stream:
        while block := stream.read(BLOCK_BYTES):
            if b'"' in block:
                return -1
            count += int(np.count_nonzero(np.frombuffer(block, dtype=np.uint8) == sign))
    return count
