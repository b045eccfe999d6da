"""Trees of scikit-learn as JSON: the snippet's text gives the same tree, and no text does harm."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from explorer.tree import from_sklearn_json
from tests.oracles.bridge import assert_same_tree
from tests.oracles.examples import law


def written(clf, folder, monkeypatch):
    """The text that the snippet writes for a fitted estimator."""
    monkeypatch.chdir(folder)
    exec(ex.sklearn_snippet(), {"clf": clf})
    return folder.joinpath("tree.json").read_text("utf-8")


def named(X, y):
    return pd.DataFrame(X, columns=[f"Größe {i}" for i in range(X.shape[1])]), np.array(["no", "yes", "天"])[y]


IRIS = datasets.load_iris(return_X_y=True)
DIABETES = datasets.load_diabetes(return_X_y=True)
WITH_GAPS = np.where(np.random.default_rng(0).random(IRIS[0].shape) < 0.2, np.nan, IRIS[0])
FITTED = {
    "classes": DecisionTreeClassifier(random_state=0).fit(*IRIS),
    "names": DecisionTreeClassifier(random_state=0, max_depth=3).fit(*named(*IRIS)),
    "limits": DecisionTreeClassifier(
        random_state=np.random.RandomState(3),
        criterion="entropy",
        min_samples_leaf=np.int64(4),
        min_samples_split=11,
        max_depth=np.int64(4),
        min_impurity_decrease=0.002,
        class_weight={0: 3.0, 1: 1.0, 2: 0.5},
    ).fit(*IRIS),
    "missing values": DecisionTreeClassifier(random_state=0).fit(WITH_GAPS, IRIS[1]),
    "missing apart": DecisionTreeClassifier().fit([[1.0], [1.0], [np.nan], [np.nan]], [True, True, False, False]),
    "numbers": DecisionTreeRegressor(random_state=0, min_samples_leaf=3).fit(*DIABETES),
    "a leaf": DecisionTreeRegressor(max_depth=1).fit([[1.0], [1.0]], [3.0, 4.0]),
}


@pytest.mark.parametrize("name", FITTED)
def test_the_snippets_text_gives_the_tree_of_the_estimator(name, tmp_path, monkeypatch):
    text = written(FITTED[name], tmp_path, monkeypatch)
    tree, expected = ex.Tree.from_sklearn_json(text, target="y"), ex.Tree.from_sklearn(FITTED[name], target="y")
    assert_same_tree(tree, expected)
    assert (tree.features, tree.target, tree.recipe, tree.notes) == (
        expected.features,
        "y",
        expected.recipe,
        expected.notes,
    )
    assert [(type(c), c) for c in tree.classes] == [(type(c), c) for c in expected.classes]
    assert_same_tree(ex.Tree.from_sklearn_json(text.encode()), expected)


def content(name="classes"):
    """The shortest text that holds the tree, as an object."""
    tree = FITTED[name].tree_
    fields = ["children_left", "children_right", "feature", "threshold", "value", "impurity", "n_node_samples"]
    return {field: getattr(tree, field).tolist() for field in fields} | {"criterion": FITTED[name].criterion}


def read(fields):
    return ex.Tree.from_sklearn_json(json.dumps(fields))


@pytest.mark.parametrize("name", ["classes", "numbers"])
def test_names_weights_and_limits_may_be_left_out(name):
    tree, expected = read(content(name)), ex.Tree.from_sklearn(FITTED[name])
    np.testing.assert_array_equal(tree.stats, expected.stats)
    np.testing.assert_array_equal(tree.threshold, expected.threshold)
    assert tree.classes == expected.classes


def test_names_may_be_called_as_in_a_list_of_ones_own():
    fields = content() | {"classes": ["a", "b", "c"], "feature_names": ["p", "q", "r", "s"]}
    tree = read(fields)
    assert (tree.classes, [f.name for f in tree.features]) == (("a", "b", "c"), ["p", "q", "r", "s"])


def test_class_weights_of_scikit_learn_before_1_3_are_read_as_shares():
    fields = content()
    counts = np.array(fields["value"]) * np.array(fields["n_node_samples"])[:, None, None]
    np.testing.assert_array_equal(read(fields | {"value": counts.tolist()}).stats, read(fields).stats)


def changed(name, position, value):
    def change(fields):
        fields[name][position] = value
        return fields

    return change


def without(name):
    return lambda fields: {key: value for key, value in fields.items() if key != name}


def circle(fields):
    """Two nodes that are each other's children, beside a root with two leaves."""
    left, right = [1, -1, -1, 4, 3], [2, -1, -1, 5, 6]
    n = len(left) + 2
    return fields | {
        "children_left": [*left, -1, -1],
        "children_right": [*right, -1, -1],
        "feature": [0] * n,
        "threshold": [0.5] * n,
        "value": [[[0.5, 0.5, 0.0]]] * n,
        "impurity": [0.5] * n,
        "n_node_samples": [2, 1, 1, 2, 2, 1, 1],
    }


