"""Trees as Python, JavaScript, C and SQL: run by themselves, they predict every row as the tree does."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import explorer as ex
from explorer.export import python_runtime
from explorer.recipe.split_score import TIE
from explorer.values import MISSING_MARKERS
from tests.oracles import used_trees
from tests.oracles.examples import law
from tests.oracles.exported_code import ENGINES, assert_same_predictions, by_c, by_javascript, by_python, by_sql
from tests.oracles.golden_walk import dataset_of
from tests.oracles.tables import sample_dataset

LAW = law(120)
TENNIS = dataset_of("play_tennis")


@LAW
@given(used_trees.grown())
def test_exports_predict_as_the_tree_under_every_policy(case):
    for run in ENGINES.values():
        assert_same_predictions(case[0], case[2].drop(columns=["goal", "weight"]), run)


@law(20)
@given(used_trees.grown())
def test_the_c_header_predicts_as_the_tree_under_every_policy(case):
    assert_same_predictions(case[0], case[2].drop(columns=["goal", "weight"]), by_c)


@pytest.mark.parametrize("key", list(ex.SAMPLES))
def test_every_built_in_table(key):
    data = sample_dataset(key)
    for recipe in [ex.CART] if data.is_regression else [ex.ID3, ex.C45, ex.CART]:
        tree = ex.grow(data, recipe)
        for rows in (data.frame[[f.name for f in data.features]].head(60), used_trees.with_holes(data, rows=60)):
            for run in (by_python, by_javascript, by_c, by_sql):
                assert_same_predictions(tree, rows, run)


@pytest.mark.parametrize("costs", [{"No": {"Yes": 9}}, {"Yes": {"No": 9}}, {"No": {"Yes": 1.5}}])
def test_fractional_rows_get_the_prediction_of_least_cost(costs):
    tree = ex.grow(TENNIS, ex.ID3.replace(missing="fractional", costs=costs))
    rows = pd.DataFrame({name: [None, None, None] for name in ("Outlook", "Humidity", "Wind", "Temperature")})
    rows.loc[1, "Humidity"], rows.loc[2, "Wind"] = "High", "Weak"
    assert len(tree.routes(rows)[0]) > len(rows)
    assert_same_predictions(tree, rows, by_python)
    assert_same_predictions(tree, rows, by_sql)


@pytest.mark.parametrize("name", used_trees.NASTY)
def test_names_are_only_ever_names(name):
    tree, frame = used_trees.nasty_tree(name)
    rows = frame.drop(columns="goal")
    for run in (by_python, by_javascript, by_c):
        assert_same_predictions(tree, rows, run)
    assert_same_predictions(tree, rows, lambda tree, rows: by_sql(tree, rows, table=name))


def test_the_python_file_runs_alone(tmp_path):
    tree, _ = used_trees.nasty_tree("# coding: utf-7")
    (tmp_path / "exported.py").write_text(ex.to_python(tree), "utf-8")
    code = "import exported; print(exported.predict({'# coding: utf-7': 'b', '# coding: utf-72': 30})[0])"
    completed = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
                          cwd=tmp_path, capture_output=True, text=True, check=True)  # fmt: skip
    row = pd.DataFrame({"# coding: utf-7": ["b"], "# coding: utf-72": [30.0]})
    assert completed.stdout.strip() == tree.predict(row)[0]


def predict_of(tree: ex.Tree) -> Any:
    module: dict[str, Any] = {}
    exec(ex.to_python(tree), module)
    return module["predict"]


def test_cells_are_read_as_a_table_reads_them():
    predict = predict_of(ex.grow(TENNIS, ex.ID3))
    assert predict({"Outlook": " Overcast "})[0] == "Yes"
    assert predict({"Outlook": "Rain", "Wind": "NA"}) == predict({"Outlook": "Rain", "Wind": None})
    assert predict({"Outlook": "Rain", "Wind": float("nan")}) == predict({"Outlook": "Rain", "Wind": pd.NA})
    with pytest.raises(KeyError, match="The row has no cell 'Wind'"):
        predict({"Outlook": "Rain"})


def test_numbers_may_be_texts_and_dates():
    frame = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=10), "x": range(10), "goal": list("aaaaabbbbb")})
    by_day = predict_of(ex.grow(ex.Dataset.from_frame(frame, "goal", ["day"]), ex.CART))
    assert [by_day({"day": date(2024, 1, day)})[0] for day in (5, 6)] == ["a", "b"]
    noon = datetime(2024, 1, 5, 12, tzinfo=UTC)
    later = noon.astimezone(timezone(timedelta(hours=8))) + timedelta(seconds=1)
    assert [by_day({"day": moment})[0] for moment in (noon, later, datetime(2024, 1, 5, 11))] == ["a", "b", "a"]
    by_number = predict_of(ex.grow(ex.Dataset.from_frame(frame, "goal", ["x"]), ex.CART))
    assert [by_number({"x": cell})[0] for cell in ("4", 4.5, " 5e0 ", True)] == ["a", "a", "b", "a"]
    for cell in ("five", "True", float("inf"), [1]):
        with pytest.raises(ValueError, match="not a finite number"):
            by_number({"x": cell})


def test_a_deep_tree_can_be_exported():
    frame = pd.DataFrame({"x": np.arange(300.0), "goal": np.where(np.arange(300) % 2, "odd", "even")})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal", ["x"]), ex.CART)
    assert tree.max_depth > 60
    assert_same_predictions(tree, frame[["x"]], by_python)
    assert_same_predictions(tree, frame[["x"]], by_sql)


def test_the_query_is_readable():
    query = ex.to_sql(ex.grow(TENNIS, ex.ID3.replace(missing="drop")), "days")
    lines = [line.strip() for line in query.splitlines()]
    sunny, high = (
        f"TRIM(CAST(t.{name} AS VARCHAR)) = '{text}'" for name, text in [('"Outlook"', "Sunny"), ('"Humidity"', "High")]
    )
    assert f"WHEN {sunny} AND {high} THEN 4" in lines
    assert "(4, 1.0e0, 0.0e0, 'No')," in lines
    assert 'FROM "days" AS t' in lines


def test_names_that_are_taken_get_a_number():
    frame = pd.DataFrame({"tree node": [1.0, 2.0, None], "x": list("aba"), "goal": ["a", "A", "A"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal", ["tree node", "x"]), ex.C45)
    assert_same_predictions(tree, frame[["tree node", "x"]], lambda tree, rows: by_sql(tree, rows, "Tree Leaves"))
    assert '"tree node (2)"' in ex.to_sql(tree)
    assert '"share of A (2)"' in ex.to_sql(tree)


@pytest.mark.parametrize("name", ["a\0b", "lone \ud800"])
def test_what_sql_cannot_write_is_refused(name):
    tree, _ = used_trees.nasty_tree("x")
    with pytest.raises(ex.InputError, match="SQL cannot write"):
        ex.to_sql(tree, name)


def test_a_query_for_a_column_that_is_not_there_fails():
    tree = ex.grow(TENNIS, ex.ID3)
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        by_sql(tree, TENNIS.frame[["Outlook", "Wind"]])


def test_what_is_copied_into_the_python_file_has_the_same_numbers_and_marks():
    assert (TIE, set(MISSING_MARKERS)) == (python_runtime.TIE, python_runtime.MISSING)
