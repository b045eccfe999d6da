"""CART against scikit-learn: trees walked in parallel, weakest-link paths, and accuracies of refitted subtrees."""

from __future__ import annotations

import functools
from itertools import pairwise, product

import numpy as np
import pytest

import explorer as ex
from tests.oracles.examples import slow
from tests.oracles.sklearn_walk import Comparison, Table, compare, merged, peer, recipe, table_of

FULL = {}
LEAF_5 = {"min_samples_leaf": 5}
LEAF_20 = {"min_samples_leaf": 20}
LEAF_25 = {"min_samples_leaf": 25, "min_samples_split": 100}
DEPTH_4 = {"max_depth": 4, "min_samples_leaf": 20}
DEPTH_6 = {"max_depth": 6, "min_samples_leaf": 10}
SPLIT_40 = {"min_samples_split": 40, "min_samples_leaf": 10}
CLASS_TABLES = ["iris", "breast_cancer", "wine", "digits", "generated/1000/two", "generated/1000/five"]
LARGE_CLASS_TABLES = ["generated/10000/two", "generated/10000/five"]

NUMBER_TABLES = ["diabetes", "generated/1000/number"]

CASES = [
    *product(CLASS_TABLES, ["gini", "entropy"], [FULL, SPLIT_40]),
    *product(LARGE_CLASS_TABLES, ["gini", "entropy"], [FULL, DEPTH_6]),
    *product(NUMBER_TABLES, ["variance"], [FULL, LEAF_5, SPLIT_40]),
    ("line/1000/number", "variance", FULL),
    *product(["generated/1000/count"], ["poisson"], [LEAF_5, SPLIT_40]),
    ("generated/10000/count", "poisson", DEPTH_6),
    *product(NUMBER_TABLES, ["absolute_error"], [FULL, LEAF_5, SPLIT_40]),
    ("generated/10000/number", "absolute_error", DEPTH_6),
    *product(["generated/10000/number"], ["variance"], [FULL, DEPTH_6]),
    ("generated/100000/two", "gini", FULL),
    ("generated/100000/number", "variance", FULL),
]


def case_name(case: tuple) -> str:
    """A case as the name of its test."""
    name, criterion, limits = case
    return "-".join([name.replace("/", "_"), criterion, *(f"{key}={value}" for key, value in limits.items())])


@functools.cache
def walked(number: int) -> Comparison:
    """Both trees of one case, walked."""
    name, criterion, limits = CASES[number]
    table = table_of(name)
    tree = ex.grow(table.dataset(), recipe(criterion, **limits))
    return compare(tree, peer(table, criterion, **limits), table, criterion)


@pytest.mark.parametrize(
    "number",
    [slow(number) if "100000" in case[0] else number for number, case in enumerate(CASES)],
    ids=[case_name(case) for case in CASES],
)
def test_first_differences_are_ties(number):
    found = walked(number)
    print(f"{case_name(CASES[number])}: {found.nodes} nodes compared, {found.ties} ties, {found.twins} twins")
    assert found.nodes > 2 * found.ties


def test_at_least_five_tables_without_any_tie():
    small = [number for number, case in enumerate(CASES) if "100000" not in case[0]]
    without = {CASES[number][0] for number in small if walked(number).same_tree}
    print("tables without any tie:", sorted(without))
    assert len(without) >= 5, without


# -- weakest-link path -----------------------------------------------------------------------------------------------

PATHS = [
    ("iris", "entropy", FULL),
    ("wine", "gini", FULL),
    ("breast_cancer", "gini", DEPTH_4),
    ("digits", "entropy", LEAF_20),
    ("diabetes", "variance", LEAF_5),
    ("generated/1000/count", "poisson", LEAF_25),
    ("generated/1000/number", "absolute_error", LEAF_25),
    ("generated/1000/two", "gini", LEAF_25),
    ("generated/1000/five", "gini", LEAF_20),
    ("generated/1000/number", "variance", FULL),
    ("generated/10000/two", "entropy", LEAF_25),
    ("generated/10000/number", "variance", LEAF_20),
]


@pytest.mark.parametrize("case", PATHS, ids=case_name)
def test_path_has_scikit_learns_alphas_and_impurities(case):
    name, criterion, limits = case
    table = table_of(name)
    theirs, tree = peer(table, criterion, **limits), ex.grow(table.dataset(), recipe(criterion, **limits))
    assert compare(tree, theirs, table, criterion).ties == 0
    path = ex.cost_complexity_path(tree)
    peers_path = theirs.cost_complexity_pruning_path(table.X, table.y)
    alphas, impurities = merged(peers_path.ccp_alphas, peers_path.impurities)
    np.testing.assert_allclose(path.alphas, alphas, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(path.risks, impurities, rtol=1e-12, atol=1e-12)


REFITS = [
    ("generated/1000/two", "gini", LEAF_25),
    ("generated/1000/five", "gini", LEAF_20),
    ("digits", "entropy", DEPTH_4),
    ("diabetes", "variance", LEAF_5),
    ("line/1000/number", "variance", FULL),
    ("generated/1000/number", "variance", LEAF_5),
    ("generated/10000/two", "entropy", LEAF_25),
    ("generated/10000/number", "variance", LEAF_20),
]


def halves(table: Table) -> tuple[Table, Table, np.ndarray, np.ndarray]:
    """The first two thirds of a shuffled table and the rest."""
    order = np.random.default_rng(3).permutation(len(table.y))
    cut = 2 * len(order) // 3
    first, second = np.sort(order[:cut]), np.sort(order[cut:])
    parts = [Table(table.name, table.X[rows], table.y[rows]) for rows in (first, second)]
    return parts[0], parts[1], first, second


@pytest.mark.parametrize("case", REFITS, ids=case_name)
def test_curve_at_geometric_midpoints_is_the_score_of_a_refit(case):
    name, criterion, limits = case
    table = table_of(name)
    train, valid, train_rows, valid_rows = halves(table)
    data = table.dataset()
    tree = ex.grow(data.take(train_rows), recipe(criterion, **limits))
    assert compare(tree, peer(train, criterion, **limits), train, criterion).same_tree
    path = ex.cost_complexity_path(tree)
    curve = path.curve(data.take(valid_rows), metric="mse" if table.is_regression else "accuracy")
    assert len(curve) == len(path.alphas)
    betas = [np.sqrt(low * high) for low, high in pairwise(path.alphas)] + [2 * path.alphas[-1]]
    count = len(betas) if len(table.y) <= 2000 else 25
    for position in np.unique(np.linspace(1, len(betas) - 1, count).astype(int)):
        refit = peer(train, criterion, ccp_alpha=betas[position], **limits)
        assert refit.get_n_leaves() == path.n_leaves[position]
        assert curve[position] == pytest.approx(score(refit, valid), rel=1e-12)


def score(refit, valid: Table) -> float:
    """Accuracy, or mean squared error, of scikit-learn's pruned tree on the held-out rows."""
    predicted = refit.predict(valid.X)
    if valid.is_regression:
        return float(np.mean((predicted - valid.y) ** 2))
    return float(np.mean(predicted == valid.y))
