"""Excel workbooks (.xlsx, .xlsm): sheets read as a stream of rows, within the limits that Excel itself has."""

from __future__ import annotations

import datetime
import math
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, cast
from xml.parsers.expat import ExpatError

import pandas as pd

from explorer.data.formats.workbooks.grid import Grid, Merged, best_sheet, damaged, no_data, number_text
from explorer.data.formats.workbooks.xml_events import attribute, parse_xml
from explorer.data.reading import Reading
from explorer.data.source import BLOCK_BYTES, Source
from explorer.errors import InputError
from explorer.messages import Words, message, plural

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""The extent of a sheet in Excel."""

_DAYS_OF_EXCEL_ALONE = {0: "1900-01-00", 60: "1900-02-29"}
"""Days of Excel that no other calendar has."""
_DAY_OF_FORMAT = re.compile(r"[yd]", re.IGNORECASE)
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell [^<>]*?ref=[\"']([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})[\"']")
_LONGEST_TAG = 1 << 12
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


@dataclass(frozen=True)
class _Sheet:
    """A worksheet: its title, where its cells are in the archive, whether Excel shows it."""

    title: str
    member: str
    visible: bool


class _Workbook:
    """The parts of a workbook that its sheets refer to."""

    def __init__(self, archive: zipfile.ZipFile, reading: Reading) -> None:
        self.archive, self.reading, self.calendar = archive, reading, Calendar()
        self.sheets: list[_Sheet] = []
        self.strings: list[str] = []
        self.dates: list[bool] = []
        self.durations: list[bool] = []
        self.clocks: list[bool] = []
        self._parts: dict[str, tuple[str, str]] = {}
        self.parse("xl/_rels/workbook.xml.rels", self._on_relation)
        self.parse("xl/workbook.xml", self._on_sheet)

    def parse(
        self,
        member: str,
        start: Callable[[str, Mapping[str, str]], None],
        end: Callable[[str], None] = lambda tag: None,
        text: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Read one XML part of the workbook, within the budget."""
        info = self.archive.getinfo(member)
        source = Source(lambda: cast(BinaryIO, self.archive.open(info)), info.file_size)
        with self.reading.open(source) as stream:
            parse_xml(stream, self.reading.name, start, end, text)

    def _on_relation(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/xl", attributes.get("Target", ""))).lstrip("/")
            self._parts[attributes.get("Id", "")] = (attributes.get("Type", "").rsplit("/", 1)[-1], target)

    def _on_sheet(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "workbookPr" and attributes.get("date1904") in ("1", "true"):
            self.calendar = Calendar(begins_in_1904=True)
        elif tag == "sheet":
            kind, target = self._parts.get(attribute(attributes, "id"), ("", ""))
            if kind == "worksheet":
                self.sheets.append(
                    _Sheet(attributes.get("name", ""), target, attributes.get("state", "visible") == "visible")
                )

    def extent(self, sheet: _Sheet) -> tuple[int, list[Merged]]:
        """A number that grows with the cells of a sheet that have a value, and its merged cells; it is not parsed."""
        n, merged, rest = 0, list[Merged](), b""
        info = self.archive.getinfo(sheet.member)
        source = Source(lambda: cast(BinaryIO, self.archive.open(info)), info.file_size)
        with self.reading.open(source) as stream:
            while block := stream.read(BLOCK_BYTES):
                if len(self.sheets) > 1:
                    n += block.count(b"v>") + block.count(b"is>")  # a value's tags
                rest += block
                if b"mergeCell " in rest:
                    merged += [_merged(match) for match in _MERGED.finditer(rest)]
                    self.reading.check(len(merged), 1)
                    rest = rest[rest.rfind(b">") + 1 :]
                rest = rest[-_LONGEST_TAG:]
        return n, sorted(merged, key=lambda cells: cells.first_row)

    def load_shared(self) -> None:
        """Read shared texts and the styles that mean dates."""
        from openpyxl.styles.numbers import is_date_format, is_timedelta_format

        for kind, target in self._parts.values():
            if kind == "sharedStrings" and not self.strings:
                texts = _SharedStrings(self.reading)
                self.parse(target, texts.start, texts.end, texts.text)
                self.strings = texts.found
            elif kind == "styles":
                styles = _Styles()
                self.parse(target, styles.start, styles.end)
                self.dates = [is_date_format(styles.formats.get(i)) for i in styles.used]
                self.durations = [is_timedelta_format(styles.formats.get(i)) for i in styles.used]
                self.clocks = [not _DAY_OF_FORMAT.search(styles.formats.get(i) or "") for i in styles.used]


class _SharedStrings:
    """Handlers that collect the texts of sharedStrings.xml, without the pronunciation of East Asian ones."""

    def __init__(self, reading: Reading) -> None:
        self.found: list[str] = []
        self._parts: list[str] = []
        self._in_text = self._in_phonetic = False
        self._reading = reading

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Begin a text or a part of it."""
        if tag == "si":
            self._parts = []
        elif tag == "rPh":
            self._in_phonetic = True
        elif tag == "t":
            self._in_text = not self._in_phonetic

    def end(self, tag: str) -> None:
        """End a text or a part of it."""
        if tag == "si":
            self.found.append("".join(self._parts))
            self._reading.budget.check_cells(self._reading.name, len(self.found))
        elif tag == "rPh":
            self._in_phonetic = False
        elif tag == "t":
            self._in_text = False

    def text(self, text: str) -> None:
        """Take a piece of text."""
        if self._in_text:
            self._parts.append(text)


class _Styles:
    """Handlers that collect the number formats of styles.xml."""

    def __init__(self) -> None:
        from openpyxl.styles.numbers import BUILTIN_FORMATS

        self.formats: dict[int, str] = dict(BUILTIN_FORMATS)
        self.used: list[int] = []
        self._in_cells = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take a format, or the format of a style."""
        if tag == "numFmt":
            self.formats[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
        elif tag == "cellXfs":
            self._in_cells = True
        elif tag == "xf" and self._in_cells:
            self.used.append(int(attributes.get("numFmtId", 0)))

    def end(self, tag: str) -> None:
        """Leave the list of styles."""
        if tag == "cellXfs":
            self._in_cells = False


class _SheetRows:
    """Handlers that put the cells of a worksheet into a grid."""

    def __init__(self, workbook: _Workbook, grid: Grid) -> None:
        self._workbook, self.grid = workbook, grid
        self._row = self._column = -1
        self._cells: dict[int, str] = {}
        self._type = self._style = ""
        self._parts: list[str] = []
        self._collecting = self._in_phonetic = self._has_formula = False
        self.n_unsaved = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Begin a row, a cell or its value."""
        if tag in ("v", "t"):
            self._collecting = not self._in_phonetic
        elif tag == "rPh":
            self._in_phonetic = True
        elif tag == "c":
            self._start_cell(attributes)
        elif tag == "row":
            self._start_row(attributes)
        elif tag == "f":
            self._has_formula = True

    def _start_row(self, attributes: Mapping[str, str]) -> None:
        given = attributes.get("r")
        self._row = int(given) - 1 if given else self._row + 1
        self._column, self._cells = -1, {}
        if not 0 <= self._row < MOST_ROWS:
            raise InputError(_beyond_excel(self._workbook.reading.name, given or str(self._row + 1)))

    def _start_cell(self, attributes: Mapping[str, str]) -> None:
        given = attributes.get("r")
        match = _REFERENCE.fullmatch(given) if given else None
        self._column = _column_of(match.group(1)) if match else self._column + 1
        if self._column >= MOST_COLUMNS or (given and match is None):
            raise InputError(_beyond_excel(self._workbook.reading.name, given or str(self._column + 1)))
        self._type, self._style = attributes.get("t", "n"), attributes.get("s", "")
        self._parts, self._has_formula = [], False

    def text(self, text: str) -> None:
        """Take a piece of a value."""
        if self._collecting:
            self._parts.append(text)

    def end(self, tag: str) -> None:
        """End a value, a cell or a row."""
        if tag in ("v", "t"):
            self._collecting = False
        elif tag == "rPh":
            self._in_phonetic = False
        elif tag == "c":
            self._end_cell()
        elif tag == "row" and self._cells:
            cells = [""] * (max(self._cells) + 1)
            for column, value in self._cells.items():
                cells[column] = value
            self.grid.add(self._row, cells)
            self._cells = {}

    def _end_cell(self) -> None:
        written = "".join(self._parts)
        if written:
            self._cells[self._column] = self._value(written)
        elif self._has_formula:
            self.n_unsaved += 1

    def _value(self, written: str) -> str:
        """Return a cell as text: booleans as TRUE and FALSE, dates as in ISO 8601, numbers as shortest decimals."""
        if self._type == "s":
            return self._workbook.strings[int(written)]
        if self._type == "b":
            return "TRUE" if written.strip() in ("1", "true") else "FALSE"
        if self._type == "d":
            return written.replace("T", " ").removesuffix(" 00:00:00")
        style = int(self._style) if self._style else 0
        if self._type != "n":
            return written
        if style < len(self._workbook.dates) and self._workbook.dates[style]:
            return self._workbook.calendar.text(written, self._workbook.durations[style], self._workbook.clocks[style])
        return number_text(written)


class Calendar:
    """Excel's calendar, which begins in 1904 where a file `begins_in_1904`, and else in 1900."""

    def __init__(self, begins_in_1904: bool = False) -> None:
        from openpyxl.utils import datetime as calendars  # takes a fifth of a second, and few need it

        self._calendars, self._is_1900 = calendars, not begins_in_1904
        self._epoch = calendars.CALENDAR_MAC_1904 if begins_in_1904 else calendars.CALENDAR_WINDOWS_1900

    def text(self, written: str, is_duration: bool, is_clock: bool) -> str:
        """A date, a time of day, or hours, minutes and seconds of a duration.

        The calendar of 1900 begins with a day 0 of January and has a 29th of February in that year.
        """
        try:
            serial = float(written)
            day = _DAYS_OF_EXCEL_ALONE.get(math.floor(serial)) if self._is_1900 else None
            if day is not None and not is_duration and not is_clock:
                return f"{day} {_clock(serial % 1)}" if serial % 1 else day
            if is_duration:
                return _clock(serial)
            moment = self._calendars.from_excel(serial, self._epoch)
        except (ValueError, OverflowError):  # Excel shows ##### for dates before its epoch
            return written
        if isinstance(moment, datetime.datetime) and moment.time() == datetime.time():
            return moment.date().isoformat()
        return str(moment)


def _clock(days: float) -> str:
    """Hours, minutes and seconds of some days.

    >>> _clock(1.5), _clock(-0.0625)
    ('36:00:00', '-01:30:00')
    """
    seconds = round(abs(days) * 86400, 3)
    text = f"{int(seconds // 3600):02d}:{int(seconds % 3600 // 60):02d}:{seconds % 60:06.3f}".removesuffix(".000")
    return f"-{text}" if days < 0 else text


def _merged(match: re.Match[bytes]) -> Merged:
    first_column, first_row, last_column, last_row = (part.decode() for part in match.groups())
    return Merged(int(first_row) - 1, _column_of(first_column), int(last_row) - 1, _column_of(last_column))


@dataclass
class _SheetToRead:
    """A sheet, about how many cells it has, its merged cells, and how many formulas without a value were found."""

    sheet: _Sheet
    n_cells: int
    merged: list[Merged]
    n_unsaved: int = 0

    @property
    def title(self) -> str:
        """Its title."""
        return self.sheet.title

    def grid(self, workbook: _Workbook) -> Grid:
        """Its rows."""
        grid = Grid(workbook.reading)
        for cells in self.merged:
            grid.merge(cells)
        rows = _SheetRows(workbook, grid)
        workbook.parse(self.sheet.member, rows.start, rows.end, rows.text)
        self.n_unsaved = rows.n_unsaved
        return grid


def _column_of(letters: str) -> int:
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column - 1


def _beyond_excel(name: str, place: str) -> str:
    return message(
        "'{file}' has a cell or row at {place}, beyond Excel's last cell XFD1048576: save it again in Excel.",
        file=name,
        place=place[:20],
    )


def read_excel(archive: zipfile.ZipFile, reading: Reading) -> pd.DataFrame:
    """Return the sheet asked for, or the largest that is a table; formulas count as the values saved with them.

    Raises `InputError` for a damaged workbook, an unknown sheet, or one without data.
    """
    try:
        workbook = _Workbook(archive, reading)
        reading.choose(tuple(sheet.title for sheet in workbook.sheets))
        workbook.load_shared()
        n_remarks = len(reading.remarks)
        found = best_sheet(_by_size(workbook), lambda sheet: sheet.grid(workbook), reading)
        if found is not None:
            sheet, frame = found
            reading.sheet = sheet.title
            reading.remarks.insert(n_remarks, sheet_note(reading))
            _note_unsaved(sheet.n_unsaved, reading)
            return frame
    except (ExpatError, KeyError, IndexError, ValueError, EOFError) as error:
        if isinstance(error, InputError):
            raise
        raise damaged(reading.name, error) from error
    raise no_data(reading.name)


def _by_size(workbook: _Workbook) -> list[_SheetToRead]:
    """The sheet asked for, or all: those that Excel shows first, and of these the one with most cells."""
    wanted = workbook.reading.wanted_sheet
    sheets = [
        _SheetToRead(sheet, *workbook.extent(sheet)) for sheet in workbook.sheets if wanted in (None, sheet.title)
    ]
    return sorted(sheets, key=lambda found: (not found.sheet.visible, -found.n_cells))


def sheet_note(reading: Reading) -> Words:
    """A remark on the sheet that was read."""
    sheet, sheets = reading.sheet, len(reading.sheets)
    if sheets == 1 or reading.wanted_sheet:
        return lambda: message("Read from sheet '{sheet}'.", sheet=sheet)
    return lambda: message("Read from sheet '{sheet}' ({sheets} sheets in the file).", sheet=sheet, sheets=sheets)


def _note_unsaved(count: int, reading: Reading) -> None:
    if count:
        reading.remarks.append(
            lambda: plural(
                count,
                "{n:,} cell holds a formula without a saved value and counts as missing: save the file in Excel.",
                "{n:,} cells hold formulas without saved values and count as missing: save the file in Excel.",
            )
        )
