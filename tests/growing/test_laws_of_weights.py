"""Laws of class weights, costs and the stops that judge a split: what they may and may not change, on random tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.compiling import compiling
from explorer.pruning import node_risk
from explorer.tree import metrics
from tests.oracles import bridge, brute_force
from tests.oracles.examples import law
from tests.oracles.laws import as_weights_and_as_rows, assert_row_order_changes_nothing, times

LAW = law(60)
SHAPE = ["parent", "feature", "child_count", "cat_offset", "cat_code", "cat_branch"]


@st.composite
def cases(draw: st.DrawFn, weights: str = "one", costs: bool = True, missing: bool = True):
    """A random table of classes and a recipe with class weights, costs, χ² and a score of any kind."""
    sample = draw(bridge.samples(regression=False, weights=weights, missing=missing))
    rules = draw(bridge.rules_for(sample))
    assume(len({sample.target[row] for row in brute_force.training_rows(sample, rules)}) > 1)
    names = [column.name for column in sample.columns]
    amount = st.sampled_from([0.25, 0.5, 1.0, 2.0, 4.0])
    changes = {
        "class_weights": draw(st.dictionaries(st.sampled_from(sample.classes), amount)),
        "feature_costs": draw(st.dictionaries(st.sampled_from(names), amount)),
        "score": draw(st.sampled_from(["decrease", "gain_ratio", "tan_schlimmer", "nunez"])),
        "nunez_w": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "chi2_level": draw(st.sampled_from([None, 0.3, 0.8])),
    }
    if costs:
        row = st.dictionaries(st.sampled_from(sample.classes), amount, min_size=1)
        found = draw(st.dictionaries(st.sampled_from(sample.classes), row))
        changes["costs"] = {a: {b: c for b, c in given.items() if b != a} for a, given in found.items()}
    return sample, bridge.to_recipe(rules).replace(**changes)


@LAW
@given(cases(weights="any"))
def test_both_layers_grow_the_same_tree(case):
    sample, recipe = case
    data = bridge.to_dataset(sample)
    fast = ex.grow(data, recipe)
    with compiling():
        slow = ex.grow(data, recipe)
    bridge.assert_alike(fast, slow)
    np.testing.assert_array_equal(fast.stop, slow.stop)
    np.testing.assert_array_equal(fast.labels, slow.labels)


@LAW
@given(cases(), st.data())
def test_a_whole_weight_is_the_row_repeated_and_weight_0_is_no_row(case, data):
    as_weight, as_rows = as_weights_and_as_rows(*case, data)
    np.testing.assert_array_equal(as_weight.stop, as_rows.stop)


@LAW
@given(cases(costs=False), st.sampled_from([2, 3]))
def test_a_class_weight_of_2_is_every_row_of_the_class_twice(case, factor):
    """Where no minimum or χ² counts rows: shapes, shares and impurities are the same, whatever the scale."""
    sample, recipe = case
    plain = recipe.replace(class_weights=None, chi2_level=None, min_rows_leaf=0.0, min_rows_split=0.0)
    name = sample.classes[0]
    repeated = times(sample, [factor if value == name else 1 for value in sample.target])
    as_weight = ex.grow(bridge.to_dataset(sample), plain.replace(class_weights={name: factor}))
    as_rows = ex.grow(bridge.to_dataset(repeated, weighted=False), plain)
    for array in SHAPE:
        np.testing.assert_array_equal(getattr(as_weight, array), getattr(as_rows, array), err_msg=array)
    bridge.same_numbers(as_weight.shares, as_rows.shares)
    bridge.same_numbers(as_weight.impurity, as_rows.impurity)
    np.testing.assert_array_equal(as_weight.labels, as_rows.labels)


@LAW
@given(cases(weights="any"), st.data())
def test_row_order_changes_nothing(case, data):
    assert_row_order_changes_nothing(*case, data)


@LAW
@given(cases(weights="any"))
def test_growing_weights_add_up_to_row_weights(case):
    sample, recipe = case
    data = bridge.to_dataset(sample)
    tree = ex.grow(data, recipe)
    used = brute_force.training_rows(sample, brute_force.GrowParameters(missing=recipe.missing))
    total = float(brute_force.weight_of(sample, used))
    assert tree.weight[0] == pytest.approx(total, rel=1e-12)
    assert tree.prior_stats[0].sum() == pytest.approx(total, rel=1e-12)
    counts = [float(c) for c in brute_force.class_weights(sample, used)]
    assert list(tree.row_stats[0]) == pytest.approx(counts, rel=1e-12)


@LAW
@given(cases(weights="any"))
def test_labels_cost_least_by_brute_force(case):
    """Over the training rows of each node: Σ weight · class weight · cost of the prediction."""
    sample, recipe = case
    data = bridge.to_dataset(sample)
    tree = ex.grow(data, recipe)
    costs, importance = {a: dict(row) for a, row in recipe.costs or ()}, dict(recipe.class_weights or ())
    scale = 0.0
    for node in range(tree.n_nodes_grown):
        if tree.node(node).is_empty:
            continue
        truth = [(sample.target[r], float(sample.weights[r])) for r in tree.rows_at(data, node)]
        price = {
            prediction: sum(
                w * importance.get(y, 1.0) * costs.get(y, {}).get(prediction, 1.0) for y, w in truth if y != prediction
            )
            for prediction in sample.classes
        }
        least = min(price.values())
        first = next(a for a in sample.classes if price[a] <= least * (1 + 1e-9) + 1e-12)
        assert tree.node(node).label == first
        scale = scale or sum(w * importance.get(y, 1.0) for y, w in truth)
        assert node_risk(tree, "error")[node] == pytest.approx(least / scale, abs=1e-9)


@LAW
@given(cases(weights="any", missing=False))
def test_expected_cost_of_every_subtree_is_that_of_its_predictions(case):
    sample, recipe = case
    assume(recipe.costs)
    data = bridge.to_dataset(sample)
    path = ex.cost_complexity_path(ex.grow(data, recipe), risk="error")
    curve = path.curve(data, "expected_cost")
    for position in range(len(path)):
        pruned = path.subtree(position=position)
        assert curve[position] == pytest.approx(metrics.expected_cost(pruned, data), abs=1e-12)
    assert curve[-1] == pytest.approx(metrics.cost_baseline(path.tree, data), abs=1e-12)
    if recipe.class_weights is None:
        np.testing.assert_allclose(curve, path.risks, atol=1e-12)


@LAW
@given(cases(weights="any"))
def test_a_tree_comes_back_from_json_as_it_was(case):
    sample, recipe = case
    data = bridge.to_dataset(sample)
    tree = ex.grow(data, recipe.replace(prepruning=True), data)
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    assert back.recipe == tree.recipe
    np.testing.assert_array_equal(back.validation, tree.validation)
    np.testing.assert_array_equal(back.labels, tree.labels)
    np.testing.assert_array_equal(back.predict_proba(data), tree.predict_proba(data))


@LAW
@given(cases(weights="any", missing=False))
def test_gini_tree_with_class_weights_is_the_variance_tree_with_row_weights(case):
    sample, recipe = case
    assume(recipe.score != "nunez")
    goal = sample.classes[0]
    target = tuple(float(value == goal) for value in sample.target)
    assume(len(set(target)) > 1)
    recipe = recipe.replace(impurity="gini", costs=None, chi2_level=None, min_rows_leaf=0.0, min_rows_split=0.0)
    two = replace(sample, target=tuple(str(int(value)) for value in target), classes=("0", "1"))
    gini = ex.grow(bridge.to_dataset(two), recipe.replace(class_weights={"1": 3.0}))
    frame = bridge.to_frame(replace(sample, target=target, classes=None))
    frame["weight"] *= np.where(frame["goal"] == 1.0, 3.0, 1.0)
    kinds = {c.name: list(c.categories) if c.categories else "numeric" for c in sample.columns} | {"goal": "numeric"}
    number = ex.Dataset.from_frame(frame, "goal", [c.name for c in sample.columns], kinds, weights="weight")
    variance = ex.grow(number, recipe.replace(class_weights=None, impurity="variance"))
    for name in SHAPE:
        np.testing.assert_array_equal(getattr(gini, name), getattr(variance, name))
    np.testing.assert_allclose(gini.impurity, 2 * variance.impurity, atol=1e-12)


def test_cross_validation_by_expected_cost_is_that_of_the_fold_trees():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"x": rng.normal(size=90), "z": rng.normal(size=90)})
    frame["y"] = np.where(frame["x"] + rng.normal(size=90) > 0.5, "ill", "well")
    data = ex.Dataset.from_frame(frame, "y", ["x", "z"])
    recipe = ex.CART.replace(costs={"ill": {"well": 7.0}, "well": {"ill": 1.5}}, min_rows_leaf=4.0)
    folds = np.arange(90) % 5
    found = ex.cross_validate_path(data, recipe, folds, risk="error", metric="expected_cost")
    losses = np.empty(90)
    for fold in range(5):
        out = folds == fold
        predictions = ex.grow(data.take(~out), recipe).predict(data.take(out))
        truth = frame["y"][out].to_numpy()
        losses[out] = np.where(truth == predictions, 0.0, np.where(truth == "ill", 7.0, 1.5))
    assert found.mean[0] == pytest.approx(losses.mean())
    assert found.standard_error[0] == pytest.approx(losses.std() / np.sqrt(90))
