"""Random tables of typed columns, in every format that has the types, for the law that all give one tree."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather

import explorer as ex

Random = np.random.Generator
DAY = dt.datetime(2024, 2, 29)
COLUMNS: dict[str, tuple[Callable[[Random], Any], pa.DataType]] = {
    "whole": (lambda r: int(r.integers(-4, 9)), pa.int64()),
    "small": (lambda r: int(r.integers(0, 3)), pa.int8()),
    "long": (lambda r: 2**53 + int(r.integers(0, 4)), pa.int64()),
    "real": (lambda r: float(r.choice([0.1, 0.25, -1e-9, 1e15, 7, 2.5])), pa.float64()),
    "single": (lambda r: float(np.float32(r.choice([0.1, 0.2, 3]))), pa.float32()),
    "price": (lambda r: Decimal(int(r.integers(0, 99))) / 100, pa.decimal128(12, 2)),
    "exact": (lambda r: Decimal(int(r.integers(0, 999))) / 10**6, pa.decimal128(38, 10)),
    "huge": (lambda r: Decimal(10**22 + int(r.integers(0, 4))), pa.decimal128(38, 0)),
    "word": (lambda r: str(r.choice(["a", "B c", "ä", "no, yes", "it's"])), pa.string()),
    "mark": (lambda r: str(r.choice(["NA", "?", "EU", "null"])), pa.string()),
    "digits": (lambda r: str(r.choice(["1", "2.5", "30", "1e2", "-4"])), pa.string()),
    "marked digits": (lambda r: str(r.choice(["1", "2", "?", "NA", " 3 "])), pa.string()),
    "zip": (lambda r: str(r.choice(["01067", "1067", "99", "007"])), pa.string()),
    "id": (lambda r: str(10**18 + int(r.integers(0, 5))), pa.string()),
    "flag": (lambda r: bool(r.integers(0, 2)), pa.bool_()),
    "day": (lambda r: (DAY + dt.timedelta(days=int(r.integers(-20000, 9)))).date(), pa.date32()),
    "moment": (lambda r: DAY + dt.timedelta(hours=int(r.integers(-9999, 9))), pa.timestamp("us")),
    "second": (lambda r: DAY + dt.timedelta(seconds=int(r.integers(-9, 9))), pa.timestamp("s")),
    "clock": (lambda r: dt.time(int(r.integers(0, 5)), 30, 0, int(r.choice([0, 500_000]))), pa.time64("us")),
    "wait": (lambda r: dt.timedelta(milliseconds=int(r.integers(0, 9)) * 250), pa.duration("ms")),
    "one": (lambda r: 7, pa.int64()),
}
NO_DURATIONS = ("DuckDB", "connected DuckDB")


def random_table(seed: int) -> pa.Table:
    """A table of 12 to 40 rows: one to four columns with gaps, and a target of words, digits or truth values."""
    rng = np.random.default_rng(seed)
    n, gaps = int(rng.integers(12, 40)), float(rng.choice([0.0, 0.1, 0.3]))
    table = {}
    for name in rng.choice([*COLUMNS], int(rng.integers(1, 5)), replace=False):
        make, kind = COLUMNS[name]
        table[str(name)] = pa.array([None if rng.random() < gaps else make(rng) for _ in range(n)], kind)
    labels = [["no", "yes", "NA"], ["0", "1"], [True, False], ["01", "1"]][rng.integers(0, 4)]
    table["y"] = pa.array([labels[int(rng.integers(0, len(labels)))] for _ in range(n)])
    return pa.table(table)


def _bytes_of(write: Callable[[io.BytesIO], object]) -> bytes:
    out = io.BytesIO()
    write(out)
    return out.getvalue()


def _duckdb_file(table: pa.Table, folder: Path) -> Path:
    """The table as a DuckDB file, which is made once: that takes longer than to read it."""
    file = folder / "t.duckdb"
    if file.exists():
        return file
    with duckdb.connect(str(file)) as database:
        database.register("given", table)
        database.execute("CREATE TABLE t AS FROM given")
    return file


def frames(table: pa.Table, folder: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows in memory, read from each format."""
    yield "Arrow", ex.read_table(table).frame
    yield "Parquet", ex.read_table(_bytes_of(lambda out: pq.write_table(table, out)), name="t.parquet").frame
    yield "Feather", ex.read_table(_bytes_of(lambda out: feather.write_feather(table, out)), name="t.feather").frame
    yield "Polars", ex.read_table(pl.from_arrow(table)).frame
    yield "Polars IPC", ex.read_table(_bytes_of(pl.from_arrow(table).write_ipc), name="t.arrow").frame
    yield "pandas", table.to_pandas(integer_object_nulls=True)
    yield "pandas of Arrow", table.to_pandas(types_mapper=pd.ArrowDtype)
    if "wait" not in table.column_names:
        yield "DuckDB", ex.read_table(_duckdb_file(table, folder)).frame


@contextmanager
def connected(table: pa.Table, folder: Path) -> Iterator[list[tuple[str, ex.Source]]]:
    """The rows connected, as a Parquet file and as a table of DuckDB."""
    sources = []
    pq.write_table(table, folder / "t.parquet")
    sources.append(("connected Parquet", ex.connect(folder / "t.parquet", "y", engine="duckdb")))
    if "wait" not in table.column_names:
        sources.append(("connected DuckDB", ex.connect(_duckdb_file(table, folder), "y", engine="duckdb")))
    try:
        yield sources
    finally:
        for _, source in sources:
            source.close()
