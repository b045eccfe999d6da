"""Laws that hold for every table: what weights, row order, subsets and round trips may and may not change."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from tests.oracles import bridge, brute_force
from tests.oracles.examples import law
from tests.oracles.laws import as_weights_and_as_rows, assert_row_order_changes_nothing, pick

LAW = law(60)


@st.composite
def cases(draw: st.DrawFn, regression: bool | None = None, weights: str = "one", **fixed):
    """A random table and a recipe that fits it."""
    sample = draw(bridge.samples(regression=regression, weights=weights))
    rules = draw(bridge.rules_for(sample, **fixed))
    assume(len(brute_force.training_rows(sample, rules)) > 1)
    return sample, bridge.to_recipe(rules)


@LAW
@given(cases(), st.data())
def test_a_whole_weight_is_the_row_repeated_and_weight_0_is_no_row(case, data):
    as_weights_and_as_rows(*case, data)


@LAW
@given(cases(weights="any"), st.data())
def test_row_order_changes_nothing(case, data):
    assert_row_order_changes_nothing(*case, data)


@LAW
@given(cases(weights="any"), st.data())
def test_feature_order_changes_nothing_but_ties(case, data):
    sample, recipe = case
    order = data.draw(st.permutations(range(len(sample.columns))))
    other = replace(sample, columns=tuple(sample.columns[number] for number in order))
    first, second = (bridge.to_dataset(s) for s in (sample, other))
    decisions = [ex.decide(ex.grow(d, recipe), d, 0) for d in (first, second)]
    gains = [{name: c.gain for name, c in d.best.items() if c.rejected is None} for d in decisions]
    assert gains[0] == pytest.approx(gains[1], rel=1e-9, abs=1e-12)
    if decisions[0].chosen is not None and not decisions[0].tie:
        assert decisions[0].chosen.feature == decisions[1].chosen.feature


@LAW
@given(cases(weights="any"))
def test_branches_hold_the_weight_of_their_parent(case):
    sample, recipe = case
    tree = ex.grow(bridge.to_dataset(sample), recipe)
    inner = [number for number in range(tree.n_nodes_grown) if tree.child_count[number]]
    for number in inner:
        children = list(tree.node(number).children)
        assert tree.weight[children].sum() == pytest.approx(tree.weight[number], rel=1e-12)
        if not tree.is_regression:
            np.testing.assert_allclose(tree.stats[children].sum(axis=0), tree.stats[number], atol=1e-12)
    leaves = tree.leaves()
    assert tree.weight[leaves].sum() == pytest.approx(tree.weight[0], rel=1e-12)


@LAW
@given(cases(weights="any"))
def test_node_ids_are_breadth_first_and_siblings_are_neighbours(case):
    sample, recipe = case
    tree = ex.grow(bridge.to_dataset(sample), recipe)
    assert tree.parent[0] == -1
    assert np.all(np.diff(tree.depth) >= 0)
    assert np.all(np.diff(tree.parent) >= 0)
    for number in range(tree.n_nodes_grown):
        count, first = int(tree.child_count[number]), int(tree.first_child[number])
        children = list(range(first, first + count)) if count else []
        assert list(tree.node(number).children) == children
        assert all(tree.parent[child] == number for child in children)
        assert (first == -1) == (count == 0)


@LAW
@given(cases(weights="any"))
def test_a_tree_comes_back_from_json_as_it_was(case):
    sample, recipe = case
    data = bridge.to_dataset(sample)
    tree = ex.grow(data, recipe)
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    assert back.recipe == tree.recipe
    assert (back.classes, back.is_regression) == (tree.classes, tree.is_regression)
    frame = bridge.to_frame(sample)
    np.testing.assert_array_equal(tree.predict(frame), back.predict(frame))
    np.testing.assert_array_equal(tree.apply(frame), back.apply(frame))
    assert "-0.0" not in json.dumps(tree.to_dict())
    pruned = tree.with_pruned(tree.depth == 1)
    closed = bridge.through_json(pruned)
    bridge.assert_same_tree(pruned, closed)
    assert (closed.n_nodes, closed.n_leaves) == (pruned.n_nodes, pruned.n_leaves)
    np.testing.assert_array_equal(pruned.predict(frame), closed.predict(frame))


@LAW
@given(cases(weights="any"))
def test_training_rows_are_given_the_label_of_their_leaf(case):
    sample, recipe = case
    complete = pick(sample, list(brute_force.training_rows(sample, brute_force.GrowParameters(missing="drop"))))
    assume(len(set(complete.target)) > 1)
    data = bridge.to_dataset(complete)
    tree = ex.grow(data, recipe)
    leaf_of_row = tree.apply(data)
    for leaf in tree.leaves():
        rows = tree.rows_at(data, leaf)
        assert set(leaf_of_row[rows]) <= {leaf}
        assert all(value == tree.node(leaf).label for value in tree.predict(data)[rows])
    np.testing.assert_array_equal(tree.predict(data), tree.predict(bridge.to_frame(complete)))
    if not tree.is_regression:
        np.testing.assert_allclose(tree.predict_proba(data).sum(axis=1), 1.0)


@LAW
@given(st.data())
def test_rows_taken_from_a_table_are_a_table_of_their_own(data):
    sample = data.draw(bridge.samples(weights="any"))
    recipe = bridge.to_recipe(data.draw(bridge.rules_for(sample)))
    rows = data.draw(st.lists(st.sampled_from(range(len(sample.target))), min_size=2, unique=True).map(sorted))
    part = pick(sample, rows)
    assume(len(set(part.target)) > 1)
    assume(recipe.missing != "drop" or brute_force.training_rows(part, brute_force.GrowParameters(missing="drop")))
    taken = ex.grow(bridge.to_dataset(sample).take(rows), recipe)
    own = ex.grow(bridge.to_dataset(part), recipe)
    bridge.assert_alike(taken, own)
    frame = bridge.to_frame(sample)
    np.testing.assert_array_equal(taken.predict(frame), own.predict(frame))


@LAW
@given(cases(regression=False, weights="any", impurity="gini", score="decrease", missing="most_common"))
def test_gini_tree_is_the_variance_tree_of_a_target_of_0_and_1(case):
    sample, recipe = case
    target = tuple(float(value == sample.classes[0]) for value in sample.target)
    assume(len(set(target)) > 1)
    two = replace(sample, target=tuple(str(int(value)) for value in target), classes=("0", "1"))
    number = replace(sample, target=target, classes=None)
    gini = ex.grow(bridge.to_dataset(two), recipe)
    variance = ex.grow(bridge.to_dataset(number), recipe.replace(impurity="variance"))
    for name in ["parent", "feature", "cat_code", "cat_branch"]:
        np.testing.assert_array_equal(getattr(gini, name), getattr(variance, name))
    np.testing.assert_allclose(gini.impurity, 2 * variance.impurity, atol=1e-12)


# -- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e9])
def test_noise_far_from_zero_loses_no_digits(offset):
    rng = np.random.default_rng(5)
    noise = rng.integers(-512, 512, 400) / 1024  # exact beside 1e9, where a double has steps of 2⁻²³
    frame = pd.DataFrame({"x": rng.normal(size=400), "z": rng.normal(size=400), "y": noise + offset})
    at_zero = frame.assign(y=noise)
    recipe = ex.CART.replace(min_rows_leaf=5.0)
    far, near = (ex.grow(ex.Dataset.from_frame(f, "y", ["x", "z"]), recipe) for f in (frame, at_zero))
    np.testing.assert_array_equal(far.feature, near.feature)
    np.testing.assert_array_equal(far.threshold, near.threshold)
    np.testing.assert_allclose(far.impurity, near.impurity, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(far.values - offset, near.values, atol=2e-7)


def test_tightly_clustered_targets_are_told_apart():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": [1e9, 1e9 + 2**-20, 1e9 + 2**-10, 1e9 + 2**-10 + 2**-20]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", ["x"], {"y": "numeric"}), ex.CART)
    assert tree.node(0).condition.threshold == 2.5
    assert tree.n_leaves == 4
    assert list(tree.predict(frame)) == list(frame["y"])


def test_targets_of_a_wide_range_lose_no_digits():
    frame = pd.DataFrame({"x": np.arange(80.0), "y": 2.0 ** np.arange(80)})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", ["x"], {"y": "numeric"}), ex.CART)
    assert tree.n_leaves == 80
    assert list(tree.predict(frame)) == list(frame["y"])


def test_targets_too_large_to_be_squared_are_refused():
    frame = pd.DataFrame({"x": np.arange(6.0), "y": [1e200, -1e200, 1e200, 3, 4, 5]})

    def grown() -> ex.Tree:
        return ex.grow(ex.Dataset.from_frame(frame, "y", ["x"], {"y": "numeric"}), ex.CART)

    with pytest.raises(ex.InputError, match=r"'y'.*large"):
        grown()


def test_nothing_prints_minus_zero():
    frame = pd.DataFrame({"x": [-0.0, 0.0, -1.0, 1.0, -0.5, 0.5], "y": [-0.0, 0.0, 0.0, 1.0, -1.0, 0.0]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric", "y": "numeric"})
    tree = ex.grow(data, ex.CART)
    assert "-0" not in ex.to_text(tree).replace("-0.", "")
    shown = [tree.threshold, tree.values, tree.impurity, tree.stats, tree.predict(frame)]
    assert not any(np.any(np.signbit(numbers) & (numbers == 0)) for numbers in shown)
    decisions = [ex.decide(tree, data, number) for number in range(tree.n_nodes_grown)]
    gains = [candidate.gain for decision in decisions for candidate in decision.candidates]
    assert not any(gain == 0 and np.signbit(gain) for gain in gains)


def test_two_classes_of_many_rows_do_not_overflow():
    weights = np.array([3e9, 1e9, 2e9, 4e9])
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": ["a", "b", "c", "a"]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], weights=weights)
    tree = ex.grow(data, ex.CART)
    assert tree.node(0).impurity == pytest.approx(1 - 0.49 - 0.01 - 0.04, rel=1e-12)
    best = ex.decide(tree, data, 0).chosen
    left = 1 - (3 / 6) ** 2 - (1 / 6) ** 2 - (2 / 6) ** 2
    assert best.condition.threshold == 3.5
    assert best.gain == pytest.approx(0.46 - 0.6 * left, rel=1e-12)


def test_exclusive_or_is_learnt_through_a_split_of_zero_gain():
    frame = pd.DataFrame({"a": [0.0, 0, 1, 1] * 5, "b": [0.0, 1, 0, 1] * 5})
    frame["y"] = (frame["a"] != frame["b"]).map({True: "yes", False: "no"})
    data = ex.Dataset.from_frame(frame, "y", ["a", "b"], {"a": "numeric", "b": "numeric"})
    tree = ex.grow(data, ex.CART)
    assert ex.decide(tree, data, 0).chosen.gain == 0.0
    assert tree.n_leaves == 4
    assert list(tree.predict(frame)) == list(frame["y"])


def test_bins_are_the_categories_that_np_quantile_makes():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"x": rng.integers(0, 9, 60).astype(float), "y": rng.choice(["p", "q"], 60)})
    edges = np.unique(np.quantile(frame["x"], [0.25, 0.5, 0.75]))
    by_hand = frame.assign(x=np.searchsorted(edges, frame["x"]).astype(str))
    binned = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric"})
    named = ex.Dataset.from_frame(by_hand, "y", ["x"], {"x": [str(i) for i in range(len(edges) + 1)]})
    first, second = ex.grow(binned, ex.ID3), ex.grow(named, ex.ID3)
    assert first.node(0).condition.kind == "bins"
    np.testing.assert_array_equal(first.stats, second.stats)
    outside = pd.DataFrame({"x": [-100.0, 100.0]})
    assert list(first.apply(outside)) == [first.node(0).children[0], first.node(0).children[-1]]
