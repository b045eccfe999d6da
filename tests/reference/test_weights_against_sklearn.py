"""Row weights and class weights against scikit-learn: whole trees walked in parallel, ties settled exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from tests.oracles.sklearn_walk import PEERS, Table, cut_below, table_of

TABLES = ["iris", "wine", "breast_cancer", "generated/1000/two", "generated/1000/five"]
TIED = Fraction(1, 10**9)


def quarters(table: Table, seed: int = 1) -> np.ndarray:
    """Weights that are exact in binary: quarters up to 3."""
    return np.random.default_rng(seed).integers(1, 13, len(table.y)) / 4


def weighted(table: Table, weights: np.ndarray | None) -> ex.Dataset:
    """The table with these row weights."""
    data = table.dataset()
    if weights is None:
        return data
    kinds = {f.name: "numeric" for f in data.features} | {"y": list(data.classes) if data.classes else "numeric"}
    return ex.Dataset.from_frame(data.frame, "y", [f.name for f in data.features], kinds, weights=weights)


def worth(y: np.ndarray, left: np.ndarray, weights: np.ndarray, criterion: str) -> Fraction | float:
    """W times the impurity that a split leaves; exact for Gini and variance."""
    return sum(loss(y[side], weights[side], criterion) for side in (left, ~left))


def loss(y: np.ndarray, weights: np.ndarray, criterion: str) -> Fraction | float:
    """Weight times impurity of some rows."""
    exact = [Fraction(float(w)) for w in weights]
    total = sum(exact)
    if criterion == "variance":
        mean = sum(w * Fraction(float(v)) for w, v in zip(exact, y, strict=True)) / total
        return sum(w * (Fraction(float(v)) - mean) ** 2 for w, v in zip(exact, y, strict=True))
    counts = [sum(w for w, v in zip(exact, y, strict=True) if v == c) for c in set(y)]
    if criterion == "gini":
        return total - sum(c * c for c in counts) / total
    return -sum(float(c) * np.log2(float(c / total)) for c in counts)


def walk(tree: ex.Tree, theirs, table: Table, weights: np.ndarray, criterion: str) -> tuple[int, int]:
    """Nodes compared and ties; below a tie, or another feature with the same branches, the two trees differ."""
    todo, nodes, ties, other = [(0, 0, np.arange(len(table.y)))], 0, 0, theirs.tree_
    while todo:
        ours, peers, rows = todo.pop()
        nodes += 1
        if tree.feature[ours] < 0 or other.children_left[peers] < 0:
            assert tree.feature[ours] < 0
            assert other.children_left[peers] < 0
            continue
        x, z = table.X[rows, tree.feature[ours]], table.X[rows, other.feature[peers]]
        left, their_left = x <= tree.threshold[ours], z <= other.threshold[peers]
        first = int(tree.first_child[ours])
        sides = [int(other.children_left[peers]), int(other.children_right[peers])]
        if np.array_equal(left, ~their_left):
            sides, their_left = sides[::-1], left
        if np.array_equal(left, their_left):
            if tree.feature[ours] == other.feature[peers]:
                assert cut_below(x, tree.threshold[ours]) == cut_below(z, float(other.threshold[peers]))
            todo += [(first, sides[0], rows[left]), (first + 1, sides[1], rows[~left])]
            continue
        ties += 1
        pair = [worth(table.y[rows], side, weights[rows], criterion) for side in (left, their_left)]
        assert abs(pair[0] - pair[1]) <= TIED * max(pair)
    return nodes, ties


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", TABLES)
def test_row_weights_grow_scikit_learns_tree(name, criterion):
    table = table_of(name)
    weights = quarters(table)
    peer = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(table.X, table.y, weights)
    tree = ex.grow(weighted(table, weights), ex.CART.replace(impurity=criterion))
    nodes, ties = walk(tree, peer, table, weights, criterion)
    assert nodes > 5 * ties
    assert nodes > 10


@pytest.mark.parametrize("name", ["diabetes", "generated/1000/number"])
def test_row_weights_grow_scikit_learns_regression_tree(name):
    table = table_of(name)
    weights = quarters(table)
    peer = DecisionTreeRegressor(criterion=PEERS["variance"], random_state=0, max_depth=8)
    peer.fit(table.X, table.y, weights)
    tree = ex.grow(weighted(table, weights), ex.CART.replace(max_depth=8))
    nodes, ties = walk(tree, peer, table, weights, "variance")
    assert nodes > 5 * ties
    assert nodes > 100


@pytest.mark.parametrize("with_rows", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", TABLES)
def test_class_weights_grow_scikit_learns_tree_and_path(name, criterion, with_rows):
    table = table_of(name)
    importance = {label: [0.5, 3.0, 1.25, 2.0, 0.75][i] for i, label in enumerate(sorted(set(table.y)))}
    rows = quarters(table) if with_rows else np.ones(len(table.y))
    theirs = {int(label): weight for label, weight in importance.items()}  # scikit-learn reads "0" as 0 here
    limits = {"criterion": criterion, "random_state": 0, "class_weight": theirs, "max_depth": 6}
    peer = DecisionTreeClassifier(**limits).fit(table.X, table.y, rows)
    recipe = ex.CART.replace(impurity=criterion, class_weights=importance, max_depth=6)
    data = weighted(table, rows if with_rows else None)
    tree = ex.grow(data, recipe)
    weights = rows * np.array([importance[label] for label in table.y])
    nodes, ties = walk(tree, peer, table, weights, criterion)
    assert nodes > 5 * ties
    assert tree.weight[0] == pytest.approx(rows.sum(), rel=1e-12)
    if ties:
        return
    np.testing.assert_allclose(tree.predict_proba(data), peer.predict_proba(table.X), rtol=1e-9)
    their_path = peer.cost_complexity_pruning_path(table.X, table.y, rows)
    path = ex.cost_complexity_path(tree)
    ends = np.append(np.diff(their_path.ccp_alphas) > 1e-9 * their_path.ccp_alphas[1:], True)
    start = int(path.alphas[min(1, len(path) - 1)] <= 1e-12)
    np.testing.assert_allclose(path.alphas[start:], their_path.ccp_alphas[ends], rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(path.risks[start:], their_path.impurities[ends], rtol=1e-8, atol=1e-12)
