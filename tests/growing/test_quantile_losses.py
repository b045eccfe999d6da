"""Trees by absolute error and by quantile loss: both layers, brute force, laws, and what goes with them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import explorer as ex
from explorer.compiling import compiling
from explorer.explaining.formulas.candidate import candidate_formulas
from explorer.explaining.formulas.node_decision import validation_formula
from explorer.growing.grow import grow_fast
from explorer.recipe.columns import columns_for
from tests.oracles import bridge, brute_force
from tests.oracles.connected import connected
from tests.oracles.examples import law, slow
from tests.oracles.exported_code import assert_same_predictions, by_python, by_sql
from tests.oracles.laws import as_weights_and_as_rows, assert_evidence, assert_nearly_same
from tests.oracles.recipes import GROUPINGS
from tests.oracles.tables import MIXED_FEATURES, mixed_frame

POLICIES = ["drop", "most_common", "surrogate", "own_branch", "default_direction"]
LOSSES = ["absolute_error", "quantile"]
LAW = law(60)


def amounts(weights: str | None = None, missing: float = 0.0, least: float = 0.0, rows: int = 160) -> ex.Dataset:
    """The mixed table with a skewed target, from `least` on, in which some numbers repeat."""
    frame = mixed_frame(rows, seed=11, missing=missing)
    rng = np.random.default_rng(5)
    frame["amount"] = np.round(np.exp(frame["number"].to_numpy() / 3 + rng.normal(size=rows)), 1) + least
    kinds = {**dict.fromkeys(MIXED_FEATURES[2:], "categorical"), "amount": "numeric"}
    return ex.Dataset.from_frame(frame, "amount", MIXED_FEATURES, kinds, weights)


def pinball(targets: np.ndarray, predicted: float, share: float) -> float:
    """The mean loss of predicting one number for a share of the rows that is to lie below it."""
    rest = targets - predicted
    return float(np.mean(np.where(rest > 0, share * rest, (share - 1) * rest)))


@st.composite
def tables(draw: st.DrawFn, **fixed):
    """A small table with a numeric target and the oracle's settings."""
    sample = draw(bridge.samples(regression=True))
    impurity = draw(st.sampled_from(LOSSES))
    return sample, draw(bridge.rules_for(sample, impurity=impurity, score="decrease", **fixed))


@LAW
@given(tables())
def test_every_candidate_has_the_loss_of_its_definition(pair):
    sample, rules = pair
    if not brute_force.training_rows(sample, rules):
        return
    data = bridge.to_dataset(sample)
    tree = ex.grow(data, bridge.to_recipe(rules))
    assert bridge.walk_beside(tree, data, sample, rules) == tree.n_nodes


@pytest.mark.parametrize("impurity", LOSSES)
@pytest.mark.parametrize("weights", [None, "fractions"])
@pytest.mark.parametrize("categorical", [GROUPINGS[0], *map(slow, GROUPINGS[1:])])
@pytest.mark.parametrize("policy", POLICIES)
def test_kernels_grow_the_tree_of_the_definition(policy, categorical, weights, impurity):
    base = ex.CART.replace(impurity=impurity, missing=policy, categorical=categorical)
    limits = {"min_rows_leaf": 5.0, "max_impurity": 0.3}
    for changes in ({}, limits, {"numeric": "bins"}, {"max_features": 2}, {"random_thresholds": True}):
        if policy == "default_direction" and "random_thresholds" in changes:
            continue
        for least in (0.0, 1000.0):  # far from 0 the mean is taken off while growing
            data, recipe = amounts(weights, 0.15, least), base.replace(**changes)
            fast = ex.grow(data, recipe, keep_candidates=True)
            with compiling():
                assert_nearly_same(fast, ex.grow(data, recipe))
    assert_evidence(ex.grow(data, base.replace(max_depth=3), keep_candidates=True), data)


