"""Trees as ONNX files: an engine predicts every row as the tree does, or the tree is refused for the true reason."""

import importlib.util

import numpy as np
import onnx
import pandas as pd
import pytest
from hypothesis import given
from onnx.reference import ReferenceEvaluator

import explorer as ex
from explorer.export import needed, python_runtime
from explorer.export.onnx_model import onnx_refusal
from explorer.tree.branching import branching_rules, ends_of
from tests.oracles import used_trees
from tests.oracles.examples import law
from tests.oracles.exported_code import assert_same_predictions
from tests.oracles.golden_walk import dataset_of
from tests.oracles.tables import sample_dataset


def fed(tree, rows):
    """The inputs of the file: cells as the tables hold them."""
    columns = {}
    for position in tree.tested_features() or range(min(1, len(tree.features))):
        encoding = tree.features[position]
        if encoding.words is None:
            cells = [python_runtime.number_of(cell, encoding.name) for cell in rows[encoding.name]]
            column = np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
        else:
            marks = [label for label in encoding.words if isinstance(label, str)]
            cells = [python_runtime.category_of(cell, marks) for cell in rows[encoding.name]]
            column = np.array(["" if cell is None else str(cell) for cell in cells], dtype=object)
        columns[encoding.name] = column[:, None]
    return columns or {"row": np.zeros((len(rows), 1))}


def answers(outputs, classes):
    if not classes:
        return outputs[0].ravel().tolist(), None
    of_label = {str(name): name for name in classes}
    return [of_label[str(name)] for name in outputs[0].tolist()], outputs[1].tolist()


def by_reference(tree, rows):
    """By the evaluator of the package onnx."""
    model = onnx.load_model_from_string(ex.to_onnx(tree))
    onnx.checker.check_model(model)
    return answers(ReferenceEvaluator(model).run(None, fed(tree, rows)), tree.classes)


def by_runtime(tree, rows):
    """By ONNX Runtime."""
    import onnxruntime

    session = onnxruntime.InferenceSession(ex.to_onnx(tree), providers=["CPUExecutionProvider"])
    return answers(session.run(None, fed(tree, rows)), tree.classes)


ENGINES = [by_reference] + ([by_runtime] if importlib.util.find_spec("onnxruntime") else [])


def opened_again(tree, rows):
    """By the product's own reader of such files."""
    read = ex.open_model(ex.to_onnx(tree))
    known = {str(name): name for name in tree.classes}
    columns = [each.name for each in read.features]
    frame = pd.DataFrame({name: column[:, 0] for name, column in fed(tree, rows).items()})[columns]
    predicted = [known[str(name)] if known else name for name in read.predict(frame).tolist()]
    return predicted, read.predict_proba(frame).tolist() if known else None


def refused(tree):
    """Why the tree cannot be an ONNX file; "" where it can."""
    try:
        ex.to_onnx(tree)
    except ex.InputError as error:
        return str(error)
    return ""


@law(60)
@given(used_trees.grown())
def test_every_policy_predicts_as_the_tree_or_is_refused(case):
    tree, rows = case[0], case[2].drop(columns=["goal", "weight"])
    if why := refused(tree):
        assert why.startswith("The tree cannot be an ONNX file")
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
        if recipe is ex.CART and tree.surrogates is not None and len(tree.surrogates.feature):
            assert "rows with a missing cell follow surrogate splits" in refused(tree)
            continue
        for rows in (data.frame[[f.name for f in data.features]].head(60), used_trees.with_holes(data, rows=60)):
            for run in [*ENGINES, opened_again]:
                assert_same_predictions(tree, rows, run)


@pytest.mark.parametrize("name", [*used_trees.NASTY, "label", "probabilities", "columns"])
def test_names_are_only_ever_names(name):
    tree, frame = used_trees.nasty_tree(name)
    rows = frame.drop(columns="goal")
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, rows, run)


TENNIS = dataset_of("play_tennis")
BRANCHES = "rows with a missing or unseen cell follow several branches"


