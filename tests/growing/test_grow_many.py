"""Trees from sorted columns are those of `grow`, node for node, for every recipe."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.growing.grow_many import GrowJob, Presorted, grow_many
from explorer.threads import using_threads
from tests.oracles.bridge import assert_same_tree

RECIPES = {
    "cart": ex.CART,
    "c45": ex.C45,
    "id3": ex.ID3,
    "drop": ex.CART.replace(missing="drop"),
    "most common": ex.CART.replace(missing="most_common", categorical="one_vs_rest"),
    "default direction": ex.CART.replace(missing="default_direction", min_rows_leaf=2.0),
    "own branch": ex.CART.replace(missing="own_branch"),
    "each value": ex.CART.replace(categorical="each_value", empty_branches=True, missing="most_common"),
    "observed": ex.CART.replace(threshold_at="observed", min_rows_leaf=3.0),
    "c45 thresholds": ex.CART.replace(threshold_at="c45"),
    "few leaves": ex.CART.replace(max_leaf_nodes=5),
    "features drawn": ex.CART.replace(max_features=2, feature_seed=5),
    "thresholds drawn": ex.CART.replace(random_thresholds=True, feature_seed=6),
}
FOR_CLASSES = {
    "chi2": ex.CART.replace(chi2_level=0.2),
    "mdl": ex.C45.replace(mdl_stop=True),
    "costs": ex.CART.replace(class_weights={"red": 2.0}),
}
FOR_NUMBERS = {
    "newton": ex.CART.replace(score="newton", missing="most_common", reg_lambda=2.0, base_score="mean", gamma=0.1),
}


def table(missing: bool, rows: int = 90) -> ex.Dataset:
    """Three numbers and two categories, a class that depends on them, some cells missing."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=rows).round(1) for i in range(3)})
    frame["c"], frame["d"] = rng.choice(list("abcd"), rows), rng.choice(list("uv"), rows)
    score = frame.x0 + (frame.c == "a") - frame.x1 * (frame.d == "u") + 0.5 * rng.normal(size=rows)
    frame["goal"] = np.where(score > 0.4, "red", np.where(score > -0.5, "green", "blue"))
    if missing:
        frame = frame.mask((rng.random(frame.shape) < 0.1) & (frame.columns != "goal"))
    return ex.Dataset.from_frame(frame, "goal")


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", [*RECIPES, *FOR_CLASSES])
def test_trees_from_sorted_columns_are_those_of_grow(name: str, missing: bool):
    data, recipe = table(missing), (RECIPES | FOR_CLASSES)[name]
    rng = np.random.default_rng(1)
    presorted = Presorted(data, recipe)
    weightings = [None, np.ones(90), rng.integers(0, 3, 90).astype(float), rng.random(90) * (rng.random(90) < 0.6)]
    for weights in weightings:
        weighted = data if weights is None else data.with_weights(weights)
        assert_same_tree(presorted.grow(weights), ex.grow(weighted, recipe))


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", [*RECIPES, *FOR_CLASSES])
def test_trees_on_some_of_the_rows_are_those_of_grow(name: str, missing: bool):
    data, recipe = table(missing), (RECIPES | FOR_CLASSES)[name]
    rows = np.random.default_rng(5).random(90) < 0.6
    for weights in (None, np.random.default_rng(6).random(90) + 0.5):
        weighted = data if weights is None else data.with_weights(weights)
        assert_same_tree(Presorted(weighted, recipe).grow_rows(rows), ex.grow(weighted.take(rows), recipe))


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", [*(name for name in RECIPES if name not in ("c45", "id3")), *FOR_NUMBERS])
def test_replaced_targets_are_grown_on(name: str, missing: bool):
    data, recipe = table(missing), (RECIPES | FOR_NUMBERS)[name]
    rng = np.random.default_rng(2)
    presorted, weights = Presorted(data, recipe), rng.integers(0, 3, 90).astype(float)
    for target in (rng.normal(size=90), 1000.0 + rng.integers(0, 3, 90), np.zeros(90)):
        expected = ex.grow(data.with_target(target).with_weights(weights), recipe)
        assert_same_tree(presorted.grow(weights, target), expected)
        assert_same_tree(presorted.grow(None, target), ex.grow(data.with_target(target), recipe))


@pytest.mark.parametrize("weights", [None, np.random.default_rng(7).integers(1, 4, 90).astype(float)])
@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_trees_of_directions_are_grown_from_sorted_columns_but_not_from_those_of_others(target, weights):
    recipe = ex.CART.replace(missing="most_common", monotone={"x0": 1, "x1": -1}, max_depth=5)
    data = ex.Dataset.from_frame(directed(target), "goal")
    rows, weighted = np.random.default_rng(5).random(90) < 0.7, data if weights is None else data.with_weights(weights)
    presorted = Presorted(weighted, recipe)
    assert presorted.is_fast_for(recipe.replace(max_depth=2))
    assert_same_tree(presorted.grow_rows(rows), ex.grow(weighted.take(rows), recipe))
    assert_same_tree(Presorted(data, recipe).grow(weights), ex.grow(weighted, recipe))
    for other in (recipe.replace(monotone=None), recipe.replace(monotone={"x0": -1})):
        assert not presorted.is_fast_for(other)
        assert_same_tree(Presorted(data, recipe).grow(weights, recipe=other), ex.grow(weighted, other))


def directed(target: str) -> pd.DataFrame:
    """The rows with two classes or a number that rises with x0, some cells missing."""
    frame = table(missing=True).frame
    rises = frame["x0"].fillna(0.0).to_numpy(float) + np.random.default_rng(9).normal(size=90).round(1)
    return frame.assign(goal=rises if target == "numbers" else np.where(rises > 0, "red", "other"))


@pytest.mark.parametrize("missing", [False, True])
def test_many_trees_come_in_order_whatever_the_threads(missing: bool):
    data = table(missing)
    rng = np.random.default_rng(3)
    weightings = [rng.integers(0, 3, 90).astype(float) for _ in range(9)]
    recipes = [ex.C45.replace(max_features=2, feature_seed=seed) for seed in range(9)]
    expected = [ex.grow(data.with_weights(w), r) for w, r in zip(weightings, recipes, strict=True)]
    for threads in (1, 3):
        with using_threads(threads):
            jobs = (GrowJob(w, None, r) for w, r in zip(weightings, recipes, strict=True))
            for tree, plain in zip(grow_many(Presorted(data, ex.C45), jobs), expected, strict=True):
                assert_same_tree(tree, plain)


def test_a_consumer_that_ends_early_leaves_the_other_jobs_untouched():
    jobs = (GrowJob() for _ in range(1000))
    trees = grow_many(Presorted(table(missing=False), ex.CART), jobs)
    assert next(trees).n_nodes > 1
    trees.close()
    assert sum(1 for _ in jobs) > 900
