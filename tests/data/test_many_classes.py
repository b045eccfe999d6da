"""A target with many classes: noted from 50 on, refused above 1,000; trees depend on the classes present only."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.samples import load_sample
from explorer.recipe import category_order
from tests.oracles import bridge


def table(rows: int, classes: int, categories: int = 14) -> pd.DataFrame:
    """Random rows of so many classes, with a numeric and two categorical features."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"size": rng.normal(size=rows).round(2), "kind": rng.integers(0, categories, rows)})
    frame["kind"] = "k" + frame["kind"].astype(str)
    frame["shape"] = rng.choice(["round", "square", "flat"], rows)
    return frame.assign(goal=[f"class {i % classes}" for i in range(rows)])


def notes_of(classes: int) -> list[str]:
    data = ex.Dataset.from_frame(table(2 * classes, classes), "goal")
    return [note.text for note in data.notes if note.level == "warning" and note.columns == ("goal",)]


def test_fifty_classes_are_noted():
    assert notes_of(49) == []
    (note,) = notes_of(50)
    assert "50 classes" in note
    assert "Group the classes" in note


def test_more_than_a_thousand_classes_are_refused_with_the_reason():
    assert len(ex.Dataset.from_frame(table(1000, 1000), "goal").classes) == 1000
    with pytest.raises(ex.ColumnError, match=r"'goal' has 1,001 classes.*at most 1,000.*another target") as caught:
        ex.Dataset.from_frame(table(1001, 1001), "goal")
    assert caught.value.column == "goal"


@pytest.mark.parametrize("recipe", [ex.ID3, ex.C45, ex.CART], ids=["id3", "c45", "cart"])
def test_a_class_without_rows_changes_no_tree(recipe):
    frame = table(60, 7)
    present = [f"class {i}" for i in range(7)]
    more = [*present, *(f"absent {i}" for i in range(80))]
    trees = [ex.grow(ex.Dataset.from_frame(frame, "goal", classes=classes), recipe) for classes in (present, more)]
    for name in ("parent", "feature", "cat_offset", "cat_code", "cat_branch", "weight", "impurity"):
        np.testing.assert_array_equal(getattr(trees[0], name), getattr(trees[1], name), err_msg=name)
    np.testing.assert_array_equal(trees[0].stats, trees[1].stats[:, :7])
    assert not trees[1].stats[:, 7:].any()


def test_a_passengers_name_can_be_the_target():
    frame = load_sample("titanic").frame
    data = ex.Dataset.from_frame(frame, "name", [name for name in frame.columns if name != "name"])
    tree = ex.grow(data, ex.CART)
    assert (tree.predict(data) == frame["name"]).mean() > 0.9, "almost every passenger has a leaf"


def profiles_with_two_groups(categories: int, classes: int):
    """Class shares of categories: one half of them prefers one half of the classes."""
    rng = np.random.default_rng(11)
    profiles = rng.random((categories, classes))
    profiles[: categories // 2, : classes // 2] += 2.0
    return profiles / profiles.sum(axis=1, keepdims=True), rng.integers(1, 9, categories).astype(float)


def test_power_iteration_finds_the_principal_component():
    profiles, weights = profiles_with_two_groups(40, 120)
    mean = np.average(profiles, axis=0, weights=weights)
    spread = np.cov(profiles.T, aweights=weights, bias=True)
    expected = np.linalg.eigh(spread)[1][:, -1]
    own = category_order.leading_axis.py_func(profiles, weights, mean)
    assert abs(own @ expected) == pytest.approx(1.0, abs=1e-12)


def test_no_matrix_of_classes_is_made_for_many_of_them(monkeypatch):
    """A matrix of K classes has K² entries, and its eigenvectors cost K³: seconds a node for 1,000 classes."""

    def refused(matrix):
        raise AssertionError(f"eigenvectors of a {matrix.shape} matrix")

    monkeypatch.setattr(np.linalg, "eigh", refused)
    monkeypatch.setattr(category_order, "leading_axis", category_order.leading_axis.py_func)
    profiles, weights = profiles_with_two_groups(12, 300)
    scores = category_order.principal_component.py_func(profiles, weights)
    assert (scores[:6].min() > scores[6:].max()) or (scores[:6].max() < scores[6:].min())


def test_both_layers_group_categories_alike_with_many_classes():
    data = ex.Dataset.from_frame(table(150, 75), "goal", kinds={"kind": "categorical"})
    tree = ex.grow(data, ex.CART.replace(max_depth=3))
    for node in range(tree.n_nodes_grown):
        if not tree.node(node).is_leaf:
            assert ex.decide(tree, data, node).chosen.condition == tree.node(node).condition
    bridge.assert_same_tree(tree, ex.grow(data, ex.CART.replace(max_depth=3)))
