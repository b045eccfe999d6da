"""XGBoost's gain and default directions in both layers, against the definition written out, and in every export."""

import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.compiling import compiling
from explorer.drawing.tree_view.payload import tree_payload
from explorer.explaining.node_rule import rule_words
from explorer.recipe.condition import BELOW_ALL
from tests.oracles.examples import slow
from tests.oracles.exported_code import assert_same_predictions, by_python, by_sql
from tests.oracles.laws import assert_nearly_same
from tests.oracles.recipes import GROUPINGS
from tests.oracles.tables import mixed_data, mixed_frame

WITHOUT_CLASSES = ["most_common", "fractional", "surrogate", "own_branch", "default_direction"]


@pytest.mark.parametrize("weights", [slow(None), "fractions"])
@pytest.mark.parametrize("target", ["two", slow("number")])
@pytest.mark.parametrize("categorical", GROUPINGS)
@pytest.mark.parametrize("policy", WITHOUT_CLASSES)
def test_kernels_grow_the_newton_tree_of_the_definition(policy, categorical, target, weights):
    data = mixed_data(target, weights, 0.2)
    base = ex.CART.replace(score="newton", missing=policy, categorical=categorical)
    mean, pruned = {"base_score": "mean", "min_rows_leaf": 4.0}, {"reg_lambda": 30.0, "gamma": 2.0}
    for changes in ({"reg_lambda": 0.0}, mean, pruned):
        recipe = base.replace(**changes)
        fast = ex.grow(data, recipe, keep_candidates=True)
        with compiling():
            assert_nearly_same(fast, ex.grow(data, recipe))
        chosen = ex.decide(fast, data, 0).chosen
        if chosen is not None:
            assert fast.evidence.gain[0].max() * fast.weight[0] == pytest.approx(chosen.score, rel=1e-9)


@pytest.mark.parametrize("target", ["two", "four", "number"])
@pytest.mark.parametrize("weights", [None, "fractions"])
def test_every_threshold_is_tried_with_missing_rows_on_either_side(target, weights):
    """The definition by brute force: the best of all branches of one numeric feature, missing rows left or right."""
    data = mixed_data(target, weights, 0.3)
    tree = ex.grow(data, ex.CART.replace(missing="default_direction", max_depth=1))
    candidates = ex.decide(tree, data, 0).candidates
    w = data.weight_of_rows()
    for feature in data.features[:2]:
        x = data.cells[feature.name].to_numpy(dtype=np.float64)
        values = np.unique(x[~np.isnan(x)])
        cuts = [*(values[:-1] + np.diff(values) / 2), -np.inf]
        listed = candidates.of_feature(feature.name)
        assert len(listed) == len(cuts)
        assert listed[-1].condition.threshold == BELOW_ALL
        for cut, candidate in zip(cuts, listed, strict=True):
            known_left = x <= cut  # false for nan
            sides = [known_left | np.isnan(x)] + ([known_left] if np.isfinite(cut) else [])
            best = max(total(data, w, np.ones(len(w), bool)) - total(data, w, s) - total(data, w, ~s) for s in sides)
            assert candidate.gain == pytest.approx(best / w.sum(), rel=1e-9, abs=1e-12)


def total(data, w, rows):
    """Weight times variance or Gini of some rows."""
    if data.is_regression:
        mean = np.average(data.y[rows], weights=w[rows])
        return float((w[rows] * (data.y[rows] - mean) ** 2).sum())
    counts = np.bincount(data.y[rows], weights=w[rows])
    return float(counts.sum() - (counts**2).sum() / counts.sum())


def missing_table():
    """One number that says nothing but where it is missing, and a second that is never missing."""
    x = [1.0, 1.0, 1.0, 1.0, None, None, None]
    frame = pd.DataFrame({"x": x, "z": [1.0, 2, 3, 4, 5, 6, 7], "y": [0.25, 0.5, 0.0, 0.75, 5.25, 5.0, 6.5]})
    return ex.Dataset.from_frame(frame, "y", ["x", "z"])


def test_missing_or_not_is_a_test_of_its_own_in_every_view():
    data = ex.Dataset.from_frame(missing_table().frame, "y", ["x"])
    tree = ex.grow(data, ex.CART.replace(missing="default_direction", max_depth=1))
    assert tree.condition(0).branch_word(0) == "is missing"
    assert tree.condition(0).branch_word(1) == "is known"
    assert tree.missing_branch[0] == 0
    assert [rule_words(tree, node) for node in (1, 2)] == ["x is missing", "x is known"]
    rows = pd.DataFrame({"x": [-1e300, 0.0, 1.0, 1e300, np.nan]})
    known, missing = 1.5 / 4, 16.75 / 3
    assert tree.predict(rows) == pytest.approx([known] * 4 + [missing])
    assert b"missing" in tree_payload(tree)
    back = ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict(), allow_nan=False)))
    assert back.predict(rows).tolist() == tree.predict(rows).tolist()
    for run in (by_python, by_sql):
        assert_same_predictions(tree, rows, run)
    assert "1797" not in ex.to_text(tree) + ex.to_dot(tree)


@pytest.mark.parametrize("target", ["two", "four", "number"])
def test_exports_send_missing_rows_to_the_default_side(target):
    data = mixed_data(target, None, 0.3)
    tree = ex.grow(data, ex.CART.replace(missing="default_direction", max_depth=6))
    rows = mixed_frame(80, seed=3, missing=0.4)[[feature.name for feature in data.features]]
    for run in (by_python, by_sql):
        assert_same_predictions(tree, rows, run)


