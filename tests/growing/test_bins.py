"""Intervals of a numeric feature: their edges are weighted quantiles, and they cover all numbers (section 5)."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.recipe.columns import quantiles

QUARTILES = np.array([0.25, 0.5, 0.75])
SHARES = np.array([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 1.0])
weighted_values = st.lists(
    st.tuples(st.integers(-50, 50), st.integers(1, 6)), min_size=1, max_size=12, unique_by=lambda pair: pair[0]
).map(sorted)


@given(weighted_values)
def test_whole_weights_are_repeated_rows(pairs):
    values, weights = (np.array(part, dtype=float) for part in zip(*pairs, strict=True))
    repeated = np.repeat(values, weights.astype(int))
    np.testing.assert_array_equal(quantiles(values, weights, SHARES), np.quantile(repeated, SHARES))


@given(weighted_values, st.sampled_from([0.001, 0.25, 0.7, 1.0]))
def test_equal_weights_up_to_one_are_rows(pairs, weight):
    values = np.array([value for value, _ in pairs], dtype=float)
    own = quantiles(values, np.full(len(values), weight), SHARES)
    np.testing.assert_allclose(own, np.quantile(values, SHARES), rtol=1e-12, atol=1e-9)


@given(weighted_values, st.lists(st.floats(-1, 1), min_size=12, max_size=12))
def test_a_small_change_of_the_weights_changes_the_quantiles_by_little(pairs, changes):
    values, weights = (np.array(part, dtype=float) for part in zip(*pairs, strict=True))
    weights *= 0.3
    changed = weights * (1 + 1e-7 * np.array(changes[: len(values)]))
    before, after = (quantiles(values, w, SHARES) for w in (weights, changed))
    # The window moves by at most W·1e-7 at each end, of a width of 0.3 or more, over values at most 100 apart.
    assert np.abs(after - before).max() <= 100 * 4 * weights.sum() * 1e-7 / 0.3 + 1e-9


@given(weighted_values, st.lists(st.floats(0.05, 3), min_size=12, max_size=12))
def test_any_weights_give_the_mean_over_one_row(pairs, given_weights):
    values = np.array([value for value, _ in pairs], dtype=float)
    weights = np.array(given_weights[: len(values)])
    width = min(1.0, weights.mean())
    ends = np.cumsum(weights)
    for share, own in zip(QUARTILES, quantiles(values, weights, QUARTILES), strict=True):
        start = share * (ends[-1] - width)
        overlap = np.minimum(ends, start + width) - np.maximum(ends - weights, start)
        assert own == pytest.approx((values * np.maximum(overlap, 0)).sum() / width, rel=1e-9, abs=1e-9)


def binned_tree(x, weights=None, bins=4) -> tuple[ex.Tree, ex.Dataset]:
    frame = pd.DataFrame({"x": np.asarray(x, dtype=float)})
    frame["y"] = np.where(frame["x"] > frame["x"].median(), "p", "q")
    data = ex.Dataset.from_frame(frame, "y", features=["x"], weights=weights)
    return ex.grow(data, ex.ID3.replace(bins=bins)), data


def test_an_interval_between_two_edges_has_training_rows():
    # np.quantile gives 0, 0 and 0.5: no row lies between the last two, which divide the rows alike.
    tree, _ = binned_tree([0, 0, 0, 0, 1, 1], bins=5)
    assert tree.node(0).condition.branches == (("≤ 0",), ("> 0",))
    assert list(tree.predict(pd.DataFrame({"x": [-1.0, 0.0, 0.2, 0.7, 1.0]}))) == ["q", "q", "p", "p", "p"]


@given(st.lists(st.integers(-3, 12), min_size=4, max_size=30).filter(lambda x: len(set(x)) > 1), st.integers(2, 8))
def test_every_number_lies_in_an_interval_that_has_a_branch(x, bins):
    x = [*x, max(x) + 1]
    tree, _ = binned_tree(x, bins=bins)
    edges = tree.features[0].edges
    counts = np.histogram(x, [-np.inf, *np.nextafter(edges, np.inf), np.inf])[0]
    assert counts.min() > 0
    if not tree.node(0).is_leaf:
        assert len(tree.node(0).condition.branches) == len(edges) + 1
        between = np.linspace(min(x) - 1, max(x) + 1, 200)
        ends = tree.apply(pd.DataFrame({"x": between}))
        assert (ends > 0).all(), "no number stops at the root"


def test_weights_of_one_and_a_column_of_weights_give_the_same_bins():
    x = np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8])
    whole = np.array([1, 2, 1, 3, 1, 1, 2, 1, 1, 4, 1, 1])
    tree, _ = binned_tree(x, weights=whole)
    repeated = np.repeat(x, whole)
    edges = np.unique(np.quantile(repeated, QUARTILES))
    divide = [np.count_nonzero(x <= edge) for edge in edges]
    assert list(tree.features[0].edges) == [edges[divide.index(n)] for n in sorted(set(divide))]
