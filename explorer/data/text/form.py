"""How a table is written as text: sign between cells, decimal sign and header line, found from its first rows."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.data.reading import AS_FOUND, Reading, ReadingOptions
from explorer.data.source import Source
from explorer.data.text.encoding import open_text
from explorer.data.text.lead import NUMBER, SEPARATOR_LINE, Row, header_position, is_number
from explorer.errors import InputError
from explorer.messages import WordedTable, message
from explorer.values import have_open_points

PROBE_SIGNS = 1 << 18
PROBE_ROWS = 1000
DELIMITERS = WordedTable(
    {
        ",": lambda: message("commas"),
        ";": lambda: message("semicolons"),
        "\t": lambda: message("tabs"),
        "|": lambda: message("vertical bars"),
    }
)
"""The signs between cells, with their names."""
NO_DELIMITER = "\x1f"  # a sign that no table holds, for text with a single column

_COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_WORDS = frozenset({"NA", "N/A", "n/a", "null", "NULL"})
_WHOLE_NUMBER = re.compile(r"[+-]?\d+")


_ESCAPED_QUOTE = re.compile(r'(?:^|[,;\t|\r\n])"(?:[^"\\\r\n]|"")*\\"(?=[^",;\t|\r\n])', re.MULTILINE)
"""A quotation mark after a backslash, within a cell in quotation marks and not at its end."""


@dataclass(frozen=True)
class TextForm:
    """`delimiter` between cells, `decimal` sign, the `header` row and those `skipped` above it.

    Without `has_header` the row at its line is the first of the table, and the names are empty. In the columns
    `dotted` a point may separate thousands; so it may in the columns `whole` once it occurs there. The header may be
    one that `looks_like_row`, and `marked` are the names of columns of text with a word such as NA for a missing cell.
    A cell that goes on behind a closing quotation mark is `stray`.
    """

    delimiter: str
    decimal: str
    header: Row
    skipped: tuple[Row, ...] = ()
    signs_per_row: float = 100.0
    has_header: bool = True
    looks_like_row: bool = False
    marked: tuple[str, ...] = ()
    stray: str = ""
    dotted: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.header.cells)


def first_lines(source: Source, encoding: str, reading: Reading) -> tuple[str, bool]:
    """Return the first signs of a text, and whether they are all; a header line is never cut."""
    probe, is_whole = _first_lines(source, encoding, reading)
    if _ESCAPED_QUOTE.search(probe):
        reading.escapes_quotes = True
        return _first_lines(source, encoding, reading)
    return probe, is_whole


def _first_lines(source: Source, encoding: str, reading: Reading) -> tuple[str, bool]:
    with open_text(source, encoding, reading) as text:
        probe = text.read(PROBE_SIGNS)
        is_whole, probe = len(probe) < PROBE_SIGNS, probe.lstrip("\ufeff")  # a second mark, of a file saved twice
        if is_whole:
            return probe, True
        while len(lines := re.split(r"[\r\n]+", probe, maxsplit=2)) < 3:
            reading.check(0, max(line.count(sign) for sign in DELIMITERS for line in lines) + 1)
            more = text.read(len(probe))
            if not more:
                return probe, True
            probe += more
    return probe, False


def text_form(
    probe: str,
    complete: bool,
    name: str,
    wanted_header: int | None = None,
    options: ReadingOptions = AS_FOUND,
) -> TextForm:
    """Find delimiter, header line and decimal sign from the first lines of a text.

    `wanted_header` is the line of the header, counted from 1, where it is known; `options` are set by hand.
    Raises `InputError` for blank text.

    >>> form = text_form("x;y\\n1,5;2\\n2,5;3\\n", True, "t.csv")
    >>> form.delimiter, form.decimal, form.header.cells
    (';', ',', ['x', 'y'])
    """
    given = SEPARATOR_LINE.fullmatch(re.split(r"[\r\n]", probe, maxsplit=1)[0])
    signs = [given.group(1)] if given else list(DELIMITERS)
    if options.separator is not None:
        signs = [options.separator]
    first = 1 if given else 0
    parsed = {sign: probe_rows(probe, sign, complete) for sign in signs}
    agreement = {sign: _agreement(parsed[sign][first:], wanted_header) for sign in signs}
    delimiter = max(signs, key=agreement.__getitem__)
    if len(signs) > 1 and agreement[delimiter][-1] < 2:
        delimiter = NO_DELIMITER
        parsed[delimiter] = probe_rows(probe, delimiter, complete)
    rows = parsed[delimiter]
    position = first + _header_position(rows[first:], wanted_header, name, probe)
    skipped = _as_written(rows[first:position], probe, delimiter)
    below = [row.cells for row in rows[position + 1 :] if not row.is_blank]
    decimal = "," if delimiter != "," and _has_decimal_comma(below) else "."
    if given:
        skipped = [Row(1, [given.group(0)]), *skipped]
    header = rows[position]
    if not options.has_header:
        header = Row(header.line, [""] * len(header.cells))
    is_open = options.decimal_sign is None and decimal == "."
    return TextForm(
        delimiter,
        options.decimal_sign or decimal,
        header,
        tuple(skipped),
        len(probe) / max(len(rows), 1),
        options.has_header,
        _looks_like_row(header.cells, below),
        _marked(header.cells, below),
        _stray(probe, delimiter),
        *(_open_points(below) if is_open else ()),
    )


def _as_written(rows: Sequence[Row], probe: str, delimiter: str) -> list[Row]:
    """The rows with their whole line as one cell, without delimiters at its end; those with quotation marks stay."""
    lines = list(io.StringIO(probe, newline="")) if rows else []
    written = [lines[row.line - 1].rstrip(f"{delimiter}\r\n ").replace("\t", " ") for row in rows]
    return [row if '"' in line else Row(row.line, [line]) for row, line in zip(rows, written, strict=True)]


def _header_position(rows: Sequence[Row], wanted: int | None, name: str, probe: str) -> int:
    """Return where the header is among the first rows; `InputError` where there is none."""
    if not rows and probe.strip("\ufeff \t\r\n"):
        raise InputError(
            message(
                "The first lines of '{file}' have a cell longer than {limit:,} characters: close its quotation mark, "
                "or shorten it.",
                file=name,
                limit=csv.field_size_limit(),
            )
        )
    if all(row.is_blank for row in rows):
        raise InputError(
            message("'{file}' holds nothing but blank lines: load a file with a header line and rows.", file=name)
        )
    if wanted is None:
        position = header_position(rows)
    else:
        position = next((i for i, row in enumerate(rows) if row.line >= wanted and not row.is_blank), len(rows))
    if position == len(rows):
        raise InputError(no_header(name, wanted))
    return position


def no_header(name: str, wanted: int | None) -> str:
    """The error for a file in which no line can be the header."""
    if wanted is None:
        return message("'{file}' holds nothing but comments: load a file with a header line and rows.", file=name)
    return message("'{file}' has no header in line {line:,}: choose an earlier line.", file=name, line=wanted)


def probe_rows(probe: str, delimiter: str, complete: bool) -> list[Row]:
    """Return the first rows with their line numbers; the last one is dropped where the probe cuts it."""
    rows: list[Row] = []
    reader = csv.reader(io.StringIO(probe, newline=""), delimiter=delimiter, skipinitialspace=True)
    line = 1
    try:
        for cells in itertools.islice(reader, PROBE_ROWS):
            rows.append(Row(line, cells))
            line = reader.line_num + 1
    except csv.Error:  # a cell longer than csv allows: a quote that this delimiter leaves open
        return rows
    return rows if complete or len(rows) < 2 or len(rows) == PROBE_ROWS else rows[:-1]


def _agreement(rows: Sequence[Row], wanted: int | None) -> tuple[float, bool, int]:
    """Return (share of rows as wide as the header, whether it is the first line of a table, width of the header).

    A single column is no agreement. Three cells or more in the first line make a header, which a title hardly has.
    """
    if wanted is None:
        start = header_position(rows)
    else:
        start = next((i for i, row in enumerate(rows) if row.line >= wanted), len(rows))
    kept = [row for row in rows[start:] if not row.is_blank]
    if not kept or len(kept[0].cells) < 2:
        return (-1.0, False, 1)
    width = len(kept[0].cells)
    share = sum(len(row.cells) == width for row in kept[1:]) / max(len(kept) - 1, 1)
    return (share, start == 0 and width > 2, width)


def comma_columns(rows: Sequence[list[str]]) -> tuple[tuple[int, ...], bool]:
    """The positions of the columns that are all numbers with a comma, and whether some column is all with a point.

    >>> comma_columns([["1,5", "a", "2"], ["2,5", "b", "3"]])
    ((0,), False)
    """
    columns = _cells_with_digits(rows)
    found = tuple(i for i, column in enumerate(columns) if _is_written(column, _COMMA_NUMBER))
    return found, any(_is_written(column, _POINT_NUMBER) and not have_open_points(column) for column in columns)


def _looks_like_row(header: Sequence[str], rows: Sequence[list[str]]) -> bool:
    """Whether a header has a number above numbers, and all its texts again below themselves.

    >>> _looks_like_row(["5.1", "setosa"], [["4.9", "setosa"]]), _looks_like_row(["2019", "city"], [["4", "Rome"]])
    (True, False)
    """
    columns = [[cell.strip() for cell in column if cell] for column in itertools.zip_longest(*rows)]
    pairs = [(cell.strip(), column) for cell, column in zip(header, columns, strict=False) if cell.strip()]
    numbers = [column for cell, column in pairs if NUMBER.fullmatch(cell)]
    texts_again = all(cell in column for cell, column in pairs if not NUMBER.fullmatch(cell))
    return texts_again and any(column and all(map(is_number, column)) for column in numbers)


def _stray(probe: str, delimiter: str) -> str:
    """The first cell that goes on behind a closing quotation mark; "" without one.

    >>> _stray('"5" long,1', ","), _stray('"x ""y"" z",1', ",")
    ('"5" long', '')
    """
    sign = re.escape(delimiter)
    quoted = rf'(?:^|(?<=[{sign}\r\n])) *("(?:[^"]|"")*"(?!")[^{sign}\r\n"]*)'
    cells = (match.group(1).strip() for match in re.finditer(quoted, probe)) if '"' in probe else iter(())
    return next((cell for cell in cells if not cell.endswith('"')), "")


def _marked(header: Sequence[str], rows: Sequence[list[str]]) -> tuple[str, ...]:
    """The columns of text in which a word for a missing cell stands, which might be a category."""
    columns = (
        (name.strip(), [cell.strip() for cell in column if cell])
        for name, column in zip(header, itertools.zip_longest(*rows), strict=False)
    )
    return tuple(name for name, column in columns if not _WORDS.isdisjoint(column) and not all(map(is_number, column)))


def _cells_with_digits(rows: Sequence[list[str]]) -> list[list[str]]:
    return [[cell.strip() for cell in column if _has_digit(cell)] for column in itertools.zip_longest(*rows)]


def _open_points(rows: Sequence[list[str]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns in which each point has three digits after it, and those of whole numbers; none where it is clear.

    It is clear where a column has a point that can only be a decimal sign.

    >>> _open_points([["2.620", "1", "a"], ["146", "2", "b"]]), _open_points([["2.620", "1.5"]])
    (((0,), (1,)), ((), ()))
    """
    columns = _cells_with_digits(rows)
    with_points = [i for i, column in enumerate(columns) if _is_written(column, _POINT_NUMBER)]
    if not all(have_open_points(columns[i]) for i in with_points):
        return (), ()
    return tuple(with_points), tuple(i for i, column in enumerate(columns) if column and all(map(_is_whole, column)))


def _is_whole(cell: str) -> bool:
    return _WHOLE_NUMBER.fullmatch(cell) is not None


def _has_decimal_comma(rows: Sequence[list[str]]) -> bool:
    """Return whether some column is all numbers with a comma, and none is all numbers with a point."""
    found, has_points = comma_columns(rows)
    return bool(found) and not has_points


def _has_digit(cell: str | None) -> bool:
    return cell is not None and any(sign.isdigit() for sign in cell)


def _is_written(cells: Sequence[str], fraction: re.Pattern[str]) -> bool:
    """Return whether all cells are numbers and at least one has a fraction in the given writing."""
    fractions = sum(fraction.fullmatch(cell) is not None for cell in cells)
    return fractions > 0 and all(fraction.fullmatch(cell) or _WHOLE_NUMBER.fullmatch(cell) for cell in cells)
