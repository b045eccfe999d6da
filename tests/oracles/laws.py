"""Laws that hold for any table: about weights, repeated rows, their order, and the two layers of growing."""

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import explorer as ex
from tests.oracles import bridge, brute_force


def times(sample: brute_force.Sample, counts: list[int]) -> brute_force.Sample:
    """Every row repeated where it stands, with its own weight each time."""
    rows = [row for row, count in enumerate(counts) for _ in range(count)]
    return pick(sample, rows)


def pick(sample: brute_force.Sample, rows: list[int]) -> brute_force.Sample:
    """The rows at these positions."""
    columns = tuple(replace(c, values=tuple(c.values[row] for row in rows)) for c in sample.columns)
    target = tuple(sample.target[row] for row in rows)
    return brute_force.Sample(columns, target, tuple(sample.weights[row] for row in rows), sample.classes)


def weighted(sample: brute_force.Sample, counts: list[int]) -> brute_force.Sample:
    """The same rows with these whole weights."""
    return replace(sample, weights=tuple(Fraction(count) for count in counts))


def as_weights_and_as_rows(
    sample: brute_force.Sample, recipe: ex.Recipe, data: st.DataObject
) -> tuple[ex.Tree, ex.Tree]:
    """The tree on rows with whole weights, 0 among them, and that on as many rows of weight 1, which is the same."""
    rows = len(sample.target)
    counts = data.draw(st.lists(st.sampled_from([0, 1, 1, 2, 3]), min_size=rows, max_size=rows))
    repeated = times(sample, counts)
    assume(len(set(repeated.target)) > 1)
    assume(recipe.missing != "drop" or brute_force.training_rows(repeated, brute_force.GrowParameters(missing="drop")))
    as_weight = ex.grow(bridge.to_dataset(weighted(sample, counts)), recipe)
    as_rows = ex.grow(bridge.to_dataset(repeated, weighted=False), recipe)
    bridge.assert_alike(as_weight, as_rows)
    return as_weight, as_rows


def assert_row_order_changes_nothing(sample: brute_force.Sample, recipe: ex.Recipe, data: st.DataObject) -> None:
    """The same tree on the rows in another order."""
    order = data.draw(st.permutations(range(len(sample.target))))
    tree, shuffled = (ex.grow(bridge.to_dataset(s), recipe) for s in (sample, pick(sample, list(order))))
    bridge.assert_alike(tree, shuffled)


def assert_evidence(tree: ex.Tree, data: ex.Dataset) -> None:
    """At every node, every feature's best by the kernel is the definition's best."""
    checked = 0
    for number in range(tree.n_nodes_grown):
        node, gains = tree.node(number), tree.evidence.gain[number]
        if node.is_empty or (node.is_leaf and np.isnan(gains).all()):
            continue  # at a leaf the kernel may have looked for nothing
        decision = ex.decide(tree, data, number)
        for column, gain in enumerate(gains):
            best = decision.best.get(data.features[column].name)
            if np.isnan(gain):
                assert best is None or best.rejected or node.is_leaf
                continue
            contested = best.score if tree.recipe.score == "squared_share_weighting" else best.gain
            assert gain == pytest.approx(contested, rel=1e-9, abs=1e-11)
            assert tree.evidence.split_info[number, column] == pytest.approx(best.split_info, rel=1e-9, abs=1e-11)
            expected = best.condition.threshold
            np.testing.assert_equal(tree.evidence.cut[number, column], np.nan if expected is None else expected)
            checked += 1
    assert checked > 5


def assert_nearly_same(first: ex.Tree, second: ex.Tree) -> None:
    """The same nodes, tests and branches of missing values; numbers equal to rounding."""
    for name in ["parent", "feature", "child_count", "cat_offset", "cat_code", "cat_branch", "missing_branch", "stop"]:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
    for name in ["threshold", "weight", "stats", "impurity", "missing_weight"]:
        bridge.same_numbers(getattr(first, name), getattr(second, name))
    assert (first.surrogates is None) == (second.surrogates is None)
    if first.surrogates is not None:
        for name, values in vars(first.surrogates).items():
            bridge.same_numbers(values, getattr(second.surrogates, name))


def print_differences(differences: Callable[[int], list[str]], tables: str) -> None:
    """Try a law on as many tables as the command line says, 100 without a number: the program of a law."""
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    found = 0
    for seed in seeds:
        for text in differences(seed):
            found += 1
            print(text, flush=True)
    print(f"{found} differences in {len(seeds)} {tables}")