REFUSED = {
    "'feature' is not a list": without("feature"),
    "'children_left' is not a list": without("children_left"),
    "'n_node_samples' is not a list": without("n_node_samples"),
    "criterion 'None'": without("criterion"),
    "criterion 'poisson'": lambda f: f | {"criterion": "poisson"},
    "'impurity' is not a list of the right length": lambda f: f | {"impurity": [0.5]},
    "'threshold' is not a list of finite numbers": changed("threshold", 0, "1e5"),
    "'impurity' is not a list of finite numbers": changed("impurity", 0, None),
    "'impurity' is not a list of finite numbers that fit": changed("impurity", 3, float("inf")),
    "'n_node_samples' is not a list of finite numbers": changed("n_node_samples", 1, float("nan")),
    "'threshold' is not a list of finite numbers that fit": changed("threshold", 0, float("nan")),
    "'children_left' and 'children_right' make no tree": changed("children_left", 0, 0),
    "every node but node 0 must be the child of one": changed("children_right", 0, 1),
    "make no tree: every node": changed("children_left", 2, 999),
    "'children_left' is not a list of whole numbers": changed("children_left", 2, 3.5),
    "form a cycle": circle,
    "'feature' is not a list of whole numbers": changed("feature", 0, 0.5),
    "Field 'feature' has a negative number": changed("feature", 0, -2),
    "splits use 1,000,001 features": changed("feature", 0, 1_000_000),
    "there are fewer names": lambda f: f | {"feature_names": ["a"]},
    "there are fewer names than": lambda f: f | {"n_features_in_": 10**9},
    "not different texts": lambda f: f | {"feature_names": ["a", "a", "b", "c"]},
    "are not different texts": lambda f: f | {"feature_names": [["a"], "d", "b", "c"]},
    "There are 2 different classes for 3 values": lambda f: f | {"classes": ["a", "b"]},
    "There are 2 different classes": lambda f: f | {"classes": ["a", "b", "a"]},
    "is not a list of names": lambda f: f | {"classes": [["a"], "b", "c"]},
    "predicts 2 targets at once": lambda f: f | {"value": [[[0.5], [0.5]]] * 17},
    "does not hold a list per node": lambda f: f | {"value": [1.0] * 17},
    "'value' is not a list of lists of 1 numbers": lambda f: f | {"value": [[[1.0]], [[1.0, 2.0]]] * 8 + [[[1.0]]]},
    "'value' is not a list of finite numbers": changed("value", 0, [[float("inf"), 0.0, 0.0]]),
    "do not add up to 1": changed("value", 0, [[0.5, 0.1, 0.1]]),
    "negative share": changed("value", 0, [[1.5, -0.5, 0.0]]),
    "Field 'n_node_samples' is not above 0 at node 1": changed("n_node_samples", 1, 0),
    "branches of node 0 do not add up": changed("n_node_samples", 0, 151),
    "predicts one number: leave the classes out": lambda f: f | {"criterion": "squared_error"},
    "Recipe field 'max_depth'": lambda f: f | {"max_depth": "deep"},
    "'min_impurity_decrease'": lambda f: f | {"min_impurity_decrease": [1]},
}


@pytest.mark.parametrize("fact", REFUSED)
def test_what_is_no_tree_is_refused(fact):
    assert content()["n_node_samples"][0] == 150
    assert len(content()["feature"]) == 17
    with pytest.raises(ex.InputError, match=fact):
        read(REFUSED[fact](content()))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"children_left": [' + "9" * 5000 + "]}", "not JSON"),
        ("[1, 2]", "holds no tree"),
        ("{}", "'children_left' is not a list"),
        ('{"children_left": []}', "it has no nodes"),
    ],
    ids=range(8),
)
def test_other_texts_are_refused(text, fact):
    with pytest.raises(ex.InputError, match=fact):
        ex.Tree.from_sklearn_json(text)


def test_too_many_nodes_and_too_long_a_text_are_refused(monkeypatch):
    monkeypatch.setattr(from_sklearn_json, "MOST_NODES", 16)
    with pytest.raises(ex.InputError, match="has 17 nodes, more than 16"):
        read(content())
    monkeypatch.setattr(from_sklearn_json, "LARGEST_TEXT", 1_000_000)
    with pytest.raises(ex.InputError, match="more than 1 MB"):
        ex.Tree.from_sklearn_json(" " * 1_000_001)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(max_size=3), values, max_size=3),
    max_leaves=8,
)


@law(300)
@given(st.sampled_from([*content(), "classes_", "feature_names_in_", "n_features_in_", "max_depth", "min_samples_leaf",
                        "min_samples_split", "min_impurity_decrease", "missing_go_to_left"]), JSON)  # fmt: skip
def test_any_value_of_a_field_gives_a_tree_or_an_input_error(field, value):
    try:
        tree = read(content() | {field: value})
    except ex.InputError:
        return
    assert ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict()))).n_leaves == tree.n_leaves == 9


@law(300)
@given(st.sampled_from(list(content())[:-1]), st.integers(0, 16), JSON)
def test_any_value_at_a_node_gives_a_tree_or_an_input_error(field, node, value):
    fields = content()
    fields[field][node] = value
    try:
        tree = read(fields)
    except ex.InputError:
        return
    assert ex.to_text(tree)
    assert tree.n_leaves == 9
