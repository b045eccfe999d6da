"""`ex.connect`: a table that stays where it is, in files that DuckDB reads, a database, or Spark."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from explorer.data.encode import Kind
from explorer.errors import ColumnError, InputError
from explorer.messages import listing, message
from explorer.sources.origins.csv_files import csv_table
from explorer.sources.origins.duckdb_origin import DuckOrigin, Settings
from explorer.sources.origins.duckdb_session import first_line, imported_duckdb
from explorer.sources.origins.parquet_facts import parquet_facts
from explorer.sources.origins.same_columns import check_same_columns
from explorer.sources.origins.spark_origin import SparkOrigin
from explorer.sources.source import Progress, Selection, Source, Tuning, Workspace
from explorer.sources.sql.queries import DUCKDB
from explorer.values import Value

ENGINES = ("mapped", "duckdb")
PARQUET, CSV, DATABASE = (".parquet", ".pq"), (".csv", ".tsv", ".csv.gz", ".tsv.gz"), (".duckdb", ".ddb", ".db")


def connect(
    origin: Any,
    target: str | None = None,
    *,
    table: str | None = None,
    features: Sequence[str] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    weights: str | None = None,
    classes: Sequence[Value] | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
    disk_limit: str | None = None,
    engine: str | None = None,
    bins: int = 256,
    codes_per_bin: int = 64,
    rows_in_memory: int = 20_000,
    values_at_once: int | None = None,
) -> Source:
    """Connect a table whose rows stay where they are; the arguments up to `classes` are as in `Dataset.from_frame`.

    `origin` is a Parquet or CSV file, a pattern such as "folder/*.parquet", a DuckDB database with `table`, or a Spark
    data frame. Categories and classes are in sorted order unless `kinds` or `classes` list them. Without a target the
    source can only say its columns. `memory_limit` ("300MB") and `disk_limit` ("10GB") bound what DuckDB takes, 1 GB or
    a quarter of the free memory unless given; the other arguments cost or save time and memory, never a result.
    `engine` says what counts: "duckdb" by SQL, or "mapped", compiled loops over files of codes and numbers (up to 10
    bytes a cell in the temporary folder), which is several times as fast. None stands for the second where the disk
    has room and no `disk_limit` is given.
    The working table is made when it is first needed. Raises InputError.
    """
    selection = Selection(
        target=target or "",
        features=None if features is None else tuple(map(str, features)),
        kinds=tuple((str(name), kind) for name, kind in (kinds or {}).items()),
        weights=weights,
        classes=None if classes is None else tuple(classes),
    )
    settings = Settings(memory_limit, threads, disk_limit, _engine(engine, disk_limit))
    found = _origin(origin, table, settings, kinds)
    at_once = found.values_at_once if values_at_once is None else values_at_once
    tuning = Tuning(bins, codes_per_bin, rows_in_memory, at_once)
    return Source(Workspace(found, selection, tuning, found.steps))


def _origin(
    origin: Any, table: str | None, settings: Settings, kinds: Mapping[str, Kind] | None
) -> DuckOrigin | SparkOrigin:
    """What reads the table: Spark its data frames, DuckDB everything else."""
    return SparkOrigin(origin) if _is_spark_frame(origin) else local_origin(origin, table, settings, kinds)


def _is_spark_frame(given: object) -> bool:
    """Whether something is a Spark DataFrame, without importing pyspark for that."""
    return any(
        kind.__module__.startswith("pyspark.sql") and kind.__name__ == "DataFrame" for kind in type(given).__mro__
    )


def _engine(engine: str | None, disk_limit: str | None) -> str | None:
    """What is to count; InputError for a name that is none."""
    if engine not in (None, *ENGINES):
        listed = listing(map(repr, ENGINES))
        raise InputError(
            message("There is no engine {engine!r} for files: use {engines}.", engine=engine, engines=listed)
        )
    return "duckdb" if engine is None and disk_limit is not None else engine


def local_origin(
    origin: Any,
    table: str | None,
    settings: Settings,
    kinds: Mapping[str, Kind] | None = None,
    progress: Progress | None = None,
) -> DuckOrigin:
    """Files or a database by their path; columns with one of the `kinds` may be numbers in one text file, else text.

    `progress(files looked at, files in all)` may raise Stopped.
    """
    if not isinstance(origin, str | os.PathLike):
        raise InputError(
            message(
                "A {type} cannot be connected: give the path of a Parquet or CSV file, a pattern of them, a DuckDB "
                "database, or a Spark data frame. Tables in memory go to Dataset.from_frame.",
                type=type(origin).__name__,
            )
        )
    imported_duckdb()
    kinds = kinds or {}
    path = os.fspath(origin)
    files = _files(path)
    name, first = Path(path).name, files[0].name.lower()
    listed = ", ".join(DUCKDB.text(glob.escape(str(file))) for file in files)
    if first.endswith(DATABASE):
        return _database_table(files, table, settings)
    if table is not None:
        raise InputError(
            message("'{file}' is one table: leave out table=, which names a table of a DuckDB database.", file=name)
        )
    if first.endswith(PARQUET):
        options = ", union_by_name = true" if has_several_types(files) else ""
        facts = parquet_facts(files[0])
        relation = facts.relation(f"read_parquet([{listed}]{options})")
        return DuckOrigin(name, relation, files, settings, notes=facts.notes, declared=facts.declared)
    if first.endswith(CSV):
        numeric = [column for column, kind in kinds.items() if kind == "numeric"]
        text = csv_table(files, kinds, progress, numeric)
        return DuckOrigin(name, text.sql(), files, settings, text=text)
    raise InputError(
        message(
            "'{file}' has none of the endings {endings}: give a Parquet or CSV file or a DuckDB database.",
            file=name,
            endings=listing((*PARQUET, *CSV, *DATABASE)),
        )
    )


def _files(text: str) -> tuple[Path, ...]:
    """The files of a path or pattern, sorted; InputError where there are none."""
    path = Path(text)
    if path.is_dir():
        raise InputError(
            message(
                "'{path}' is a folder: name its files by a pattern such as '{pattern}'.",
                path=text,
                pattern=str(path / "*.parquet"),
            )
        )
    if path.exists():
        return (path,)
    matches = glob.glob(text, recursive=True)  # noqa: PTH207 - a pattern may begin at the root
    found = tuple(path for match in sorted(matches) if (path := Path(match)).is_file())
    if not found:
        raise InputError(message("There is no file '{path}': check the path or pattern.", path=text))
    return found


def _database_table(files: tuple[Path, ...], table: str | None, settings: Settings) -> DuckOrigin:
    """A table or view of a DuckDB database, opened read-only; InputError that lists them where it is not named."""
    if len(files) > 1:
        raise InputError(message("The pattern fits several DuckDB databases: name one of them."))
    names = _tables(files[0])
    if table is None and len(names) == 1:
        table = next(iter(names))
    if table not in names:
        listed = listing(list(names)[:8]) or "–"
        if table is None:
            text = message("Name a table of '{file}' by table=: it has {tables}.", file=files[0].name, tables=listed)
        else:
            text = message(
                "There is no table '{table}' in '{file}': it has {tables}.",
                table=table,
                file=files[0].name,
                tables=listed,
            )
        raise InputError(text)
    relation = ".".join(map(DUCKDB.identifier, ("source", *names[table])))
    return DuckOrigin(f"{files[0].name}: {table}", relation, files, settings, attach=files[0])


def _tables(file: Path) -> dict[str, tuple[str, str]]:
    """The tables and views of a database by their names, with the schema where it is not the main one."""
    duckdb = imported_duckdb()
    try:
        with duckdb.connect() as database:
            database.execute(f"ATTACH {DUCKDB.text(str(file))} AS source (READ_ONLY)")
            found = database.sql(
                "SELECT table_schema, table_name FROM information_schema.tables\n"
                "WHERE table_catalog = 'source' ORDER BY ALL"
            ).fetchall()
    except duckdb.Error as error:
        raise InputError(
            message("'{table}' cannot be read ({error}): check the file.", table=file.name, error=first_line(error))
        ) from error
    return {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in found}


def has_several_types(files: Sequence[Path]) -> bool:
    """Whether the same column is of several types of number in these Parquet files; InputError for other differences.

    >>> has_several_types([])
    False
    """
    schemas = [(file, _schema(file)) for file in files]
    if len(files) < 2:
        return False
    check_same_columns(schemas)
    (first, expected), differ = schemas[0], False
    for file, schema in schemas[1:]:
        for name in expected:
            if schema[name] != expected[name]:
                differ = True
                if _sort(schema[name]) != _sort(expected[name]):
                    text = message(
                        "Column '{column}' is of type {type} in '{file}', but of type {other} in '{first}': write the "
                        "files with one type.",
                        column=name,
                        type=str(schema[name]),
                        file=file.name,
                        other=str(expected[name]),
                        first=first.name,
                    )
                    raise ColumnError(text, name)
    return differ


def _schema(file: Path) -> dict[str, pa.DataType]:
    """The types of the columns of a Parquet file; text is one type, dictionaries are what they hold."""
    try:
        schema = parquet.read_schema(file)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            message("'{table}' cannot be read ({error}): check the file.", table=file.name, error=first_line(error))
        ) from error
    _check_names(file, schema.names)
    return {field.name: _plain(field.type) for field in schema}


def _check_names(file: Path, names: Sequence[str]) -> None:
    """ColumnError for two columns that DuckDB, which takes A for a, would give other names."""
    known: dict[bytes, str] = {}
    for name in names:
        key = name.encode().lower()
        if key in known:
            text = message(
                "Columns '{first}' and '{second}' of '{file}' have the same name but for capital letters, and DuckDB "
                "does not tell them apart: rename one of them.",
                first=known[key],
                second=name,
                file=file.name,
            )
            raise ColumnError(text, name)
        known[key] = name


def _plain(kind: pa.DataType) -> pa.DataType:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.string() if pa.types.is_large_string(kind) or pa.types.is_string_view(kind) else kind


def _sort(kind: pa.DataType) -> str:
    """What may be joined in one column: numbers, or dates, or one other type."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "number"
    return "date" if pa.types.is_date(kind) or pa.types.is_timestamp(kind) else str(kind)
