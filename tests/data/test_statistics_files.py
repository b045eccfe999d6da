"""Files of SPSS, Stata and SAS: the values of the program's own reader, labels by code, declared codes missing."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_iris

import explorer as ex
from explorer.data.formats.apart import run as apart
from tests.data.statistics.survey import FOLDER, SURVEY

DAMAGED = b"$FL2" + b"\x00" * 400


pyreadstat = pytest.importorskip("pyreadstat")
FILES = {
    "survey.sav": pyreadstat.read_sav,
    "survey.zsav": pyreadstat.read_sav,
    **{f"survey_{version}.dta": pyreadstat.read_dta for version in (8, 15)},
    **{f"survey_{version}.xpt": pyreadstat.read_xport for version in (5, 8)},
}
PLAIN = ("id", "income", "word", "day")


def levels(column: pd.Series) -> tuple[list[str], bool]:
    return list(column.cat.categories), bool(column.cat.ordered)


def cells(column: pd.Series) -> list[object]:
    return [None if pd.isna(cell) else cell for cell in column.tolist()]


@pytest.fixture(scope="module")
def tables() -> dict[str, ex.Table]:
    return {name: ex.read_table(FOLDER / name) for name in FILES}


@pytest.mark.parametrize("name", FILES)
def test_columns_without_labels_are_as_the_own_reader_says(name: str, tables: dict[str, ex.Table]) -> None:
    expected, _ = FILES[name](FOLDER / name)
    frame = tables[name].frame
    assert list(frame) == list(expected)
    for column in PLAIN:
        found = frame[column].dt.date if column == "day" else frame[column]
        assert (
            cells(found) == cells(expected[column].replace("", None)) == cells(pd.Series(SURVEY[column], dtype=object))
        )


def test_spss_labels_are_levels_by_code_and_declared_codes_are_missing(tables: dict[str, ex.Table]) -> None:
    for name in ("survey.sav", "survey.zsav"):
        table = tables[name]
        assert levels(table.frame["trust"]) == (["low", "mid", "high"], True)
        assert cells(table.frame["trust"]) == ["high", "mid", None, None, "low", None]
        assert levels(table.frame["sex"]) == (["male", "female", "9"], False)
        assert cells(table.frame["sex"]) == ["female", "male", "female", "male", "9", "female"]
        assert cells(table.frame["city"]) == ["Ulm", "Köln", None, "Ulm", None, "Köln"]
        assert any("declares missing" in note and "'trust', 'city'" in note for note in table.notes)
        assert any("most of their values have none: 'income'" in note for note in table.notes)


@pytest.mark.parametrize("name", ["survey.sav", "survey.zsav", "survey_8.dta", "survey_15.dta"])
def test_what_a_file_says_of_a_column_is_kept(name: str, tables: dict[str, ex.Table]) -> None:
    assert tables[name].described == (("trust", "How much do you trust them?"),)


@pytest.mark.parametrize("version", [8, 15])
def test_stata_labels_are_levels_in_order(version: int, tables: dict[str, ex.Table]) -> None:
    frame = tables[f"survey_{version}.dta"].frame
    assert levels(frame["trust"]) == (["low", "mid", "high", "refused", "not asked"], True)
    assert levels(frame["sex"]) == (["male", "female", "9"], True)


def test_missing_codes_of_stata_are_missing() -> None:
    trust = ex.read_table(FOLDER / "codes.dta").frame["trust"]
    assert (cells(trust), levels(trust)) == (["mid", "low", None, None, "low", None], (["low", "mid"], True))


def test_the_order_of_an_ordinal_column_is_the_order_of_its_classes() -> None:
    table = ex.read_table(FOLDER / "survey.sav")
    assert ex.Dataset.from_frame(table.frame, "trust").classes == ("low", "mid", "high")


def test_a_sas7bdat_of_sas_has_the_values_of_iris() -> None:
    """The file is the example of R's package haven 2.5.1 (MIT), written by SAS."""
    table, iris = ex.read_table(FOLDER / "iris.sas7bdat.gz"), load_iris()
    assert list(table.frame) == ["Sepal_Length", "Sepal_Width", "Petal_Length", "Petal_Width", "Species"]
    assert table.frame.iloc[:, :4].to_numpy().tolist() == iris.data.tolist()
    assert cells(table.frame["Species"]) == [str(iris.target_names[i])[:6] for i in iris.target]


def test_codes_of_one_label_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "x"]})
    labels = {"a": {1.0: "yes", 2.0: "yes", 3.0: "no"}, "b": {"x": "ex", "y": ""}}
    pyreadstat.write_sav(frame, path, variable_value_labels=labels)
    read = ex.read_table(path).frame
    assert cells(read["a"]) == ["yes (1)", "yes (2)", "no"]
    assert levels(read["b"]) == (["ex", "y"], False)


def test_dates_beyond_python_are_numbers_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(pd.DataFrame({"d": [1.0, 1e15]}), path, variable_format={"d": "DATE11"})
    table = ex.read_table(path)
    assert table.frame["d"].tolist() == [1.0, 1e15]
    assert any("beyond the year 9999" in note for note in table.notes)


def test_bytes_gzip_and_path_give_the_same_table(tables: dict[str, ex.Table]) -> None:
    raw = (FOLDER / "survey.sav").read_bytes()
    for content in (raw, gzip.compress(raw)):
        pd.testing.assert_frame_equal(ex.read_table(content, name="t").frame, tables["survey.sav"].frame)


@pytest.mark.parametrize(
    ("limit", "said"), [("rows", "rows"), ("columns", "columns"), ("cells", "cells"), ("bytes", "MB")]
)
def test_each_limit_of_the_budget_is_kept(limit: str, said: str) -> None:
    with pytest.raises(ex.InputError, match=f"more than .* {said}, the limit"):
        ex.read_table(FOLDER / "survey.sav", budget=ex.Budget(**{limit: 3}))


def test_reading_stops_where_the_callback_raises() -> None:
    def stop(done: int, total: int) -> None:
        if done:
            raise ex.Stopped

    with pytest.raises(ex.Stopped):
        ex.read_table(FOLDER / "survey.sav", progress=stop)


def test_a_reader_that_ends_or_takes_too_long_is_an_input_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number, program in enumerate(["import os; os.abort()", "while True: pass", "print('no table')"]):
        path = tmp_path / f"{number}.py"
        path.write_text(program)
        monkeypatch.setattr(apart, "PROGRAM", path)
        monkeypatch.setattr(apart, "SECONDS", 0.5)
        with pytest.raises(ex.InputError, match="is a damaged file of SPSS"):
            ex.read_table(DAMAGED, name="t.sav")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are those of Linux here")
def test_the_process_keeps_its_limit_of_memory() -> None:
    asked = {"reader": "read_sav", "has_codes": True, "seconds": 9, "rows": 9, "columns": 9, "cells": 99, "bytes": 9999}
    with (FOLDER / "survey.sav").open("rb") as file:
        command = [sys.executable, "-P", str(apart.PROGRAM), json.dumps(asked | {"memory": 1 << 20})]
        ended = subprocess.run(command, stdin=file, capture_output=True, check=False)
    assert ended.returncode != 0
    assert ended.stdout == b""