def test_a_node_without_missing_rows_has_the_first_or_the_heaviest_branch():
    complete = ex.Dataset.from_frame(missing_table().frame, "y", ["z"])
    tree = ex.grow(complete, ex.CART.replace(missing="default_direction", max_depth=1))
    assert tree.threshold[0] == 4.5  # four rows on the left
    assert tree.missing_branch[0] == 0
    frame = missing_table().frame.assign(z=[1.0, 2, 3, 4, 5, 6, None], x=[1.0, 1, 1, 1, 1, 2, 2])
    lacking = ex.Dataset.from_frame(frame, "y", ["x", "z"])
    below = ex.grow(lacking, ex.CART.replace(missing="default_direction"))
    for node in np.flatnonzero(below.is_inner).tolist():
        rows = below.rows_at(lacking, node)
        column = "xz"[below.feature[node]]
        if lacking.frame[column].iloc[rows].notna().all() and lacking.frame[column].isna().any():
            weights = below.weight[list(below.children_of(node))]
            assert below.missing_branch[node] == int(np.argmax(weights))


@pytest.mark.parametrize("target", ["two", "number"])
def test_weight_two_is_the_row_twice(target):
    data = mixed_data(target, None, 0.2)
    times = np.random.default_rng(2).integers(1, 4, data.n_rows)
    weighted, repeated = data.with_weights(times), data.take(np.repeat(np.arange(data.n_rows), times))
    recipe = ex.CART.replace(score="newton", missing="default_direction", reg_lambda=3.0, min_rows_leaf=2.0)
    assert_nearly_same(ex.grow(weighted, recipe), ex.grow(repeated, recipe))


def test_a_negative_gain_makes_no_split_and_is_listed():
    y = [1, 2, 2.5, 7, 8, 7.5, 3, 2]
    data = ex.Dataset.from_frame(pd.DataFrame({"x": np.arange(1.0, 9.0), "y": y}), "y")
    tree = ex.grow(data, ex.CART.replace(score="newton", reg_lambda=10.0, base_score=0.0))
    decision = ex.decide(tree, data, 0)
    assert tree.n_leaves == 1
    assert decision.stop_reason == "the best score is below the limit"
    assert all(candidate.score < 0 for candidate in decision.candidates)
    assert tree.values[0] == pytest.approx(33 / 18)


def test_gamma_undoes_splits_from_the_leaves_up_and_says_so():
    y = [0, 0, 6, 6, 0, 1]
    data = ex.Dataset.from_frame(pd.DataFrame({"x": np.arange(1.0, 7.0), "y": np.array(y) + 0.5}), "y").with_target(y)
    recipe = ex.CART.replace(score="newton", reg_lambda=0.0, base_score=2.0, max_depth=2)
    kept = ex.grow(data, recipe.replace(gamma=22.0))  # the root's 14.08 is below, but 30.25 stands under it
    assert kept.n_leaves == 3
    pruned = ex.grow(data, recipe.replace(gamma=31.0))
    assert pruned.n_leaves == 1
    assert ex.decide(pruned, data, 0).stop_reason == "the gain is below γ, and both branches are leaves"
    assert [(step.node, step.pruned) for step in ex.newton_steps(ex.grow(data, recipe), 31.0)] == [(2, True), (0, True)]


def test_gamma_leaves_a_split_by_hand():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    wind = ex.Choices().force((), "Wind")
    tree = ex.grow(data, ex.CART.replace(score="newton", gamma=100.0), choices=wind)
    assert tree.n_leaves == 2


PENALTY = {"score": "newton", "release8_penalty": True}


@pytest.mark.parametrize(
    "changes",
    [{"reg_lambda": -1.0}, {"gamma": float("nan")}, {"base_score": "median"}, PENALTY],
)
def test_values_that_mean_nothing_are_refused(changes):
    with pytest.raises(ex.InputError, match=next(name for name in reversed(changes))):
        ex.CART.replace(**changes)


def test_without_a_base_score_it_is_the_mean_as_xgboost_estimates_it():
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [1.0, 2, 3, 4], "y": [1.5, 2, 6, 8]}), "y")
    recipe = ex.CART.replace(score="newton", max_depth=1)
    assert recipe.base_score == "mean"
    tree = ex.grow(data, recipe)
    # by hand: mean 4.375, G of the left branch is −(1.5 + 2 − 2 · 4.375) = 5.25, its leaf −5.25/(2 + 1)
    assert tree.values[1] == pytest.approx(4.375 - 5.25 / 3)


def test_one_class_alone_is_a_leaf():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": list("aabb")})
    data = ex.Dataset.from_frame(frame, "y").take([0, 1])
    assert ex.grow(data, ex.CART.replace(score="newton")).n_leaves == 1


def test_a_base_score_of_two_classes_is_a_probability():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    with pytest.raises(ex.InputError, match="is a probability"):
        ex.grow(data, ex.CART.replace(score="newton", base_score=3.0))
    tree = ex.grow(data, ex.CART.replace(score="newton", base_score="mean"))
    root = ex.decide(tree, data, 0).chosen.newton
    assert root.gradient == pytest.approx(0.0, abs=1e-12)
    assert root.hessian == pytest.approx(14 * (9 / 14) * (5 / 14))
