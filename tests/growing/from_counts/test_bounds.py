"""Bounds of thresholds inside a cell, against the gains of the readable layer with the rows in any order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.counts import Contingency, count_rows
from explorer.growing.from_counts.bounds import least_that_can_win, upper_gains
from explorer.recipe.class_weights import NONE
from explorer.recipe.columns import FeatureEncoding, TrainingColumn
from explorer.recipe.missing import POLICIES
from explorer.recipe.parameters import parameters_for
from explorer.recipe.split_score import TIE, first_best
from tests.oracles.examples import law

LAW = law(600)
IMPURITIES = ["entropy", "gini", "error"]
NUMERIC = FeatureEncoding("x", "numeric", "threshold")


@cache
def dataset(n_classes: int) -> ex.Dataset:
    """Any table with a target of this type: parameters read nothing else of it. 0 classes stand for a number."""
    goal = [f"class {k:02}" for k in range(n_classes)] or [1.0, 2.0]
    frame = pd.DataFrame({"x": np.arange(float(len(goal))), "goal": goal})
    return ex.Dataset.from_frame(frame, "goal", kinds={"goal": goal if n_classes else "numeric"})


@dataclass(frozen=True, eq=False)
class Node:
    """The rows of a node by cell: `cell` [n] ascending, −1 for rows without a value; target and growing weight [n]."""

    cell: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    parameters: object

    @property
    def stats(self) -> np.ndarray:
        if not self.parameters.regression:
            return np.bincount(self.y, self.weights, self.parameters.n_stats)
        mean = np.average(self.y, weights=self.weights)
        return np.array([self.weights.sum(), mean, self.weights @ (self.y - mean) ** 2])

    def counted(self, codes: np.ndarray, n_values: int, values: np.ndarray) -> tuple[TrainingColumn, Contingency]:
        """The rows counted by these codes, `n_values` where the value is missing."""
        column = TrainingColumn(NUMERIC, codes.astype(np.int32), n_values, values)
        mean = float(self.stats[1]) if self.parameters.regression else 0.0
        y = self.y if self.parameters.regression else self.y.astype(np.int32)
        return column, count_rows(column, np.arange(len(codes)), y, self.weights, self.parameters, mean)

    @property
    def upper(self) -> np.ndarray:
        return self.upper_above(-np.inf)

    def upper_above(self, floor: float) -> np.ndarray:
        """The bounds, from the counts of the cells alone: their values are not numbers."""
        n_cells = int(self.cell.max()) + 1
        column, counts = self.counted(np.where(self.cell < 0, n_cells, self.cell), n_cells, np.full(n_cells, np.nan))
        return upper_gains(counts, self.stats, column, self.parameters, floor)

    def candidates(self) -> FeatureCandidates:
        """Every threshold of the rows in their order, each with a value of its own."""
        known = self.cell >= 0
        codes = np.where(known, np.cumsum(known) - 1, known.sum())
        column, counts = self.counted(codes, int(known.sum()), np.arange(float(known.sum())))
        return FeatureCandidates(column, counts, self.stats, self.parameters)

    def best_gains(self) -> np.ndarray:
        """The largest gain of a threshold inside each cell or at one of its ends, admissible or not, [cells]."""
        cell_of_row, candidates = self.cell[self.cell >= 0], self.candidates()
        gain = candidates.gain
        best = np.full(cell_of_row[-1] + 1, -np.inf)
        thresholds = np.arange(len(cell_of_row) - 1)
        np.maximum.at(best, cell_of_row[:-1], gain[thresholds])
        np.maximum.at(best, cell_of_row[1:], gain[thresholds])
        if candidates.missing.both_ways:  # "missing or not" has all numbers on one side, and the bounds allow for it
            best[[0, -1]] = np.maximum(best[[0, -1]], gain[-1])
        return best

    def in_order(self, order: np.ndarray) -> Node:
        """The same rows in another order, which may change inside cells only."""
        assert (self.cell[order] == self.cell).all()
        return replace(self, y=self.y[order], weights=self.weights[order])

    def sorted_orders(self) -> list[np.ndarray]:
        """The rows of each cell by their target, upwards and downwards: where gains are largest."""
        return [np.lexsort((sign * self.y, self.cell)) for sign in (1, -1)]


def unit_weights(n: int) -> st.SearchStrategy[list[float]]:
    return st.just([1.0] * n)


def any_weights(n: int) -> st.SearchStrategy[list[float]]:
    return st.lists(st.sampled_from([1.0, 1.0, 0.25, 2.0, 7.3, 1e-4, 3e4]), min_size=n, max_size=n)


TARGETS = {
    "few": st.integers(-3, 3).map(float),
    "any": st.floats(-1e3, 1e3, allow_subnormal=False),
    "heavy tails": st.floats(-1, 1).map(lambda u: float(np.tan(1.57 * u)) ** 3),
}


@st.composite
def nodes(draw: st.DrawFn, numeric: bool | None = None, most_cells: int = 6, most_rows: int = 6) -> Node:
    """A node with rows in random order, of every type of target, impurity, weights and policy for missing values."""
    sizes = draw(st.lists(st.integers(1, most_rows), min_size=1, max_size=most_cells))
    numeric = draw(st.booleans()) if numeric is None else numeric
    policies = [name for name in POLICIES if not (numeric and POLICIES[name].needs_classes)]
    policy = draw(st.sampled_from(policies))
    n_missing = draw(st.integers(0, 5)) if policy != "drop" else 0
    assume(sum(sizes) > 1)  # one value offers no threshold
    cell = np.concatenate([np.full(n_missing, -1), np.repeat(np.arange(len(sizes)), sizes)])
    weights = np.array(draw(draw(st.sampled_from([unit_weights, any_weights]))(len(cell))))
    impurity = "variance" if numeric else draw(st.sampled_from(IMPURITIES))
    settings = {"threshold_at": draw(st.sampled_from(["midpoint", "observed", "c45"]))}
    settings["release8_penalty"] = draw(st.booleans())
    if numeric:
        target = TARGETS[draw(st.sampled_from(sorted(TARGETS)))]
        y = np.array(draw(st.lists(target, min_size=len(cell), max_size=len(cell)))) + draw(st.sampled_from([0, 1e9]))
        return Node(cell, y, weights, parameters(policy, impurity, 0, **settings))
    n_classes = draw(st.integers(2, 12))
    y = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=len(cell), max_size=len(cell))))
    factors = draw(st.sampled_from([(), np.linspace(0.2, 3.0, n_classes)]))
    weights = weights * factors[y] if len(factors) else weights
    return Node(cell, y, weights, parameters(policy, impurity, n_classes, np.asarray(factors), **settings))


def parameters(policy: str, impurity: str, n_classes: int, factors: np.ndarray = NONE, **settings):
    recipe = ex.Recipe(
        name="bounds", impurity=impurity, score="decrease", missing=policy, min_rows_leaf=0.0, **settings
    )
    return parameters_for(recipe, dataset(n_classes), factors=factors)


def assert_bounded(node: Node, upper: np.ndarray) -> None:
    """No gain is above its bound by more than the gain's own rounding.

    The weight of a branch is a sum, or what a sum leaves of the total: it is wrong by up to one unit in the last place
    of the total for each row. That is a large share only of a branch 10⁵ times lighter than the node.
    """
    best = node.best_gains()
    rounding = len(node.y) * np.finfo(float).eps * node.weights.sum() / node.weights.min()
    assert (upper >= best * (1.0 - rounding)).all(), (upper - best, node)


# -- no order of the rows gains more ---------------------------------------------------------------------------------


@LAW
@given(nodes())
def test_no_threshold_gains_more(node):
    exact, rough = node.upper, node.upper_above(np.inf)  # many classes get a rough bound first, then the best corner
    for order in [np.arange(len(node.cell)), *node.sorted_orders()]:
        assert_bounded(node.in_order(order), np.minimum(exact, rough))


@law(60)
@given(nodes(most_cells=4, most_rows=4), st.data())
def test_no_order_of_the_rows_of_a_cell_gains_more(node, data):
    upper = node.upper
    rows = np.flatnonzero(node.cell == data.draw(st.integers(0, int(node.cell.max()))))
    for order in permutations(rows):
        whole = np.arange(len(node.cell))
        whole[rows] = order
        assert_bounded(node.in_order(whole), upper)


@pytest.mark.parametrize("policy", ["drop", "most_common", "default_direction", "own_branch"])
@pytest.mark.parametrize("target", ["two", "twelve", "normal", "cauchy", "cubed cauchy", "one outlier"])
def test_no_threshold_of_a_larger_node_gains_more(policy, target):
    rng = np.random.default_rng(len(policy) * len(target))
    cell = np.sort(rng.integers(0, 40, 1500)) - (0 if policy == "drop" else 1)
    kinds = {
        "two": lambda: rng.integers(0, 2, 1500) ^ (cell > 20),
        "twelve": lambda: (cell // 4 + rng.geometric(0.3, 1500)) % 12,
        "normal": lambda: rng.normal(1e9 + cell, 3.0),
        "cauchy": lambda: rng.standard_cauchy(1500),
        "cubed cauchy": lambda: rng.standard_cauchy(1500) ** 3,
        "one outlier": lambda: np.where(np.arange(1500) == 1499, 1e8, rng.normal(size=1500)),
    }
    y = kinds[target]()
    n_classes = {"two": 2, "twelve": 12}.get(target, 0)
    for impurity in IMPURITIES if n_classes else ["variance"]:
        node = Node(cell, y, np.ones(1500), parameters(policy, impurity, n_classes))
        upper = np.minimum(node.upper, node.upper_above(np.inf))
        for order in [np.arange(1500), *node.sorted_orders()]:
            assert_bounded(node.in_order(order), upper)


# -- and some order gains as much ------------------------------------------------------------------------------------


def orders_by_class(node: Node, cell: int) -> list[np.ndarray]:
    """Every order of one cell's rows with the rows of some classes first and the others after them."""
    rows = np.flatnonzero(node.cell == cell)
    classes, orders = np.unique(node.y[rows]), []
    for size in range(len(classes) + 1):
        for first in combinations(classes, size):
            order = np.arange(len(node.cell))
            order[rows] = rows[np.argsort(~np.isin(node.y[rows], first), kind="stable")]
            orders.append(order)
    return orders


