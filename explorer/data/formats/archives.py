"""Files packed with gzip or zip: the one table inside, or a choice of several; no member is ever written to disk."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import BinaryIO, cast

import pandas as pd

from explorer.data.formats.dbf_memos import ENDINGS
from explorer.data.formats.declared.c45 import is_c45_names
from explorer.data.formats.workbooks.excel import read_excel
from explorer.data.formats.workbooks.grid import damaged
from explorer.data.formats.workbooks.opendocument import read_opendocument
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message

_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, IndexError),
)
"""What the standard library's own reader raises for damaged archives."""
_ENCRYPTED = 0x1
_TABLES = (
    *(".csv", ".tsv", ".tab", ".txt", ".data", ".dat", ".parquet", ".feather", ".arrow", ".xlsx", ".xlsm", ".ods"),
    *(".json", ".jsonl", ".ndjson", ".arff", ".sqlite", ".sqlite3", ".db", ".duckdb"),
    *(".sav", ".zsav", ".dta", ".sas7bdat", ".xpt", ".rds", ".rdata", ".rda", ".xls", ".dbf", ".svm", ".libsvm"),
)
_OFFICE_FILES = {".xlsx": "Excel", ".xlsm": "Excel", ".ods": "OpenDocument"}
_NO_TABLES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".pdf", ".html", ".htm", ".md", ".xml", ".rels", ".py", ".exe"),
    *ENDINGS,  # the memos of a .dbf, read with it
)

Read = Callable[[Source, Reading], pd.DataFrame]


class _GzipStream(gzip.GzipFile):
    """A gzip stream that knows which share of the packed bytes is read."""

    def __init__(self, source: Source) -> None:
        self._packed, self._size = source.open(), source.size or 1
        super().__init__(fileobj=self._packed, mode="rb")

    def share(self) -> float:
        """Return how much of the packed file is read, from 0 to 1."""
        return 1.0 if self._packed.closed else self._packed.tell() / self._size

    def close(self) -> None:
        """Close the packed file too."""
        super().close()
        self._packed.close()


def read_gzip(source: Source, reading: Reading, read: Read) -> pd.DataFrame:
    """Return the table in a gzip file; `InputError` where it is damaged, empty or packed twice."""
    inner = Source(lambda: cast(BinaryIO, _GzipStream(source)), None)
    name = reading.name
    try:
        if not inner.head:
            raise InputError(message("'{file}' is an empty gzip file: load one that holds a table.", file=name))
        if inner.head.startswith(b"\x1f\x8b"):
            raise InputError(
                message("'{file}' was packed with gzip twice: unpack it once and load the result.", file=name)
            )
        if inner.head.startswith(b"PK\x03\x04"):
            raise InputError(_packed_twice(name))
        reading.remarks.append(lambda: message("Unpacked with gzip."))
        return read(inner, reading)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            message("'{file}' is a damaged gzip file ({error}): pack or download it again.", file=name, error=error)
        ) from error


def _packed_twice(name: str) -> str:
    return message("'{file}' is an archive inside an archive: unpack it once and load the result.", file=name)


def read_zip(source: Source, reading: Reading, read: Read) -> pd.DataFrame:
    """Return the table of a workbook, or of a zip archive's member; `InputError` where there is none."""
    try:
        with reading.seekable(source) as stream, zipfile.ZipFile(stream) as archive:
            office = _office_reader(archive, reading.name)
            return office(archive, reading) if office else _member_table(archive, reading, read)
    except InputError:
        raise
    except _BROKEN as error:
        kind = _OFFICE_FILES.get(PurePosixPath(reading.name).suffix.lower())
        if kind and isinstance(error, zipfile.BadZipFile):
            raise InputError(
                message("'{file}' is a damaged {kind} file: save or download it again.", file=reading.name, kind=kind)
            ) from error
        if b"xl/" in source.head:
            raise damaged(reading.name, error) from error
        raise InputError(
            message(
                "'{file}' is a damaged zip archive ({error}): save or download it again.",
                file=reading.name,
                error=error,
            )
        ) from error


