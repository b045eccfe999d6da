"""Stops that judge a split by its branches: χ² against scipy, pre-pruning against the book and brute force."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import explorer as ex
from explorer.compiling import compiling
from explorer.growing.stopping import chi2_test, upper_tail
from tests.oracles import bridge
from tests.oracles.golden_walk import GOLDEN, dataset_of
from tests.oracles.tables import mixed_data

WORSE = "does not improve"
CHANCE = "not significant"


def ids(tree: ex.Tree, reason: str | None) -> list[int]:
    """The nodes that a stop made leaves, or (None) those with a test."""
    reasons = [tree.node(number).stop_reason for number in range(tree.n_nodes_grown)]
    return [i for i, text in enumerate(reasons) if (text is None if reason is None else reason in (text or ""))]


# -- χ² --------------------------------------------------------------------------------------------------------------


def test_chi2_of_outlook_by_hand():
    """Expected: 5·9/14 and 5·5/14 twice, 4·9/14 and 4·5/14. Two degrees of freedom: p = exp(−χ²/2)."""
    yes, no = [5 * 9 / 14, 4 * 9 / 14, 5 * 9 / 14], [5 * 5 / 14, 4 * 5 / 14, 5 * 5 / 14]
    found = sum((o - e) ** 2 / e for o, e in zip([2, 4, 3, 3, 0, 2], yes + no, strict=True))
    decision = ex.decide(ex.grow(dataset_of("play_tennis"), ex.ID3), dataset_of("play_tennis"), 0)
    assert decision.chi2.statistic == pytest.approx(found, rel=1e-12)
    assert decision.chi2.df == 2
    assert decision.chi2.p == pytest.approx(np.exp(-found / 2), rel=1e-12)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 10, 31, 200, 1001])
def test_tail_is_scipys(df):
    for statistic in [1e-6, 0.3, 1.0, 5.0, 40.0, 300.0, 2000.0]:
        assert upper_tail(statistic, df) == pytest.approx(stats.chi2.sf(statistic, df), rel=1e-9, abs=1e-300)


def test_tables_are_tested_as_by_scipy():
    rng = np.random.default_rng(0)
    for _ in range(50):
        table = rng.integers(0, 9, (rng.integers(2, 6), rng.integers(2, 5))).astype(float)
        kept = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if min(kept.shape) < 2:
            continue
        peer = stats.chi2_contingency(kept, correction=False)
        found = chi2_test(table)
        assert (found.statistic, found.df, found.p) == pytest.approx((peer.statistic, peer.dof, peer.pvalue))


@pytest.mark.parametrize("weights", [None, "fractions"])
@pytest.mark.parametrize("target", ["two", "four"])
@pytest.mark.parametrize("recipe", [ex.CART, ex.C45], ids=["CART", "C4.5"])
def test_a_split_is_kept_where_scipy_finds_it_significant(recipe, target, weights):
    data = mixed_data(target, weights, 0.0)
    full = ex.grow(data, recipe)
    tree = ex.grow(data, recipe.replace(chi2_level=0.05))
    assert 1 < tree.n_leaves < full.n_leaves
    for node in ids(tree, None):
        assert scipys_p(data, tree, node, tree) <= 0.05
    stopped = ids(tree, CHANCE)
    assert stopped
    for node in stopped:
        decision = ex.decide(tree, data, node)
        assert decision.chosen is None
        assert decision.chi2.p > 0.05
        assert decision.chi2.p == pytest.approx(scipys_p(data, full, same_node(tree, full, node), full))


def same_node(tree: ex.Tree, full: ex.Tree, node: int) -> int:
    """The node of the full tree at the end of the same branches."""
    place = 0
    for _, branch in tree.path_to(node):
        place = int(full.first_child[place]) + branch
    return place


def scipys_p(data: ex.Dataset, tree: ex.Tree, node: int, where: ex.Tree) -> float:
    """The p of a node's split, counted from its rows."""
    weights, rows = data.weight_of_rows(), [where.rows_at(data, child) for child in tree.node(node).children]
    table = np.array([np.bincount(data.y[r], weights[r], len(data.classes)) for r in rows if len(r)])
    return stats.chi2_contingency(table[:, table.sum(axis=0) > 0], correction=False).pvalue


def test_levels_0_and_1_keep_no_split_and_every_split():
    data = mixed_data("two", None, 0.05)
    assert ex.grow(data, ex.CART.replace(chi2_level=0.0)).n_leaves == 1
    bridge.assert_same_tree(ex.grow(data, ex.CART.replace(chi2_level=1.0)), ex.grow(data, ex.CART))


