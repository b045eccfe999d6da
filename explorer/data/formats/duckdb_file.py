"""DuckDB databases, with the optional package duckdb: base tables, read-only, without access to anything else."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from explorer.data.arrow_frame import pandas_frame
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message

_ROWS_AT_ONCE = 1 << 14
_CONFIG = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_unsigned_extensions": "false",
    "threads": "1",
    "lock_configuration": "true",
    "memory_limit": "1GB",  # always the same: DuckDB opens a file twice only with the same settings
}
"""Given when connecting: two readers of one file share a database, which the first would lock for the second."""
_TABLES = "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary ORDER BY table_oid"
_COLUMNS = (
    "SELECT column_name, data_type FROM duckdb_columns() WHERE schema_name = ? AND table_name = ? AND NOT internal "
    "AND NOT is_generated ORDER BY column_index"
)


_TIME_WITH_OFFSET = "TIME WITH TIME ZONE"


def read_duckdb(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the base table asked for, or the first that has rows.

    Raises `InputError` for a damaged database, and where the package duckdb is missing.
    """
    try:
        import duckdb
    except ImportError as error:
        raise InputError(
            message(
                "'{file}' is a DuckDB database, which needs the package duckdb: run '{command}', or export the table "
                "as CSV.",
                file=reading.name,
                command="pip install duckdb",
            )
        ) from error
    try:
        with _path_of(source, reading) as path, _connected(duckdb, path) as database:
            return _first_with_rows(database, reading)
    except (duckdb.Error, pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            message(
                "'{file}' is a damaged or too recent DuckDB database ({error}): export the table as CSV.",
                file=reading.name,
                error=str(error).replace(str(source.path), reading.name)[:200],
            )
        ) from error


@contextlib.contextmanager
def _path_of(source: Source, reading: Reading) -> Iterator[Path]:
    """Give the path of the database: DuckDB opens no bytes, so those get a private file that is removed at once."""
    if source.path is not None:
        yield source.path
        return
    with tempfile.TemporaryDirectory(prefix="decision-tree-explorer-") as folder:
        path = Path(folder) / "table.duckdb"
        path.write_bytes(reading.content(source))
        yield path


@contextlib.contextmanager
def _connected(duckdb: Any, path: Path) -> Iterator[Any]:
    database = duckdb.connect(str(path), read_only=True, config=_CONFIG)
    try:
        yield database
    finally:
        database.close()


def _first_with_rows(database: Any, reading: Reading) -> pd.DataFrame:
    tables = {_label(*found): found for found in database.execute(_TABLES).fetchall()}
    reading.choose(tuple(tables))
    for label in reading.candidates():
        kinds = dict(database.execute(_COLUMNS, list(tables[label])).fetchall())
        table = _rows_of(database, tables[label], kinds, reading)
        if table.num_rows:
            reading.sheet = label
            reading.remarks.append(lambda: message("Read from table '{table}'.", table=reading.sheet))
            ordered = {name for name, kind in kinds.items() if kind.startswith("ENUM")}
            return pandas_frame(table, reading.remarks, ordered)
    raise InputError(
        message("'{file}' has no base table with rows: export the view or table you need as CSV.", file=reading.name)
    )


def _label(schema: str, table: str) -> str:
    return table if schema == "main" else f"{schema}.{table}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _cell(name: str, kind: str) -> str:
    """The expression of a column: times with an offset as text, of which Arrow would take the offset away."""
    return f"CAST({_quoted(name)} AS VARCHAR) AS {_quoted(name)}" if kind == _TIME_WITH_OFFSET else _quoted(name)


def _rows_of(database: Any, place: tuple[str, str], kinds: Mapping[str, str], reading: Reading) -> pa.Table:
    schema, table = place
    reading.check(0, len(kinds))
    listed = ", ".join(_cell(name, kind) for name, kind in kinds.items())
    rows_of = database.sql(f"SELECT {listed} FROM {_quoted(schema)}.{_quoted(table)}")
    reader = rows_of.to_arrow_reader(_ROWS_AT_ONCE)
    batches, rows, size = [], 0, 0
    for batch in reader:
        rows, size = rows + batch.num_rows, size + batch.nbytes
        reading.check(rows, len(kinds))
        reading.budget.check(reading.name, unpacked=size)
        reading.at(0.5)
        batches.append(batch)
    return pa.Table.from_batches(batches, reader.schema)
