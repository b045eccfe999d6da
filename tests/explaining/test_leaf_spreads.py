"""Boxes of leaves and patterns of missing cells, against NumPy's quantiles and plain counting."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from tests.oracles.examples import examples


def table(seed, weights=None, repeated=None):
    random = np.random.default_rng(seed)
    n = int(random.integers(20, 120))
    frame = pd.DataFrame(
        {"x": random.random(n).round(1), "v": random.normal(size=n).round(1), "z": random.choice(list("abc"), n)}
    )
    frame["y"] = frame["x"] * 4 + (frame["z"] == "b") + random.normal(0, 1, n).round(1)
    for name in ("x", "v", "z"):
        frame[name] = frame[name].where(random.random(n) > 0.2)
    times = random.integers(1, 4, n)
    if repeated:
        return ex.Dataset.from_frame(frame.loc[np.repeat(np.arange(n), times)].reset_index(drop=True), "y")
    return ex.Dataset.from_frame(frame, "y", weights=times)


@examples(100)
@given(seed=st.integers(0, 10**6), column=st.sampled_from(["y", "x", "v"]), data=st.data())
def test_boxes_of_weighted_rows_are_numpys_of_repeated_rows(seed, column, data):
    weighted, repeated = table(seed), table(seed, repeated=True)
    tree = ex.grow(weighted, ex.CART.replace(max_depth=3, missing="surrogate"))
    node = data.draw(st.integers(0, tree.n_nodes_grown - 1))
    ends, numbers = tree.apply(repeated.frame), repeated.frame[column].to_numpy(dtype=float)
    passed = np.isin(np.arange(repeated.n_rows), tree.rows_at(repeated, node))
    found = {spread.node: spread for spread in ex.leaf_spreads(tree, weighted, column, node)}
    assert list(found) == sorted(set(ends[passed & ~np.isnan(numbers)].tolist()))
    for leaf, spread in found.items():
        own = numbers[(ends == leaf) & ~np.isnan(numbers)]
        first, median, third = np.quantile(own, [0.25, 0.5, 0.75], method="inverted_cdf")
        near = own[(own >= first - 1.5 * (third - first)) & (own <= third + 1.5 * (third - first))]
        assert (spread.first, spread.median, spread.third) == (first, median, third)
        assert (spread.weight, spread.low, spread.high) == (len(own), near.min(), near.max())


def test_a_row_that_divides_counts_in_every_leaf_by_its_part():
    """Two rows on each side of x, and one without x: half of it in each leaf, so the second median is 3, not 1."""
    frame = pd.DataFrame({"x": [0, 0, 1, 1, None], "y": list("ppqqp"), "v": [5.0, 9.0, 1.0, 7.0, 3.0]})
    data = ex.Dataset.from_frame(frame, "y", kinds={"x": "numeric"})
    tree = ex.grow(data, ex.C45.replace(max_depth=1, score="gain"))
    spreads = ex.leaf_spreads(tree, data, "v")
    assert [(each.weight, each.low, each.median, each.high) for each in spreads] == [(2.5, 3, 5, 9), (2.5, 1, 3, 7)]


@examples(100)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_patterns_of_missing_cells_are_those_counted_row_by_row(seed, data):
    rows = table(seed)
    tree = ex.grow(rows, ex.CART.replace(max_depth=2, missing="surrogate"))
    node = data.draw(st.integers(0, tree.n_nodes_grown - 1))
    inside = np.isin(np.arange(rows.n_rows), tree.rows_at(rows, node))
    weights, sets = rows.weight_of_rows(), {}
    for row, cells in enumerate(rows.frame[["x", "v", "z"]].isna().to_numpy()):
        amounts = sets.setdefault(tuple(np.array(["x", "v", "z"])[cells].tolist()), [0.0, 0.0])
        amounts[0 if inside[row] else 1] += weights[row]
    found = ex.missing_patterns(tree, rows, node)
    assert {each.columns for each in found} == {columns for columns, amounts in sets.items() if amounts[0]}
    for each in found:
        own, others = sets[each.columns]
        assert each.inside == pytest.approx(own / weights[inside].sum())
        assert each.outside == pytest.approx(others / weights[~inside].sum() if node else np.nan, nan_ok=True)
    assert [each.inside for each in found] == sorted((each.inside for each in found), reverse=True)


def test_a_column_without_numbers_is_refused_with_those_that_have_some():
    data = table(0)
    with pytest.raises(ex.InputError, match=r"'z' has no numbers to draw\. Those that have: 'y', 'x', 'v'"):
        ex.leaf_spreads(ex.grow(data, ex.CART), data, "z")


def test_a_node_without_rows_has_no_patterns():
    data = table(0)
    tree = ex.grow(data, ex.CART.replace(max_depth=1, missing="surrogate"))
    with pytest.raises(ex.InputError, match="passes node 1"):
        ex.missing_patterns(tree, data.take(tree.rows_at(data, 2)), 1)
