"""Runs exported Python and SQL, and holds their predictions against the tree's."""

from __future__ import annotations

import atexit
import base64
import json
import math
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import IO, Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.export import python_runtime
from explorer.recipe.columns import FeatureEncoding

Answers = tuple[list[Any], list[list[float]] | None]
Run = Callable[[ex.Tree, pd.DataFrame], Answers]
ROW = '"number of the row"'


def by_python(tree: ex.Tree, rows: pd.DataFrame) -> Answers:
    """Predictions and shares of the exported Python, run in a namespace of its own."""
    module: dict[str, Any] = {"__name__": "exported"}
    exec(compile(ex.to_python(tree), "exported.py", "exec"), module)
    predicted = [module["predict"](row) for row in rows.to_dict("records")]
    shares = [list(shares.values()) for _, shares in predicted] if tree.classes else None
    return [prediction for prediction, _ in predicted], shares


def by_javascript(tree: ex.Tree, rows: pd.DataFrame) -> Answers:
    """The same of the exported module, run by Node."""
    cells = [dict(zip(map(str, rows.columns), row, strict=True)) for row in cells_of(rows)]
    module = base64.b64encode(ex.to_javascript(tree).encode()).decode()
    asked, said = _node()
    asked.write(f"{json.dumps([module, json.dumps(cells, default=str)])}\n")
    asked.flush()
    predicted = json.loads(said.readline())
    assert isinstance(predicted, list), predicted
    return [one[0] for one in predicted], [one[1] for one in predicted] if tree.classes else None