def test_rows_in_several_branches_are_refused_with_the_remedy():
    tree = ex.grow(TENNIS, ex.C45)
    why = refused(tree)
    remedy = (
        "Take Python, JavaScript or C, or grow it with missing values as 'Most common value' (missing='most_common')."
    )
    assert why == f"The tree cannot be an ONNX file: {BRANCHES}. {remedy}"
    assert refused(ex.grow(TENNIS, ex.C45.replace(missing="most_common"))) == ""
    assert onnx_refusal(tree) == why


def test_a_column_without_a_name_is_refused():
    frame = pd.DataFrame({"": [1.0, 2.0], "goal": ["a", "b"]})
    assert "a column has no name" in refused(ex.grow(ex.Dataset.from_frame(frame, "goal"), ex.CART))


def test_without_the_package_the_error_names_the_command(monkeypatch):
    tree = ex.grow(TENNIS, ex.ID3)
    monkeypatch.setattr(needed, "find_spec", lambda name: None)
    assert refused(tree) == "ONNX needs more packages: run 'pip install onnx'."


@pytest.mark.parametrize("goal", [["a", "b"], [3, 7], [True, False], [2, "b"]])
def test_classes_keep_their_type_where_all_have_one(goal):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "goal": pd.Series([*goal, *goal], dtype=object)})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal"), ex.CART)
    model = onnx.load_model_from_string(ex.to_onnx(tree))
    rows = {"x": frame[["x"]].to_numpy()}
    labels = ReferenceEvaluator(model).run(None, rows)[0].tolist()
    own_type = [str(name) for name in goal] if len(set(map(type, tree.classes))) > 1 else list(tree.classes)
    assert set(map(type, labels)) == set(map(type, own_type))
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, frame[["x"]], run)


def test_a_single_leaf_with_and_without_columns():
    frame = pd.DataFrame({"x": [1.0, 2.0, 5.0], "y": [1.0, 2.0, 6.0]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART.replace(max_depth=0))
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, frame[["x"]], run)


def test_thresholds_have_all_digits():
    frame = pd.DataFrame({"x": [1.0, 1.0 + 2**-50], "goal": ["a", "b"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal"), ex.CART)
    for run in [*ENGINES, opened_again]:
        assert run(tree, frame[["x"]])[0] == ["a", "b"]


def test_numbers_as_categories_with_0_among_them():
    frame = pd.DataFrame({"x": [0, 1, 2, 3, 4] * 4, "goal": list("abaab") * 4})
    data = ex.Dataset.from_frame(frame, "goal", kinds={"x": "categorical"})
    tree = ex.grow(data, ex.CART)
    rows = pd.DataFrame({"x": [0, 1, 2, 3, 4, 5, None]})
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, rows, run)


def test_one_known_number_or_missing():
    frame = pd.DataFrame({"x": [0, None, 0, None], "goal": [1.5, 2.0, 1.0, 2.25]})
    recipe = ex.Recipe(impurity=None, missing="own_branch", numeric="each_value", min_rows_split=0)
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal", ["x"]), recipe)
    assert (tree.n_leaves, tree.features[0].labels) == (2, (0, None))
    for run in [*ENGINES, opened_again]:
        assert_same_predictions(tree, pd.DataFrame({"x": [0.0, None, 3.0]}), run)


def test_dates_are_days():
    frame = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=10), "goal": list("aaaaabbbbb")})
    tree = ex.grow(ex.Dataset.from_frame(frame, "goal", ["day"]), ex.CART)
    for run in ENGINES:
        assert_same_predictions(tree, frame[["day"]], run)


def test_the_file_says_what_its_cells_mean():
    model = onnx.load_model_from_string(ex.to_onnx(ex.grow(TENNIS, ex.ID3)))
    assert model.producer_name == "Decision Tree Explorer"
    assert "nan is missing" in model.doc_string
    assert [each.name for each in model.graph.input] == ["Outlook", "Humidity", "Wind"]
    assert [each.name for each in model.graph.output] == ["label", "probabilities"]
