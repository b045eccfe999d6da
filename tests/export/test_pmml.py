"""Trees as PMML files: an engine predicts every row as the tree does, or the tree is refused for the true reason.

Engines run where Java and their packages are; they need not stand in the environment of the app:

    .venv/bin/pip install --target /tmp/engines --no-deps jpmml-evaluator==0.16.0 jpype1 pypmml==1.5.8 py4j
    PYTHONPATH=/tmp/engines .venv/bin/python -m pytest tests/export/test_pmml.py
"""

import importlib.util
import pathlib
import shutil
import tempfile
import xml.dom.minidom

import pandas as pd
import pytest
from hypothesis import given

import explorer as ex
from explorer.export import python_runtime
from explorer.export.pmml import pmml_refusal
from explorer.tree.branching import branching_rules, ends_of
from tests.oracles import used_trees
from tests.oracles.examples import law
from tests.oracles.exported_code import assert_same_predictions
from tests.oracles.golden_walk import dataset_of
from tests.oracles.tables import sample_dataset


def fed(tree, rows):
    """The cells that an engine gets: numbers, texts, and None."""
    columns = {}
    for position in tree.tested_features():
        encoding = tree.features[position]
        if encoding.words is None:
            columns[encoding.name] = [python_runtime.number_of(cell, encoding.name) for cell in rows[encoding.name]]
        else:
            marks = [label for label in encoding.words if isinstance(label, str)]
            cells = [python_runtime.category_of(cell, marks) for cell in rows[encoding.name]]
            columns[encoding.name] = [None if cell is None else str(cell) for cell in cells]
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)] or [{}] * len(rows)


def outputs(text):
    """The names under which the file hands on its prediction, and the probability of each class."""
    fields = xml.dom.minidom.parseString(text.encode()).getElementsByTagName("OutputField")
    return [each.getAttribute("name") for each in fields]


def answered(tree, text, predict, rows):
    prediction, *shares = outputs(text)
    found = [predict(cells) for cells in fed(tree, rows)]
    if not tree.classes:
        return [float(one[prediction]) for one in found], None
    of_label = {str(name).lower(): name for name in tree.classes}
    labels = [of_label[str(one[prediction]).lower()] for one in found]
    return labels, [[one[name] for name in shares] for one in found]


def by_jpmml(tree, rows):
    from jpmml_evaluator import make_evaluator

    text = ex.to_pmml(tree)
    with tempfile.NamedTemporaryFile(suffix=".pmml") as file:
        pathlib.Path(file.name).write_text(text, "utf-8")
        evaluator = make_evaluator(file.name).verify()
    return answered(tree, text, evaluator.evaluate, rows)


def by_pypmml(tree, rows):
    from pypmml import Model

    text = ex.to_pmml(tree)
    return answered(tree, text, Model.fromString(text).predict, rows)


def opened_again(tree, rows):
    """By the product's own reader of such files."""
    read = ex.open_model(ex.to_pmml(tree).encode())
    known = {str(name): name for name in tree.classes}
    frame = pd.DataFrame(fed(tree, rows), columns=[each.name for each in read.features], dtype=object)
    predicted = [known[str(name)] if known else name for name in read.predict(frame).tolist()]
    return predicted, read.predict_proba(frame).tolist() if known else None


HAS_JAVA = shutil.which("java") is not None
ENGINES = [
    run
    for name, run in (("jpmml_evaluator", by_jpmml), ("pypmml", by_pypmml))
    if HAS_JAVA and importlib.util.find_spec(name)
]


def refused(tree):
    """Why the tree cannot be a PMML file; "" where it can."""
    try:
        ex.to_pmml(tree)
    except ex.InputError as error:
        return str(error)
    return ""


@law(60)
@given(used_trees.grown())
def test_every_policy_predicts_as_the_tree_or_is_refused(case):
    tree, rows = case[0], case[2].drop(columns=["goal", "weight"])
    if why := refused(tree):
        assert "follow several branches" in why
        return
    for run in ENGINES:
        assert_same_predictions(tree, rows, run)
    ends = ends_of(tree, branching_rules(tree))
    if tree.classes and (tree.probabilities[ends].argmax(axis=1) != tree.labels[ends]).any():  # by costs or a threshold
        with pytest.raises(ex.InputError, match="its classes are not those of the largest probability"):
            opened_again(tree, rows)
    else:
        assert_same_predictions(tree, rows, opened_again)


