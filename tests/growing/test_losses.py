"""Losses of a numeric target other than squared error: both layers, brute force, laws, and what goes with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import metrics

import explorer as ex
from explorer.compiling import compiling
from explorer.explaining.formulas.candidate import candidate_formulas
from tests.oracles import bridge, brute_force
from tests.oracles.connected import connected
from tests.oracles.examples import law, slow
from tests.oracles.exported_code import assert_same_predictions, by_python, by_sql
from tests.oracles.laws import as_weights_and_as_rows, assert_evidence, assert_nearly_same
from tests.oracles.recipes import GROUPINGS
from tests.oracles.tables import MIXED_FEATURES, mixed_frame

POLICIES = ["drop", "most_common", "fractional", "surrogate", "own_branch", "default_direction"]
LAW = law(60)


def counts(weights: str | None = None, missing: float = 0.0, least: float = 0.0, rows: int = 160) -> ex.Dataset:
    """The mixed table with a target of counts, from `least` on."""
    frame = mixed_frame(rows, seed=11, missing=missing)
    frame["count"] = np.random.default_rng(5).poisson(np.exp(frame["number"].to_numpy() / 3)) + least
    kinds = {**dict.fromkeys(MIXED_FEATURES[2:], "categorical"), "count": "numeric"}
    return ex.Dataset.from_frame(frame, "count", MIXED_FEATURES, kinds, weights)


@st.composite
def tables_of_counts(draw: st.DrawFn, **fixed):
    """A small table of counts and the oracle's settings."""
    sample = draw(bridge.samples(regression=True))
    goal = draw(st.lists(st.integers(0, 5).map(float), min_size=len(sample.target), max_size=len(sample.target)))
    assume(len(set(goal)) > 1)
    sample = replace(sample, target=tuple(goal))
    return sample, draw(bridge.rules_for(sample, impurity="poisson", score="decrease", **fixed))


@LAW
@given(tables_of_counts())
def test_every_candidate_has_the_deviance_of_its_definition(pair):
    sample, rules = pair
    data = bridge.to_dataset(sample)
    assume(any(sample.target[row] for row in brute_force.training_rows(sample, rules)))
    tree = ex.grow(data, bridge.to_recipe(rules))
    assert bridge.walk_beside(tree, data, sample, rules) == tree.n_nodes


@pytest.mark.parametrize("weights", [None, "fractions"])
@pytest.mark.parametrize("categorical", [GROUPINGS[0], *map(slow, GROUPINGS[1:])])
@pytest.mark.parametrize("policy", POLICIES)
def test_kernels_grow_the_tree_of_the_definition(policy, categorical, weights):
    base = ex.CART.replace(impurity="poisson", missing=policy, categorical=categorical)
    limits = {"min_rows_leaf": 5.0, "max_impurity": 0.3}
    for changes in ({}, limits, {"numeric": "bins"}, {"max_features": 2}, {"random_thresholds": True}):
        if policy == "default_direction" and "random_thresholds" in changes:
            continue
        for least in (0.0, 1000.0):  # far from 0 the mean is taken off while growing
            data, recipe = counts(weights, 0.15, least), base.replace(**changes)
            fast = ex.grow(data, recipe, keep_candidates=True)
            with compiling():
                assert_nearly_same(fast, ex.grow(data, recipe))
    assert_evidence(ex.grow(data, base.replace(max_depth=3), keep_candidates=True), data)


def test_a_monotone_tree_rises_in_both_layers():
    data = counts("fractions")
    recipe = ex.CART.replace(impurity="poisson", missing="most_common", monotone={"real": 1}, min_rows_leaf=4)
    tree = ex.grow(data, recipe)
    with compiling():
        assert_nearly_same(tree, ex.grow(data, recipe))
    for node in np.flatnonzero(tree.is_inner & (tree.feature == 0)):
        first, second = tree.children_of(node)
        assert tree.values[first] <= tree.values[second] + 1e-12


@LAW
@given(tables_of_counts(missing="most_common"), st.data())
def test_a_weight_of_two_is_the_row_twice(pair, data):
    sample, rules = pair
    sample = replace(sample, target=tuple(1.0 + value for value in sample.target))
    as_weights_and_as_rows(sample, bridge.to_recipe(rules), data)


def test_statistics_and_importance_are_those_of_the_deviance():
    data = counts("fractions")
    tree = ex.grow(data, ex.CART.replace(impurity="poisson", max_depth=4))
    weights = data.weight_of_rows()
    for node in range(tree.n_nodes):
        rows = tree.rows_at(data, node)
        mean = np.average(data.y[rows], weights=weights[rows])
        half = 0.0
        if mean > 0:
            predicted = np.full(len(rows), mean)
            half = metrics.mean_poisson_deviance(data.y[rows], predicted, sample_weight=weights[rows]) / 2
        assert (tree.values[node], tree.impurity[node]) == pytest.approx((mean, half), abs=1e-12)
        assert tree.stats[node, 2] == pytest.approx(half * weights[rows].sum(), abs=1e-12)
        assert tree.node(node).deviation is None
    path = ex.cost_complexity_path(tree)
    leaves = tree.is_leaf
    assert path.risks[0] == pytest.approx((tree.weight * tree.impurity)[leaves].sum() / weights.sum())
    assert sum(ex.importance(tree).values()) == pytest.approx(1.0)


