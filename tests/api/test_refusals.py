"""Requests without sense are refused in words: the fact, the culprit and the remedy, never a foreign error."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.samples import load_sample


def tennis() -> ex.Dataset:
    return ex.Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_depth", 10**30),
        ("max_depth", -1),
        ("max_depth", True),
        ("bins", 10**9),
        ("bins", 1),
        ("min_rows_split", 10**400),
        ("min_rows_leaf", None),
        ("min_rows_leaf", float("nan")),
        ("min_score", -0.1),
        ("max_impurity", float("inf")),
        ("empty_branches", "x"),
        ("release8_penalty", 1),
    ],
)
def test_a_recipe_refuses_what_means_nothing(field, value):
    with pytest.raises(ex.InputError, match=field):
        ex.CART.replace(**{field: value})


def test_a_recipe_takes_numpys_numbers():
    assert ex.CART.replace(max_depth=np.int64(2), min_rows_leaf=np.float64(3)).max_depth == 2


def test_a_missing_column_value_is_missing_for_every_row():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "y": ["p", "p", "q", "q"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)
    assert list(tree.predict(frame.assign(a=pd.NA))) == ["p"] * 4  # halves of equal weight: the median goes left


def test_a_column_of_missing_cells_can_be_called_numeric():
    frame = pd.DataFrame({"a": [None] * 4, "b": [1, 5, 2, 7], "y": ["p", "q", "p", "q"]})
    data = ex.Dataset.from_frame(frame, "y", features=["a", "b"], kinds={"a": "numeric"})
    assert data.features[0].n_values == 0
    assert ex.grow(data, ex.CART).node(0).condition.feature == "b"


@pytest.mark.parametrize("rows", [[0.5], [-1], [14], [[0, 1]], ["a"]])
def test_take_refuses_what_are_no_rows(rows):
    with pytest.raises(ex.InputError, match="14 rows"):
        tennis().take(rows)


def test_take_understands_a_mask():
    mask = np.arange(14) % 2 == 0
    assert tennis().take(mask).row_numbers.tolist() == list(range(0, 14, 2))


@pytest.mark.parametrize(("shares", "seed"), [((float("nan"),), 0), ((0.5,), -1), ((0.5,), "x"), ((0.6, 0.4), 0)])
def test_split_refuses_odd_shares_and_seeds(shares, seed):
    with pytest.raises(ex.InputError):
        tennis().split(*shares, seed=seed)


def test_a_split_that_cannot_keep_the_classes_says_so():
    frame = pd.DataFrame({"x": np.arange(20) * 1.5, "y": ["rare"] + ["p", "q"] * 9 + ["p"]})
    train, _ = ex.Dataset.from_frame(frame, "y").split(0.5)
    assert any("too rare" in note.text for note in train.notes)
    train, _ = tennis().split(0.5)
    assert not any("too rare" in note.text for note in train.notes)


def test_columns_may_be_numbered():
    frame = pd.DataFrame([[1.0, "p"], [2.0, "p"], [3.5, "q"], [4.0, "q"]])
    tree = ex.grow(ex.Dataset.from_frame(frame, 1), ex.CART)
    assert tree.predict(frame).tolist() == ["p", "p", "q", "q"]


def test_prediction_refuses_what_growing_refuses():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "y": ["p", "p", "q", "q"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)
    with pytest.raises(ex.InputError, match="infinite"):
        tree.predict(pd.DataFrame({"a": [np.inf]}))
    with pytest.raises(ex.InputError, match="Two columns"):
        tree.predict(pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]))
    with pytest.raises(ex.InputError, match="dict"):
        tree.predict({"a": [1.0]})


def test_a_decision_needs_the_rows_of_its_tree():
    frame = load_sample("play_tennis").frame
    tree = ex.grow(tennis(), ex.ID3)
    with pytest.raises(ex.InputError, match="PlayTennis"):
        ex.decide(tree, ex.Dataset.from_frame(frame, "Wind"), 0)
    with pytest.raises(ex.InputError, match="features"):
        ex.decide(tree, ex.Dataset.from_frame(frame, "PlayTennis", features=["Wind"]), 0)
    with pytest.raises(ex.InputError, match="not grown on these rows"):
        ex.decide(tree, tennis().take(range(9)), 0)


@pytest.mark.parametrize(
    ("field", "value"), [("parent", [-1]), ("first_child", [1] * 8), ("feature", [99] * 8), ("cat_offset", [0] * 8)]
)
def test_a_damaged_tree_is_not_read(field, value):
    content = ex.grow(tennis(), ex.ID3).to_dict()
    with pytest.raises(ex.InputError, match="damaged"):
        ex.Tree.from_dict({**content, field: value})


def test_a_tree_of_another_format_is_refused_by_that():
    with pytest.raises(ex.InputError, match="saved in format 1, but this version reads format 2"):
        ex.Tree.from_dict({"format": 1, "closed": []})


def test_every_tied_feature_is_named():
    columns = {name: ["a", "a", "b", "b"] for name in ("first", "second", "third")}
    data = ex.Dataset.from_frame(pd.DataFrame({**columns, "y": ["p", "p", "q", "q"]}), "y")
    decision = ex.decide(ex.grow(data, ex.ID3), data, 0)
    assert decision.chosen.feature == "first"
    assert decision.tie
    assert decision.tied == ("second", "third")


def test_the_literal_filter_says_that_a_gain_at_the_mean_is_not_above_it():
    columns = {"A": ["a", "a", "b", "b"], "B": ["p", "p", "q", "q"]}  # two perfect features: gains equal their mean
    data = ex.Dataset.from_frame(pd.DataFrame({**columns, "y": [1, 1, 0, 0]}), "y")
    tree = ex.grow(data, ex.C45.replace(mean_gain_filter="greater"))
    decision = ex.decide(tree, data, 0)
    assert tree.n_leaves == 1
    assert [candidate.rejected for candidate in decision.candidates] == ["gain not above the mean gain 1.0000"] * 2


def test_a_feature_without_split_information_has_no_ratio_and_no_part_in_the_mean():
    frame = pd.DataFrame({"tiny": ["a"] * 4 + ["b"], "good": ["u", "u", "v", "v", "u"], "y": ["p", "p", "q", "q", "p"]})
    data = ex.Dataset.from_frame(frame, "y", weights=np.array([1.0, 1.0, 1.0, 1.0, 1e-20]))
    decision = ex.decide(ex.grow(data, ex.C45), data, 0)
    assert decision.chosen.feature == "good"
    assert decision.mean_gain == pytest.approx(1.0)  # of `good` alone: it splits 2 p from 2 q
    assert decision.best["tiny"].rejected.startswith("no gain ratio")
