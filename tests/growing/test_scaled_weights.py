"""Multiplying the weights of all rows by one factor changes no tree, no pruning and no ensemble (section 9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from tests.oracles import bridge
from tests.oracles.examples import law

LAW = law(90)
FACTORS = [0.1, 1 / 3, 0.47, 0.7, 1e-9, 1e9]
POLICIES = ["drop", "most_common", "same_class", "fractional", "own_branch", "default_direction"]
TOP = 9 / 4
"""The largest weight of a random table: all are divided by it, so that their mean is at most that of single rows."""


@st.composite
def cases(draw: st.DrawFn, regression: bool | None = None) -> tuple[ex.Dataset, ex.Recipe, float]:
    """A table, a recipe with every option that does not count rows, and a factor.

    Bins and the mean gain count rows by their weight from a mean of 1 on, so these are only made lighter.
    """
    sample = draw(bridge.samples(regression=regression, weights=draw(st.sampled_from(["one", "any"]))))
    data = bridge.to_dataset(sample)
    has_classes = sample.classes is not None
    recipe = ex.Recipe(
        impurity=draw(st.sampled_from(["entropy", "gini", "error"])) if has_classes else None,
        score=draw(st.sampled_from(["decrease", "gain_ratio"] if has_classes else ["decrease"])),
        categorical=draw(st.sampled_from(["each_value", "one_vs_rest", "subset"])),
        numeric=draw(st.sampled_from(["threshold", "bins", "bins", "each_value"])),
        threshold_at=draw(st.sampled_from(["midpoint", "observed", "c45"])),
        missing=draw(st.sampled_from([p for p in POLICIES if has_classes or p != "same_class"])),
        unseen=draw(st.sampled_from(["node", "heaviest"])),
        max_depth=draw(st.sampled_from([None, 1, 3])),
        costs={sample.classes[0]: {sample.classes[1]: 3}} if sample.classes and draw(st.booleans()) else None,
        class_weights={sample.classes[0]: 2} if sample.classes and draw(st.booleans()) else None,
    )
    counts_rows = recipe.numeric == "bins" or recipe.score == "gain_ratio"
    factor = draw(st.sampled_from([f for f in FACTORS if f < 1 or not counts_rows]))
    return data.with_weights(data.weight_of_rows() / TOP), recipe, factor


def scaled(data: ex.Dataset, factor: float) -> ex.Dataset:
    return data.with_weights(data.weight_of_rows() * factor)


def grown(data: ex.Dataset, recipe: ex.Recipe) -> ex.Tree:
    try:
        return ex.grow(data, recipe)
    except ex.InputError:
        assume(False)
        raise


def assert_same_but_for_weight(light: ex.Tree, heavy: ex.Tree, factor: float = 1.0) -> None:
    """The same tests, predictions and pruned nodes, and weights that differ by the factor."""
    for name in ["parent", "feature", "child_count", "cat_offset", "cat_code", "cat_branch", "stop", "is_pruned"]:
        np.testing.assert_array_equal(getattr(light, name), getattr(heavy, name), err_msg=name)
    for one, other in zip(light.features, heavy.features, strict=True):
        bridge.same_numbers(one.edges, other.edges)
    bridge.same_numbers(light.threshold, heavy.threshold)
    bridge.same_numbers(light.weight / factor, heavy.weight)
    bridge.same_numbers(light.impurity, heavy.impurity)
    if not heavy.is_regression:
        np.testing.assert_array_equal(light.labels, heavy.labels)


@LAW
@given(cases(), st.sampled_from([None, 0.3, 2.0]))
def test_a_tree_is_the_same(case, minimum):
    data, recipe, factor = case
    minimum = None if minimum is None else minimum / TOP  # what rows of these weights can miss by rounding alone
    if minimum is not None:
        recipe = recipe.replace(min_rows_leaf=minimum, min_rows_split=2 * minimum)
    heavy = grown(data, recipe)
    if minimum is not None:
        recipe = recipe.replace(min_rows_leaf=minimum * factor, min_rows_split=2 * minimum * factor)
    light = grown(scaled(data, factor), recipe)
    assert_same_but_for_weight(light, heavy, factor)
    assert light.predict(data.frame).tolist() == pytest.approx(heavy.predict(data.frame).tolist())


@LAW
@given(cases())
def test_pruning_is_the_same(case):
    data, recipe, factor = case
    heavy, light = grown(data, recipe), grown(scaled(data, factor), recipe)
    # α is a difference of risks: steps below 10⁻⁹ of the root's (0.25 of 1.9·10¹¹) have lost their digits.
    assume((np.diff(ex.cost_complexity_path(heavy).alphas) >= 1e-9 * heavy.impurity[0]).all())
    risks = ["impurity", "per_node"] if heavy.is_regression else ["impurity", "error", "per_node"]
    for risk in risks:
        ways = [ex.cost_complexity_path(tree, risk) for tree in (light, heavy)]
        bridge.same_numbers(*(path.alphas for path in ways))
        np.testing.assert_array_equal(*(path.n_leaves for path in ways))
        for alpha in {0.0, *((ways[1].alphas[1:] + ways[1].alphas[:-1]) / 2)}:
            assert_same_but_for_weight(*(ex.prune_at_alpha(tree, alpha, risk) for tree in (light, heavy)), factor)
    for order in ("bottom_up", "best_first"):
        both = [(light, scaled(data, factor)), (heavy, data)]
        pruned = [ex.reduced_error_prune(tree, rows, order=order) for tree, rows in both]
        assert_same_but_for_weight(*pruned, factor)


ENSEMBLES: dict[str, Callable[[ex.Dataset, ex.Recipe], Any]] = {
    "adaboost": lambda data, recipe: ex.adaboost(data, recipe, 4),
    "half log": lambda data, recipe: ex.adaboost(data, recipe, 4, vote="half_log"),
    "Quinlan 1996": lambda data, recipe: ex.c50(data, recipe, 4),
    "C5.0": lambda data, recipe: ex.c50(data, recipe, 4, "c50"),
    "gradient": lambda data, recipe: ex.gradient_boost(data, n_estimators=4),
    "forest": lambda data, recipe: ex.forest(data, recipe, n_estimators=3),
    "bagging": lambda data, recipe: ex.bagging(data, recipe, n_estimators=3),
}


@pytest.mark.parametrize("name", ENSEMBLES)
@law(30)
@given(cases(regression=False))
def test_an_ensemble_is_the_same(name, case):
    data, recipe, factor = case
    try:
        light, heavy = (ENSEMBLES[name](rows, recipe) for rows in (scaled(data, factor), data))
    except ex.InputError:
        assume(False)
    assert len(light.members) == len(heavy.members)
    for one, other in zip(light.members, heavy.members, strict=True):
        bridge.same_numbers(one.vote, other.vote)
        np.testing.assert_array_equal(one.tree.feature, other.tree.feature)
    assert light.predict(data.frame).tolist() == heavy.predict(data.frame).tolist()


@law(60)
@given(cases(), st.sampled_from([0.0, 1.0]), st.sampled_from([0.1, 1 / 3, 0.7, 8.0]))
def test_newton_boosting_is_the_same_where_its_constants_are_scaled(case, reg_lambda, factor):
    """λ, γ and the least hessian count rows by their weight; below 10⁻⁶ a gain is none, whatever the weights."""
    data, _, _ = case
    try:
        light, heavy = (
            ex.newton_boost(scaled(data, by), 4, by * reg_lambda, by * 0.01, min_child_weight=by * 0.1)
            for by in (factor, 1.0)
        )
    except ex.InputError:
        assume(False)
    assert len(light.members) == len(heavy.members)
    predict = "predict" if data.is_regression else "predict_proba"
    bridge.same_numbers(*(getattr(ensemble, predict)(data.frame) for ensemble in (light, heavy)))


@pytest.mark.parametrize("factor", [1.0, *FACTORS[:-1]])
def test_the_bins_of_equal_weights_are_those_of_rows(factor):
    frame = pd.DataFrame({"x": range(1, 6), "y": list("abaab"), "w": [factor] * 5})
    assert ex.grow(ex.Dataset.from_frame(frame, "y", ["x"], weights="w"), ex.ID3).features[0].edges == (2.0, 3.0, 4.0)


def test_boosted_weights_make_no_edge_beside_a_value():
    frame = pd.DataFrame({"x": range(1, 7), "y": list("ababba")})
    boosted = ex.adaboost(ex.Dataset.from_frame(frame, "y", ["x"]), ex.ID3, 4)
    edges = np.array([edge for member in boosted.members for edge in member.tree.features[0].edges])
    beside = np.abs(edges - np.round(edges))
    assert ((beside == 0) | (beside > 1e-6)).all()


@pytest.mark.parametrize("costs", [None, {"a": {"b": 1.0}}])
def test_a_tie_but_for_rounding_is_a_tie_everywhere(costs):
    frame = pd.DataFrame({"x": [1, 1, 1, 2], "y": ["b", "a", "a", "b"], "w": [0.3, 0.1, 0.2, 1.0]})  # .1 + .2 > .3
    data = ex.Dataset.from_frame(frame, "y", ["x"], weights="w")
    tree = ex.grow(data, ex.CART.replace(costs=costs))
    row = frame[:1]
    assert tree.predict(row)[0] == "b"  # the class that the table shows first
    assert ex.grow(scaled(data, 10.0), ex.CART.replace(costs=costs)).predict(row)[0] == "b"
    alone = ex.bagging(data, ex.CART.replace(costs=costs), n_estimators=1, max_samples=1.0, bootstrap=False)
    assert alone.predict(row)[0] == "b"


def test_a_minimum_is_reached_but_for_rounding():
    frame = pd.DataFrame({"x": [1] * 10 + [2] * 10, "y": ["a"] * 10 + ["b"] * 10, "w": [0.1] * 20})
    data = ex.Dataset.from_frame(frame, "y", ["x"], weights="w")
    assert sum([0.1] * 10) < 1.0
    assert ex.grow(data, ex.CART.replace(min_rows_leaf=1.0)).n_leaves == 2
    assert ex.grow(data, ex.CART.replace(min_rows_split=2.0)).n_leaves == 2
