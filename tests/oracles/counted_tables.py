"""Tables and recipes for growing from counts, and the comparison with growing in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st

import explorer as ex
from tests.oracles import bridge
from tests.oracles.counting_engine import array_source, same_data
from tests.oracles.recipes import recipe_for

COUNTED = {"bins": 4, "codes_per_bin": 2, "rows_in_memory": 0, "values_at_once": 3}
"""Every node is counted, and bins are looked into by fine codes before values are fetched."""
FETCHED = {**COUNTED, "rows_in_memory": 6, "values_at_once": 1000}
TUNINGS = [COUNTED, {**COUNTED, "values_at_once": 1000}, FETCHED]


def mixed_frame(seed: int, n: int = 150, missing: float = 0.0, regression: bool = False) -> pd.DataFrame:
    """Numbers with many values, few values and long tails, categories, and a target that depends on them."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "many": rng.normal(size=n).round(2),
            "tail": np.exp(3 * rng.normal(size=n)).round(3),
            "few": rng.integers(0, 6, n).astype(float),
            "letter": rng.choice(list("abcdef"), n),
        }
    )
    score = frame["many"] + (frame["few"] > 3) - (frame["letter"] < "c") + rng.normal(size=n) / 2
    for name in ("many", "few", "letter"):
        frame.loc[rng.random(n) < missing, name] = None
    frame["goal"] = score.round(1) + 50 if regression else np.select([score > 1, score > 0], ["p", "q"], "r")
    return frame


@st.composite
def small_tables(draw: st.DrawFn, regression: bool, missing: bool = True, weighted: bool = False) -> pd.DataFrame:
    """A frame of up to 14 rows with ties, an outlier and missing cells; the weights are quarters."""
    sample = draw(bridge.samples(regression=regression, missing=missing))
    frame = bridge.to_frame(sample)
    if regression:
        frame["goal"] += 0.37  # never taken for classes
    return frame if weighted else frame.drop(columns="weight")


@st.composite
def recipes(draw: st.DrawFn, regression: bool, policies=("drop", "most_common", "own_branch", "default_direction")):
    """A recipe that grows from counts, with many options at once."""
    score = draw(st.sampled_from(["decrease", "tan_schlimmer"] + ["gain_ratio", "nunez"] * (not regression)))
    return recipe_for(
        draw(st.sampled_from(policies)),
        draw(st.sampled_from(["subset", "one_vs_rest", "each_value"])),
        "number",
        score=score,
        impurity="variance" if regression else draw(st.sampled_from(["entropy", "gini", "error"])),
        numeric=draw(st.sampled_from(["threshold"] * 4 + ["bins", "each_value"])),
        bins=draw(st.integers(2, 4)),
        mean_gain_filter=draw(st.sampled_from(["at_least", "greater", "off"])),
        threshold_at=draw(st.sampled_from(["midpoint", "observed"])),
        min_rows_leaf=draw(st.sampled_from([0.0, 1.0, 2.0])),
        min_rows_in=draw(st.sampled_from(["every", "two"])),
        release8_numeric_minimum=draw(st.booleans()),
        max_depth=draw(st.sampled_from([None, 2])),
        max_features=draw(st.sampled_from([None, None, 1, 2])),
        feature_seed=draw(st.integers(0, 5)),
        stop_at_one_feature=draw(st.booleans()),
        empty_branches=draw(st.booleans()),
        feature_costs={"f0": 2.0},
    )


def both_trees(frame: pd.DataFrame, recipe: ex.Recipe, weights: str | None = None, **tuning) -> tuple[ex.Tree, ex.Tree]:
    """The tree from counts and that from memory; where memory refuses, counts refuse as well."""
    data = same_data(frame, "goal", weights)
    source = array_source(frame, "goal", weights, **tuning)
    try:
        expected = ex.grow(data, recipe)
    except ex.InputError:
        with pytest.raises(ex.InputError):
            ex.grow(source, recipe)
        return None, None
    return ex.grow(source, recipe), expected


def assert_same(tree: ex.Tree, expected: ex.Tree) -> None:
    """Every array is the same bit for bit, and what a tree says beside them."""
    if expected is not None:
        bridge.assert_same_tree(tree, expected)
        assert (tree.classes, tree.features, tree.notes) == (expected.classes, expected.features, expected.notes)


def assert_close(tree: ex.Tree, expected: ex.Tree) -> None:
    """The same nodes, tests and thresholds; statistics to nine digits."""
    if expected is None:
        return
    shape = ["parent", "first_child", "child_count", "depth", "feature", "stop"]
    for name in [*shape, "threshold", "cat_offset", "cat_code", "cat_branch", "missing_branch"]:
        np.testing.assert_array_equal(getattr(tree, name), getattr(expected, name), err_msg=name)
    spread = np.ptp(expected.stats[:, 1]) + np.sqrt(expected.impurity[0])
    np.testing.assert_allclose(tree.weight, expected.weight, rtol=1e-9)
    np.testing.assert_allclose(tree.stats[:, 1], expected.stats[:, 1], rtol=1e-9, atol=1e-9 * spread)
    np.testing.assert_allclose(tree.impurity, expected.impurity, rtol=1e-9, atol=1e-9 * expected.impurity[0])
    np.testing.assert_allclose(tree.missing_weight, expected.missing_weight, rtol=1e-9)