@pytest.mark.parametrize("recipe", [ex.CART.replace(chi2_level=0.1), ex.ID3.replace(chi2_level=0.3), ex.CART])
def test_both_layers_stop_at_the_same_nodes(recipe):
    train, valid = mixed_data("two", "counts", 0.05).split(0.6, seed=1)
    recipe = recipe.replace(prepruning=recipe.chi2_level is None)
    fast = ex.grow(train, recipe, valid)
    with compiling():
        slow = ex.grow(train, recipe, valid)
    bridge.assert_alike(fast, slow)
    np.testing.assert_array_equal(fast.stop, slow.stop)


def test_kept_candidates_stay_with_their_nodes():
    data = mixed_data("four", None, 0.0)
    tree = ex.grow(data, ex.CART.replace(chi2_level=0.05), keep_candidates=True)
    for node in ids(tree, None):
        chosen = ex.decide(tree, data, node).chosen
        place = [feature.name for feature in data.features].index(chosen.feature)
        assert tree.evidence.gain[node, place] == pytest.approx(chosen.gain, rel=1e-9)


# -- validation rows -------------------------------------------------------------------------------------------------


def watermelons() -> tuple[ex.Dataset, ex.Dataset]:
    """The book's training and validation rows; the order of features settles the book's tie at the root."""
    names = GOLDEN["watermelon_pruning"]["tie_preference_used"]
    whole = dataset_of("watermelon_2_0")
    data = ex.Dataset.from_frame(whole.frame, whole.target.name, names)
    parts = [[1, 2, 3, 6, 7, 10, 14, 15, 16, 17], [4, 5, 8, 9, 11, 12, 13]]
    return data.take([row - 1 for row in parts[0]]), data.take([row - 1 for row in parts[1]])


def test_pre_pruning_of_the_watermelons_split_by_split():
    train, valid = watermelons()
    golden = GOLDEN["watermelon_pruning"]["pre_pruning"]
    tree = ex.grow(train, ex.ID3.replace(prepruning=True), valid)
    judged = [ex.decide(tree, train, node) for node in range(tree.n_nodes_grown)]
    judged = [decision for decision in judged if decision.validation_before is not None]
    assert len(judged) == len(golden["log"])
    for decision, entry in zip(judged, golden["log"], strict=True):
        assert 7 * decision.validation_before == pytest.approx(float(entry["before"].split("/")[0]))
        assert 7 * decision.validation_after == pytest.approx(float(entry["after"].split("/")[0]))
        assert (decision.stop_reason is None) == entry["kept"]
        chosen = decision.chosen or decision.candidates[0]
        assert chosen.feature == entry["split"]
    leaves = {tree.node(0).condition.branches[i][0]: tree.node(c).label for i, c in enumerate(tree.node(0).children)}
    assert leaves == golden["tree"]["脐部"]
    assert np.mean(tree.predict(valid) == valid.frame[train.target.name]) == pytest.approx(5 / 7)


def loss(tree: ex.Tree, valid: ex.Dataset) -> float:
    """Weight of wrong predictions, or the sum of squared errors."""
    weights, predictions = valid.weight_of_rows(), tree.predict(valid)
    if tree.is_regression:
        return float(np.sum(weights * (valid.y - predictions) ** 2))
    return float(np.sum(weights * (np.array(valid.classes, dtype=object)[valid.y] != predictions)))


@pytest.mark.parametrize("weights", [None, "counts"])
@pytest.mark.parametrize("target", ["two", "four", "number"])
def test_every_split_is_judged_with_and_without_it(target, weights):
    train, valid = mixed_data(target, weights, 0.05, rows=300).split(0.6, seed=2)
    full = ex.grow(train, ex.CART)
    tree = ex.grow(train, ex.CART.replace(prepruning=True), valid)
    kept, stopped = ids(tree, None), ids(tree, WORSE)
    assert kept
    assert stopped
    for node in [*kept, *stopped]:
        closed = np.arange(full.n_nodes_grown)
        place = same_node(tree, full, node)
        opened = full.with_pruned((closed != place) & ~np.isin(closed, [above for above, _ in full.path_to(place)]))
        before, after = loss(opened.with_pruned(opened.is_pruned | (closed == place)), valid), loss(opened, valid)
        assert (after < before - 1e-9) == (node in kept)
        decision, total = ex.decide(tree, train, node), valid.weight_of_rows().sum()
        change = decision.validation_after - decision.validation_before
        assert change * total == pytest.approx((after - before) * (1 if target == "number" else -1), abs=1e-9)
    last = ex.decide(tree, train, max(kept)).validation_after
    final = loss(tree, valid) / valid.weight_of_rows().sum()
    assert last == pytest.approx(final if target == "number" else 1 - final)


def test_a_pre_pruned_tree_comes_back_from_json():
    train, valid = mixed_data("two", None, 0.0).split(0.6, seed=2)
    tree = ex.grow(train, ex.CART.replace(prepruning=True, chi2_level=0.5), valid)
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    np.testing.assert_array_equal(tree.validation, back.validation)
    assert back.recipe == tree.recipe


