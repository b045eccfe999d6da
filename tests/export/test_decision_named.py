"""Files of a tree that predicts by a threshold name it, and a class's name ends no comment."""

import io

import openpyxl
import pandas as pd
import pytest

import explorer as ex
from explorer.export.plain_csv import predictions_csv, rules_csv
from tests.oracles.exported_code import assert_same_predictions, by_c, by_javascript, by_python, by_sql

SENTENCE = "“Yes” is predicted from a probability of 30.0 % on."


def tennis(max_depth=2):
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    return ex.grow(data, ex.ID3.replace(max_depth=max_depth))


@pytest.mark.parametrize(
    ("written", "comment"),
    [
        (ex.to_python, f"# {SENTENCE}\n"),
        (ex.to_javascript, f"// {SENTENCE}\n"),
        (ex.to_c, f"/* {SENTENCE} */\n"),
        (ex.to_sql, f"-- {SENTENCE}\n"),
        (ex.to_pmml, f" {SENTENCE}"),
        (lambda tree: ex.rules(tree).to_text(), f"\n\n{SENTENCE}"),
        (lambda tree: rules_csv(ex.rules(tree)), f",{SENTENCE},"),
    ],
)
def test_a_file_names_the_threshold_that_it_predicts_by(written, comment):
    tree = tennis()
    assert comment in written(tree.with_threshold("Yes", 0.3))
    assert "is predicted from" not in written(tree)


def test_the_workbook_that_predicts_and_the_onnx_file_name_it_too():
    tree = tennis().with_threshold("Yes", 0.3)
    sheet = openpyxl.load_workbook(io.BytesIO(ex.to_spreadsheet(tree))).worksheets[0]
    assert SENTENCE in [cell.value for cell in sheet["A"]]
    onnx = pytest.importorskip("onnx")
    assert onnx.load_from_string(ex.to_onnx(tree)).doc_string.endswith(SENTENCE)


@pytest.mark.parametrize("name", ["*/*/ #error", "x\nDROP TABLE rows;", "a\\"])
def test_a_class_ends_no_comment(name):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0] * 3, "y": [name, "b", "b", name] * 3})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART.replace(max_depth=1)).with_threshold(name, 0.5)
    for by in (by_python, by_javascript, by_c, by_sql):
        assert_same_predictions(tree, frame[["x"]], by)


def test_predictions_of_a_file_name_it_in_a_column_of_their_own():
    days = ex.load_sample("play_tennis").frame.assign(decision="own")
    tree = tennis()
    table = pd.read_csv(io.StringIO(predictions_csv(days, tree.with_threshold("Yes", 0.3))))
    assert set(table["decision (2)"]) == {SENTENCE}
    assert list(pd.read_csv(io.StringIO(predictions_csv(days, tree))).columns) == list(days.columns)