@pytest.mark.parametrize("key", list(ex.SAMPLES))
def test_every_built_in_table(key):
    data = sample_dataset(key)
    recipes = [ex.CART] if data.is_regression else [ex.ID3, ex.C45.replace(missing="most_common", unseen="heaviest")]
    for recipe in [*recipes, ex.CART.replace(missing="default_direction")]:
        tree = ex.grow(data, recipe)
        for rows in (data.frame[[f.name for f in data.features]].head(60), used_trees.with_holes(data, rows=60)):
            for run in [*ENGINES, opened_again]:
                assert_same_predictions(tree, rows, run)


@pytest.mark.parametrize("name", [*used_trees.NASTY, "tab\tand\nline", "prediction", "probability(1)"])
def test_names_are_only_ever_names(name):
    tree, frame = used_trees.nasty_tree(name)
    if "\x0c" in name:
        assert "has a character that XML cannot hold. Rename it in the table" in refused(tree)
        return
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, frame.drop(columns="goal"), run)


TENNIS = dataset_of("play_tennis")


def test_rows_in_several_branches_are_refused_with_the_remedy():
    tree = ex.grow(TENNIS, ex.C45)
    assert (
        refused(tree)
        == pmml_refusal(tree)
        == (
            "The tree cannot be a PMML file: rows with a missing or unseen cell follow several branches. Take Python, "
            "JavaScript or C, or grow it with missing values as 'Most common value' (missing='most_common')."
        )
    )
    assert refused(ex.grow(TENNIS, ex.C45.replace(missing="most_common"))) == ""


def test_a_column_without_a_name_is_refused():
    frame = pd.DataFrame({"": [1.0, 2.0], "goal": ["a", "b"]})
    assert "a column has no name" in refused(ex.grow(ex.Dataset.from_frame(frame, "goal"), ex.CART))


@pytest.mark.parametrize("goal", [["a", "b"], [3, 7], [2**40, 2**41], [0.5, 2.25], [True, False], [2, "b"]])
def test_classes_keep_their_type_where_all_have_one(goal):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "goal": pd.Series([*goal, *goal], dtype=object)})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal"), ex.CART)
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, frame[["x"]], run)
    if 2**40 not in goal:  # engines' whole numbers end at 2³¹
        assert {*map(type, ex.open_model(ex.to_pmml(tree).encode()).classes)} == {*map(type, tree.classes)}


def test_a_single_leaf():
    frame = pd.DataFrame({"x": [1.0, 2.0, 5.0], "y": [1.0, 2.0, 6.0]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART.replace(max_depth=0))
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, frame[["x"]], run)


def test_thresholds_have_all_digits():
    frame = pd.DataFrame({"x": [1.0, 1.0 + 2**-50], "goal": ["a", "b"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal"), ex.CART)
    for run in [*ENGINES, opened_again]:
        assert run(tree, frame[["x"]])[0] == ["a", "b"]


def test_numbers_as_categories():
    frame = pd.DataFrame({"x": [0, 1, 2, 3, 4] * 4, "goal": list("abaab") * 4})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal", kinds={"x": "categorical"}), ex.CART)
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, pd.DataFrame({"x": [0, 1, 2, 3, 4, 5, None]}), run)


def test_dates_are_days():
    frame = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=10), "goal": list("aaaaabbbbb")})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal", ["day"]), ex.CART)
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, frame[["day"]], run)


def test_the_opened_tree_has_the_same_nodes_and_counts():
    tree = ex.grow(TENNIS, ex.ID3)
    read = ex.open_model(ex.to_pmml(tree).encode())
    assert read.counts_rows
    assert sorted(read.stats.tolist()) == sorted(tree.stats.tolist())
    assert ex.rules(read).to_text().count("\n") == ex.rules(tree).to_text().count("\n")


@pytest.mark.parametrize("key", ["golf_missing", "penguins"])
def test_surrogates_are_asked_in_turn(key):
    data = sample_dataset(key)
    tree = ex.grow(data, ex.CART)
    assert len(tree.surrogates.feature)
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, used_trees.with_holes(data, rows=200), run)
