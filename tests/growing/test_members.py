"""Trees on some of the rows, by the short loops with whole weights and draws, against `grow` by the loops for all."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.growing import grow_many
from explorer.growing.grow_many import GrowJob, Presorted
from explorer.growing.plain import members
from explorer.growing.plain.members import kept_orders, whole_weights
from explorer.growing.plain.table import sort_rows
from explorer.growing.scans.keys import STARTS_VALUE
from tests.oracles.bridge import assert_same_tree
from tests.oracles.examples import law, slow


def table(draw: np.random.Generator, rows: int, target: str, n_values: list[int]) -> ex.Dataset:
    """Numbers and categories with so many values each, many of them rare; 2 or 4 classes, or a number."""
    columns = {}
    for i, n in enumerate(n_values):
        codes = np.minimum(draw.geometric(min(1.0, 4.0 / n), rows) - 1, n - 1)
        columns[f"f{i}"] = codes / 4 if i % 3 < 2 else np.array([f"v{code:03d}" for code in codes])
    score = columns["f0"] * 4 + draw.integers(0, 3, rows)
    y = score + draw.normal(size=rows) if target == "number" else score.astype(int) % (2 if target == "two" else 4)
    y[:2] = 0, 1
    kinds = {name: "numeric" if i % 3 < 2 else "categorical" for i, name in enumerate(columns)}
    frame = pd.DataFrame(columns).assign(y=y)
    return ex.Dataset.from_frame(
        frame, "y", [*columns], kinds | {"y": "numeric" if target == "number" else "categorical"}
    )


def weights_of(draw: np.random.Generator, kind: str, rows: int) -> np.ndarray | None:
    """None, bootstrap counts, or larger numbers."""
    if kind == "none":
        return None
    if kind == "half":
        return (draw.random(rows) < 0.5).astype(float)
    drawn = np.bincount(draw.integers(0, rows, rows), minlength=rows).astype(float)
    return drawn if kind == "bootstrap" else drawn * 40.0 + draw.integers(0, 2, rows)


def assert_grown_alike(data: ex.Dataset, recipe: ex.Recipe, weights: np.ndarray | None, is_plain: bool = True) -> None:
    """One tree by the short loops, and the same by the loops for all."""
    presorted = Presorted(data, recipe)
    assert (presorted.table is not None) == is_plain
    expected = ex.grow(data if weights is None else data.with_weights(weights), recipe)
    assert_same_tree(presorted.grow_alone(GrowJob(weights), np.zeros(1, np.uint8)), expected)
    assert_same_tree(presorted.grow(weights), expected)


@law(120)
@given(st.data())
def test_random_tables(data):
    seed, rows = data.draw(st.integers(0, 9_999)), data.draw(st.sampled_from([8, 60, 300]))
    draw, target = np.random.default_rng(seed), data.draw(st.sampled_from(["two", "four", "number"]))
    n_values = data.draw(st.lists(st.sampled_from([2, 5, 40, 300]), min_size=1, max_size=6))
    sample = table(draw, rows, target, n_values)
    changes: dict[str, object] = {
        "max_features": data.draw(st.sampled_from([None, None, 1, 2, "sqrt"])),
        "feature_seed": seed,
        "random_thresholds": target != "number" and data.draw(st.booleans()),
        "min_rows_leaf": data.draw(st.sampled_from([0.0, 1.0, 3.0])),
        "max_depth": data.draw(st.sampled_from([None, 3])),
        "missing": data.draw(st.sampled_from(["most_common", "surrogate"])),
        "categorical": "each_value" if target == "four" else "subset",
    }
    if target != "number":
        changes["impurity"] = data.draw(st.sampled_from(["gini", "entropy", "error"]))
        if changes["impurity"] == "entropy":
            changes["score"] = data.draw(st.sampled_from(["decrease", "gain_ratio"]))
            changes["empty_branches"] = data.draw(st.booleans())
    recipe, kind = ex.CART.replace(**changes), data.draw(st.sampled_from(["none", "half", "bootstrap", "large"]))
    with_subsets = changes["categorical"] == "subset" and len(n_values) > 2
    is_plain = not (with_subsets and recipe.min_rows_leaf > 1.0)
    assert_grown_alike(sample, recipe, weights_of(draw, kind, rows), is_plain)


@pytest.mark.parametrize("keeps", [True, slow(False)])
@pytest.mark.parametrize("target", ["two", slow("four"), "number"])
def test_whether_the_root_is_in_order_makes_no_difference(target, keeps, monkeypatch):
    """Large nodes sort what they draw by digits, small ones by counting how many are less."""
    monkeypatch.setattr(members, "keeps_order", lambda *_: keeps)
    draw = np.random.default_rng(3)
    data = table(draw, 3_000, target, [3_000, 300, 5, 3_000, 40, 200 if target == "four" else 300] * 2)
    recipe = ex.CART.replace(max_features=2, feature_seed=4, categorical="subset" if target != "four" else "each_value")
    assert_grown_alike(data, recipe, weights_of(draw, "bootstrap", 3_000))


def test_which_features_have_many_values_depends_on_the_weights():
    """C4.5 leaves a feature with a branch for each of many values out of the mean gain: many for the rows' weight."""
    draw = np.random.default_rng(7)
    data = table(draw, 60, "four", [40, 5, 40])
    recipe = ex.C45.replace(missing="surrogate", categorical="each_value")
    assert [column.has_many_values for column in Presorted(data, recipe).columns] == [False, False, True]
    for weights in (None, np.full(60, 40.0), np.arange(60) % 3 * 40.0):
        assert_grown_alike(data, recipe, weights)