def test_the_score_is_that_of_scikit_learn_and_infinite_where_0_is_predicted_for_more():
    data = counts()
    tree = ex.grow(data, ex.CART.replace(impurity="poisson", min_rows_leaf=30))
    score = ex.evaluate(tree, data).scores["poisson_deviance"]
    assert score.value == pytest.approx(metrics.mean_poisson_deviance(data.y, tree.predict_encoded(data)))
    assert score.baseline == pytest.approx(2 * tree.impurity[0])
    assert score.improvement > 0
    frame = pd.DataFrame({"x": [0.0, 0.0, 1.0, 1.0], "y": [0.0, 0.0, 2.0, 4.0]})
    small = ex.grow(ex.Dataset.from_frame(frame, "y", kinds={"x": "numeric", "y": "numeric"}),
                    ex.CART.replace(impurity="poisson"))  # fmt: skip
    other = ex.Dataset.from_frame(frame.assign(y=[1.0, 0.0, 3.0, 3.0]), "y", kinds={"x": "numeric", "y": "numeric"})
    assert ex.evaluate(small, other).scores["poisson_deviance"].value == np.inf
    assert "poisson_deviance" not in ex.evaluate(ex.grow(data, ex.CART), data).scores


def test_the_formula_has_the_sum_of_deviances_and_its_words():
    frame = pd.DataFrame({"x": [0.0, 0.0, 1.0, 1.0], "y": [1.0, 1.0, 2.0, 4.0]})
    data = ex.Dataset.from_frame(frame, "y", kinds={"x": "numeric", "y": "numeric"})
    tree = ex.grow(data, ex.CART.replace(impurity="poisson", max_depth=1))
    chosen = ex.decide(tree, data, 0).chosen
    losses = [sum(y * np.log(y / np.mean(part)) for y in part) for part in ([1, 1, 2, 4], [1, 1], [2, 4])]
    assert chosen.gain == pytest.approx((losses[0] - losses[1] - losses[2]) / 4)
    assert chosen.branch_stats[:, 2].tolist() == pytest.approx(losses[1:])
    derivation = candidate_formulas(tree.node(0), chosen)["Poisson deviance decrease"]
    assert derivation.result.text.startswith("ΔDev(A) = Dev(D) − 2/4·Dev(D₁) − 2/4·Dev(D₂)")
    assert derivation.formulas[0].text.startswith("Dev(D) = L(D)/4")
    assert ("D₂", "x > 0.5 · 2 rows, ȳ = 3, L = Σ(y·ln(y/ȳ) − (y − ȳ)) = 0.339798") in derivation.legend


def test_exports_and_a_saved_tree_predict_the_same():
    data = counts(missing=0.1)
    tree = ex.grow(data, ex.CART.replace(impurity="poisson", missing="most_common", max_depth=4))
    frame = mixed_frame(160, seed=11, missing=0.1)[MIXED_FEATURES]
    for run in (by_python, by_sql):
        assert_same_predictions(tree, frame, run)
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    assert back.recipe == tree.recipe
    assert "±" not in ex.to_text(tree)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"score": "newton"}, "score"),
        ({"score": "squared_share_weighting"}, "score"),
        ({"score": "gain_ratio"}, "score"),
        ({"min_squared_error": 3.0}, "min_squared_error"),
        ({"release8_penalty": True}, "release8_penalty"),
    ],
)
def test_what_is_about_squared_errors_is_refused(changes, words):
    with pytest.raises(ex.InputError, match=words):
        ex.CART.replace(impurity="poisson", **changes)


def test_targets_that_are_no_counts_are_refused():
    recipe = ex.CART.replace(impurity="poisson")
    kinds = {"x": "numeric", "y": "numeric"}
    for values, words in (([1.0, -2.0, 3.0], "has the value -2"), ([0.0, 0.0, 3.0], "is 0 in all rows")):
        frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": values})
        data = ex.Dataset.from_frame(frame, "y", kinds=kinds).take(np.arange(2))
        with pytest.raises(ex.InputError, match=words):
            ex.grow(data, recipe)
        if len(set(data.y)) > 1:  # without members a forest predicts the constant
            with pytest.raises(ex.InputError, match=words):
                ex.forest(data, recipe, n_estimators=2)
    classes = ex.Dataset.from_frame(pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), "y")
    with pytest.raises(ex.InputError, match="needs a numeric target"):
        ex.grow(classes, recipe)
    with pytest.raises(ex.InputError, match="give the loss to boosting"):
        ex.gradient_boost(counts(), recipe, n_estimators=2)
    frame, refused = pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, 2.0]}), "connected table cannot grow"
    with connected(frame, "y", kinds=kinds) as source, pytest.raises(ex.InputError, match=refused):
        ex.grow(source, recipe)


def test_a_forest_by_deviance_has_the_trees_of_its_samples():
    data = counts()
    forest = ex.forest(data, ex.CART.replace(impurity="poisson", max_features=3, max_depth=3), n_estimators=3)
    for tree in (member.tree for member in forest.members):
        assert tree.recipe.impurity == "poisson"
        assert (tree.values >= 0).all()
