"""A first look at a table before it is connected: a sample of its rows, and facts of its columns from all rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from explorer.data.arrow_frame import pandas_frame
from explorer.errors import InputError
from explorer.messages import message
from explorer.sources.encoding.table_columns import FLOATING
from explorer.sources.origins.connect import local_origin
from explorer.sources.origins.csv_errors import csv_error
from explorer.sources.origins.csv_files import with_whole_numbers
from explorer.sources.origins.duckdb_origin import Settings
from explorer.sources.origins.duckdb_session import imported_duckdb, stopped_by_check
from explorer.sources.source import Progress
from explorer.sources.sql.queries import DUCKDB

_MEMORY = "500MB"


@dataclass(frozen=True, eq=False)
class Preview:
    """A sample of the rows, how many there are in all, and by column the missing cells and about how many values."""

    frame: pd.DataFrame
    n_rows: int
    n_missing: dict[str, int]
    n_distinct: dict[str, int]

    @property
    def is_sample(self) -> bool:
        """Whether the table has more rows than these."""
        return len(self.frame) < self.n_rows


def preview(
    path: str,
    table: str | None = None,
    n_rows: int = 100_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Preview:
    """Look at a Parquet or CSV file, at all files of a pattern, or at a table of a DuckDB file.

    Missing cells are counted in all rows, different values estimated in all rows (HyperLogLog); at most `n_rows` rows
    are drawn. Cells are what they are in a file that is read. `progress(files looked at, files in all)` may raise
    Stopped, as the check in force may, which also interrupts a query. Raises InputError.
    """
    with _relation(path, table, progress) as (database, relation):
        described = database.sql(f"DESCRIBE SELECT * FROM {relation}").fetchall()
        names = [str(name) for name, *_ in described]
        known = [_known(str(name), str(kind)) for name, kind, *_ in described]
        facts = ", ".join(f"COUNT({cell}), LEAST(APPROX_COUNT_DISTINCT({cell}), COUNT({cell}))" for cell in known)
        query = f"SELECT COUNT(*), {facts} FROM {relation}"
        ((count, *by_column),) = stopped_by_check(database, lambda: database.sql(query).fetchall())
        if not count:
            raise InputError(message("'{file}' has no rows: choose another table.", file=Path(path).name))
        drawn = f"USING SAMPLE reservoir({n_rows} ROWS) REPEATABLE ({seed})" if count > n_rows else ""
        rows = f"SELECT * FROM {relation} {drawn}"
        frame = pandas_frame(stopped_by_check(database, lambda: database.sql(rows).to_arrow_table()), [])
    present, distinct = by_column[::2], by_column[1::2]
    missing = {name: count - given for name, given in zip(names, present, strict=True)}
    return Preview(frame, count, missing, dict(zip(names, distinct, strict=True)))


def _known(name: str, kind: str) -> str:
    """The expression of a cell, NULL where it is nan or blank."""
    cell = DUCKDB.identifier(name)
    if kind == "VARCHAR":
        return f"CASE WHEN TRIM({cell}) <> '' THEN {cell} END"
    return f"CASE WHEN NOT isnan({cell}) THEN {cell} END" if kind in FLOATING else cell


def tables_in(path: str) -> tuple[str, ...]:
    """The base tables of a DuckDB file; a view is none, as it may read other files. Raises InputError."""
    with _database(path) as database:
        database.execute(f"ATTACH {DUCKDB.text(path)} AS given (READ_ONLY)")
        found = database.sql(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'given' AND schema_name = 'main' "
            "AND NOT internal ORDER BY table_name"
        ).fetchall()
    return tuple(str(name) for (name,) in found)


@contextmanager
def _relation(path: str, table: str | None, progress: Progress | None) -> Iterator[tuple[Any, str]]:
    """A database in memory, and the table as SQL reads it, which is as `connect` reads it."""
    origin = local_origin(path, table, Settings(), progress=progress)
    with _database(path) as database:
        if origin.attach is not None:
            database.execute(f"ATTACH {DUCKDB.text(str(origin.attach))} AS source (READ_ONLY)")
        if origin.text is None:
            yield database, origin.relation
        else:

            def ask(query: str) -> dict[str, Any]:
                found = stopped_by_check(database, lambda: database.sql(query).to_arrow_table())
                row: dict[str, Any] = found.to_pylist()[0]
                return row

            yield database, with_whole_numbers(origin.text, str, ask)


@contextmanager
def _database(path: str) -> Iterator[Any]:
    """DuckDB with a limit on its memory; its errors are errors of what was given."""
    duckdb = imported_duckdb()
    database = duckdb.connect(config={"memory_limit": _MEMORY, "autoinstall_known_extensions": "false"})
    try:
        yield database
    except duckdb.Error as error:
        raise csv_error(error) or InputError(
            message("'{file}' cannot be read: {error}", file=Path(path).name, error=_without_folder(str(error), path))
        ) from error
    finally:
        database.close()


def _without_folder(text: str, path: str) -> str:
    """The first line of an engine's error, without where on the server the file is."""
    return text.replace(str(Path(path).parent) + "/", "").splitlines()[0][:200]
