"""OpenDocument spreadsheets (.ods): the sheets of content.xml as a stream of rows; repeated rows count as rows."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from typing import BinaryIO, cast
from xml.parsers.expat import ExpatError

import pandas as pd

from explorer.data.formats.workbooks.excel import sheet_note
from explorer.data.formats.workbooks.grid import Grid, Merged, best_sheet, damaged, no_data, number_text
from explorer.data.formats.workbooks.xml_events import attribute, parse_xml
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message

_VALUES = {"float": "value", "percentage": "value", "currency": "value", "date": "date-value", "time": "time-value"}
_MOST_TRIED = 20
"""Sheets that are read until one is a table: each takes another walk through the whole file."""
_SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"


class _Titles:
    """Handlers that collect the titles of the sheets, and about how many cells of each have a value."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.n_cells: list[int] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the title of a sheet, or count a cell's text."""
        if tag == "table":
            self.found.append(attribute(attributes, "name"))
            self.n_cells.append(0)
        elif tag == "p" and self.n_cells:
            self.n_cells[-1] += 1


class _SheetRows:
    """Handlers that put the cells of the sheet at a position into `grid`."""

    def __init__(self, position: int, reading: Reading) -> None:
        self._position, self._reading = position, reading
        self.grid = Grid(reading)
        self._table = self._row = -1
        self._cells: list[str] = []
        self._paragraphs: list[list[str]] = []
        self._n_signs = 0
        self._value = ""
        self._column_repeat = self._row_repeat = 1
        self._rows_spanned = self._columns_spanned = 1
        self._in_paragraph = self._aside = 0
        self._gap = 0

    @property
    def _is_here(self) -> bool:
        return self._position == self._table

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Begin a sheet, a row, a cell or a paragraph of it."""
        if tag == "table":
            self._table += 1
            self._row = 0
        elif not self._is_here:
            return
        elif tag == "table-row":
            self._row_repeat = _repeat(attributes, "number-rows-repeated")
            self._cells, self._gap = [], 0
        elif tag in ("table-cell", "covered-table-cell"):
            self._column_repeat = _repeat(attributes, "number-columns-repeated")
            self._rows_spanned = _repeat(attributes, "number-rows-spanned")
            self._columns_spanned = _repeat(attributes, "number-columns-spanned")
            self._value = _value(attributes)
            self._paragraphs = []
        elif tag == "annotation":
            self._aside += 1
        elif tag == "p" and not self._aside:
            self._in_paragraph += 1
            self._paragraphs.append([])
        elif self._in_paragraph and tag in ("s", "tab", "line-break"):
            spaces = min(int(attribute(attributes, "c") or 1), 1000)
            self.text({"s": " " * spaces, "tab": "\t", "line-break": "\n"}[tag])

    def text(self, text: str) -> None:
        """Take a piece of a paragraph."""
        if self._in_paragraph and self._is_here and not self._aside:
            self._paragraphs[-1].append(text)
            self._n_signs += len(text)
            self._reading.budget.check(self._reading.name, unpacked=self._n_signs)  # one element may be 1,000 spaces

    def end(self, tag: str) -> None:
        """End a paragraph, a cell or a row."""
        if not self._is_here:
            return
        if tag == "annotation":
            self._aside -= 1
        elif tag == "p" and not self._aside:
            self._in_paragraph -= 1
        elif tag in ("table-cell", "covered-table-cell"):
            self._end_cell()
        elif tag == "table-row":
            self._end_row()

    def _end_cell(self) -> None:
        written = self._value or "\n".join(map("".join, self._paragraphs))
        if not written:
            self._gap += self._column_repeat  # empty cells take room only where a value follows
            return
        column = len(self._cells) + self._gap
        if self._rows_spanned > 1 or self._columns_spanned > 1:
            last_row, last_column = self._row + self._rows_spanned - 1, column + self._columns_spanned - 1
            self.grid.merge(Merged(self._row, column, last_row, last_column))
        width = column + self._column_repeat
        self._reading.check(1, width)
        self._cells += [""] * self._gap + [written] * self._column_repeat
        self._gap = 0

    def _end_row(self) -> None:
        if self._cells:
            self._reading.check(self.grid.n_rows + self._row_repeat, len(self._cells))
            for i in range(self._row_repeat):
                self.grid.add(self._row + i, self._cells)
        self._row += self._row_repeat


def _repeat(attributes: Mapping[str, str], name: str) -> int:
    return max(1, int(attribute(attributes, name) or 1))


def _value(attributes: Mapping[str, str]) -> str:
    """Return the value of a cell that is not text: numbers and dates as they are stored."""
    kind = attribute(attributes, "value-type")
    if kind == "boolean":
        return attribute(attributes, "boolean-value").upper()
    if kind not in _VALUES:
        return attribute(attributes, "string-value")
    if kind == "time":
        return ""
    value = attribute(attributes, _VALUES[kind])
    return value.replace("T00:00:00", "").replace("T", " ") if kind == "date" else number_text(value)


def read_opendocument(archive: zipfile.ZipFile, reading: Reading) -> pd.DataFrame:
    """Return the sheet asked for, or the largest that is a table; `InputError` where there is none."""
    kind = archive.read("mimetype")[:100] if archive.getinfo("mimetype").file_size < 1000 else b""
    if not kind.startswith(_SPREADSHEET):
        raise InputError(
            message(
                "'{file}' is an OpenDocument file without a table: save its table as .ods or CSV.", file=reading.name
            )
        )
    if "META-INF/manifest.xml" in archive.namelist() and _is_encrypted(archive):
        raise InputError(
            message("'{file}' is protected by a password: save a copy without the password.", file=reading.name)
        )
    try:
        return _first_with_data(archive, reading)
    except (ExpatError, KeyError, IndexError, ValueError, EOFError) as error:
        if isinstance(error, InputError):
            raise
        raise damaged(reading.name, error) from error


def _is_encrypted(archive: zipfile.ZipFile) -> bool:
    with archive.open("META-INF/manifest.xml") as stream:
        return b"encryption-data" in stream.read(1 << 20)


def _first_with_data(archive: zipfile.ZipFile, reading: Reading) -> pd.DataFrame:
    info = archive.getinfo("content.xml")
    source = Source(lambda: cast(BinaryIO, archive.open(info)), info.file_size)
    titles = _Titles()
    with reading.stage(0, 0.3), reading.open(source) as stream:
        parse_xml(stream, reading.name, titles.start, lambda tag: None, lambda text: None)
    reading.choose(tuple(titles.found))
    with reading.stage(0.3, 1):
        n_remarks = len(reading.remarks)

        def grid_of(position: int) -> Grid:
            rows = _SheetRows(position, reading)
            with reading.open(source) as stream:
                parse_xml(stream, reading.name, rows.start, rows.end, rows.text)
            return rows.grid

        wanted = [titles.found.index(reading.wanted_sheet)] if reading.wanted_sheet else range(len(titles.found))
        by_size = sorted(wanted, key=lambda position: -titles.n_cells[position])
        found = best_sheet(by_size[:_MOST_TRIED], grid_of, reading)
        if found is not None:
            reading.sheet = titles.found[found[0]]
            reading.remarks.insert(n_remarks, sheet_note(reading))
            return found[1]
    raise no_data(reading.name)