@cache
def _node() -> tuple[IO[str], IO[str]]:
    """One Node for all, which ends with its input: to start one takes longer than all the rest of a case."""
    node = subprocess.Popen(
        ["node", "--input-type=module", "-e", ANSWER_ALL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert node.stdin is not None
    assert node.stdout is not None
    atexit.register(node.wait, 20)
    atexit.register(node.stdin.close)
    return node.stdin, node.stdout


def by_c(tree: ex.Tree, rows: pd.DataFrame) -> Answers:
    """The same of the exported header, compiled by gcc. Rows hold what the tables hold: texts are trimmed before."""
    header = ex.to_c(tree)
    columns = [tree.features[position] for position in tree.tested_features()]
    lines = ["".join(_c_cell(column, row[column.name]) for column in columns) for row in rows.to_dict("records")]
    table = ",".join(f"{{{line or '{NAN, NULL}'}}}" for line in lines)
    program = f"{header}\n#include <stdio.h>\n" + C_MAIN % {"table": table, "n": len(lines)}
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "gcc",
            "-std=c99",
            "-Wall",
            "-Werror",
            "-Wno-unused-variable",
            "-x",
            "c",
            "-",
            "-o",
            f"{folder}/run",
            "-lm",
        ]
        subprocess.run(command, input=program, text=True, check=True, timeout=60)
        run = subprocess.run([f"{folder}/run"], capture_output=True, text=True, check=True, timeout=60)
    predicted = [[float(word) for word in line.split()] for line in run.stdout.splitlines()]
    if not tree.classes:
        return [line[0] for line in predicted], None
    return [tree.classes[int(line[0])] for line in predicted], [line[1:] for line in predicted]


def _c_cell(encoding: FeatureEncoding, cell: object) -> str:
    """A cell as C writes it, by the rules that the Python file has for reading cells."""
    marks = [label for label in encoding.labels if isinstance(label, str)]
    if encoding.kind == "numeric" and not isinstance(encoding.scale, ex.Ordered):
        number = python_runtime.number_of(cell, encoding.name)
        return "{NAN, NULL}," if number is None else f"{{{number!r}, NULL}},"
    text = python_runtime.category_of(cell, marks)
    return "{NAN, NULL}," if text is None else f"{{NAN, {_c_text(str(text))}}},"


def _c_text(text: str) -> str:
    return '"' + "".join(f"\\{byte:03o}" for byte in text.encode("utf-8", "surrogatepass")) + '"'


C_MAIN = """
static const tree_cell rows[%(n)d][TREE_COLUMNS ? TREE_COLUMNS : 1] = {%(table)s};
int main(void) {
    for (int i = 0; i < %(n)d; i++) {
        double shares[TREE_WIDTH];
        printf("%%.17g", tree_predict(rows[i], shares));
        for (int k = 0; k < TREE_CLASSES; k++) printf(" %%.17g", shares[k]);
        printf("\\n");
    }
    return 0;
}
"""
ANSWER_ALL = """
import { createInterface } from "node:readline";
const sharesOf = (one) => [...(one.probabilities ?? [])].map((pair) => pair[1]);
for await (const line of createInterface({ input: process.stdin })) {
    const [module, rows] = JSON.parse(line);
    try {
        const { predict } = await import(`data:text/javascript;base64,${module}`);
        console.log(JSON.stringify(JSON.parse(rows).map(predict).map((one) => [one.prediction, sharesOf(one)])));
    } catch (error) {
        console.log(JSON.stringify(String(error)));
    }
}
"""


def by_sql(tree: ex.Tree, rows: pd.DataFrame, table: str = "rows") -> Answers:
    """Predictions and shares of the exported SQL, run in SQLite on columns without a type."""
    return _in_sqlite(tree, rows, ["" for _ in rows], cells_of(rows), table)


def by_typed_sqlite(tree: ex.Tree, rows: pd.DataFrame, dialect: str | None = None) -> Answers:
    """The same on columns of the values' types."""
    return _in_sqlite(tree, rows, _types(rows, "REAL", "TEXT"), cells_of(rows), "rows", dialect)


def by_texts_in_sqlite(tree: ex.Tree, rows: pd.DataFrame, dialect: str | None = None) -> Answers:
    """The same on a table of texts as `.import` makes it: missing cells are empty texts."""
    return _in_sqlite(tree, rows, ["TEXT" for _ in rows], texts_of(rows), "rows", dialect)


def by_duckdb(tree: ex.Tree, rows: pd.DataFrame, dialect: str | None = None) -> Answers:
    """The same in DuckDB on columns of the values' types; missing numbers are NaN and NULL in turn."""
    types, cells = _types(rows, "DOUBLE", "VARCHAR"), cells_of(rows)
    for line in cells[::2]:
        numbers = [kind == "DOUBLE" for kind in types]
        line[:] = [math.nan if cell is None and of else cell for cell, of in zip(line, numbers, strict=True)]
    return _in_duckdb(tree, rows, types, cells, dialect)


def by_texts_in_duckdb(tree: ex.Tree, rows: pd.DataFrame) -> Answers:
    """The same in DuckDB on a table of texts, by its own dialect."""
    return _in_duckdb(tree, rows, ["VARCHAR" for _ in rows], texts_of(rows), "duckdb")


ENGINES: dict[str, Run] = {
    "SQLite, no types": by_sql,
    "SQLite": by_typed_sqlite,
    "SQLite, its dialect": partial(by_typed_sqlite, dialect="sqlite"),
    "SQLite, texts": by_texts_in_sqlite,
    "SQLite, texts, its dialect": partial(by_texts_in_sqlite, dialect="sqlite"),
    "DuckDB": by_duckdb,
    "DuckDB, its dialect": partial(by_duckdb, dialect="duckdb"),
    "DuckDB, texts": by_texts_in_duckdb,
    "Python": by_python,
    "JavaScript": by_javascript,
}
"""Every way to run an export."""


def _in_sqlite(
    tree: ex.Tree,
    rows: pd.DataFrame,
    types: Sequence[str],
    cells: list[list[Any]],
    table: str,
    dialect: str | None = None,
) -> Answers:
    with sqlite3.connect(":memory:") as database:
        _fill(database, table, rows, types, cells)
        selected = database.execute(f"{ex.to_sql(tree, table, dialect)} ORDER BY t.{ROW}").fetchall()
    return answers(tree, rows, selected)


def _in_duckdb(
    tree: ex.Tree, rows: pd.DataFrame, types: Sequence[str], cells: list[list[Any]], dialect: str | None
) -> Answers:
    database = _duckdb().begin()
    try:
        _fill(database, "rows", rows, types, cells)
        return answers(tree, rows, database.execute(f"{ex.to_sql(tree, 'rows', dialect)} ORDER BY t.{ROW}").fetchall())
    finally:
        database.rollback()


@cache
def _duckdb() -> Any:
    """One database for all: to open one takes 50 ms."""
    return duckdb.connect(config={"threads": 1})


def cells_of(rows: pd.DataFrame) -> list[list[Any]]:
    """The cells as a database takes them, None for a missing one."""
    return rows.astype(object).where(rows.notna(), None).to_numpy().tolist()


def texts_of(rows: pd.DataFrame) -> list[list[str]]:
    """The cells as a CSV file has them."""
    return [["" if cell is None else str(cell) for cell in row] for row in cells_of(rows)]


def _types(rows: pd.DataFrame, number: str, text: str) -> list[str]:
    kinds = [{type(cell) for cell in column} - {type(None)} for column in zip(*cells_of(rows), strict=True)]
    return ["BOOLEAN" if kind == {bool} else number if kind <= {int, float} else text for kind in kinds]


def _fill(database: Any, table: str, rows: pd.DataFrame, types: Sequence[str], cells: list[list[Any]]) -> None:
    """A table with these cells, and the number of each row in one more column."""
    typed = [f"{_quoted(name)} {kind}" for name, kind in zip(rows.columns, types, strict=True)]
    database.execute(f"CREATE TABLE {_quoted(table)} ({', '.join([*typed, f'{ROW} BIGINT'])})")
    lines = [[*line, number] for number, line in enumerate(cells)]
    if lines:
        marks = ", ".join([f"({', '.join('?' * len(lines[0]))})"] * len(lines))
        database.execute(f"INSERT INTO {_quoted(table)} VALUES {marks}", [cell for line in lines for cell in line])


def _quoted(name: object) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def answers(tree: ex.Tree, rows: pd.DataFrame, selected: Sequence[Sequence[Any]]) -> Answers:
    """Predictions and shares of the selected rows, which begin with the columns of the table."""
    width, classes = len(rows.columns) + 1, len(tree.classes)
    shares = [list(row[width + 1 : width + 1 + classes]) for row in selected] if classes else None
    return [row[-1] for row in selected], shares


def assert_same_predictions(tree: ex.Tree, rows: pd.DataFrame, run: Run) -> None:
    """The exported form predicts what the tree predicts."""
    assert_answers(run(tree, rows), answers_of(tree, rows))


def answers_of(tree: ex.Tree, rows: pd.DataFrame) -> Answers:
    """What the tree itself says."""
    return tree.predict(rows).tolist(), None if tree.is_regression else tree.predict_proba(rows).tolist()


def assert_answers(given: Answers, expected: Answers) -> None:
    """Both are the same: classes exactly, numbers and shares but for their rounding."""
    if expected[1] is None:
        assert given[0] == pytest.approx(expected[0], rel=1e-12)
        return
    assert given[0] == expected[0]
    np.testing.assert_allclose(given[1], expected[1], atol=1e-12)