def _office_reader(archive: zipfile.ZipFile, name: str) -> Callable[[zipfile.ZipFile, Reading], pd.DataFrame] | None:
    """Return the reader of an archive that is a workbook, None for other archives; other documents are refused."""
    names = set(archive.namelist())
    if "xl/workbook.xml" in names:
        return read_excel
    if "xl/workbook.bin" in names:
        raise InputError(message("'{file}' is a binary workbook (.xlsb): save it as .xlsx or CSV.", file=name))
    if "word/document.xml" in names or "ppt/presentation.xml" in names:
        raise InputError(message("'{file}' is a document, not a table: save its table as .xlsx or CSV.", file=name))
    return read_opendocument if {"mimetype", "content.xml"} <= names else None


def _member_table(archive: zipfile.ZipFile, reading: Reading, read: Read) -> pd.DataFrame:
    """Return the table of the member asked for, or of the first that looks like a table."""
    members = _members(archive)
    names = _names_files(archive, members) | _memo_files(archive)
    if not members:
        raise InputError(message("'{file}' is a zip archive without a table in it.", file=reading.name))
    if len(members) == 1:
        (member,) = members.values()
        return _read_member(archive, member, names, reading, read)
    reading.choose(tuple(members))
    chosen = reading.candidates()[0]
    inner_wanted, reading.wanted_sheet = reading.wanted_sheet, None
    frame = _read_member(archive, members[chosen], names, reading, read)
    reading.wanted_sheet, reading.sheets, reading.sheet = inner_wanted, tuple(members), chosen
    return frame


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return the members that may be tables by name, those with a table's ending first."""
    kept: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        path = PurePosixPath(info.filename)
        hidden = path.name.startswith(".") or "__MACOSX" in path.parts
        if not (not info.filename or info.is_dir() or hidden or path.suffix.lower() in _NO_TABLES):
            kept.setdefault(info.filename, info)
    return dict(sorted(kept.items(), key=lambda item: PurePosixPath(item[0]).suffix.lower() not in _TABLES))


def _names_files(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo]) -> dict[str, Source]:
    """Take out of the members the .names files of C4.5 that stand beside rows; by their path without the ending."""
    found = [name for name in members if PurePosixPath(name).suffix.lower() == ".names"]
    if len(found) == len(members):
        return {}
    names = {}
    for name in found:
        source = _member_source(archive, members[name])
        if not members[name].flag_bits & _ENCRYPTED and is_c45_names(source.head, name):
            names[str(PurePosixPath(name).with_suffix(""))] = source
            del members[name]
    return names


def _memo_files(archive: zipfile.ZipFile) -> dict[str, Source]:
    """The files of memos, by the path of their table in small letters."""
    found = {}
    for info in archive.infolist():
        path = PurePosixPath(info.filename)
        if path.suffix.lower() in ENDINGS and not info.flag_bits & _ENCRYPTED:
            found[str(path.with_suffix(".dbf")).lower()] = _member_source(archive, info)
    return found


def _member_source(archive: zipfile.ZipFile, info: zipfile.ZipInfo, names: Source | None = None) -> Source:
    return Source(lambda: cast(BinaryIO, archive.open(info)), info.file_size, companion=names)


def _read_member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, names: dict[str, Source], reading: Reading, read: Read
) -> pd.DataFrame:
    """Return the table of one member; a workbook inside is read, an archive inside is refused."""
    if info.flag_bits & _ENCRYPTED:
        raise InputError(
            message(
                "'{member}' in '{file}' is protected by a password: pack it without one.",
                member=info.filename,
                file=reading.name,
            )
        )
    reading.budget.check(reading.name, unpacked=info.file_size)
    reading.remarks.append(lambda: message("Unpacked '{member}' from the zip archive.", member=info.filename))
    beside = names.get(str(PurePosixPath(info.filename).with_suffix(""))) or names.get(info.filename.lower())
    member = _member_source(archive, info, beside)
    if member.head.startswith(b"\x1f\x8b"):
        raise InputError(_packed_twice(reading.name))
    if not member.head.startswith(b"PK\x03\x04"):
        return read(member, reading)
    with zipfile.ZipFile(io.BytesIO(reading.content(member))) as inner:
        office = _office_reader(inner, reading.name)
        if office is None:
            raise InputError(_packed_twice(reading.name))
        return office(inner, reading)