@pytest.mark.parametrize("impurity", LOSSES)
def test_all_threads_grow_the_tree_of_one(impurity):
    """Above the size that one thread grows, nodes are searched feature by feature."""
    data = amounts("fractions", 0.1, rows=400)
    for policy in ("surrogate", "default_direction"):
        recipe = ex.CART.replace(impurity=impurity, missing=policy)
        columns = columns_for(data, recipe)
        alone, together = (grow_fast(data, columns, recipe, limit=limit) for limit in (400, 20))
        for name in alone.keys() - {"surrogates"}:
            np.testing.assert_array_equal(alone[name], together[name], err_msg=name)


@LAW
@given(tables(missing="most_common"), st.data())
def test_a_weight_of_two_is_the_row_twice(pair, data):
    sample, rules = pair
    as_weights_and_as_rows(sample, bridge.to_recipe(rules), data)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.25])
def test_the_best_threshold_is_that_of_all_by_numpys_quantiles(share):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=301), rng.normal(size=301) ** 3
    data = ex.Dataset.from_frame(pd.DataFrame({"x": x, "y": y}), "y")
    tree = ex.grow(data, ex.CART.replace(impurity="quantile", quantile=share, max_depth=1))
    order = np.argsort(x)
    sorted_x, sorted_y = x[order], y[order]

    def loss(part: np.ndarray) -> float:
        return len(part) * pinball(part, np.quantile(part, share, method="inverted_cdf"), share)

    after = [loss(sorted_y[:cut]) + loss(sorted_y[cut:]) for cut in range(1, 301)]
    best = int(np.argmin(after)) + 1
    assert sorted_x[best - 1] <= tree.threshold[0] < sorted_x[best]
    assert (tree.weight * tree.impurity)[1:].sum() == pytest.approx(min(after), rel=1e-12)
    half = ex.grow(data, ex.CART.replace(impurity="absolute_error", max_depth=1))
    if share == 0.5:
        assert half.threshold[0] == tree.threshold[0]
        assert half.impurity == pytest.approx(2 * tree.impurity, rel=1e-12)
        assert half.values[1:] == pytest.approx([np.median(sorted_y[:best]), np.median(sorted_y[best:])])


def test_statistics_and_importance_are_those_of_the_loss():
    data = amounts("fractions")
    weights = data.weight_of_rows()
    for impurity, alpha in (("absolute_error", 0.5), ("quantile", 0.75)):
        tree = ex.grow(data, ex.CART.replace(impurity=impurity, quantile=0.75, max_depth=4))
        for node in range(tree.n_nodes):
            rows = tree.rows_at(data, node)
            y, w, predicted = data.y[rows], weights[rows], np.full(len(rows), tree.values[node])
            loss = metrics.mean_pinball_loss(y, predicted, sample_weight=w, alpha=alpha)
            assert tree.impurity[node] == pytest.approx(loss * (2 if alpha == 0.5 else 1), abs=1e-12)
            assert w[y < predicted].sum() <= alpha * w.sum() + 1e-9
            assert w[y > predicted].sum() <= (1 - alpha) * w.sum() + 1e-9
            assert tree.node(node).deviation is None
        path = ex.cost_complexity_path(tree)
        leaves = tree.is_leaf
        assert path.risks[0] == pytest.approx((tree.weight * tree.impurity)[leaves].sum() / weights.sum())
        assert sum(ex.importance(tree).values()) == pytest.approx(1.0)


def test_the_score_is_that_of_scikit_learn_and_a_path_says_which_quantile_a_leaf_is():
    data = amounts()
    tree = ex.grow(data, ex.CART.replace(impurity="quantile", quantile=0.8, min_rows_leaf=30))
    scores = ex.evaluate(tree, data).scores
    expected = metrics.mean_pinball_loss(data.y, tree.predict_encoded(data), alpha=0.8)
    assert scores["quantile_loss"].value == pytest.approx(expected)
    assert scores["quantile_loss"].baseline == pytest.approx(tree.impurity[0])
    half = ex.grow(data, ex.CART.replace(impurity="absolute_error", max_depth=0))
    assert ex.evaluate(half, data).scores["mae"].value == pytest.approx(half.impurity[0])
    assert "quantile_loss" not in ex.evaluate(half, data).scores
    row = mixed_frame(160, seed=11)[MIXED_FEATURES].iloc[[0]]
    assert "This is the median of the training rows at this node (160 rows)." in ex.row_path(half, row).sentence
    deepest = ex.grow(data, ex.CART.replace(impurity="quantile", quantile=0.8, max_depth=0))
    assert "This is the 0.8 quantile of the training rows" in ex.row_path(deepest, row).sentence


