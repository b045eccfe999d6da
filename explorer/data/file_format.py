"""The format of a file, detected from its bytes: type, encoding, column delimiter, decimal sign.

Words used here: *raw* is the file's bytes, *text* is a table written as text, the *probe* is its first part.
"""

import codecs
import csv
import io
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from charset_normalizer import from_bytes

from explorer.errors import InputError
from explorer.messages import WordedTable, Words, message, worded

PROBE_BYTES = 1 << 18
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

_UNREADABLE: tuple[tuple[bytes, Callable[[str], str]], ...] = (
    (
        b"%PDF",
        lambda file: message(
            "'{file}' is a PDF document, not a table: "
            "open it in the program that made it and save the table as CSV, .xlsx or Parquet.",
            file=file,
        ),
    ),
    (
        b"BZh",
        lambda file: message(
            "'{file}' is a bzip2 archive, not a table: unpack it and load the table inside.",
            file=file,
        ),
    ),
    (
        b"\xfd7zXZ",
        lambda file: message(
            "'{file}' is an xz archive, not a table: unpack it and load the table inside.",
            file=file,
        ),
    ),
    (
        b"7z\xbc\xaf",
        lambda file: message(
            "'{file}' is a 7z archive, not a table: unpack it and load the table inside.",
            file=file,
        ),
    ),
    (
        b"Rar!",
        lambda file: message(
            "'{file}' is a RAR archive, not a table: unpack it and load the table inside.",
            file=file,
        ),
    ),
    (
        b"\x28\xb5\x2f\xfd",
        lambda file: message(
            "'{file}' is a Zstandard archive, not a table: unpack it and load the table inside.",
            file=file,
        ),
    ),
    (
        b"SQLite format 3",
        lambda file: message(
            "'{file}' is an SQLite database, not a table: export one of its tables as CSV.",
            file=file,
        ),
    ),
    (
        b"ARROW1",
        lambda file: message(
            "'{file}' is a Feather file, not a table: save the table as Parquet or CSV.",
            file=file,
        ),
    ),
    (
        b"\x89HDF",
        lambda file: message(
            "'{file}' is an HDF5 file, not a table: save the table as Parquet or CSV.",
            file=file,
        ),
    ),
    (
        b"\x89PNG",
        lambda file: message(
            "'{file}' is a PNG picture, not a table: load the table itself, not a picture of it.",
            file=file,
        ),
    ),
    (
        b"\xff\xd8\xff",
        lambda file: message(
            "'{file}' is a JPEG picture, not a table: load the table itself, not a picture of it.",
            file=file,
        ),
    ),
    (
        b"{\\rtf",
        lambda file: message(
            "'{file}' is a rich text document, not a table: "
            "open it in the program that made it and save the table as CSV, .xlsx or Parquet.",
            file=file,
        ),
    ),
)
"""How files that hold no readable table begin, and what to do with such a file."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BYTE_ORDER_MARKS: tuple[tuple[bytes, str, Words], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig", lambda: message("UTF-8 with a byte order mark")),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_LABELS = {"gb18030": "GB18030", "cp1252": "Windows-1252", "latin_1": "Latin-1"}
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1e\x7f]")
_NON_ASCII_LINE = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")
_COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_WHOLE_NUMBER = re.compile(r"[+-]?\d+")


@dataclass(frozen=True)
class TextForm:
    """How a table is written as text: `delimiter` between cells, `decimal` sign, the first rows as lists of cells."""

    delimiter: str
    decimal: str
    rows: tuple[list[str], ...]


def file_type(raw: bytes, name: str) -> str:
    """Return "gzip", "parquet", "excel" or "text" from the first bytes of a file.

    Raises `InputError` for a type that holds no table this package can read.

    >>> file_type(b"a,b\\n1,2\\n", "x.csv")
    'text'
    """
    if raw.startswith(b"\x1f\x8b"):
        return "gzip"
    if raw.startswith(b"PAR1"):
        return "parquet"
    if raw.startswith(b"PK\x03\x04"):
        return _zip_type(raw, name)
    if raw.startswith(_OLD_OFFICE):
        raise InputError(_old_office_message(raw, name))
    for magic, text_for in _UNREADABLE:
        if raw.startswith(magic):
            raise InputError(text_for(name))
    if raw[:256].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise InputError(
            message("'{file}' is a web page, not a table: download the data file that the page links to.", file=name)
        )
    return "text"


def _zip_type(raw: bytes, name: str) -> str:
    """Return "excel" for a zip archive that holds a workbook; refuse every other archive."""
    if b"xl/" in raw:
        return "excel"
    if b"mimetypeapplication/vnd.oasis" in raw[:200]:
        raise InputError(message("'{file}' is an OpenDocument file: save the table as .xlsx or CSV.", file=name))
    raise InputError(message("'{file}' is a zip archive: unpack it and load one table from it.", file=name))


def _old_office_message(raw: bytes, name: str) -> str:
    """Return the error text for an OLE file: an encrypted workbook, or the old .xls format."""
    if "EncryptedPackage".encode("utf-16-le") in raw:
        return message("'{file}' is protected by a password: save a copy without the password.", file=name)
    return message("'{file}' is in the old .xls format: save it as .xlsx or CSV.", file=name)


def to_utf8(raw: bytes, name: str) -> tuple[bytes, Words]:
    """Return the text as UTF-8 bytes without a byte order mark, and the name of the encoding it came in.

    A byte order mark decides; then plain UTF-8; then UTF-16 without a mark; then GB18030 against Latin-1.
    Raises `InputError` where the bytes are no text.

    >>> to_utf8("größe\\n1".encode("latin-1"), "x.csv")[1]
    'Latin-1'
    """
    for mark, encoding, label in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _recode(raw, encoding, label, name), label
    if b"\x00" in raw[:PROBE_BYTES]:
        encoding = _utf16_without_mark(raw[:4096], name)
        return _recode(raw, encoding, "UTF-16", name), lambda: message("UTF-16 without a byte order mark")
    if _CONTROL.search(raw[:PROBE_BYTES]):
        raise InputError(_no_text(name))
    if raw.isascii() or _decodes(raw, "utf-8"):
        return raw, "UTF-8"
    encoding = _legacy_encoding(raw, name)
    return raw.decode(encoding).encode(), _LABELS[encoding]


def _no_text(name: str) -> str:
    return message("'{file}' is not a text file: load a table as CSV, TSV, Parquet or .xlsx.", file=name)


def _recode(raw: bytes, encoding: str, label: Words, name: str) -> bytes:
    """Return raw as UTF-8; `InputError` where it is not what its first bytes promise."""
    try:
        return raw.decode(encoding).encode()
    except UnicodeError as error:
        raise InputError(
            message(
                "'{file}' starts like {encoding} but is damaged ({error}): save it again as UTF-8.",
                file=name,
                encoding=worded(label),
                error=error,
            )
        ) from error


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _utf16_without_mark(head: bytes, name: str) -> str:
    """Return the byte order of UTF-16 text: its ASCII letters have their zero bytes all on one side."""
    first, second = head[0::2].count(0), head[1::2].count(0)
    if first == 0 and second > len(head) / 40:
        return "utf-16-le"
    if second == 0 and first > len(head) / 40:
        return "utf-16-be"
    raise InputError(_no_text(name))


def _legacy_encoding(raw: bytes, name: str) -> str:
    """Return "gb18030", "cp1252" or "latin_1" for text that is not UTF-8."""
    lines = [match.group() for match in itertools.islice(_NON_ASCII_LINE.finditer(raw), 300)]
    sample = b"".join(line[:2000] for line in lines)
    _refuse_damaged_utf8(raw, sample, name)
    single = "latin_1" if not re.search(rb"[\x80-\x9f]", raw) else "cp1252"
    possible = [encoding for encoding in ("gb18030", single) if _decodes(raw, encoding)]
    if not possible:
        raise InputError(message("'{file}' is in an encoding that was not recognised: save it as UTF-8.", file=name))
    if len(possible) == 1:
        return possible[0]
    best = from_bytes(sample, cp_isolation=["gb18030", "cp1252", "latin_1"]).best()
    return "gb18030" if best is not None and best.encoding == "gb18030" else single


def _refuse_damaged_utf8(raw: bytes, sample: bytes, name: str) -> None:
    """Raise `InputError` with the line of the first bad byte where nearly all of the text is UTF-8."""
    shown = sample.decode("utf-8", "replace")
    bad = shown.count("\ufffd")
    good = sum(not sign.isascii() for sign in shown) - bad
    if good <= bad:
        return
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            message(
                "Line {line} of '{file}' has a byte (0x{byte:02x}) that is not UTF-8, as the rest of the file is: "
                "correct the line or save the file again as UTF-8.",
                line=raw.count(b"\n", 0, error.start) + 1,
                file=name,
                byte=raw[error.start],
            )
        ) from error


def text_form(text: bytes) -> TextForm:
    """Find the delimiter and the decimal sign from the first rows of UTF-8 text.

    >>> form = text_form(b"x;y\\n1,5;2\\n2,5;3\\n")
    >>> form.delimiter, form.decimal
    (';', ',')
    """
    probe = text[:PROBE_BYTES].decode("utf-8", "ignore")
    complete = len(text) <= PROBE_BYTES
    parsed = {sign: _probe_rows(probe, sign, complete) for sign in DELIMITERS}
    delimiter = max(DELIMITERS, key=lambda sign: _agreement(parsed[sign]))
    if _agreement(parsed[delimiter])[1] < 2:
        delimiter = NO_DELIMITER
        parsed[delimiter] = _probe_rows(probe, delimiter, complete)
    rows = parsed[delimiter]
    decimal = "," if delimiter != "," and _has_decimal_comma(rows[1:]) else "."
    return TextForm(delimiter, decimal, tuple(rows))


def _probe_rows(probe: str, delimiter: str, complete: bool) -> list[list[str]]:
    """Return the first rows that are not blank; the last one is dropped where the probe cuts it."""
    rows: list[list[str]] = []
    reader = csv.reader(io.StringIO(probe), delimiter=delimiter, skipinitialspace=True)
    try:
        rows.extend(row for row in itertools.islice(reader, PROBE_ROWS) if not _is_blank(row))
    except csv.Error:  # a cell longer than csv allows: a quote that this delimiter leaves open
        return rows
    return rows if complete or len(rows) < 2 else rows[:-1]


def _is_blank(row: list[str]) -> bool:
    """Return whether a line holds nothing but spaces (pandas skips such lines, too)."""
    return not row or (len(row) == 1 and not row[0].strip())


def _agreement(rows: Sequence[list[str]]) -> tuple[float, int]:
    """Return (share of rows as wide as the header, width of the header); a single column is no agreement."""
    if not rows or len(rows[0]) < 2:
        return (-1.0, 1)
    width = len(rows[0])
    return (sum(len(row) == width for row in rows[1:]) / max(len(rows) - 1, 1), width)


def _has_decimal_comma(rows: Sequence[list[str]]) -> bool:
    """Return whether some column is all numbers with a comma, and none is all numbers with a point."""
    columns = [[cell.strip() for cell in column if _has_digit(cell)] for column in itertools.zip_longest(*rows)]
    return any(_is_written(column, _COMMA_NUMBER) for column in columns) and not any(
        _is_written(column, _POINT_NUMBER) for column in columns
    )


def _has_digit(cell: str | None) -> bool:
    return cell is not None and any(sign.isdigit() for sign in cell)


def _is_written(cells: Sequence[str], fraction: re.Pattern[str]) -> bool:
    """Return whether all cells are numbers and at least one has a fraction in the given writing."""
    fractions = sum(fraction.fullmatch(cell) is not None for cell in cells)
    return fractions > 0 and all(fraction.fullmatch(cell) or _WHOLE_NUMBER.fullmatch(cell) for cell in cells)


def first_ragged_line(text: bytes, delimiter: str) -> tuple[int, int] | None:
    """Return (line, number of cells) of the first row whose width is not the header's, or None.

    >>> first_ragged_line(b"a,b\\n1,2\\n3\\n", ",")
    (3, 1)
    """
    lines = io.TextIOWrapper(io.BytesIO(text), "utf-8", newline="")
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    width = 0
    try:
        for row in reader:
            if _is_blank(row):
                continue
            width = width or len(row)
            if len(row) != width:
                return reader.line_num, len(row)
    except csv.Error:
        return reader.line_num, 1
    return None
