"""Tables as CSV: no cell is a formula to a spreadsheet, numbers stay numbers."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from explorer.export.plain_csv import plain_csv

FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\u200b=1",
    "\ufeff=1",
    "＝1",
    "＋1",
    "－1",
    "＠a",
    "-a",
]


def cells(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_and_no_heading_begins_as_a_formula(formula):
    rows = cells(plain_csv(pd.DataFrame({formula: [formula, "b"], "n": [-1.5, 2.0]})))
    assert rows[0] == [f"'{formula}", "n"]
    assert rows[1] == [f"'{formula}", "-1.5"]


@pytest.mark.parametrize("number", ["-1", "-1.5", "-2e-05", "3"])
def test_numbers_stay_numbers(number):
    frame = pd.DataFrame({"text": [number, "a"], "object": pd.Series([float(number), None], dtype=object)})
    assert cells(plain_csv(frame))[1] == [number, str(float(number))]


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_another_delimiter_does_not_cut_a_cell_open(delimiter):
    text = plain_csv(pd.DataFrame({"a": [f"b{delimiter}=1+1", "c"], "n": [1, 2]}))
    assert all(not cell.startswith("=") for row in cells(text, delimiter) for cell in row)
    assert cells(text)[1] == [f"b{delimiter}=1+1", "1"]


def test_columns_of_one_name_and_categories_are_kept():
    frame = pd.DataFrame([["=a", "b"], ["c", "=d"]], columns=["x", "x"]).astype("category")
    assert cells(plain_csv(frame)) == [["x", "x"], ["'=a", "b"], ["c", "'=d"]]
    assert plain_csv(pd.DataFrame({"x": np.array([1, 2])})) == "x\n1\n2\n"