@law(200)
@given(nodes(numeric=False))
def test_with_up_to_eight_classes_in_a_cell_the_bound_is_the_gain_of_some_order(node):
    if node.parameters.missing in (POLICIES["most_common"].number, POLICIES["same_class"].number):
        return  # there the side of the missing rows is known only for a given order
    node = replace(node, parameters=node.parameters._replace(penalty=False))
    for cell, upper in enumerate(node.upper):
        if len(np.unique(node.y[node.cell == cell])) <= 8:
            best = max(node.in_order(order).best_gains()[cell] for order in orders_by_class(node, cell))
            assert upper == pytest.approx(best, abs=1e-8)


@pytest.mark.parametrize("beside", [1.0, 10.0, 1000.0])
@pytest.mark.parametrize("cell_mean", [0.0, 0.7, -3.0])
@pytest.mark.parametrize("means_beside", [(0.0, 0.0), (4.0, -1.0)])
def test_for_numbers_the_bound_is_nearly_reached_by_a_cell_of_two_values(beside, cell_mean, means_beside):
    """Two values of weights m and n − m have the largest possible deviation of the left sum; m is tried on a grid.

    In one of 16 intervals W_L·W_R changes by n/16 in one factor, so that a bound is too large by n/(16·least weight).
    """
    best, uppers = 0.0, []
    for share in np.linspace(0.01, 0.99, 99):
        for sign in (1, -1):
            two = cell_mean + sign * np.array([-np.sqrt((1 - share) / share), np.sqrt(share / (1 - share))])
            y = np.array([means_beside[0], *two, means_beside[1]])
            weights = np.array([beside, share, 1 - share, beside])
            node = Node(np.array([0, 1, 1, 2]), y, weights, parameters("drop", "variance", 0))
            best = max(best, node.best_gains()[1])
            if round(100 * share) % 14 == 1:
                uppers.append(node.upper[1])
    np.testing.assert_allclose(uppers, uppers[0], rtol=1e-5)  # all these cells have the same weight, mean and variance
    assert best <= min(uppers)
    assert max(uppers) <= best * (1.0 + 1.0 / (16 * beside) + 1e-3)


