"""Random typed tables in formats that have few types of their own, with the columns that these keep (docs/types.md)."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa

import explorer as ex

NUMBERS = frozenset({"whole", "small", "real", "single", "one"})
TEXTS = frozenset({"word", "digits", "zip", "id"})
LONG = frozenset({"long", "huge"})
CELLS_WITHOUT_TYPE = NUMBERS | TEXTS | LONG | {"price", "exact", "marked digits", "flag"}
SQL_TYPES = {pa.int64(): "INTEGER", pa.int8(): "INTEGER", pa.float64(): "REAL", pa.float32(): "REAL"}
Rows = Sequence[Sequence[Any]]


def as_text(table: pa.Table, delimiter: str) -> bytes:
    """Delimited text, quoted where the format asks for it."""
    out = io.StringIO()
    lines = [["" if cell is None else str(cell) for cell in row] for row in _rows(table)]
    csv.writer(out, delimiter=delimiter).writerows([table.column_names, *lines])
    return out.getvalue().encode()


def as_json_lines(table: pa.Table) -> bytes:
    """An object a row; Decimals without a fraction are whole numbers."""
    lines = [[int(cell) if type(cell).__name__ == "Decimal" else cell for cell in row] for row in _rows(table)]
    return "\n".join(json.dumps(dict(zip(table.column_names, row, strict=True))) for row in lines).encode()


def as_arff(table: pa.Table) -> bytes:
    """Numbers, texts, and the target as a nominal attribute."""
    head = ["@relation t"]
    for field in table.schema:
        labels = ",".join(dict.fromkeys(map(_quoted, table["y"].to_pylist())))
        kind = f"{{{labels}}}" if field.name == "y" else "string" if pa.types.is_string(field.type) else "numeric"
        head.append(f"@attribute {_quoted(field.name)} {kind}")
    lines = [",".join(map(_quoted, row)) for row in _rows(table)]
    return "\n".join([*head, "@data", *lines]).encode()


def as_sqlite(table: pa.Table) -> bytes:
    """A table of a database."""
    kinds = [f'"{field.name}" {SQL_TYPES.get(field.type, "TEXT")}' for field in table.schema]
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE t ({', '.join(kinds)})")
    database.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(kinds))})", _rows(table))
    database.commit()
    return database.serialize()


def as_workbook(table: pa.Table) -> bytes:
    """A sheet of a workbook."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in [table.column_names, *_rows(table)]:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def _quoted(cell: Any) -> str:
    if cell is None:
        return "?"
    return f'"{cell}"' if isinstance(cell, str) else str(cell)


def _rows(table: pa.Table) -> Rows:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


FORMATS: dict[str, tuple[Callable[[pa.Table], bytes], frozenset[str], frozenset[object]]] = {
    "t.csv": (lambda table: as_text(table, ","), CELLS_WITHOUT_TYPE, frozenset({"NA"})),
    "t.txt": (lambda table: as_text(table, "\t"), CELLS_WITHOUT_TYPE, frozenset({"NA"})),
    "t.xlsx": (as_workbook, NUMBERS | TEXTS, frozenset({"NA", True})),
    "t.jsonl": (as_json_lines, NUMBERS | TEXTS | LONG | {"mark", "marked digits", "flag"}, frozenset()),
    "t.arff": (as_arff, NUMBERS | TEXTS, frozenset({True})),
    "t.sqlite": (as_sqlite, NUMBERS | TEXTS | {"long", "mark", "marked digits"}, frozenset({True})),
}
"""How each is written, the columns that it keeps, and labels of a target that it has not."""


def kept_parts(table: pa.Table) -> Iterator[tuple[str, pa.Table, pd.DataFrame]]:
    """The rows in each format as it gives them back, beside the columns that it keeps."""
    labels = set(table["y"].to_pylist())
    for name, (write, kept, has_not) in FORMATS.items():
        columns = [column for column in table.column_names if column in kept]
        if columns and not labels & has_not:
            part = table.select([*columns, "y"])
            yield name, part, ex.read_table(write(part), name=name).frame
