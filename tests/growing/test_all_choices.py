"""Recipes with every choice drawn at random: both layers, `decide`, JSON, exports and presorted growing agree."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.compiling import compiling
from explorer.growing.grow_many import Presorted
from tests.oracles import bridge
from tests.oracles.examples import law
from tests.oracles.exported_code import assert_same_predictions, by_python
from tests.oracles.recipes import class_weights_and_costs
from tests.oracles.used_trees import drawn_choices

OF_CLASSES = ["gain", "gain_ratio", "decrease", "tan_schlimmer", "nunez", "newton", "p_value"]
OF_NUMBERS = ["decrease", "gain_ratio", "tan_schlimmer", "squared_share_weighting", "newton"]
CHOICES = {
    "p_adjustment": ["sidak", "bonferroni", "none"],
    "reg_lambda": [0.0, 1.0, 3.0],
    "gamma": [0.0, 0.0, 1.0],
    "base_score": [None, "mean", 0.3],
    "mean_gain_filter": ["at_least", "greater", "off"],
    "release8_penalty": [False, False, True],
    "max_features": [None, None, 1, "sqrt", 0.5],
    "feature_seed": [0, 7],
    "random_thresholds": [False, False, True],
    "categorical": ["each_value", "one_vs_rest", "subset"],
    "numeric": ["threshold", "threshold", "bins", "each_value"],
    "bins": [2, 3],
    "threshold_at": ["midpoint", "observed", "c45"],
    "missing": ["drop", "most_common", "same_class", "fractional", "surrogate", "own_branch", "default_direction"],
    "missing_ratio": ["quinlan", "known_rows_only"],
    "unseen": ["node", "heaviest", "fractional", "random"],
    "max_depth": [None, None, 2],
    "max_leaf_nodes": [None, None, 2, 4],
    "min_rows_leaf": [0.0, 1.0, 2.0],
    "min_rows_in": ["every", "two"],
    "min_score": [None, None, 0.05],
    "min_impurity_decrease": [None, None, 0.05],
    "empty_branches": [False, True],
    "nunez_w": [0.0, 1.0],
    "log_base": [2, "e"],
}


@st.composite
def tables_and_recipes(draw: st.DrawFn) -> tuple[ex.Dataset, ex.Recipe]:
    """A small table with holes and weights, and a recipe with every choice; refused combinations are left out."""
    sample = draw(bridge.samples())
    changes = {field: draw(st.sampled_from(values)) for field, values in CHOICES.items()}
    changes["score"] = draw(st.sampled_from(OF_CLASSES if sample.classes else OF_NUMBERS))
    if sample.classes:
        changes["impurity"] = draw(st.sampled_from(["gini", "entropy", "error"]))
        changes["chi2_level"] = draw(st.sampled_from([None, 0.3]))
        changes["mdl_stop"] = draw(st.sampled_from([False, False, True]))
        changes |= draw(class_weights_and_costs(sample)) if draw(st.booleans()) else {}
    if draw(st.booleans()):
        changes["monotone"] = {sample.columns[0].name: draw(st.sampled_from([-1, 1]))}
    if draw(st.booleans()):
        names = [column.name for column in sample.columns]
        changes["interactions"] = draw(st.lists(st.sets(st.sampled_from(names), min_size=1), max_size=3))
    try:
        recipe, data = ex.CART.replace(**changes), bridge.to_dataset(sample)
        ex.grow(data, recipe)
    except ex.InputError:
        assume(False)
    return data, recipe


def assert_consistent(tree: ex.Tree, data: ex.Dataset) -> None:
    """`decide` makes the tree's own decision at every node; JSON and exported Python predict as the tree."""
    for node in range(tree.n_nodes_grown):
        decision = ex.decide(tree, data, node)
        assert decision.stop == tree.stop[node]
        assert (decision.chosen and decision.chosen.condition) == tree.condition(node)
    rows = data.frame[[feature.name for feature in data.features]]
    again = ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    np.testing.assert_array_equal(again.predict(rows), tree.predict(rows))
    assert_same_predictions(tree, rows, by_python)


@law(24)
@given(tables_and_recipes(), st.data())
def test_whatever_is_chosen_all_views_of_a_tree_agree(case, data):
    table, recipe = case
    tree, choices = ex.grow(table, recipe), None
    if data.draw(st.booleans()):
        tree, choices = drawn_choices(data.draw, table, recipe, most=2)
    with compiling():
        bridge.assert_alike(tree, ex.grow(table, recipe, choices=choices))
    assert_consistent(tree, table)


@law(24)
@given(tables_and_recipes(), st.data())
def test_whatever_is_chosen_presorted_growing_is_growing(case, data):
    table, recipe = case
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=table.n_rows, max_size=table.n_rows)), float)
    assume((weights > 0).any())
    try:
        expected = ex.grow(table.with_weights(weights), recipe)
    except ex.InputError:
        assume(False)
    bridge.assert_alike(Presorted(table, recipe).grow(weights), expected)


def table() -> ex.Dataset:
    """Twelve rows in order of x, whose classes lie unevenly."""
    return ex.Dataset.from_frame(pd.DataFrame({"x": np.arange(12.0), "y": list("aaaabaabbbbb")}), "y")


@pytest.mark.parametrize("factor", [3.0, 0.25])
def test_bins_count_rows_by_their_class_weights(factor: float):
    """Class weights are weights of rows that add up to the number of rows."""
    data, recipe = table(), ex.ID3.replace(bins=3)
    weights = np.where(data.y == 0, factor, 1.0)
    by_class = ex.grow(data, recipe.replace(class_weights={"a": factor}))
    by_row = ex.grow(data.with_weights(weights * 12 / weights.sum()), recipe)
    assert by_class.condition(0) == by_row.condition(0) != ex.grow(data, recipe).condition(0)
    assert ex.decide(by_class, data, 0).chosen.condition == by_class.condition(0)


@pytest.mark.parametrize("field", ["min_impurity_decrease", "min_score"])
def test_a_split_that_misses_a_limit_by_rounding_reaches_it(field: str):
    """At the root the weighted decrease, the decrease and the score are one number."""
    data = table()
    gain = ex.decide(ex.grow(data, ex.CART), data, 0).chosen.gain
    for limit, is_leaf in ((gain * (1 + 1e-15), False), (gain * (1 + 1e-9), True)):
        recipe = ex.CART.replace(**{field: limit})
        with compiling():
            by_definition = ex.grow(data, recipe)
        assert ex.grow(data, recipe).node(0).is_leaf == by_definition.node(0).is_leaf == is_leaf