def test_a_cell_of_one_class_or_one_number_gains_nothing_inside():
    cell = np.repeat([0, 1, 2], 4)
    classes = Node(cell, np.array([0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 0]), np.ones(12), parameters("drop", "entropy", 2))
    numbers = Node(cell, np.where(cell == 1, 5.0, np.arange(12.0)), np.ones(12), parameters("drop", "variance", 0))
    for node, tolerance in ((classes, 1e-9), (numbers, 1e-1)):
        at_its_ends = node.candidates().gain[[3, 7]].max()
        assert node.upper[1] == pytest.approx(at_its_ends, rel=tolerance)


@pytest.mark.parametrize(("threshold_at", "missing_class"), [("midpoint", 0), ("observed", 1)])
def test_where_the_halves_meet_at_an_end_both_cells_allow_for_the_missing_rows(threshold_at, missing_class):
    """The median lies midway between the cells: left of a threshold at the midpoint, right of one at the lower value.

    Both divide the classes perfectly, so the gain is the impurity.
    """
    cell, y = np.array([-1, -1, -1, 0, 0, 1, 1]), np.array([missing_class] * 3 + [0, 0, 1, 1])
    node = Node(cell, y, np.ones(7), parameters("most_common", "gini", 2, threshold_at=threshold_at))
    assert node.candidates().gain[1] == pytest.approx(1 - (5 / 7) ** 2 - (2 / 7) ** 2)
    assert (node.upper >= node.candidates().gain[1]).all()


