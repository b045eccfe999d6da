"""SQLite databases: the cells of a base table are read; no view, trigger, function or other statement of it is run."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pandas as pd

from explorer.data.arrow_frame import left_out_notes
from explorer.data.formats.columns import Columns
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message

_ROWS_BETWEEN_REPORTS = 1000
_STORED = (0, 1)
"""Ordinary columns; hidden ones of virtual tables are 1, generated ones 2 and 3."""
_TABLES = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
)


def read_sqlite(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the base table asked for, or the first that has rows; `InputError` for a damaged database."""
    try:
        with contextlib.closing(_opened(source, reading)) as database:
            _restrict(database, reading)
            tables = tuple(name for (name,) in database.execute(f"{_TABLES} LIMIT 10000"))
            reading.choose(tables)
            for table in reading.candidates():
                columns = _stored_columns(database, table)
                if columns and database.execute(f"SELECT 1 FROM {_quoted(table)} LIMIT 1").fetchone():
                    reading.sheet = table
                    return _frame(database, table, columns, reading)
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        raise InputError(
            message(
                "'{file}' is a damaged or restricted SQLite database ({error}): export the table as CSV.",
                file=reading.name,
                error=error,
            )
        ) from error
    raise InputError(
        message("'{file}' has no base table with rows: export the view or table you need as CSV.", file=reading.name)
    )


def _opened(source: Source, reading: Reading) -> sqlite3.Connection:
    """Open a file where it lies, read-only and with what its log has, or its bytes in memory."""
    reading.budget.check(reading.name, unpacked=source.size or 0)
    if source.size is not None and source.size < _size_in_header(source.head):
        raise InputError(message("'{file}' is an SQLite database that was cut off: copy it again.", file=reading.name))
    if source.path is not None:
        log = _log_beside(source.path)
        address = f"{source.path.resolve().as_uri()}?mode=ro{'' if log else '&immutable=1'}"
        database = sqlite3.connect(address, uri=True, check_same_thread=False)
        if log is not None:
            _read_with_log(database, log, reading)
        return database
    content = bytearray(reading.content(source))
    if content[_VERSIONS] == _WITH_LOG:  # in memory there is no log, whose rows are lost if it was not written back
        content[_VERSIONS] = _WITHOUT_LOG
        reading.remarks.append(lambda: _log_apart_text(reading.name))
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.deserialize(bytes(content))
    return database


_VERSIONS = slice(18, 20)
"""Where the header says by which version of the format a file is to be written and read."""
_WITHOUT_LOG, _WITH_LOG = b"\x01\x01", b"\x02\x02"


def _log_beside(path: Path) -> Path | None:
    """The file beside a database with changes that are not in it yet, or that must be taken back."""
    logs = [path.with_name(path.name + ending) for ending in ("-wal", "-journal")]
    return next((log for log in logs if log.is_file() and log.stat().st_size), None)


def _read_with_log(database: sqlite3.Connection, log: Path, reading: Reading) -> None:
    """Make sure that SQLite can read the log, which it has to write to where another program was cut off."""
    try:
        database.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
    except sqlite3.OperationalError as error:
        database.close()
        raise InputError(
            message(
                "'{file}' has changes in '{log}' that cannot be read ({error}): close the program that writes it, or "
                "open and close it in sqlite3, then load it again.",
                file=reading.name,
                log=log.name,
                error=error,
            )
        ) from error
    reading.remarks.append(lambda: message("Read with the changes in '{log}'.", log=log.name))


def _log_apart_text(name: str) -> str:
    return message(
        "'{file}' has a write-ahead log: changes that are only in '{file}-wal' are not in this table.", file=name
    )


def _size_in_header(head: bytes) -> int:
    """Return how many bytes the database has by its own header (0 where an old version did not write it)."""
    page_size = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big") if head[24:28] == head[92:96] else 0
    return (1 << 16 if page_size == 1 else page_size) * pages


def _restrict(database: sqlite3.Connection, reading: Reading) -> None:
    """Allow reading tables and nothing else: no functions, no writing, no other files, no extensions."""
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "mmap_size = 0"):
        database.execute(f"PRAGMA {pragma}")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(reading.budget.bytes, (1 << 31) - 1))
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    database.set_authorizer(_authorize)


def _authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
    harmless = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
    about_columns = action == sqlite3.SQLITE_PRAGMA and first == "table_xinfo"
    like = action == sqlite3.SQLITE_FUNCTION and second == "like"
    return sqlite3.SQLITE_OK if harmless or about_columns or like else sqlite3.SQLITE_DENY


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _stored_columns(database: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns whose cells are stored; generated ones would run code of the file."""
    facts = database.execute(f"PRAGMA table_xinfo({_quoted(table)})").fetchall()
    return [str(name) for _, name, _, _, _, _, hidden in facts if hidden in _STORED]


def _frame(database: sqlite3.Connection, table: str, names: list[str], reading: Reading) -> pd.DataFrame:
    """Return the cells of a table; binary ones are left out."""
    reading.check(0, len(names))
    columns, binary, size = Columns(reading, names), set[str](), 0
    cursor = database.execute(f"SELECT {', '.join(map(_quoted, names))} FROM {_quoted(table)}")
    for number, row in enumerate(cursor):
        cells = dict(zip(names, row, strict=True))
        for name, value in cells.items():
            if isinstance(value, bytes):
                binary.add(name)
                cells[name] = None
            elif isinstance(value, str):
                size += len(value)
        columns.add(cells)
        reading.budget.check(reading.name, unpacked=size)  # rows of a crafted file may share one long text
        if number % _ROWS_BETWEEN_REPORTS == 0:
            reading.at(0.5)
    n_tables = len(reading.sheets)
    reading.remarks.append(
        lambda: (
            message("Read from table '{table}', one of {tables}.", table=reading.sheet, tables=n_tables)
            if n_tables > 1
            else message("Read from table '{table}'.", table=reading.sheet)
        )
    )
    reading.remarks.extend(left_out_notes([(name, "binary") for name in names if name in binary]))
    return columns.frame().drop(columns=sorted(binary))
