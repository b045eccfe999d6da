"""A column in which no cell has a value offers no split: the tree is the one without the column."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import KFold, cross_val_score

import explorer as ex
from explorer.compiling import compiling
from explorer.data.samples import load_sample
from explorer.recipe.missing import POLICIES
from explorer.recipe.parameters import NO_FEATURE, SPLIT, STOP_REASONS
from explorer.recipe.recipe import Recipe
from tests.oracles import bridge, brute_force

RECIPES = {"id3": ex.ID3, "c45": ex.C45, "cart": ex.CART}


def with_empty_columns(data: ex.Dataset, kinds: dict) -> ex.Dataset:
    """The same rows with a numeric and a categorical column of missing cells behind the others."""
    frame = data.frame.assign(empty_number=np.nan, empty_text=None)
    names = [*(feature.name for feature in data.features), "empty_number", "empty_text"]
    types = kinds | {"empty_number": "numeric", "empty_text": "categorical"}
    return ex.Dataset.from_frame(frame, data.target.name, names, types)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("numeric", ["bins", "threshold", "each_value"])
@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_an_empty_column_changes_no_tree(recipe, numeric, policy):
    frame = load_sample("watermelon_3_0").frame
    frame = frame.drop(columns=[name for name in frame.columns if name in ("编号", "id")])
    data = ex.Dataset.from_frame(frame, str(frame.columns[-1]))
    recipe = recipe.replace(numeric=numeric, missing=policy)
    without, with_them = ex.grow(data, recipe), ex.grow(with_empty_columns(data, {}), recipe)
    bridge.assert_same_tree(without, with_them)
    assert list(with_them.predict(frame.assign(empty_number=7.0, empty_text="a"))) == list(without.predict(frame))
    decision = ex.decide(with_them, with_empty_columns(data, {}), 0)
    assert {"empty_number", "empty_text"}.isdisjoint(decision.best)


@settings(deadline=None)
@given(st.data())
def test_an_empty_column_changes_no_tree_of_a_random_table(draw):
    sample = draw.draw(bridge.samples(missing=draw.draw(st.booleans())))
    policies = [name for name, policy in POLICIES.items() if sample.classes or not policy.needs_classes]
    policy = draw.draw(st.sampled_from(policies))
    has_complete_rows = brute_force.training_rows(sample, brute_force.GrowParameters(missing="drop"))
    kinds = {c.name: list(c.categories) if c.categories else "numeric" for c in sample.columns}
    kinds["goal"] = list(sample.classes) if sample.classes else "numeric"
    data = bridge.to_dataset(sample, weighted=False)
    if policy == "drop" and not has_complete_rows:
        return
    recipe: Recipe = ex.CART.replace(missing=policy, numeric=draw.draw(st.sampled_from(["bins", "threshold"])))
    without, with_it = ex.grow(data, recipe), ex.grow(with_empty_columns(data, kinds), recipe)
    bridge.assert_same_tree(without, with_it)
    assert "empty_number" not in ex.decide(with_it, with_empty_columns(data, kinds), 0).best


@pytest.mark.parametrize("stop_at_one", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_an_empty_column_is_no_feature_that_is_left(policy, stop_at_one):
    """Below "a", `letter` is used up: no feature is left, and with a second one that decides nothing only one is."""
    frame = pd.DataFrame({"letter": ["a", "a", "b"], "same": ["s"] * 3, "y": ["p", "q", "q"]})
    frame = frame if stop_at_one else frame.drop(columns="same")
    kinds = {"letter": "categorical", "y": "categorical"} | ({"same": "categorical"} if stop_at_one else {})
    data = ex.Dataset.from_frame(frame, "y", list(frame.columns[:-1]), kinds)
    recipe = ex.ID3.replace(missing=policy, stop_at_one_feature=stop_at_one)
    padded = with_empty_columns(data, kinds)
    with compiling():
        by_definition = ex.grow(padded, recipe)
    choices = ex.Choices().lock(ex.grow(padded, recipe).place(2))
    for tree in (
        ex.grow(data, recipe),
        ex.grow(padded, recipe),
        by_definition,
        ex.grow(padded, recipe, choices=choices),
    ):
        assert tree.stop.tolist()[:2] == [SPLIT, NO_FEATURE]
    decision = ex.decide(by_definition, padded, 1)
    assert decision.stop_reason == STOP_REASONS[NO_FEATURE]
    assert decision.absences["empty_number"].code in ("all_missing", "one_value")


def test_a_table_of_empty_columns_has_no_feature():
    data = ex.Dataset.from_frame(pd.DataFrame({"empty": [None, None], "y": ["p", "q"]}), "y", ["empty"])
    with compiling():
        by_definition = ex.grow(data, ex.CART)
    assert [tree.stop.tolist() for tree in (ex.grow(data, ex.CART), by_definition)] == [[NO_FEATURE]] * 2


def test_a_fold_without_any_value_of_a_column_is_scored():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"x": rng.normal(size=40), "late": np.where(np.arange(40) < 20, np.nan, np.arange(40))})
    y = np.where(frame["x"] > 0, "p", "q")
    scores = cross_val_score(ex.TreeClassifier("id3"), frame, y, cv=KFold(2))
    assert np.isfinite(scores).all()
    data = ex.Dataset.from_frame(frame.assign(y=y), "y")
    assert np.isfinite(ex.cross_validate_path(data, ex.ID3, folds=np.arange(40) // 20).mean).all()