@pytest.mark.parametrize("n_classes", [0, 2, 5])
def test_a_cell_without_rows_gains_what_its_ends_do(n_classes):
    rng = np.random.default_rng(n_classes)
    y = rng.integers(0, n_classes, 12) if n_classes else rng.normal(size=12)
    node = Node(
        np.repeat([0, 1, 2], 4), y, np.ones(12), parameters("drop", "gini" if n_classes else "variance", n_classes)
    )
    column, counts = node.counted(node.cell, 3, np.arange(3.0))
    table = np.insert(counts.table, 2, 0.0, axis=0)
    upper = upper_gains(replace(counts, codes=np.arange(4), table=table), node.stats, column, node.parameters)
    assert upper[2] == pytest.approx(node.candidates().gain[7], abs=1e-9)


@given(gain=st.floats(0, 1), margins=st.lists(st.floats(0, 3), min_size=1, max_size=6), features=st.integers(1, 3))
def test_no_tie_changes_without_the_candidates_below_the_limit(gain, margins, features):
    """The winner by the two rounds of the tie rule, with all candidates and with those that can win."""
    gains = np.array([gain, *(gain - share * 1.5 * TIE for share in margins)])
    by_feature = [gains[i::features][::-1] for i in range(features)]
    assert winner(by_feature, -np.inf) == winner(by_feature, least_that_can_win(gain, 1.0))


def winner(by_feature: list[np.ndarray], least: float) -> tuple[int, float]:
    """The first best feature by its first best gain, of gains in order per feature from a least one on."""
    kept = [gains[gains >= least] for gains in by_feature]
    best = [gains[first_best(gains, 1.0)] if len(gains) else np.nan for gains in kept]
    feature = first_best(np.array(best), 1.0)
    return feature, best[feature]


def test_two_classes_by_hand():
    """Left 4 of 0 and 0 of 1, the cell 2 and 2, right 0 and 4: best is to cut the cell by class, with nothing left."""
    node = Node(np.repeat([0, 1, 2], 4), np.array([0] * 6 + [1] * 6), np.ones(12), parameters("drop", "gini", 2))
    assert node.upper[1] == pytest.approx(0.5, abs=1e-9)
    error = replace(node, parameters=parameters("drop", "error", 2))
    assert error.upper[1] == pytest.approx(0.5, abs=1e-9)
    # The first cell has one class: its upper end is best, 8 rows with 2 + 4·2/8 … = 1/2 − (8/12)·2·(2/8)·(6/8).
    assert node.upper[0] == pytest.approx(0.5 - 8 / 12 * 2 * (2 / 8) * (6 / 8), abs=1e-9)


# -- a floor saves work and changes nothing that can win -------------------------------------------------------------


@law(150)
@given(nodes(numeric=False), st.floats(0, 1))
def test_bounds_that_reach_the_floor_are_as_without_one(node, share):
    full = node.upper
    floor = share * full.max()
    saved = node.upper_above(floor)
    np.testing.assert_array_equal(saved[full >= floor], full[full >= floor])
    assert (saved[full < floor] >= full[full < floor] - 1e-9).all()
    assert (saved < floor).sum() == (full < floor).sum()
