"""A tree grown from counts is the tree grown from the rows, whatever the bins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.growing.from_counts import search
from tests.oracles.counted_tables import (
    COUNTED,
    FETCHED,
    TUNINGS,
    assert_close,
    assert_same,
    both_trees,
    mixed_frame,
    recipes,
    small_tables,
)
from tests.oracles.counting_engine import ArrayEngine, array_source, same_data
from tests.oracles.recipes import ENGINE_RECIPES, RECIPES_BY_NAME

NAMED = {**ENGINE_RECIPES, **RECIPES_BY_NAME}


@given(st.data(), st.sampled_from(TUNINGS))
def test_class_trees_are_equal_bit_for_bit(data, tuning):
    frame = data.draw(small_tables(regression=False))
    assert_same(*both_trees(frame, data.draw(recipes(regression=False)), **tuning))


@given(st.data(), st.sampled_from(TUNINGS))
def test_weights_of_rows_count(data, tuning):
    frame = data.draw(small_tables(regression=False, weighted=True))
    assert_same(*both_trees(frame, data.draw(recipes(regression=False)), "weight", **tuning))


@given(st.data(), st.sampled_from(TUNINGS))
def test_numeric_targets_have_the_same_tests(data, tuning):
    frame = data.draw(small_tables(regression=True))
    assert_close(*both_trees(frame, data.draw(recipes(regression=True)), **tuning))


@given(st.data(), st.sampled_from(TUNINGS))
def test_without_missing_cells_every_policy_is_the_same_tree(data, tuning):
    frame = data.draw(small_tables(regression=False, missing=False))
    policies = ("fractional", "surrogate", "same_class")
    assert_same(*both_trees(frame, data.draw(recipes(False, policies)), **tuning))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("tuning", [COUNTED, FETCHED], ids=["counted", "fetched"])
def test_named_recipes_on_a_larger_table(name, tuning):
    assert_same(*both_trees(mixed_frame(3), NAMED[name], **tuning))


@pytest.mark.parametrize("missing", ["drop", "most_common", "own_branch", "default_direction"])
@pytest.mark.parametrize("tuning", [COUNTED, FETCHED], ids=["counted", "fetched"])
def test_policies_for_missing_cells_on_a_larger_table(missing, tuning):
    frame = mixed_frame(5, missing=0.15)
    assert_same(*both_trees(frame, ex.CART.replace(missing=missing), **tuning))
    assert_same(*both_trees(frame, ex.C45.replace(missing=missing), **tuning))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"min_rows_leaf": 5.0},
        {"max_leaf_nodes": 6},
        {"min_impurity_decrease": 0.01},
        {"max_features": "sqrt", "feature_seed": 7},
        {"max_impurity": 0.2},
        {"min_score": 0.05},
        {"monotone": {"many": 1}},
        {"interactions": [["many", "letter"], ["few", "letter"]], "max_depth": 5},
    ],
    ids=str,
)
@pytest.mark.parametrize("regression", [False, True])
def test_limits_on_a_larger_table(changes, regression):
    recipe = ex.CART.replace(missing="most_common", **changes)
    frame = mixed_frame(8, regression=regression)
    if "monotone" in changes:
        frame["goal"] = frame["goal"] if regression else np.where(frame["goal"] == "p", "p", "q")
    compare = assert_close if regression else assert_same
    for tuning in (COUNTED, FETCHED):
        compare(*both_trees(frame, recipe, **tuning))


@pytest.mark.parametrize("missing", ["drop", "most_common", "own_branch", "default_direction"])
def test_numeric_targets_on_a_larger_table(missing):
    frame = mixed_frame(11, missing=0.1, regression=True)
    for tuning in (COUNTED, FETCHED):
        assert_close(*both_trees(frame, ex.CART.replace(missing=missing), **tuning))


def test_class_weights_and_costs():
    recipe = ex.CART.replace(class_weights={"p": 4.0}, costs={"q": {"r": 2.0}})
    tree, expected = both_trees(mixed_frame(2), recipe, **COUNTED)
    assert (tree.feature == expected.feature).all()
    assert (tree.labels == expected.labels).all()
    np.testing.assert_array_equal(tree.threshold, expected.threshold)
    np.testing.assert_allclose(tree.stats, expected.stats, rtol=1e-12)


def test_chi2_undoes_the_same_splits():
    recipe = ex.ID3.replace(chi2_level=0.05, bins=5)
    tree, expected = both_trees(mixed_frame(4), recipe, **COUNTED)
    assert_same(tree, expected)
    assert (tree.stop == expected.stop).all()
    assert tree.n_nodes > 1


@pytest.mark.parametrize("recipe", [ex.CART, ex.C45], ids=["cart", "c45"])
def test_evidence_is_kept(recipe):
    frame = mixed_frame(6)
    for tuning in (COUNTED, FETCHED):
        tree = ex.grow(array_source(frame, "goal", **tuning), recipe, keep_candidates=True)
        expected = ex.grow(same_data(frame, "goal"), recipe, keep_candidates=True)
        for name in ("gain", "split_info", "cut"):
            has_test = ~np.isnan(expected.evidence.gain)
            ours, theirs = getattr(tree.evidence, name)[has_test], getattr(expected.evidence, name)[has_test]
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15, err_msg=name)


def test_a_part_of_the_rows_is_a_table_of_its_own():
    frame, parts = mixed_frame(7), np.arange(150) % 3
    source = array_source(frame, "goal", parts=parts, **COUNTED)
    tree = ex.grow(type(source)(source.workspace, part=1), ex.CART)
    data = same_data(frame, "goal")
    assert_same(tree, ex.grow(data.take(np.flatnonzero(parts == 1)), ex.CART))


def test_queries_of_bounded_size_give_the_same_tree(monkeypatch):
    """A node a query of bins, a bin or two a query of fine codes, and a value or two a query of values."""
    monkeypatch.setattr(search, "COUNTED_AT_ONCE", 10)
    monkeypatch.setattr(search, "VALUES_PER_QUERY", 1)
    fine, looks = ArrayEngine.fine, []

    def counted(engine, routing, wanted):
        looks.append(len(wanted))
        return fine(engine, routing, wanted)

    monkeypatch.setattr(ArrayEngine, "fine", counted)
    tree, expected = both_trees(mixed_frame(6), ex.CART.replace(max_depth=2), **COUNTED)
    assert_same(tree, expected)
    assert len(looks) > 2, "each level takes several queries"
    assert max(looks) == 1, "of one column at one node"
