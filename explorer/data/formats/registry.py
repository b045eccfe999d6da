"""The formats by their first bytes, and the reader of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pandas as pd

from explorer.data.formats.apart.r_files import read_r
from explorer.data.formats.apart.statistics import SAS, SAS_TRANSPORT, SPSS, STATA
from explorer.data.formats.archives import read_gzip, read_zip
from explorer.data.formats.arrow import read_feather, read_ipc_stream, read_parquet
from explorer.data.formats.dbf import is_dbf, read_dbf
from explorer.data.formats.declared.arff import is_arff, read_arff
from explorer.data.formats.declared.c45 import is_c45_names, names_of, read_c45, rows_of, without_data
from explorer.data.formats.declared.libsvm import is_libsvm, read_libsvm
from explorer.data.formats.declared.orange import is_orange, read_orange
from explorer.data.formats.duckdb_file import read_duckdb
from explorer.data.formats.json_records import is_json, read_json
from explorer.data.formats.sqlite_file import read_sqlite
from explorer.data.formats.stacked import read_stacked
from explorer.data.formats.unreadable import refuse_unreadable
from explorer.data.formats.workbooks.xls import is_xls, read_xls
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.text.read_text import read_text
from explorer.errors import InputError
from explorer.messages import message

Reader = Callable[[Source, Reading], pd.DataFrame]
"""Reads a source into a frame whose column names are as in the file; appends remarks to the reading."""

_MAGIC: tuple[tuple[re.Pattern[bytes], Reader], ...] = (
    (re.compile(rb"PAR1"), read_parquet),
    (re.compile(rb"ARROW1"), read_feather),
    (re.compile(rb"\xff\xff\xff\xff...\x00.\x00\x00\x00", re.DOTALL), read_ipc_stream),
    (re.compile(rb"SQLite format 3\x00"), read_sqlite),
    (re.compile(rb".{8}DUCK", re.DOTALL), read_duckdb),
    (re.compile(rb"\$FL[23]"), SPSS),
    (re.compile(rb"<stata_dta>|[\x69-\x73][\x01\x02]\x01\x00"), STATA),
    (re.compile(rb"\x00{12}\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11"), SAS),
    (re.compile(rb"RDX[23]\nX\n|X\n\x00\x00\x00[\x02\x03]\x00"), read_r),
    (re.compile(rb"HEADER RECORD\*{7}(?:LIBRARY|LIBV8  ) HEADER RECORD!{7}"), SAS_TRANSPORT),
)
_DECLARED: tuple[tuple[Callable[[bytes], bool], Reader], ...] = (
    (is_arff, read_arff),
    (is_orange, read_orange),
    (is_libsvm, read_libsvm),
)
_PACKED: tuple[tuple[bytes, Callable[[Source, Reading, Reader], pd.DataFrame]], ...] = (
    (b"\x1f\x8b", read_gzip),
    (b"PK\x03\x04", read_zip),
    (b"PK\x05\x06", read_zip),
)


def read_any(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the frame of a file of any format; `InputError` for one that holds no table."""
    return read_stacked(source, reading, _read_one) if reading.options.stacked else _read_one(source, reading)


def _read_one(source: Source, reading: Reading) -> pd.DataFrame:
    for magic, unpack in _PACKED:
        if source.head.startswith(magic):
            return unpack(source, reading, _read_unpacked)
    return _read_unpacked(source, reading)


def _read_unpacked(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the frame of a file, or of an archive's member: members are not unpacked again."""
    if not source.head:
        raise InputError(
            message("'{file}' is empty: load a file with a header line and at least one row.", file=reading.name)
        )
    reader = _reader_of(source, reading.name)
    reading.has_marks = reader in (read_text, read_xls)
    return reader(source, reading)


def _read_rows_beside(names: Source, reading: Reading) -> pd.DataFrame:
    """Return the rows of the .data file beside a .names file."""
    rows = rows_of(names)
    if rows is None:
        raise without_data(reading.name)
    return read_c45(rows, reading, names)


def _reader_of(source: Source, name: str) -> Reader:
    for magic, reader in _MAGIC:
        if magic.match(source.head):
            return reader
    if is_xls(source):
        return read_xls
    if is_dbf(source.head):
        return read_dbf
    refuse_unreadable(source, name)
    names = names_of(source)
    if names is not None:
        return partial(read_c45, names=names)
    if is_c45_names(source.head, name):
        return _read_rows_beside
    for is_it, read in _DECLARED:
        if is_it(source.head):
            return read
    return read_json if is_json(source.head, name) else read_text