def test_medians_are_halfway_and_weights_count():
    """By hand: the median of 1, 2, 4, 9 is 3, so that Σ|y − 3| = 2 + 1 + 1 + 6; weights 1, ½, 1½ meet at 1, 2 | 4."""
    cases = [([1, 2, 4, 9], [1, 1, 1, 1], 3, 10), ([1, 2, 4], [1, 0.5, 1.5], 3, 4), ([1, 2, 4], [1, 0, 1], 2.5, 3)]
    for y, w, median, loss in cases:
        frame = pd.DataFrame({"x": range(len(y)), "y": np.array(y, float), "w": w})
        data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric", "y": "numeric"}, "w")
        tree = ex.grow(data, ex.CART.replace(impurity="absolute_error", max_depth=0))
        assert (tree.values[0], tree.stats[0, 2]) == (median, loss)


def test_prefixes_of_the_order_by_medians_need_not_be_best():
    """Medians 0, 0 and 10 (a, b, c), but b and c share two far numbers: {a} against {b, c} parts fewest."""
    groups = {"a": [0.0, 0.0, 0.0], "b": [0.0, 0.0, 0.0, 30.0, 30.0], "c": [10.0, 10.0, 10.0, 30.0, 30.0]}
    frame = pd.DataFrame([(name, value) for name, values in groups.items() for value in values], columns=["g", "y"])
    data = ex.Dataset.from_frame(frame, "y", kinds={"y": "numeric"})
    tree = ex.grow(data, ex.CART.replace(impurity="absolute_error", max_depth=1))
    candidates = ex.decide(tree, data, 0).candidates
    losses = {}
    for one in candidates:
        parts = [np.concatenate([groups[name] for name in branch]) for branch in one.condition.branches]
        losses[one.condition.branches] = sum(np.abs(part - np.median(part)).sum() for part in parts)
        assert one.gain * 13 == pytest.approx(np.abs(data.y - np.median(data.y)).sum() - losses[one.condition.branches])
    assert len(losses) == 3
    assert losses[candidates[0].condition.branches] == min(losses.values())


def test_the_formula_has_the_sum_of_distances_and_its_words():
    frame = pd.DataFrame({"x": [0.0, 0.0, 1.0, 1.0], "y": [1.0, 1.0, 2.0, 4.0]})
    data = ex.Dataset.from_frame(frame, "y", kinds={"x": "numeric", "y": "numeric"})
    tree = ex.grow(data, ex.CART.replace(impurity="absolute_error", max_depth=1))
    chosen = ex.decide(tree, data, 0).chosen
    assert chosen.gain == pytest.approx((4.0 - 0.0 - 2.0) / 4)
    assert chosen.branch_stats.tolist() == [[2.0, 1.0, 0.0], [2.0, 3.0, 2.0]]
    derivation = candidate_formulas(tree.node(0), chosen)["absolute error decrease"]
    assert derivation.result.text.startswith("ΔMAE(A) = MAE(D) − 2/4·MAE(D₁) − 2/4·MAE(D₂)")
    assert ("D₂", "x > 0.5 · 2 rows, ỹ = 3, L = Σ|y − ỹ| = 2") in derivation.legend


@pytest.mark.parametrize("impurity", [*LOSSES, "poisson"])
def test_pre_pruning_keeps_the_splits_that_lower_their_own_loss_on_validation_rows(impurity):
    data = amounts(rows=300)
    train, valid = data.take(np.arange(200)), data.take(np.arange(200, 300))
    measure = {
        "absolute_error": metrics.mean_absolute_error,
        "quantile": lambda y, predicted: metrics.mean_pinball_loss(y, predicted, alpha=0.7),
        "poisson": metrics.mean_poisson_deviance,
    }[impurity]
    recipe = ex.CART.replace(impurity=impurity, quantile=0.7, max_depth=3)
    tree = ex.grow(train, recipe.replace(prepruning=True), validation=valid)
    before = measure(valid.y, np.full(100, tree.values[0]))
    stump = ex.grow(train, recipe.replace(max_depth=1))
    after = measure(valid.y, stump.predict_encoded(valid))
    assert tree.validation[0] == pytest.approx([before, after], rel=1e-12)
    assert measure(valid.y, tree.predict_encoded(valid)) <= after
    assert (tree.n_leaves > 1) == (after < before)
    full = ex.grow(train, recipe)
    assert tree.n_leaves < full.n_leaves
    formula = validation_formula(tree.node(0), ex.decide(tree, train, 0), 100.0)
    assert formula.formulas[1].value == pytest.approx(after)


