"""The small tables on which the source documents disagree, each with the numbers a hand calculation gives."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import explorer as ex
from tests.oracles.golden_walk import frame_of


def table(name: str) -> ex.Dataset:
    """A counter-example: every column but the target categorical."""
    frame = frame_of(name)
    features = list(frame.columns[:-1])
    kinds = dict.fromkeys(frame.columns, "categorical")
    return ex.Dataset.from_frame(frame, str(frame.columns[-1]), features=features, kinds=kinds)


def between(*breakpoints: Fraction) -> list[float]:
    """One α inside every interval that the breakpoints cut [0, 1] into."""
    edges = [Fraction(0), *breakpoints, Fraction(1)]
    return [float((low + high) / 2) for low, high in pairwise(edges)]


COUNTEREXAMPLE_1_BREAKS = {
    "per_node": [Fraction(2, 9), Fraction(12, 49), Fraction(16, 63)],
    "impurity": [Fraction(4, 21), Fraction(16, 63)],
}
COUNTEREXAMPLE_1_LEAVES = {"per_node": [3, 1, 2, 1], "impurity": [3, 2, 1]}


@pytest.mark.parametrize("risk", COUNTEREXAMPLE_1_BREAKS)
def test_cx1_fixed_alpha_is_nested_with_an_additive_risk_only(risk):
    tree = ex.grow(table("cx1_fixed_alpha_not_nested.csv"), ex.CART)
    leaves = [ex.prune_at_alpha(tree, alpha, risk=risk).n_leaves for alpha in between(*COUNTEREXAMPLE_1_BREAKS[risk])]
    assert leaves == COUNTEREXAMPLE_1_LEAVES[risk]


def test_cx1_weakest_links():
    tree = ex.grow(table("cx1_fixed_alpha_not_nested.csv"), ex.CART)
    additive, literal = ex.cost_complexity_path(tree), ex.cost_complexity_path(tree, risk="per_node")
    assert list(additive.alphas) == pytest.approx([0, 4 / 21, 16 / 63], rel=1e-12)
    assert list(additive.n_leaves) == [3, 2, 1]
    assert list(literal.alphas) == pytest.approx([0, 2 / 9], rel=1e-12)
    assert list(literal.n_leaves) == [3, 1]


ENTROPY_STEPS = {
    ("cx1b_entropy_4rows.csv", "per_node"): [(0, 3), (0.25, 1), (0.2517, 2), (0.3113, 1)],
    ("cx1b_entropy_4rows.csv", "impurity"): [(0, 3), (0.1888, 2), (0.3113, 1)],
    ("cx1c_entropy_13rows.csv", "per_node"): [(0, 3), (0.4807, 1), (0.5033, 2), (0.6129, 1)],
    ("cx1c_entropy_13rows.csv", "impurity"): [(0, 3), (0.3485, 2), (0.6129, 1)],
}


@pytest.mark.parametrize(("file", "risk"), ENTROPY_STEPS)
def test_cx1b_and_cx1c_scanned_in_steps_of_a_ten_thousandth(file, risk):
    tree = ex.grow(table(file), ex.CART.replace(impurity="entropy", min_score=1e-9))
    steps, leaves = [], None
    for step in range(7000):
        found = ex.prune_at_alpha(tree, step / 10_000, risk=risk).n_leaves
        if found != leaves:
            steps, leaves = [*steps, (step / 10_000, found)], found
    assert [count for _, count in steps] == [count for _, count in ENTROPY_STEPS[file, risk]]
    assert [alpha for alpha, _ in steps] == pytest.approx([a for a, _ in ENTROPY_STEPS[file, risk]], abs=1.01e-4)


def test_cx3_smallest_alpha_first():
    tree = ex.grow(table("cx3_seed004_static_alpha.csv"), ex.CART.replace(min_score=1e-9))
    path = ex.cost_complexity_path(tree)
    exact = [Fraction(0), Fraction(1, 110), Fraction(3, 55), Fraction(16, 165), Fraction(196, 1815)]
    risks = [Fraction(5, 22), Fraction(13, 55), Fraction(16, 55), Fraction(64, 165), Fraction(60, 121)]
    assert list(path.alphas) == pytest.approx([float(alpha) for alpha in exact], rel=1e-12)
    assert list(path.risks) == pytest.approx([float(risk) for risk in risks], rel=1e-12)
    assert list(path.n_leaves) == [5, 4, 3, 2, 1]


def test_cx4_the_squared_errors_are_added_not_weighted():
    frame = frame_of("cx4_regression_weighted_sse.csv").astype(float)
    data = ex.Dataset.from_frame(frame, "y", features=["x"])
    decision = ex.decide(ex.grow(data, ex.CART), data, 0)
    found = {c.condition.threshold: 4 * c.weighted_impurity for c in decision.candidates}
    assert found == pytest.approx({1.5: 74 / 3, 2.5: 8, 3.5: 6}, rel=1e-12)
    assert decision.chosen.condition.threshold == 3.5


def test_cx5_strictly_above_the_mean_leaves_nobody_when_gains_are_equal():
    data = table("cx5_strict_average_gain.csv")
    strict = ex.grow(data, ex.C45.replace(mean_gain_filter="greater"))
    decision = ex.decide(strict, data, 0)
    assert strict.n_leaves == 1
    assert strict.node(0).stop_reason
    assert decision.mean_gain == pytest.approx(1.0)
    assert all(c.rejected for c in decision.candidates)
    assert ex.grow(data, ex.C45).node(0).condition.feature == "A"


def test_cx5b_one_feature_is_enough_to_split_on():
    frame = frame_of("cx5_strict_average_gain.csv")[["A", "y"]]
    kinds = {"A": "categorical", "y": "categorical"}
    data = ex.Dataset.from_frame(frame, "y", features=["A"], kinds=kinds)
    assert ex.grow(data, ex.ID3).n_leaves == 2
    assert ex.grow(data, ex.C45).n_leaves == 2
    assert ex.grow(data, ex.ID3.replace(stop_at_one_feature=True)).n_leaves == 1
    assert ex.grow(data, ex.C45.replace(mean_gain_filter="greater")).n_leaves == 1


def test_cx6_stopping_at_one_feature_costs_two_errors_on_the_loan_table():
    data = table("loan_a1a2a3.csv")
    errors = [int(np.sum(ex.grow(data, recipe).predict(data) != data.frame["Y"])) for recipe in stopping_pair()]
    assert errors == [0, 2]


def stopping_pair() -> tuple[ex.Recipe, ex.Recipe]:
    """ID3 as it is, and with the literal stop of the notes."""
    return ex.ID3, ex.ID3.replace(stop_at_one_feature=True)


def test_cx8_one_value_against_the_rest_needs_a_leaf_more_than_a_subset():
    data = table("cx8_eq_vs_subset.csv")
    assert ex.grow(data, ex.CART.replace(categorical="one_vs_rest")).n_leaves == 3
    subset = ex.grow(data, ex.CART)
    assert subset.n_leaves == 2
    assert subset.node(0).condition.branches == (("p", "q"), ("r", "s"))


@pytest.mark.parametrize("recipe", [ex.ID3, ex.C45, ex.CART], ids=lambda recipe: recipe.name)
def test_cx9_a_split_of_zero_gain_is_taken_unless_a_gain_is_required(recipe):
    data = table("cx9_xor.csv")
    tree = ex.grow(data, recipe)
    assert tree.n_leaves == 4
    assert list(tree.predict(data)) == list(data.frame["y"])
    decision = ex.decide(tree, data, 0)
    assert {c.feature: c.gain for c in decision.best.values()} == {"A": 0.0, "B": 0.0}
    stopped = ex.grow(data, recipe.replace(min_score=1e-6))
    assert stopped.n_leaves == 1
    assert stopped.node(0).stop_reason


def test_mammals_the_platypus_is_a_node_that_no_test_can_split():
    frame = frame_of("mammals.csv")
    features = ["饮食习性", "胎生动物", "水生动物", "会飞"]
    data = ex.Dataset.from_frame(frame, "哺乳动物", features=features, kinds=dict.fromkeys(features, "categorical"))
    tree = ex.grow(data, ex.ID3.replace(empty_branches=False))
    assert tree.n_leaves == 3
    mixed = [leaf for leaf in tree.leaves() if tree.node(leaf).impurity > 0]
    assert [list(tree.node(leaf).stats) for leaf in mixed] == [[1, 2]]
    assert "admissible" in tree.node(mixed[0]).stop_reason
