"""Runs exported Python and SQL, and holds their predictions against the tree's."""

import sqlite3
from typing import Any

import numpy as np
import pandas as pd
import pytest

import explorer as ex


def by_python(tree: ex.Tree, rows: pd.DataFrame) -> tuple[list[Any], list[list[float]] | None]:
    """Predictions and shares of the exported Python, run in a namespace of its own."""
    module: dict[str, Any] = {"__name__": "exported"}
    exec(compile(ex.to_python(tree), "exported.py", "exec"), module)
    predicted = [module["predict"](row) for row in rows.to_dict("records")]
    shares = [list(shares.values()) for _, shares in predicted] if tree.classes else None
    return [prediction for prediction, _ in predicted], shares


def by_sql(tree: ex.Tree, rows: pd.DataFrame, table: str = "rows") -> tuple[list[Any], list[list[float]] | None]:
    """Predictions and shares of the exported SQL, run in SQLite."""
    names = ", ".join('"' + str(name).replace('"', '""') + '"' for name in rows)
    quoted = '"' + table.replace('"', '""') + '"'
    cells = rows.astype(object).where(rows.notna(), None).to_numpy().tolist()
    with sqlite3.connect(":memory:") as database:
        database.execute(f"CREATE TABLE {quoted} ({names})")
        database.executemany(f"INSERT INTO {quoted} VALUES ({', '.join('?' * len(rows.columns))})", cells)
        selected = database.execute(ex.to_sql(tree, table)).fetchall()
    classes, width = len(tree.classes), len(rows.columns)
    shares = [list(row[width + 1 : width + 1 + classes]) for row in selected] if classes else None
    return [row[-1] for row in selected], shares


def assert_same_predictions(tree: ex.Tree, rows: pd.DataFrame, run: Any) -> None:
    """The exported form predicts what the tree predicts."""
    predictions, shares = run(tree, rows)
    if tree.is_regression:
        assert predictions == pytest.approx(tree.predict(rows).tolist(), rel=1e-12)
        return
    assert predictions == tree.predict(rows).tolist()
    np.testing.assert_allclose(shares, tree.predict_proba(rows), atol=1e-12)
