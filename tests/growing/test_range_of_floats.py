"""Weights and targets of any size that is accepted give the tree of the same numbers near 1; others are refused."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.oracles import bridge

ROWS = 40
RECIPES = {"id3": ex.ID3, "c45": ex.C45, "cart": ex.CART.replace(min_rows_leaf=0)}


def frame(scale: float = 1.0) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    table = pd.DataFrame({"x": rng.normal(size=ROWS).round(1), "z": rng.choice(list("abcd"), ROWS)})
    noise = rng.integers(0, 64, ROWS) / 64
    return table.assign(amount=(table["x"].clip(-1, 1) * 8 + noise) * scale, y=rng.choice(["p", "q", "r"], ROWS))


def weights(scale: float = 1.0) -> np.ndarray:
    return np.random.default_rng(4).integers(1, 9, ROWS) / 8 * scale


def grown(recipe, target: str, weight_scale: float = 1.0, target_scale: float = 1.0) -> ex.Tree:
    table = frame(target_scale)
    data = ex.Dataset.from_frame(
        table, target, ["x", "z"], {"amount": "numeric"}, weights=weights(weight_scale), classes=None
    )
    return ex.grow(data, recipe)


def assert_same_splits(first: ex.Tree, second: ex.Tree) -> None:
    for name in ("parent", "feature", "threshold", "cat_offset", "cat_code", "cat_branch", "stop"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


@pytest.mark.parametrize("power", [-72, -40, 40, 72])
@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_the_scale_of_the_weights_changes_no_split(recipe, power):
    recipe = recipe.replace(min_rows_leaf=0, min_rows_split=0)
    tree, scaled = grown(recipe, "y"), grown(recipe, "y", weight_scale=2.0**power)
    if recipe.numeric != "bins":  # where a row is narrower than 1, quantiles go by the width of a row
        assert_same_splits(tree, scaled)
        bridge.same_numbers(tree.impurity, scaled.impurity)
    assert tree.n_nodes_grown > 5
    assert scaled.n_nodes_grown > 5


@pytest.mark.parametrize("weight_power", [-74, 0, 74])
@pytest.mark.parametrize("power", [-260, -100, 100, 320])
def test_the_scale_of_a_numeric_target_changes_no_split(power, weight_power):
    recipe = ex.CART.replace(min_rows_leaf=0, min_rows_split=0)
    tree = grown(recipe, "amount")
    scaled = grown(recipe, "amount", weight_scale=2.0**weight_power, target_scale=2.0**power)
    assert tree.n_nodes_grown > 20
    assert_same_splits(tree, scaled)
    bridge.same_numbers(tree.values, scaled.values * 2.0**-power)


@pytest.mark.parametrize("column", [True, False], ids=["column", "numbers"])
def test_weights_that_vanish_in_products_are_refused(column):
    tiny = weights(1e-300)
    table = frame().assign(w=tiny)
    with pytest.raises(ex.InputError, match=r"row 1, too small.*multiply") as caught:
        ex.Dataset.from_frame(table, "y", weights="w" if column else tiny)
    assert isinstance(caught.value, ex.ColumnError) == column


def test_weights_that_overflow_in_products_are_refused():
    with pytest.raises(ex.InputError, match="too large"):
        ex.Dataset.from_frame(frame(), "y", weights=weights(1e40))


def test_a_target_that_vanishes_in_squares_is_refused():
    with pytest.raises(ex.ColumnError, match=r"'amount'.*too little.*divide") as caught:
        grown(ex.CART, "amount", target_scale=1e-200)
    assert caught.value.column == "amount"


def test_class_weights_that_vanish_in_products_are_refused():
    data = ex.Dataset.from_frame(frame(), "y", ["x", "z"])
    with pytest.raises(ex.InputError, match="leave a class out"):
        ex.grow(data, ex.CART.replace(class_weights={"p": 1e-300}))
    ex.grow(data, ex.CART.replace(class_weights={"p": 0}))


def test_weights_given_later_are_refused_too_if_they_overflow_in_products():
    data = ex.Dataset.from_frame(frame(), "amount", ["x", "z"], {"amount": "numeric"})
    with pytest.raises(ex.InputError, match="too large"):
        data.with_weights(weights(1e200))


def test_a_node_is_a_leaf_where_no_gain_is_a_number():
    """With weights that vanish in products, a split was once read from beyond the node."""
    data = ex.Dataset.from_frame(frame(), "amount", ["x", "z"], {"amount": "numeric"}).with_weights(weights(1e-160))
    recipe = ex.CART.replace(min_rows_leaf=0, min_rows_split=0, max_depth=1)
    for categorical in ("subset", "one_vs_rest"):
        assert ex.grow(data, recipe.replace(categorical=categorical)).n_nodes_grown == 1
