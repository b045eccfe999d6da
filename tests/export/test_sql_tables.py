"""Exported SQL on the tables that users have: other columns of any name, numbers as text, NaN, truth values."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.export.law import differences
from tests.oracles.examples import slow
from tests.oracles.exported_code import ENGINES, assert_same_predictions, by_duckdb, by_sql
from tests.oracles.tables import sample_dataset

CONNECT: list[Callable[[], Any]] = [lambda: sqlite3.connect(":memory:"), duckdb.connect]
LETTERS = pd.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "b", "c", "d"]})


def tree_on(frame: pd.DataFrame, target: str = "y", recipe: ex.Recipe = ex.CART, **more: Any) -> ex.Tree:
    return ex.grow(ex.Dataset.from_frame(frame, target, **more), recipe)


def predicted(
    database: Any, tree: ex.Tree, table: str = "rows", dialect: str | None = None, by: str = "rowid"
) -> list[Any]:
    """The last column, in the order of the table."""
    query = f"{ex.to_sql(tree, table, dialect)} ORDER BY t.{by}"
    return [row[-1] for row in database.execute(query).fetchall()]


@pytest.mark.parametrize(
    "seeds", [range(12), *(slow(range(first, first + 97)) for first in range(12, 400, 97))], ids=str
)
def test_random_tables_are_predicted_as_by_the_tree(seeds):
    """`python -m tests.export.law 2000` tries more."""
    assert [text for seed in seeds for text in differences(seed)] == []


@pytest.mark.parametrize("connect", CONNECT)
def test_the_results_of_earlier_queries_may_stand_in_the_table(connect):
    database = connect()
    database.execute("CREATE TABLE rows (x INTEGER)")
    database.executemany("INSERT INTO rows VALUES (?)", [(x,) for x in LETTERS.x])
    other = tree_on(LETTERS.assign(y=["d", "d", "a", "a"]))
    database.execute(f"CREATE TABLE scored AS {ex.to_sql(other)}")
    assert predicted(database, tree_on(LETTERS), "scored", by="x") == ["a", "b", "c", "d"]
    database.execute(f"CREATE TABLE again AS {ex.to_sql(tree_on(LETTERS), 'scored')}")
    assert predicted(database, other, "again", by="x") == ["d", "d", "a", "a"]


@pytest.mark.parametrize(
    "name", ["tree node", "Tree Node", "share of a", "predicted y", "leaf", "average", "t", "share0"]
)
@pytest.mark.parametrize("recipe", [ex.CART, ex.C45], ids=["CART", "C4.5"])
def test_other_columns_may_have_any_name(name, recipe):
    rows = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, None], name: [7, 7, 7, 7, 7]})
    tree = tree_on(LETTERS, recipe=recipe)
    for run in ENGINES.values():
        assert_same_predictions(tree, rows, run)


def test_columns_that_differ_by_case_only_are_told_apart_or_refused():
    frame = pd.DataFrame({"x": [1, 1, 2, 2], "X": [1, 2, 1, 2], "y": list("aabc")})
    tree = tree_on(frame)
    for dialect in (None, "sqlite", "duckdb"):
        with pytest.raises(ex.InputError, match="'x' and 'X'"):
            ex.to_sql(tree, dialect=dialect)
    assert 't."X"' in ex.to_sql(tree, dialect="postgresql")
    assert 't."x"' in ex.to_sql(tree_on(frame.assign(y=list("aabb"))))  # only one of them is tested


def test_a_table_imported_by_the_shell_is_read_as_numbers(tmp_path):
    """What `.import --csv` makes: columns of type TEXT, missing cells as empty texts."""
    data = sample_dataset("auto_mpg")
    tree = ex.grow(data, ex.CART)
    frame = data.frame[[feature.name for feature in data.features]]
    frame.to_csv(tmp_path / "cars.csv", index=False)
    with (tmp_path / "cars.csv").open(newline="") as file, sqlite3.connect(":memory:") as database:
        names, *lines = csv.reader(file)
        columns = ", ".join(f'"{name}" TEXT' for name in names)
        database.execute(f"CREATE TABLE cars ({columns})")
        database.executemany(f"INSERT INTO cars VALUES ({', '.join('?' * len(names))})", lines)
        nodes = [row[len(names)] for row in database.execute(ex.to_sql(tree, "cars"))]
    assert nodes == tree.apply(frame).tolist()


@pytest.mark.parametrize(
    "cell", ["", " ", "NA", "?", "nan", "inf", "-inf", "1e999", "-1e999", "abc", "2024-01-05", "0x10", "1-2"]
)
def test_text_that_is_no_finite_number_is_a_missing_cell(cell):
    tree = tree_on(
        pd.DataFrame({"x": [1.0, 2, 3, 4, None, None], "y": list("aabbcc")}),
        recipe=ex.CART.replace(missing="own_branch"),
    )
    for connect, dialect, kind in [
        (CONNECT[0], None, "TEXT"),
        (CONNECT[0], None, ""),
        (CONNECT[1], "duckdb", "VARCHAR"),
    ]:
        database = connect()
        database.execute(f"CREATE TABLE rows (x {kind})")
        database.executemany("INSERT INTO rows VALUES (?)", [("1.5",), (" 3.5 ",), (cell,)])
        assert predicted(database, tree, dialect=dialect) == ["a", "b", "c"]


@pytest.mark.parametrize("dialect", [None, "duckdb"])
def test_nan_and_infinity_are_missing_cells_in_duckdb(dialect):
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, None, None], "y": list("aaabbbaa")})
    tree = tree_on(frame, recipe=ex.CART.replace(missing="own_branch"))
    database = duckdb.connect()
    database.execute("CREATE TABLE rows (x DOUBLE)")
    for cell in ("3", "4", "'nan'", "'inf'", "'-inf'", "NULL"):
        database.execute(f"INSERT INTO rows VALUES ({cell})")
    assert predicted(database, tree, dialect=dialect) == ["a", "b", "a", "a", "a", "a"]
    assert tree.predict(pd.DataFrame({"x": [3.0, 4.0, np.nan]})).tolist() == ["a", "b", "a"]


def test_whole_numbers_of_all_digits_are_compared_as_the_tree_has_read_them():
    frame = pd.DataFrame({"x": [2.0**53, 2.0**53 + 2.0], "y": ["a", "b"]})
    tree = tree_on(frame)  # 2⁵³ + 1 is read as 2⁵³
    for connect in CONNECT:
        database = connect()
        database.execute("CREATE TABLE rows (x BIGINT)")
        database.executemany("INSERT INTO rows VALUES (?)", [(2**53,), (2**53 + 1,), (2**53 + 2,), (None,)])
        assert predicted(database, tree)[:3] == ["a", "a", "b"]


@pytest.mark.parametrize(
    "recipe", [ex.ID3.replace(numeric="each_value"), ex.ID3, ex.C45], ids=["values", "bins", "C4.5"]
)
def test_truth_values_and_numbers_as_categories(recipe):
    frame = pd.DataFrame({"is": [True, False] * 4, "n": [1, 2, 3, 3] * 2, "y": list("abcaabcd")})
    tree = tree_on(frame, recipe=recipe, kinds={"n": "categorical"})
    expected = tree.predict(frame).tolist()
    database = duckdb.connect()
    for kinds in ["BOOLEAN, n INTEGER", "BOOLEAN, n DOUBLE", "VARCHAR, n VARCHAR", "BOOLEAN, n DECIMAL(9, 1)"]:
        database.execute(f'CREATE OR REPLACE TABLE rows ("is" {kinds})')
        database.executemany("INSERT INTO rows VALUES (?, ?)", frame[["is", "n"]].to_numpy().tolist())
        assert predicted(database, tree, dialect="duckdb") == expected, kinds
        assert predicted(database, tree) == expected, kinds
    with sqlite3.connect(":memory:") as lite:
        frame[["is", "n"]].to_sql("rows", lite, index=False)
        assert predicted(lite, tree) == expected
        assert predicted(lite, tree, dialect="sqlite") == expected


def test_blanks_around_categories_do_not_count():
    tree = tree_on(pd.DataFrame({"c": list("pqpq"), "y": list("abab")}))
    rows = pd.DataFrame({"c": [" p", "q ", "p"]})
    for run in (by_sql, by_duckdb):
        assert_same_predictions(tree, rows, run)


def test_numbers_as_text_are_refused_by_duckdb_without_its_dialect():
    database = duckdb.connect()
    database.execute("CREATE TABLE rows AS SELECT '12' AS x")
    with pytest.raises(duckdb.BinderException):
        predicted(database, tree_on(LETTERS))


DAYS = pd.date_range("2024-01-01 06:00", periods=10, freq="12h")
IN_A_TABLE = {
    "sqlite": ["TEXT"],
    "duckdb": ["TIMESTAMP", "VARCHAR", "TIMESTAMP_NS", "TIMESTAMPTZ"],
}


@pytest.mark.parametrize(("dialect", "kind"), [(name, kind) for name, kinds in IN_A_TABLE.items() for kind in kinds])
@pytest.mark.parametrize("threshold_at", ["midpoint", "observed"])
def test_dates_count_as_days(dialect, kind, threshold_at):
    frame = pd.DataFrame({"day": DAYS, "y": list("aaaabbbbcc")})
    recipe = ex.CART.replace(threshold_at=threshold_at, missing="own_branch")
    tree = ex.Tree.from_dict(tree_on(frame, recipe=recipe, features=["day"]).to_dict())
    database = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect()
    if kind == "TIMESTAMPTZ":
        database.execute("SET TimeZone = 'UTC'")
    database.execute(f"CREATE TABLE rows (day {kind})")
    database.executemany("INSERT INTO rows VALUES (?)", [(str(day),) for day in DAYS])
    assert predicted(database, tree, dialect=dialect) == frame.y.tolist()


def test_dates_without_a_time_of_day_and_dates_that_are_none():
    frame = pd.DataFrame({"day": DAYS.normalize(), "y": list("aaaaaabbbb")})
    tree = tree_on(frame, recipe=ex.CART.replace(missing="own_branch"), features=["day"])
    for connect, dialect, kind in [(CONNECT[0], "sqlite", "TEXT"), (CONNECT[1], "duckdb", "DATE")]:
        database = connect()
        database.execute(f"CREATE TABLE rows (day {kind})")
        database.executemany("INSERT INTO rows VALUES (?)", [(str(day.date()),) for day in DAYS])
        assert predicted(database, tree, dialect=dialect) == tree.predict(frame).tolist()
    with pytest.raises(ex.InputError, match=r"dates \(day\).*Choose the dialect: sqlite, duckdb"):
        ex.to_sql(tree)
    assert "Dates count as days since 1970-01-01 (UTC): day." in tree.notes
