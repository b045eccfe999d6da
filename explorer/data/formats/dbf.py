"""dBase and FoxPro tables (.dbf): fields of fixed width, whose types and code page the header declares."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.arrow_frame import left_out_notes
from explorer.data.formats.columns import typed_column
from explorer.data.formats.dbf_memos import memos_of
from explorer.data.notes import listed_names
from explorer.data.reading import Reading, ReadingOptions
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message, plural

_VERSIONS = frozenset((0x02, 0x03, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0xCB, 0xF5, 0xFB))
_FOXPRO = (0x30, 0x31, 0x32)
_HEADER, _FIELD, _END = 32, 32, 0x0D
_SYSTEM = 0x01
_PAGES: dict[str, tuple[int, ...]] = {
    "cp437": (0x01,),
    "cp850": (0x02,),
    "cp1252": (0x03, 0x57, 0x58, 0x59),
    "mac_roman": (0x04,),
    "cp852": (0x64,),
    "cp866": (0x65,),
    "cp865": (0x66,),
    "cp861": (0x67,),
    "cp737": (0x6A, 0x86),
    "cp857": (0x6B,),
    "cp932": (0x13, 0x7B),
    "gbk": (0x4D, 0x7A),
    "cp949": (0x4E, 0x79),
    "cp950": (0x4F, 0x78),
    "cp874": (0x50, 0x7C),
    "cp1255": (0x7D,),
    "cp1256": (0x7E,),
    "mac_cyrillic": (0x96,),
    "cp1250": (0xC8,),
    "cp1251": (0xC9,),
    "cp1254": (0xCA,),
    "cp1253": (0xCB,),
    "cp1257": (0xCC,),
}
_CODE_PAGES = {number: page for page, numbers in _PAGES.items() for number in numbers}
_MARKS = b" *"
"""What stands before a record: a blank, or an asterisk before one that is deleted."""
_TRUE, _FALSE = b"TtYy", b"FfNn"
_JULIAN_OF_YEAR_1 = 1_721_425


@dataclass(frozen=True)
class _Field:
    """A field of the records: its name, its type's letter, and where its bytes begin and end."""

    name: bytes
    kind: str
    start: int
    end: int
    is_hidden: bool


def is_dbf(head: bytes) -> bool:
    """Return whether a file begins with a header whose fields add up to its records."""
    if len(head) < _HEADER + _FIELD + 1 or head[0] not in _VERSIONS or head[2] > 12 or head[3] > 31:
        return False
    fields, record_size = _fields(head), int.from_bytes(head[10:12], "little")
    return bool(fields) and fields[-1].end == record_size and _HEADER + _FIELD * len(fields) < _header_size(head)