# -- which stop it was -----------------------------------------------------------------------------------------------


STOPS = {
    "fewer rows": {"min_rows_split": 40.0},
    "maximum depth": {"max_depth": 2},
    "impurity below": {"max_impurity": 0.3},
    "best score": {"min_score": 0.05},
    "best decrease": {"min_impurity_decrease": 0.01},
    "no admissible": {"min_rows_leaf": 30.0},
    CHANCE: {"chi2_level": 0.01},
}


@pytest.mark.parametrize("reason", STOPS)
def test_every_leaf_says_which_stop_it_was(reason):
    tree = ex.grow(mixed_data("two", None, 0.0), ex.CART.replace(**STOPS[reason]))
    reasons = {tree.node(leaf).stop_reason for leaf in tree.leaves()}
    assert any(reason in text for text in reasons)
    allowed = [reason, "pure", "no admissible"]
    assert all(any(part in text for part in allowed) for text in reasons)


@pytest.mark.parametrize("one", [False, True])
def test_no_feature_left_or_a_single_one(one):
    data = mixed_data("two", None, 0.0)
    two = ex.Dataset.from_frame(data.frame, "two", ["c2", "c6"])
    tree = ex.grow(two, ex.ID3.replace(stop_at_one_feature=one))
    stopped = ids(tree, "no feature")
    assert stopped
    assert {int(tree.depth[node]) for node in stopped} == {1 if one else 2}


def test_squared_error_below_the_limit():
    tree = ex.grow(mixed_data("number", None, 0.0), ex.CART.replace(min_squared_error=5.0))
    low = ids(tree, "squared error")
    assert low
    assert all(tree.stats[node, 2] < 5.0 for node in low)
    assert all(tree.stats[node, 2] >= 5.0 for node in ids(tree, None))


def test_the_first_stop_in_order_is_the_one_that_is_said():
    data = mixed_data("two", None, 0.0)
    train, valid = data.split(0.6, seed=2)
    every = {"min_rows_split": 1e6, "max_depth": 0, "max_impurity": 1.0, "min_rows_leaf": 1e6, "min_score": 1e6}
    every |= {"chi2_level": 0.0, "prepruning": True}
    order = ["fewer rows", "maximum depth", "impurity below", "no admissible", "best score", CHANCE]
    for reason, field in zip(order, list(every), strict=False):
        tree = ex.grow(train, ex.CART.replace(**every), valid)
        assert reason in tree.node(0).stop_reason
        del every[field]
    never = valid.take(np.flatnonzero(valid.y == ex.grow(train, ex.CART).labels[0]))
    assert WORSE in ex.grow(train, ex.CART.replace(prepruning=True), never).node(0).stop_reason


def test_release_8_requires_of_a_threshold_a_tenth_of_the_rows_per_class():
    """100 rows, two classes: min(25, 0.1·100/2) = 5 on each side; the category of 3 rows may stand."""
    y = np.array(["a"] * 3 + ["b"] * 97)
    frame = pd.DataFrame({"x": np.arange(100.0), "c": ["u"] * 3 + ["v"] * 97, "y": y})
    recipe = ex.C45.replace(release8_numeric_minimum=True, min_rows_leaf=2.0, mean_gain_filter="off")
    data = ex.Dataset.from_frame(frame, "y", ["x", "c"], {"c": "categorical", "x": "numeric"})
    decision = ex.decide(ex.grow(data, recipe), data, 0)
    rejected = {c.condition.threshold: c.rejected for c in decision.candidates if c.feature == "x"}
    assert sum(reason is None for reason in rejected.values()) == 100 - 1 - 2 * 4
    assert decision.chosen.feature == "c"


# -- refusals --------------------------------------------------------------------------------------------------------


def test_pre_pruning_needs_validation_rows():
    data = mixed_data("two", None, 0.0)
    with pytest.raises(ex.InputError, match="validation"):
        ex.grow(data, ex.CART.replace(prepruning=True))
    with pytest.raises(ex.InputError, match="differ in type"):
        ex.grow(data, ex.CART.replace(prepruning=True), mixed_data("number", None, 0.0))
    with pytest.raises(ex.InputError, match="no rows"):
        ex.grow(data, ex.CART.replace(prepruning=True), data.take([]))


def test_chi2_needs_classes_and_a_level():
    with pytest.raises(ex.InputError, match="χ²"):
        ex.grow(mixed_data("number", None, 0.0), ex.CART.replace(chi2_level=0.05))
    for level in (-0.1, 1.5, "low", float("nan")):
        with pytest.raises(ex.InputError, match="chi2_level"):
            ex.CART.replace(chi2_level=level)