@pytest.mark.parametrize("impurity", ["gini", "entropy"])
@pytest.mark.parametrize("kind", ["random", "ties", "rare"])
def test_thresholds_in_buckets_are_those_of_sorted_rows(impurity, kind):
    """With one strong feature the best threshold lies in few buckets, with none in many, with ties two are best."""
    draw = np.random.default_rng(5)
    x = draw.normal(size=(3_000, 3))
    y = {"random": draw.integers(0, 2, 3_000), "ties": np.arange(3_000) % 2, "rare": x[:, 0] > 2.9}[kind].astype(int)
    columns = {"a": np.arange(3_000) if kind == "ties" else x[:, 0], "b": x[:, 1].round(1), "c": x[:, 2]}
    data = ex.Dataset.from_frame(pd.DataFrame(columns).assign(y=y), "y", [*columns], {"y": "categorical"})
    recipe = ex.CART.replace(max_features=2, feature_seed=4, impurity=impurity, missing="surrogate")
    for weights in (None, weights_of(draw, "bootstrap", 3_000)):
        assert_grown_alike(data, recipe, weights)
    assert_grown_alike(data, recipe.replace(score="gain_ratio", impurity="entropy", min_rows_leaf=20), None)


@pytest.mark.parametrize("scale", [1.0, 1e9, 1e-40, 1e300])
def test_drawn_thresholds_of_numbers_that_four_bytes_do_not_hold(scale):
    """Numbers whose keys agree are told apart by the numbers themselves."""
    draw = np.random.default_rng(6)
    x = np.column_stack([scale + draw.normal(size=400), draw.normal(size=400) * scale, draw.integers(0, 3, 400) / 10])
    columns = {"a": x[:, 0], "b": x[:, 1], "c": -x[:, 2]}
    y = draw.integers(0, 2, 400)
    data = ex.Dataset.from_frame(pd.DataFrame(columns).assign(y=y), "y", [*columns], {"y": "categorical"})
    recipe = ex.CART.replace(max_features=2, feature_seed=4, random_thresholds=True, missing="surrogate")
    assert_grown_alike(data, recipe, None)
    assert_grown_alike(data, recipe, weights_of(draw, "bootstrap", 400))


def test_weights_that_are_not_whole_are_left_to_the_loops_for_all(monkeypatch):
    data, calls = table(np.random.default_rng(1), 60, "two", [40, 5]), []
    grow_table = grow_many.grow_table
    monkeypatch.setattr(grow_many, "grow_table", lambda *given: calls.append(1) or grow_table(*given))
    presorted = Presorted(data, ex.CART)
    for weights, count in ((np.full(60, 3.0), 1), (np.full(60, 0.5), 1), (np.full(60, 256.0), 1), (None, 2)):
        assert_same_tree(
            presorted.grow(weights), ex.grow(data if weights is None else data.with_weights(weights), ex.CART)
        )
        assert len(calls) == count


@pytest.mark.parametrize(("impurity", "limit"), [("gini", "MOST_WEIGHT"), ("entropy", "MOST_LOGS")])
def test_weights_with_too_large_a_sum_are_left_to_the_loops_for_all(impurity, limit, monkeypatch):
    """Class weights of a node take four bytes, and every whole weight up to their sum a logarithm."""
    data, calls = table(np.random.default_rng(1), 60, "four", [300, 5]), []
    grow_table = grow_many.grow_table
    monkeypatch.setattr(grow_many, "grow_table", lambda *given: calls.append(1) or grow_table(*given))
    monkeypatch.setattr(members, limit, 179)
    presorted = Presorted(data, ex.CART.replace(impurity=impurity))
    presorted.table = presorted.table._replace(logs=presorted.table.logs[:1])
    presorted.grow(np.full(60, 3.0))
    assert calls == []
    monkeypatch.setattr(members, limit, 180)
    presorted.grow(np.full(60, 3.0))
    assert calls == [1]


def test_whole_weights():
    assert whole_weights(None) is whole_weights(np.array([0.0, 1.0])) is None
    assert whole_weights(np.array([0.0, 255.0])).tolist() == [0, 255]
    for weights in ([0.5], [256.0], [1.0, 1e300]):
        with pytest.raises(ValueError, match="whole"):
            whole_weights(np.array(weights))
    assert whole_weights(np.array([255.0, 2.0]), 257) is not None
    with pytest.raises(ValueError, match="too much"):
        whole_weights(np.array([255.0, 2.0]), 256)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=30))
def test_orders_of_the_rows_that_are_kept_are_those_of_these_rows_sorted(cells):
    codes, is_kept = (np.array(column) for column in zip(*cells, strict=True))
    orders = np.empty((1, len(codes)), np.uint32)
    sort_rows(codes.astype(np.int32), 5, orders[0])
    kept, n = kept_orders(orders, is_kept, int(is_kept.sum()))[0], int(is_kept.sum())
    rows = [row for row in np.argsort(codes, kind="stable").tolist() if is_kept[row]]
    firsts = [i == 0 or codes[row] != codes[rows[i - 1]] for i, row in enumerate(rows)]
    expected = [row | (int(STARTS_VALUE) if first else 0) for row, first in zip(rows, firsts, strict=True)]
    assert kept[:n].tolist() == expected