def test_pre_pruning_by_these_losses_needs_rows():
    frame = mixed_frame(80, seed=11)[["real", "number"]].dropna()
    kinds = {"real": "numeric", "number": "numeric"}
    recipe = ex.CART.replace(impurity="absolute_error", prepruning=True)
    rows = ex.Dataset.from_frame(frame, "number", kinds=kinds)
    with connected(frame, "number", kinds=kinds) as source, pytest.raises(ex.InputError, match="one by one"):
        ex.grow(rows, recipe, validation=source)


def test_exports_and_a_saved_tree_predict_the_same():
    data = amounts(missing=0.1)
    recipe = ex.CART.replace(impurity="quantile", quantile=0.8, missing="most_common", max_depth=4)
    tree = ex.grow(data, recipe)
    frame = mixed_frame(160, seed=11, missing=0.1)[MIXED_FEATURES]
    for run in (by_python, by_sql):
        assert_same_predictions(tree, frame, run)
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    assert back.recipe == tree.recipe == recipe
    assert "±" not in ex.to_text(tree)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"score": "newton"}, "score"),
        ({"score": "gain_ratio"}, "score"),
        ({"min_squared_error": 3.0}, "min_squared_error"),
        ({"missing": "fractional"}, "'most_common', 'surrogate'"),
        ({"monotone": {"x": 1}}, "Monotone constraints bound the means"),
        ({"quantile": 0.0}, "above 0 and below 1"),
        ({"quantile": 1.0}, "above 0 and below 1"),
    ],
)
def test_what_a_quantile_has_not_is_refused(changes, words):
    with pytest.raises(ex.InputError, match=words):
        ex.CART.replace(impurity="quantile", **changes)


def test_other_targets_and_growers_are_refused():
    recipe = ex.CART.replace(impurity="absolute_error")
    classes = ex.Dataset.from_frame(pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), "y")
    with pytest.raises(ex.InputError, match="needs a numeric target"):
        ex.grow(classes, recipe)
    with pytest.raises(ex.InputError, match="give the loss to boosting"):
        ex.gradient_boost(amounts(), recipe, n_estimators=2)
    frame, kinds = pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, 2.0]}), {"x": "numeric", "y": "numeric"}
    with (
        connected(frame, "y", kinds=kinds) as source,
        pytest.raises(ex.InputError, match="connected table cannot grow"),
    ):
        ex.grow(source, recipe)


def test_a_forest_has_the_trees_of_its_samples():
    data = amounts()
    recipe = ex.CART.replace(impurity="absolute_error", max_features=3, max_depth=3)
    forest = ex.forest(data, recipe, n_estimators=3)
    targets = np.unique(data.y)
    halfway = {0.5 * (a + b) for a, b in pairwise(targets)} | set(targets.tolist())
    for tree in (member.tree for member in forest.members):
        assert tree.recipe.impurity == "absolute_error"
        assert min(abs(tree.values[0] - number) for number in halfway) < 1e-12


def test_choices_by_hand_keep_the_loss_below_them():
    data = amounts(missing=0.1)
    recipe = ex.CART.replace(impurity="absolute_error", missing="most_common", max_depth=4)
    plain = ex.grow(data, recipe)
    first = ex.decide(plain, data, 0)
    choices = ex.Choices().force((), first.runner_up.feature)
    tree = ex.grow(data, recipe, choices=choices)
    for node in range(tree.n_nodes):
        rows = tree.rows_at(data, node)
        assert tree.values[node] == pytest.approx(np.median(data.y[rows]))
