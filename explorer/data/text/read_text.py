"""A text file → its cells with column names, and remarks on how it was read."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from typing import TextIO

import pandas as pd
from pandas.errors import ParserError

from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.text.delimited import CellLayout, parse_cells
from explorer.data.text.encoding import encoding_of, open_text
from explorer.data.text.footers import Footers, find_footers, with_footers
from explorer.data.text.form import DELIMITERS, NO_DELIMITER, TextForm, first_lines, text_form
from explorer.data.text.lead import NUMBER, chosen_header_note, numbered_names, skipped_note
from explorer.data.text.ragged import RaggedError, parse_error, refuse_short_rows, skip_header, with_wider_rows
from explorer.data.text.recut import TAB, Recut, guessed, is_behind_tabs
from explorer.errors import InputError
from explorer.messages import Words, listing_with_more, message, worded

_SCAN_SHARE = 0.15
"""The share of the time that finding the encoding takes."""
_PART_SIGNS = 1 << 24
_LISTED_CUTS = 12


def read_text(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the frame of a text with cells between delimiters, its columns named as in the file."""
    with reading.stage(0, _SCAN_SHARE):
        encoding, label = encoding_of(source, reading)
    with reading.stage(_SCAN_SHARE, 1):
        form, recut = _form(source, encoding, reading)
        reading.check(0, form.width)
        reading.read_as = replace(
            reading.options,
            separator=form.delimiter if recut is None else NO_DELIMITER if recut.cuts else " ",
            cuts=recut.cuts or None if recut else None,
            decimal=form.decimal,
            thousands=reading.options.thousands or "",
            encoding=encoding,
        )
        reading.remarks.append(_recut_note(recut, label) if recut else _delimiter_note(form.delimiter, label))
        _note_form(form, reading)
        return _cells(source, encoding, form, reading)


def _form(source: Source, encoding: str, reading: Reading) -> tuple[TextForm, Recut | None]:
    """How the text is written. One without signs between its cells is cut at blanks, or into columns of fixed width."""
    options, name = reading.options, reading.name
    probe, complete = first_lines(source, encoding, reading)
    recut = Recut(name, options.cuts or (), are_guessed=False)
    if not options.cuts and options.separator != " ":
        form = text_form(probe, complete, name, reading.wanted_header, options)
        found = _guessed(form, probe, complete, name) if options.separator is None else None
        if found is None:
            return form, None
        recut = found
    reading.recut = recut.line
    probe, complete = first_lines(source, encoding, reading)
    as_tabs = replace(options, separator=TAB, cuts=None)
    return text_form(probe, complete, name, reading.wanted_header, as_tabs), recut


def _guessed(form: TextForm, probe: str, complete: bool, name: str) -> Recut | None:
    if form.delimiter == NO_DELIMITER:
        return guessed(probe, complete, name)
    return Recut(name) if form.delimiter == TAB and is_behind_tabs(probe, complete) else None


def _cells(source: Source, encoding: str, form: TextForm, reading: Reading) -> pd.DataFrame:
    """Parse all rows below the header; ragged rows are refused, words such as true and false stay text."""
    form = with_wider_rows(source, encoding, form, reading)
    footers: list[Footers] = []

    def open_at_first_row() -> TextIO:
        text = open_text(source, encoding, reading)
        skip_header(text, form)
        return with_footers(text, footers[0]) if footers else text

    def parsed() -> pd.DataFrame:
        frame = parse_cells(open_at_first_row, layout, names, reading.check, reading.remarks)
        if form.width > 1 and frame.iloc[:, -1].isna().any() and not footers:
            refuse_short_rows(len(frame), source, encoding, form, reading)
        return frame

    names = form.header.cells if form.has_header else numbered_names(form.width)
    rows_at_once = max(64, min(1 << 18, int(_PART_SIGNS / max(form.signs_per_row, 1))))
    layout = CellLayout(
        form.width,
        form.delimiter,
        form.decimal,
        reading.options.thousands or "",
        reading.options.missing,
        form.dotted,
        form.whole,
        rows_at_once,
        reading.has_spaces,
    )
    n_remarks = len(reading.remarks)
    try:
        try:
            frame = parsed()
        except (RaggedError, ParserError):
            footers += find_footers(source, encoding, form, reading)
            if not footers:
                raise
            del reading.remarks[n_remarks:]
            reading.remarks.append(footers[0].remark)
            frame = parsed()
    except InputError:
        raise
    except (ParserError, ValueError, OverflowError, csv.Error) as error:
        raise parse_error(error, source, encoding, form, reading) from error
    frame.columns = pd.Index(names, dtype=object)
    return frame


def _note_form(form: TextForm, reading: Reading) -> None:
    """Note the decimal sign, skipped lines and a header that looks like data."""
    notes = reading.remarks
    reading.header_line = form.header.line
    skipped = skipped_note(form.skipped)
    if reading.wanted_header or not form.has_header:
        skipped = chosen_header_note(form.header.line, form.has_header)
    if skipped is not None:
        notes.append(skipped)
    if form.decimal == ",":
        notes.append(lambda: message("Numbers are written with a decimal comma."))
    if form.has_header and all(NUMBER.fullmatch(cell.strip()) for cell in form.header.cells):
        notes.append(
            lambda: message("The first line was read as column names, though all of it is numbers: add a header line.")
        )
    elif form.has_header and form.looks_like_row:
        notes.append(
            lambda: message(
                "The first line was read as column names, though it looks like a row. If it is one, set that the file "
                "has no line of column names."
            )
        )
    if form.marked and reading.options.missing is None:
        notes.append(
            lambda: message(
                "Words such as NA count as missing in columns of text, too: {columns}. To keep them as categories, set "
                "the marks that mean a missing cell.",
                columns=listing_with_more((f"'{name}'" for name in form.marked[:5]), len(form.marked) > 5),
            )
        )
    if reading.escapes_quotes:
        notes.append(lambda: message("Quotation marks within cells are written with a backslash before them."))
    if form.stray:
        notes.append(
            lambda: message(
                "Text stands behind a closing quotation mark, such as {cell}: the marks were left out. Double those "
                "within cells to keep them.",
                cell=form.stray[:60],
            )
        )


def _recut_note(recut: Recut, encoding: Words) -> Words:
    if not recut.cuts:
        return lambda: message("Read as text in {encoding}, cells separated by blanks.", encoding=worded(encoding))
    listed = listing_with_more(map(str, recut.cuts[:_LISTED_CUTS]), len(recut.cuts) > _LISTED_CUTS)
    if not recut.are_guessed:
        return lambda: message(
            "Read as text in {encoding} with columns of fixed width, cut after signs {cuts}.",
            encoding=worded(encoding),
            cuts=listed,
        )
    return lambda: message(
        "Read as text in {encoding} with columns of fixed width, cut after signs {cuts}, where every line has a blank. "
        "Set other cuts if columns touch.",
        encoding=worded(encoding),
        cuts=listed,
    )


def _delimiter_note(delimiter: str, encoding: Words) -> Callable[[], str]:
    if delimiter == NO_DELIMITER:
        return lambda: message(
            "Read as text in {encoding} with a single column: no commas, semicolons, tabs or vertical bars "
            "between cells.",
            encoding=worded(encoding),
        )
    return lambda: message(
        "Read as text in {encoding}, cells separated by {delimiters}.",
        encoding=worded(encoding),
        delimiters=DELIMITERS.get(delimiter, repr(delimiter)),
    )
