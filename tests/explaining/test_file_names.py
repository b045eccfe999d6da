"""A file whose columns and categories are written in another way is predicted as if they were not."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.data.table import Table
from explorer.explaining.file_names import FileNames, match_columns, plain
from explorer.explaining.predict_file import predict_file, read_file


def spelt(text, way):
    """A text in another spelling: upper case, blanks for "_", blanks around, a period behind."""
    return [text, text.upper(), f" {text} ", text.replace("_", " ").replace("-", " "), f"{text}."][way]


@pytest.fixture(scope="module")
def titanic():
    frame, sample = ex.load_sample("titanic").frame, ex.SAMPLES["titanic"]
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    return ex.grow(data, ex.CART), data, frame


@given(ways=st.lists(st.integers(0, 4), min_size=16, max_size=16))
def test_spelling_changes_no_prediction_and_no_score(titanic, ways):
    tree, data, frame = titanic
    frame = frame.iloc[::17].reset_index(drop=True)
    names = {name: spelt(name, way) for name, way in zip(frame.columns, ways, strict=False)}
    written = frame.copy()
    for name, way in zip(frame.columns, reversed(ways), strict=False):
        if frame[name].dtype.kind not in "iufb":
            written[name] = frame[name].map(lambda cell, way=way: spelt(cell, way), na_action="ignore")
    written = written.rename(columns=names)
    plainly = predict_file(tree, data, Table(frame, (), "a.csv")).predicted
    spelled = predict_file(tree, data, Table(written, (), "b.csv")).predicted
    assert spelled.frame["leaf"].tolist() == plainly.frame["leaf"].tolist()
    assert spelled.score == plainly.score
    assert list(spelled.frame)[: len(names)] == list(names.values())


def test_what_could_be_two_columns_or_two_categories_is_left_open():
    assert match_columns(["a b"], ["A_B", "ab "]) == {"a b": ""}
    assert match_columns(["x", "X"], ["x"]) == {"x": "x", "X": ""}, "a column stands for one"
    assert plain("<=50K.") != plain(">50K.")
    assert plain("-1") != plain("1")
    assert plain("12") != plain("1-2")


def test_a_person_overrules_what_is_written(titanic):
    tree, data, frame = titanic
    swapped = Table(frame.rename(columns={"sex": "f", "pclass": "sex"}), (), "a.csv")
    chosen = FileNames((("sex", "f"), ("pclass", "sex"), ("fare", "")), (("sex", "female", "male"), ("sex", "x", "y")))
    read = read_file(tree, data, swapped, chosen=chosen)
    assert (read.columns["sex"], read.columns["pclass"], read.columns["fare"]) == ("f", "sex", "")
    assert read.repaired.table.frame["pclass"].equals(frame["pclass"])
    assert "fare" not in read.repaired.table.frame, "it stands for nothing"
    assert not read.others, "a category of the tree stays what it is"
    leaves = predict_file(tree, data, swapped, chosen=chosen).predicted.frame["leaf"].tolist()
    assert leaves == tree.apply(frame.assign(fare=float("nan"))).tolist()


def test_columns_that_a_repair_makes_are_not_asked_for():
    frame = pd.DataFrame({"Rate": ["5%", "7%"] * 5, "day": ["2024-01-05", "2024-02-05"] * 5, "y": ["a", "b"] * 5})
    repairs = [s.repair for s in Table(frame, (), "a.csv").suggestions if s.repair.column == "day"]
    repairs.append(ex.Repair("per_cent", "Rate", {"decimal": ".", "group": ","}))
    data = ex.apply_repairs(Table(frame, (), "a.csv"), repairs)
    tree = ex.grow(ex.Dataset.from_frame(data.frame, "y"), ex.CART)
    file = Table(frame.rename(columns={"Rate": "RATE", "day": "Day"}), (), "b.csv")
    read = read_file(tree, None, file, repairs)
    assert read.columns == {"y": "y", "Rate": "RATE", "day": "Day"}
    assert predict_file(tree, None, file, repairs).predicted.score.value == 1.0


def test_classes_are_matched_for_the_score():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "income": ["<=50K", "<=50K", ">50K", ">50K"]})
    data = ex.Dataset.from_frame(frame, "income")
    tree = ex.grow(data, ex.CART)
    other = Table(frame.assign(income=frame["income"] + "."), (), "adult.test")
    assert predict_file(tree, data, other).predicted.score.value == 1.0
    kept = FileNames(categories=(("income", "<=50K.", ""),))
    assert predict_file(tree, data, other, chosen=kept).predicted.score.value == 0.5
