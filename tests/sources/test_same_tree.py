"""A connected table gives the tree that the same rows give in memory: every engine, random tables, every recipe."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.evaluation.evaluation import score_by
from explorer.growing.from_counts.training_table import training_part
from tests.benchmarks.big_tables import write_parquet
from tests.oracles import bridge, brute_force
from tests.oracles.connected import COARSE, ENGINES, assert_same, connected, connected_sample, in_memory
from tests.oracles.examples import law, slow
from tests.oracles.tables import MIXED_FEATURES, mixed_frame

FEW = law(30)


@st.composite
def recipes_for(draw: st.DrawFn, sample: brute_force.Sample) -> ex.Recipe:
    """Any recipe that grows from counts, for this table."""
    recipe = bridge.to_recipe(draw(bridge.rules_for(sample)))
    changes = {
        "missing": draw(st.sampled_from(["most_common", "drop", "own_branch", "default_direction"])),
        "unseen": draw(st.sampled_from(["node", "heaviest", "random"])),
        "max_depth": draw(st.sampled_from([None, None, 2])),
        "min_rows_split": draw(st.sampled_from([0.0, 0.0, 3.0])),
        "min_score": draw(st.sampled_from([None, None, 0.05])),
        "min_impurity_decrease": draw(st.sampled_from([None, None, 0.02])),
        "max_impurity": draw(st.sampled_from([None, None, 0.1])),
        "numeric": draw(st.sampled_from(["threshold", "threshold", "threshold", "each_value", "leave_out"])),
        "max_leaf_nodes": draw(st.sampled_from([None, None, 4])),
        "log_base": draw(st.sampled_from([2, "e"])),
    }
    if sample.classes is None:
        changes["min_squared_error"] = draw(st.sampled_from([None, 0.5]))
    else:
        changes["chi2_level"] = draw(st.sampled_from([None, None, 0.4]))
    if recipe.threshold_at == "c45":
        changes["threshold_at"] = "observed"  # C4.5's needs all values, which counts of cells leave out
    return recipe.replace(**changes)


@st.composite
def cases(draw: st.DrawFn, **options):
    """A small table, a recipe, and how many rows are fetched or looked into at once."""
    sample = draw(bridge.samples(**options))
    recipe = draw(recipes_for(sample))
    rules = brute_force.GrowParameters(missing="drop")
    assume(recipe.missing != "drop" or len(brute_force.training_rows(sample, rules)) > 1)
    tuning = {"rows_in_memory": draw(st.sampled_from([0, 0, 5])), "values_at_once": draw(st.sampled_from([0, 3, 1000]))}
    return sample, recipe, tuning


@FEW
@given(cases())
def test_a_small_table_gives_the_same_tree(case):
    sample, recipe, tuning = case
    expected = ex.grow(bridge.to_dataset(sample), recipe)
    trees = []
    for engine in ENGINES:
        with connected_sample(sample, engine=engine, **COARSE, **tuning) as source:
            trees.append(ex.grow(source, recipe))
        assert_same(trees[-1], expected)
    assert_same(trees[0], trees[1])


def frame_with(rows: int, seed: int, missing: float) -> pd.DataFrame:
    """Numbers with many values, few values and heavy tails, categories, three targets, weights in quarters."""
    frame = mixed_frame(rows, seed, missing)
    rng = np.random.default_rng(seed)
    frame["tails"] = rng.standard_cauchy(rows) ** 3
    frame["whole"] = rng.integers(-3000, 3000, rows)
    frame["quarters"] = rng.integers(1, 9, rows) / 4
    return frame


FEATURES = [*MIXED_FEATURES, "tails", "whole"]
CART = ex.CART.replace(missing="most_common")
RECIPES = {
    "cart": CART,
    "drop": ex.CART.replace(missing="drop"),
    "c45 with known cells": ex.C45.replace(missing="most_common"),
    "id3": ex.ID3.replace(numeric="threshold"),
    "own branch": ex.ID3.replace(numeric="threshold", missing="own_branch"),
    "one against the rest": ex.CART.replace(categorical="one_vs_rest", missing="own_branch"),
    "observed": ex.CART.replace(threshold_at="observed", missing="own_branch"),
    "error": CART.replace(impurity="error", min_rows_leaf=4.0),
    "gain ratio": CART.replace(impurity="entropy", score="gain_ratio", mean_gain_filter="greater"),
    "with a least score": CART.replace(min_score=0.01),
}
CASES = [
    ("cart", "two", None, 0.0),
    ("cart", "number", None, 0.1),
    slow("c45 with known cells", "four", "quarters", 0.1),
    ("one against the rest", "four", None, 0.1),
    slow("drop", "two", "quarters", 0.1),
    slow("id3", "four", None, 0.1),
    slow("own branch", "four", "quarters", 0.1),
    slow("observed", "number", "quarters", 0.1),
    slow("error", "four", None, 0.0),
    slow("gain ratio", "two", "quarters", 0.1),
    slow("with a least score", "number", "quarters", 0.0),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("name", "target", "weights", "missing"), CASES)
def test_a_table_of_all_kinds_of_columns_gives_the_same_tree(name, target, weights, missing, engine):
    frame = frame_with(700, 3, missing)[[*FEATURES, target, *([weights] if weights else [])]]
    recipe = RECIPES[name].replace(max_depth=7)
    expected = ex.grow(in_memory(frame, target, weights), recipe)
    for rows_in_memory in (0, 60):
        options = {**COARSE, "rows_in_memory": rows_in_memory, "values_at_once": 20}
        with connected(frame, target, engine=engine, weights=weights, **options) as source:
            assert_same(ex.grow(source, recipe), expected)
    assert expected.n_leaves > 8


def hash_of(seed: int, key: object) -> float:
    """Where a key lies between 0 and 1."""
    digits = hashlib.md5(f"{seed}:{key}".encode(), usedforsecurity=False).hexdigest()[:13]
    return int(digits, 16) / 16**13


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("target", ["two", slow("number")])
def test_a_part_gives_the_tree_of_its_rows(engine, target):
    frame = frame_with(500, 5, 0.1)[[*FEATURES, target]]
    customers = np.random.default_rng(1).integers(0, 200, len(frame))
    keyed = frame.assign(customer=customers)
    is_training = np.array([hash_of(7, customer) < 0.7 for customer in customers])
    with connected(keyed, target, engine=engine, features=FEATURES, rows_in_memory=0, **COARSE) as source:
        parts = source.split(0.7, key="customer", seed=7)
        trees = [ex.grow(part, CART) for part in parts]
    data = in_memory(frame, target)
    for tree, chosen in zip(trees, (is_training, ~is_training), strict=True):
        assert_same(tree, ex.grow(data.take(np.flatnonzero(chosen)), CART))


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_by_a_column_give_the_trees_of_their_rows(engine):
    frame = frame_with(500, 6, 0.1)[[*FEATURES, "four"]]
    sets = np.random.default_rng(2).choice(["train", "valid"], len(frame), p=[0.6, 0.4])
    with connected(frame.assign(set=sets), "four", engine=engine, rows_in_memory=0, **COARSE) as source:
        trees = [ex.grow(part, CART) for part in source.split_by("set")]
    data = in_memory(frame, "four")
    for tree, name in zip(trees, ("train", "valid"), strict=True):
        assert_same(tree, ex.grow(data.take(np.flatnonzero(sets == name)), CART))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("target", ["two", "number"])
def test_the_candidates_at_every_node_are_those_of_growing_in_memory(engine, target):
    frame = frame_with(300, 8, 0.1)[[*FEATURES, target]]
    data, recipe = in_memory(frame, target), CART.replace(max_depth=4)
    with connected(frame, target, engine=engine, rows_in_memory=0, **COARSE) as source:
        tree = ex.grow(source, recipe)
        for node in range(tree.n_nodes_grown):
            ours, expected = ex.decide(tree, source, node), ex.decide(tree, data, node)
            assert ours.stop == expected.stop
            assert list(ours.best) == list(expected.best)
            for name, candidate in expected.best.items():
                assert ours.best[name].condition == candidate.condition
                assert ours.best[name].gain == pytest.approx(candidate.gain, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("kind", "rows"), [("continuous", 100_000), slow("continuous", 1_000_000), slow("census-like", 1_000_000)]
)
def test_a_long_table_gives_the_same_tree(engine, kind, rows, tmp_path):
    file, recipe = write_parquet(tmp_path / "table.parquet", kind, rows), CART.replace(max_depth=6)
    expected = ex.grow(in_memory(pd.read_parquet(file), "target"), recipe)
    source = ex.connect(file, target="target", engine=engine, memory_limit="300MB")
    try:
        assert_same(ex.grow(source, recipe), expected)
    finally:
        source.close()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("target", "metric"), [("two", "accuracy"), slow("number", "mse")])
def test_the_training_part_of_a_tree_has_the_rows_that_were_not_left_out(engine, target, metric):
    frame = frame_with(500, 8, 0.1)[[*FEATURES, target]]
    recipe = CART.replace(missing="drop", max_depth=4)
    data = in_memory(frame, target)
    used = data.take(np.flatnonzero(frame[FEATURES].notna().all(axis=1)))
    with connected(frame, target, engine=engine, **COARSE) as source:
        tree, part = ex.grow(source, recipe), training_part(source, recipe)
        assert part.n_rows == used.n_rows < source.n_rows
        counted = score_by(tree, part, metric)
        assert_same(ex.grow(part, recipe.replace(missing="most_common")), ex.grow(part, recipe))
    in_rows = score_by(ex.grow(data, recipe), used, metric)
    assert counted.value == pytest.approx(in_rows.value, rel=1e-9)
    assert counted.baseline == pytest.approx(in_rows.baseline, rel=1e-9)