def read_dbf(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the records that are not deleted; `InputError` for a file that was cut off or has wrong bytes."""
    content = reading.content(source)
    fields = [field for field in _fields(content) if not field.is_hidden]
    records = _records(content, reading)
    encoding = _encoding(content, records, fields, reading)
    reading.read_as = ReadingOptions(encoding=encoding)
    reading.remarks.append(lambda: message("Read as a dBase table, its text in {encoding}.", encoding=encoding))
    names, columns, memos = list[str](), list[pd.Series](), list[str]()
    texts = memos_of(source, content[0], reading) if any(field.kind == "M" for field in fields) else None
    for number, field in enumerate(fields):
        name = field.name.decode(encoding, "replace").strip()
        cells = records[:, field.start : field.end]
        read = texts.text if texts and field.kind == "M" else _cells_of(field.kind, content[0] in _FOXPRO)
        if read is None:
            memos.append(name)
            continue
        reading.at(number / len(fields))
        names.append(name)
        columns.append(_column(name, cells, read, encoding, reading))
    reading.remarks.extend(left_out_notes([(name, "memos") for name in memos]))
    if not columns:
        raise InputError(
            message("'{file}' has no column of numbers, text, dates or truth values, only memos: {columns}. Export "
                    "them as text.", file=reading.name, columns=listed_names(memos))
        )  # fmt: skip
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = pd.Index(names, dtype=object)
    return frame


def _header_size(content: bytes) -> int:
    return int.from_bytes(content[8:10], "little")


def _fields(content: bytes) -> list[_Field]:
    """The fields that a header declares, as far as it goes."""
    fields, start, place = list[_Field](), 1, _HEADER
    while place + _FIELD <= min(len(content), _header_size(content)) and content[place] != _END:
        name, kind, size, digits, flags = struct.unpack_from("<11sc4xBBB", content, place)
        if kind in b"Cc" and content[0] in _FOXPRO:
            size += 256 * digits
        name = name.partition(b"\0")[0]
        fields.append(_Field(name, kind.decode("latin-1"), start, start + size, bool(flags & _SYSTEM) or kind == b"0"))
        start, place = start + size, place + _FIELD
    return fields


def _records(content: bytes, reading: Reading) -> NDArray[np.uint8]:
    """The bytes of the records [n, size] that are not marked as deleted: all in the file."""
    counted, size, begin = (
        int.from_bytes(content[4:8], "little"),
        int.from_bytes(content[10:12], "little"),
        _header_size(content),
    )
    most = max(len(content) - begin, 0) // size
    reading.check(min(most, counted), len(_fields(content)))
    records = np.frombuffer(content, np.uint8, most * size, min(begin, len(content))).reshape(most, size)
    are_others = ~np.isin(records[:, 0], np.frombuffer(_MARKS, np.uint8))
    n = int(are_others.argmax()) if are_others.any() else most
    if n < counted:
        raise InputError(
            message("'{file}' is a dBase table that was cut off, or is damaged: copy it again.", file=reading.name)
        )
    reading.check(n, len(_fields(content)))
    records = records[:n]
    if n > counted:
        reading.remarks.append(
            lambda: plural(
                n, "{n:,} record was read, though the header counts {counted:,}.",
                "{n:,} records were read, though the header counts {counted:,}.", counted=counted,
            )
        )  # fmt: skip
    deleted = records[:, 0] == ord("*")
    n_deleted = int(deleted.sum())
    if n_deleted:
        reading.remarks.append(
            lambda: plural(
                n_deleted,
                "{n:,} record is marked as deleted and was left out.",
                "{n:,} records are marked as deleted and were left out.",
            )
        )
    return records[~deleted] if n_deleted else records


def _encoding(content: bytes, records: NDArray[np.uint8], fields: list[_Field], reading: Reading) -> str:
    """The code page set by hand, else that of the header; where it names none, UTF-8 if all text is, or Windows'."""
    if reading.options.encoding is not None:
        return reading.options.encoding
    if content[29] in _CODE_PAGES:
        return _CODE_PAGES[content[29]]
    texts = [records[:, field.start : field.end].tobytes() for field in fields if field.kind == "C"]
    if all(text.isascii() for text in texts):
        return "ascii"
    reading.remarks.append(
        lambda: message("The file does not say which encoding it has: set another one if letters look wrong.")
    )
    try:
        for text in texts:
            text.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


Read = Callable[[bytes, str], object]


def _column(name: str, cells: NDArray[np.uint8], read: Read, encoding: str, reading: Reading) -> pd.Series:
    """One column. Numbers too wide for their field, which dBase writes as asterisks, are missing."""
    size, raw = cells.shape[1], cells.tobytes()
    values, row = list[object](), 0
    try:
        for row in range(len(cells)):
            values.append(read(raw[row * size : (row + 1) * size], encoding))
    except (ValueError, OverflowError, struct.error) as error:
        raise InputError(
            message(
                "Record {row:,} of '{file}' has {cell} in column '{column}', which does not fit: correct it, or set "
                "the encoding.",
                row=row + 1,
                file=reading.name,
                cell=repr(raw[row * size : (row + 1) * size][:40])[1:],
                column=name,
            )
        ) from error
    n_wide = sum(1 for row in range(len(cells)) if raw[row * size : (row + 1) * size].strip().startswith(b"*"))
    if read is _number and n_wide:
        reading.remarks.append(
            lambda: plural(
                n_wide,
                "{n:,} number did not fit its field when it was written, and is missing: {columns}.",
                "{n:,} numbers did not fit their field when they were written, and are missing: {columns}.",
                columns=listed_names([name]),
            )
        )
    if any(isinstance(value, datetime.date) for value in values):
        return pd.Series(pd.to_datetime(pd.Series(values, dtype=object), errors="raise")).astype("datetime64[us]")
    return typed_column(values)


def _cells_of(kind: str, is_foxpro: bool) -> Read | None:
    """How the cells of a type are read; None for memos, pictures and other types."""
    if kind == "B":
        return _double if is_foxpro else None
    return {
        "C": _text,
        "N": _number,
        "F": _number,
        "D": _date,
        "L": _truth,
        "I": _whole,
        "Y": _money,
        "T": _moment,
    }.get(kind)


def _text(cell: bytes, encoding: str) -> str | None:
    return cell.rstrip(b"\0 ").decode(encoding) or None


def _number(cell: bytes, encoding: str) -> int | float | None:
    written = cell.strip(b"\0 ").replace(b",", b".")
    if not written or written.startswith(b"*"):
        return None
    if b"_" in written:
        raise ValueError(written)
    return int(written) if written.lstrip(b"+-").isdigit() else float(written)


def _date(cell: bytes, encoding: str) -> datetime.date | None:
    written = cell.strip(b"\0 0")
    return datetime.datetime.strptime(cell.decode("ascii"), "%Y%m%d") if written else None


def _truth(cell: bytes, encoding: str) -> bool | None:
    return True if cell[:1] in _TRUE else False if cell[:1] in _FALSE else None


def _whole(cell: bytes, encoding: str) -> int:
    return int(struct.unpack("<i", cell)[0])


def _money(cell: bytes, encoding: str) -> float:
    return float(struct.unpack("<q", cell)[0] / 10_000)


def _double(cell: bytes, encoding: str) -> float:
    return float(struct.unpack("<d", cell)[0])


def _moment(cell: bytes, encoding: str) -> datetime.datetime | None:
    day, milliseconds = struct.unpack("<ii", cell)
    if not day:
        return None
    begin = datetime.datetime(1, 1, 1) + datetime.timedelta(days=day - _JULIAN_OF_YEAR_1 - 1)
    return begin + datetime.timedelta(milliseconds=milliseconds)
