"""Features that meet: every policy for missing cells with class weights, costs, prices of features and late stops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.compiling import compiling
from explorer.growing.stopping import chi2_test
from explorer.tree.metrics import score
from tests.oracles import bridge
from tests.oracles.examples import law
from tests.oracles.laws import assert_nearly_same
from tests.oracles.recipes import GROUPINGS, POLICIES, crossed, recipe_for
from tests.oracles.tables import mixed_data

LAW = law(25)

SIGNIFICANT = "the split is not significant: χ² could be that large by chance"


def for_every_policy(law):
    """Try a law of (policy, data) with what hypothesis draws for each policy of missing cells."""
    return pytest.mark.parametrize("policy", POLICIES)(LAW(given(st.data())(law)))


def grown(data: ex.Dataset, recipe: ex.Recipe, *more) -> ex.Tree | None:
    """The tree, or None where "drop" leaves nothing to grow on."""
    try:
        return ex.grow(data, recipe, *more)
    except ex.InputError:
        assert recipe.missing == "drop"
        return None


@for_every_policy
def test_kernels_grow_the_tree_of_the_definition(policy, data):
    table, recipe = data.draw(crossed(policy))
    tree = grown(table, recipe)
    if tree is not None:
        with compiling():
            assert_nearly_same(tree, ex.grow(table, recipe))


@for_every_policy
def test_a_tree_comes_back_from_json_with_its_predictions(policy, data):
    table, recipe = data.draw(crossed(policy, prepruning=data.draw(st.booleans())))
    tree = grown(table, recipe, table)
    if tree is None:
        return
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    assert_nearly_same(tree, back)
    for name in ("class_factors", "validation"):
        first, second = getattr(tree, name), getattr(back, name)
        assert first is second is None or np.array_equal(first, second, equal_nan=True)
    assert back.recipe == tree.recipe
    np.testing.assert_array_equal(tree.predict_encoded(table), back.predict_encoded(table))
    assert ex.to_text(tree) == ex.to_text(back)


@for_every_policy
def test_growing_and_deciding_know_the_same_chi2(policy, data):
    """A split that stands has p up to the level, one that was taken back has a larger p, in both places."""
    table, recipe = data.draw(crossed(policy, chi2_level=0.4))
    tree, full = grown(table, recipe), grown(table, recipe.replace(chi2_level=None))
    if tree is None or full is None:
        return
    for node in range(tree.n_nodes_grown):
        decision = ex.decide(tree, table, node)
        assert decision.stop_reason == tree.node(node).stop_reason
        if tree.feature[node] >= 0:
            assert decision.chi2 is not None
            assert decision.chi2.p <= 0.4 + 1e-9
        elif decision.stop_reason == SIGNIFICANT:
            assert decision.chi2 is not None
            assert decision.chi2.p > 0.4 - 1e-9
    if full.feature[0] >= 0:
        children = chi2_test(full.row_stats[list(full.children_of(0))])
        found = ex.decide(tree, table, 0).chi2
        assert found is not None
        assert (found.statistic, found.df) == (pytest.approx(children.statistic, abs=1e-9), children.df)


@for_every_policy
def test_predictions_cost_least_and_rows_weigh_what_they_weigh(policy, data):
    table, recipe = data.draw(crossed(policy))
    tree = grown(table, recipe)
    if tree is None:
        return
    costs = 1.0 - np.eye(len(tree.classes)) if tree.costs is None else tree.costs
    expected = tree.predict_proba(table) @ costs
    chosen = expected[np.arange(len(expected)), tree.predict_encoded(table)]
    np.testing.assert_allclose(chosen, expected.min(axis=1), atol=1e-9)
    for node in np.flatnonzero(tree.feature >= 0):
        below = tree.row_stats[list(tree.children_of(int(node)))].sum(axis=0)
        np.testing.assert_allclose(below, tree.row_stats[node], atol=1e-9)


@for_every_policy
def test_prepruning_judges_every_split_by_the_predictions_of_the_tree_so_far(policy, data):
    """Level by level: the whole tree is scored without and with each split, as new rows would be predicted."""
    table, recipe = data.draw(crossed(policy, chi2_level=None))
    kept = np.arange(table.n_rows) % 3 != 0
    train, valid = table.take(kept), table.take(~kept)
    check_prepruning(train, valid, recipe)


def check_prepruning(train: ex.Dataset, valid: ex.Dataset, recipe: ex.Recipe) -> None:
    """Take splits one by one, scoring whole trees."""
    full, judged = grown(train, recipe), grown(train, recipe.replace(prepruning=True), valid)
    if full is None or judged is None:
        return
    closed, scores = np.ones(full.n_nodes_grown, dtype=bool), []
    for node in np.flatnonzero(full.feature >= 0):
        if not all(not closed[above] for above, _ in full.path_to(int(node))):
            continue
        trial = closed.copy()
        trial[node] = False
        before, after = score(full.with_pruned(closed), valid), score(full.with_pruned(trial), valid)
        scores.append((before, after))
        if after > before + 1e-9:
            closed = trial
    assert judged.n_leaves == full.with_pruned(closed).n_leaves
    assert judged.validation is not None or not scores
    if judged.validation is not None:
        found = judged.validation[~np.isnan(judged.validation[:, 0])]
        np.testing.assert_allclose(found, np.array(scores).reshape(-1, 2), atol=1e-9)


@pytest.mark.parametrize("weighing", [{}, {"costs": {"yes": {"no": 3.0}}}])
def test_prepruning_with_many_fractional_rows(weighing):
    data = mixed_data("two", "counts", 0.4)
    kept = np.arange(data.n_rows) % 2 == 0
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(kept)
        recipe = ex.CART.replace(missing="fractional", max_depth=5, **weighing)
        check_prepruning(data.take(order), data.take(~order), recipe)


def test_a_row_in_two_leaves_gets_the_prediction_that_costs_least():
    """9 p under a, 2 q under b; q counts 3 times: shares 9/15 and 6/15. Predicting p costs 3·0.4, q costs 0.6."""
    frame = pd.DataFrame({"x": ["a"] * 9 + ["b"] * 2, "y": ["p"] * 9 + ["q"] * 2})
    data = ex.Dataset.from_frame(frame, "y", ["x"], kinds={"x": ["a", "b"]})
    tree = ex.grow(data, ex.CART.replace(missing="fractional", costs={"q": {"p": 3.0}}))
    nobody = pd.DataFrame({"x": pd.Series([None], dtype=object)})
    assert tree.predict_proba(nobody)[0] == pytest.approx([0.6, 0.4])
    assert tree.predict(nobody).tolist() == ["q"]


def test_a_branch_for_missing_values_needs_row_weight():
    """Missing: 2 rows of a class that weighs 4 times the other. A minimum of 3 rows leaves no test, one of 2 does."""
    frame = pd.DataFrame({"x": [1.0, 1, 1, 2, 2, 2, None, None], "y": list("ppppqqqq")})
    data = ex.Dataset.from_frame(frame, "y", ["x"])
    recipe = ex.CART.replace(missing="own_branch", class_weights={"q": 4})
    for least, leaves in ((2.0, 3), (3.0, 1)):
        assert ex.grow(data, recipe.replace(min_rows_leaf=least)).n_leaves == leaves
        with compiling():
            assert ex.grow(data, recipe.replace(min_rows_leaf=least)).n_leaves == leaves


@for_every_policy
def test_every_pruning_method_takes_the_tree_or_says_why_not(policy, data):
    table, recipe = data.draw(crossed(policy))
    tree = grown(table, recipe)
    if tree is None:
        return
    rows = ex.prune_methods(tree, table, table)
    assert {row.name for row in rows} >= {"unpruned", "pessimistic", "description length", "reduced error, bottom-up"}
    for row in rows:
        assert row.training_score == pytest.approx(score(row.tree, table))
    if "pessimistic, raising" not in {row.name for row in rows}:
        with pytest.raises(ex.InputError, match="without raising"):
            ex.pessimistic_prune(tree, raising=True, train=table)
    root = ex.pessimistic_steps(tree)[-1:]
    used = table if policy != "drop" else table.take(ex_complete(table))
    assert all(step.rows == pytest.approx(used.weight_of_rows().sum()) for step in root)


def ex_complete(table: ex.Dataset) -> np.ndarray:
    """Rows without a missing cell."""
    return np.all([codes < f.n_values for f, codes in zip(table.features, table.codes, strict=True)], axis=0)


@pytest.mark.parametrize("categorical", GROUPINGS)
@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_on_a_table_large_enough_for_surrogates(policy, categorical):
    data = mixed_data("four", "fractions", 0.3)
    weighing = {"class_weights": {"w": 4.0, "z": 0.5}, "costs": {"x": {"y": 3.0}}}
    prices = {"real": 2.0, "few": 0.5, "c6": 1.5}
    for changes in ({}, {"min_rows_leaf": 4.0, "chi2_level": 0.5}):
        recipe = recipe_for(policy, categorical, "four", score="tan_schlimmer", feature_costs=prices)
        recipe = recipe.replace(**weighing, **changes)
        fast = ex.grow(data, recipe)
        assert fast.n_leaves > 1
        assert policy != "surrogate" or fast.surrogates is not None
        with compiling():
            assert_nearly_same(fast, ex.grow(data, recipe))
        back = bridge.through_json(fast)
        assert_nearly_same(fast, back)
        np.testing.assert_array_equal(fast.predict_encoded(data), back.predict_encoded(data))
