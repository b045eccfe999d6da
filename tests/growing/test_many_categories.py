"""Candidates of columns with many categories: sums of their groupings, and memory in proportion to the categories."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.candidates.grouping import Groupings, Listed, OneVsRest, Prefixes, PrefixesOfEach
from explorer.growing.multi_output import grow_multi_output
from explorer.growing.multi_output_data import MultiOutputData

N = 30
_RNG = np.random.default_rng(3)
_ORDER = _RNG.permutation(N)
_ALIKE = _ORDER[[*range(8), 9, 8, *range(10, N)]]
"""Where two neighbours changed places, one prefix is another."""


def data_with(categories: int) -> ex.Dataset:
    """Two rows for each of so many categories, and two classes."""
    rng, codes = np.random.default_rng(0), np.repeat(np.arange(categories), 2)
    frame = pd.DataFrame({"code": [f"c{code}" for code in codes], "x": rng.normal(size=codes.size)})
    return ex.Dataset.from_frame(frame.assign(y=rng.choice(["a", "b"], codes.size)), "y", ["code", "x"])


@pytest.mark.parametrize(
    ("groupings", "n_tests"),
    [
        (Prefixes(_ORDER), N - 1),
        (PrefixesOfEach([_ORDER, _ORDER[::-1], _ALIKE]), N),
        (OneVsRest(N), N),
        (OneVsRest(2), 1),
    ],
)
def test_sums_are_those_of_the_groupings_listed_one_by_one(groupings: Groupings, n_tests: int):
    in_second = np.array([groupings.in_second(which) for which in range(n_tests)])
    assert not in_second[:, 0].any(), "the earliest category is in the first branch"
    assert len(np.unique(in_second, axis=0)) == n_tests
    assert in_second.any(axis=1).all(), "no branch is empty"
    table = _RNG.integers(0, 9, (in_second.shape[1], 3)).astype(float)
    for mine, listed in zip(groupings.sums(table), Listed(in_second).sums(table), strict=True):
        np.testing.assert_array_equal(mine, listed)


@pytest.mark.parametrize("categorical", ["subset", "one_vs_rest"])
def test_memory_is_in_proportion_to_the_categories(categorical):
    """Fifteen thousand categories have as many groupings; listed one by one they would take 225 MB and more."""
    data = data_with(15_000)
    tree = ex.grow(data, ex.CART.replace(max_depth=1, categorical=categorical))
    tracemalloc.start()
    try:
        decision = ex.decide(tree, data, 0)
        best = decision.best["code"]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60e6
    assert decision.chosen.condition == tree.condition(0)
    assert best.branch_stats.sum(axis=0).tolist() == tree.stats[0].tolist()
    assert sum(map(len, best.condition.branches)) == 15_000


def test_so_it_is_with_several_targets():
    rng, codes = np.random.default_rng(0), np.repeat(np.arange(10_000), 2)
    frame = pd.DataFrame({"code": [f"c{code}" for code in codes], "y": rng.choice(["a", "b"], codes.size)})
    data = MultiOutputData.from_frame(frame.assign(z=rng.normal(size=codes.size)), ["y", "z"], ["code"])
    tracemalloc.start()
    try:
        tree = grow_multi_output(data, ex.CART.replace(max_depth=1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60e6
    assert sum(map(len, tree.trees[0].condition(0).branches)) == 10_000


def test_rows_at_a_node_are_those_that_end_below_it():
    data = data_with(50)
    tree = ex.grow(data, ex.CART.replace(max_depth=4))
    ends = tree.apply(data)
    for node in range(tree.n_nodes_grown):
        np.testing.assert_array_equal(tree.rows_at(data, node), np.flatnonzero(np.isin(ends, _nodes_below(tree, node))))


def _nodes_below(tree: ex.Tree, node: int) -> list[int]:
    """A node and all nodes below it."""
    return [other for other in range(tree.n_nodes_grown) if node in {other, *(step for step, _ in tree.path_to(other))}]
