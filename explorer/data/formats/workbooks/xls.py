"""Workbooks of Excel before 2007 (.xls), with the optional package xlrd, which runs in a process with limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
from pyarrow import compute

from explorer.data.formats.apart.process import BOOLEAN, CLOCK, DURATION, NUMBER, TEXT
from explorer.data.formats.apart.run import read_apart, refuse_without
from explorer.data.formats.workbooks.excel import Calendar, sheet_note
from explorer.data.formats.workbooks.grid import Grid, Merged, best_sheet, no_data, number_text
from explorer.data.reading import Reading, ReadingOptions
from explorer.data.source import Source, read_fully

OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WORKBOOKS = tuple(name.encode("utf-16-le") for name in ("Workbook", "Book"))
_HEADER, _DIRECTORY = 512, 4096
_AS_WRITTEN = (TEXT, BOOLEAN)


@dataclass(frozen=True)
class _Sheet:
    """A sheet that was handed over: its title, its rows, and its merged cells."""

    title: str
    rows: pa.Table
    merged: list[Merged]

    def grid(self, calendar: Calendar, reading: Reading) -> Grid:
        """Its rows, dates as in ISO 8601."""
        grid = Grid(reading)
        for cells in sorted(self.merged, key=lambda cells: cells.first_row):
            grid.merge(cells)
        for row, kinds, texts in _records(self.rows):
            grid.add(row, [_text(kind, text, calendar) for kind, text in zip(kinds, texts, strict=True)])
        return grid


def is_xls(source: Source) -> bool:
    """Return whether a file is an old workbook: the directory of its container names one."""
    head = source.head
    if not head.startswith(OLD_OFFICE) or len(head) < _HEADER:
        return False
    begin = (int.from_bytes(head[48:52], "little") + 1) << min(int.from_bytes(head[30:32], "little"), 12)
    if begin + _DIRECTORY > len(head) and source.size is not None and begin < source.size:
        with source.open() as stream:
            stream.seek(begin)
            directory = read_fully(stream, _DIRECTORY)
    else:
        directory = head[begin : begin + _DIRECTORY]
    return any(name in directory for name in _WORKBOOKS)


def read_xls(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the sheet asked for, or the largest that is a table; formulas count as the values saved with them.

    Raises `InputError` for a damaged workbook, an unknown sheet, one without data, and without the package xlrd.
    """
    refuse_without("xlrd", "Excel (.xls)", reading)
    asked = {"reader": "xls", "sheet": reading.wanted_sheet, "encoding": reading.options.encoding}
    table, facts = read_apart(source, reading, "Excel (.xls)", asked)
    reading.choose(tuple(facts["names"]))
    if reading.options.encoding:
        reading.read_as = ReadingOptions(encoding=reading.options.encoding)
    calendar, n_remarks = Calendar(facts.get("from_1904", False)), len(reading.remarks)
    found = best_sheet(_sheets(table, facts), lambda sheet: sheet.grid(calendar, reading), reading)
    if found is None:
        raise no_data(reading.name)
    reading.sheet = found[0].title
    reading.remarks.insert(n_remarks, sheet_note(reading))
    return found[1]


def _sheets(table: pa.Table, facts: dict[str, Any]) -> list[_Sheet]:
    sheets = []
    for place, sheet in enumerate(facts["sheets"]):
        rows = table.filter(compute.equal(table["sheet"], place))
        merged = [Merged(top, left, bottom - 1, right - 1) for top, bottom, left, right in sheet["merged"]]
        sheets.append(_Sheet(sheet["name"], rows, merged))
    return sheets


def _records(rows: pa.Table) -> Iterator[tuple[int, list[int], list[str]]]:
    for batch in rows.to_batches(max_chunksize=1000):
        yield from zip(*(batch.column(name).to_pylist() for name in ("row", "kinds", "texts")), strict=True)


def _text(kind: int, text: str, calendar: Calendar) -> str:
    if kind in _AS_WRITTEN:
        return text
    return number_text(text) if kind == NUMBER else calendar.text(text, kind == DURATION, kind == CLOCK)
