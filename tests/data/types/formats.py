"""Each format of the table of types: a file or frame with a case's column `c`, a feature `z` and the target `y`."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import sqlite3
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather

import explorer as ex
from tests.data.hostile.workbooks import ODS_KIND, ods_number, ods_row, packed
from tests.data.types.cases import NOMINAL, TARGET, Case

Made = ex.Dataset | ex.Source | None
"""Rows in memory or connected; None where the format has no such type."""


def in_memory(given: Any, name: str) -> ex.Dataset:
    """The data set of a table that is read."""
    return ex.Dataset.from_frame(ex.read_table(given, name=name).frame, "y", features=["c"])


def arrow_table(case: Case, labels: Sequence[str]) -> pa.Table | None:
    """The case as an Arrow table."""
    if case.arrow is None:
        return None
    if pa.types.is_dictionary(case.arrow):
        cells = pa.DictionaryArray.from_pandas(pd.Categorical(case.pandas))
        cells = pa.DictionaryArray.from_arrays(cells.indices, cells.dictionary, ordered=case.arrow.ordered)
    else:
        cells = pa.array([Decimal(c) if c is not None and _is_decimal(case) else c for c in case.cells], case.arrow)
    return pa.table({"c": cells, "y": list(labels)})


def _is_decimal(case: Case) -> bool:
    return case.arrow is not None and pa.types.is_decimal(case.arrow)


def text(case: Case, delimiter: str, labels: Sequence[str]) -> bytes:
    """The case as delimited text."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([("c", "y"), *zip(case.written, labels, strict=True)])
    return out.getvalue().encode()


def delimited(delimiter: str, name: str) -> Callable[..., Made]:
    """Text in memory: types of other formats are the texts that they would be written as."""
    return lambda case, folder, labels=TARGET: in_memory(text(case, delimiter, labels), name)


def xlsx(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    if not case.is_in_sheets:
        return None
    book = openpyxl.Workbook()
    for row in [("c", "y"), *zip(case.cells, labels, strict=True)]:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return in_memory(out.getvalue(), "t.xlsx")


def _ods_cell(cell: Any) -> str:
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, bool):
        shown = str(cell)
        return (
            f'<table:table-cell office:value-type="boolean" office:boolean-value="{shown.lower()}">'
            f"<text:p>{shown.upper()}</text:p></table:table-cell>"
        )
    if isinstance(cell, dt.datetime | dt.date):
        return f'<table:table-cell office:value-type="date" office:date-value="{cell.isoformat()}"/>'
    if isinstance(cell, int | float):
        return ods_number(repr(cell))
    return f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'


def opendocument(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    if not case.is_in_sheets:
        return None
    rows = [("c", "y"), *zip(case.cells, labels, strict=True)]
    table = "".join(ods_row("".join(map(_ods_cell, row))) for row in rows)
    content = (
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x'>"
        f"<table:table table:name='One'>{table}</table:table></office:document-content>"
    )
    return in_memory(packed({"mimetype": ODS_KIND, "content.xml": content}), "t.ods")


def _bytes_of(write: Callable[[io.BytesIO], object]) -> bytes:
    out = io.BytesIO()
    write(out)
    return out.getvalue()


def parquet(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    table = arrow_table(case, labels)
    return None if table is None else in_memory(_bytes_of(lambda out: pq.write_table(table, out)), "t.parquet")


def arrow_file(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    table = arrow_table(case, labels)
    return None if table is None else in_memory(_bytes_of(lambda out: feather.write_feather(table, out)), "t.feather")


def json_lines(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    if not case.is_in_json:
        return None
    rows = [{"c": cell, "y": label} for cell, label in zip(case.cells, labels, strict=True)]
    return in_memory("\n".join(map(json.dumps, rows)).encode(), "t.jsonl")


def arff(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    if case.arff is None:
        return None
    kind = f"{{{','.join(sorted(set(case.texts)))}}}" if case.arff == NOMINAL else case.arff
    quoted = ["?" if cell is None else f"'{cell}'" if case.arff == "string" else str(cell) for cell in case.cells]
    rows = [f"{cell},{label}" for cell, label in zip(quoted, labels, strict=True)]
    head = ["@relation t", f"@attribute c {kind}", f"@attribute y {{{','.join(sorted(set(labels)))}}}", "@data"]
    return in_memory("\n".join([*head, *rows]).encode(), "t.arff")


def sqlite(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    if case.sqlite is None:
        return None
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE t (c {case.sqlite}, y TEXT)")
    database.executemany("INSERT INTO t VALUES (?, ?)", zip(case.cells, labels, strict=True))
    database.commit()
    return in_memory(database.serialize(), "t.sqlite")


def duckdb_path(case: Case, folder: Path, labels: Sequence[str]) -> Path | None:
    """A DuckDB file whose column has the case's type."""
    if case.duckdb is None:
        return None
    file = folder / "t.duckdb"
    with duckdb.connect(str(file)) as database:
        cells = pa.table({"c": [None if c is None else str(c) for c in case.cells], "y": list(labels)})
        database.register("cells", cells)
        database.execute(f"CREATE TABLE t AS SELECT CAST(c AS {case.duckdb}) AS c, y FROM cells")
    return file


def duckdb_file(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    file = duckdb_path(case, folder, labels)
    return None if file is None else in_memory(file, "t.duckdb")


def polars_frame(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    table = arrow_table(case, labels)
    cells = case.polars if case.polars is not None else None if table is None else pl.from_arrow(table)["c"]
    return None if cells is None else in_memory(pl.DataFrame({"c": cells, "y": list(labels)}), "t")


def pandas_frame(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    cells = case.pandas if case.pandas is not None else pd.Series(_as_pandas(case.cells))
    return in_memory(pd.DataFrame({"c": cells, "y": list(labels)}), "t")


def _as_pandas(cells: Any) -> Any:
    """Whole numbers with gaps as the type that keeps them; what else pandas makes of the cells by itself."""
    return pd.array(list(cells), dtype="Int64") if all(c is None or type(c) is int for c in cells) else list(cells)


def connected_parquet(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    table = arrow_table(case, labels)
    if table is None:
        return None
    pq.write_table(table, folder / "t.parquet")
    return ex.connect(folder / "t.parquet", target="y", features=["c"])


def connected_csv(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    (folder / "t.csv").write_bytes(text(case, ",", labels))
    return ex.connect(folder / "t.csv", target="y", features=["c"])


def connected_duckdb(case: Case, folder: Path, labels: Sequence[str] = TARGET) -> Made:
    file = duckdb_path(case, folder, labels)
    return None if file is None else ex.connect(file, target="y", features=["c"])


FORMATS: dict[str, Callable[..., Made]] = {
    "text": delimited("\t", "t.txt"),
    "CSV": delimited(",", "t.csv"),
    "xlsx": xlsx,
    "ods": opendocument,
    "Parquet": parquet,
    "Feather": arrow_file,
    "JSON": json_lines,
    "ARFF": arff,
    "SQLite": sqlite,
    "DuckDB": duckdb_file,
    "Polars": polars_frame,
    "pandas": pandas_frame,
    "connected Parquet": connected_parquet,
    "connected CSV": connected_csv,
    "connected DuckDB": connected_duckdb,
}
