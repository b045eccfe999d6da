"""Walks a tree of ours beside one of scikit-learn's on the same rows, and settles every difference exactly.

scikit-learn reads features as 32-bit floats and cuts at midpoints; every table here is exact in 32 bits, so that both
see the same numbers. Tests are compared by the rows that they send left.
"""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, log, log2

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex

PEERS = {
    **{name: name for name in ("gini", "entropy", "poisson", "absolute_error")},
    "variance": "squared_error",
}
TIED = Fraction(1, 10**10)


@dataclass(frozen=True)
class Table:
    """Features exact in 32 bits and a target: class labels as text, or numbers."""

    name: str
    X: np.ndarray
    y: np.ndarray

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number."""
        return self.y.dtype.kind == "f"

    def frame(self) -> pd.DataFrame:
        """The table as a frame with features x0, x1, … and the target y."""
        names = [f"x{i}" for i in range(self.X.shape[1])]
        frame = pd.DataFrame(self.X, columns=names)
        return frame.assign(y=self.y if self.is_regression else self.y.astype(object))

    def dataset(self) -> ex.Dataset:
        """The table as a data set; classes in scikit-learn's order, so that majority ties fall alike."""
        names = [f"x{i}" for i in range(self.X.shape[1])]
        kinds = {**dict.fromkeys(names, "numeric"), "y": "numeric" if self.is_regression else sorted(set(self.y))}
        return ex.Dataset.from_frame(self.frame(), "y", names, kinds)


def peer(table: Table, criterion: str, **limits):
    """scikit-learn's tree."""
    kind = DecisionTreeRegressor if table.is_regression else DecisionTreeClassifier
    return kind(criterion=PEERS[criterion], random_state=0, **limits).fit(table.X, table.y)


def recipe(criterion: str, **limits) -> ex.Recipe:
    """Our CART under scikit-learn's names for the limits."""
    names = {"min_samples_leaf": "min_rows_leaf", "min_samples_split": "min_rows_split", "max_depth": "max_depth"}
    return ex.CART.replace(impurity=criterion, **{names[key]: value for key, value in limits.items()})


def cut_below(column: np.ndarray, threshold: float) -> float:
    """The largest value of a column that is not above the threshold: what distinguishes two thresholds."""
    below = column[column <= threshold]
    return float(below.max()) if len(below) else -np.inf


def decrease(y: np.ndarray, left: np.ndarray, criterion: str) -> Fraction | float:
    """The impurity decrease of a split by its definition; in exact fractions unless it is an entropy."""
    n, parts = len(y), (y[left], y[~left])
    if criterion == "variance":
        return squared_error(y) / n - sum(squared_error(part) for part in parts) / n
    if criterion == "poisson":
        return fsum([deviance(y) / n, *(-deviance(part) / n for part in parts)])
    if criterion == "absolute_error":
        return absolute_error(y) / n - sum(absolute_error(part) for part in parts) / n
    if criterion == "gini":
        return squares(y) * -1 / n + sum((squares(part) for part in parts), Fraction(0)) / n
    return fsum([bits(y) / n, *(-bits(part) / n for part in parts)])


def squared_error(y: np.ndarray) -> Fraction:
    """Σ (y − mean)², exactly."""
    exact = [Fraction(value) for value in y.tolist()]
    return sum(value * value for value in exact) - sum(exact) ** 2 / len(exact)


def absolute_error(y: np.ndarray) -> Fraction:
    """Σ |y − median|, exactly."""
    median = Fraction(sorted(y.tolist())[len(y) // 2])
    return sum((abs(Fraction(value) - median) for value in y.tolist()), Fraction(0))


def deviance(y: np.ndarray) -> float:
    """Σ y·ln(y/mean): half the Poisson deviance."""
    mean = fsum(y.tolist()) / len(y)
    return fsum(value * log(value / mean) for value in y.tolist() if value > 0)


def squares(y: np.ndarray) -> Fraction:
    """Σ counts² / n: n·(1 − Gini)."""
    return Fraction(sum(count * count for count in Counter(y.tolist()).values()), len(y))


def bits(y: np.ndarray) -> float:
    """n times the entropy."""
    return fsum(count * log2(len(y) / count) for count in Counter(y.tolist()).values())


@dataclass
class Comparison:
    """What the walk saw: nodes seen, ties (different tests of equal worth), twins (other feature, same branches).

    `zeros` are splits of ours that part off rows of 0 alone: scikit-learn's Poisson criterion predicts no zero, and so
    refuses them (1.9.1, `Poisson.proxy_impurity_improvement`).
    """

    nodes: int = 0
    ties: int = 0
    twins: int = 0
    zeros: int = 0

    @property
    def same_tree(self) -> bool:
        """Whether both trees have the same tests everywhere."""
        return self.ties == self.twins == self.zeros == 0


def compare(tree: ex.Tree, theirs, table: Table, criterion: str) -> Comparison:
    """Walk both trees from the root; below a tie they hold different rows and are not compared."""
    comparison, X, other = Comparison(), table.X, theirs.tree_
    todo = [(0, 0, np.arange(len(table.y)))]
    while todo:
        ours, peers, rows = todo.pop()
        comparison.nodes += 1
        feature, threshold = int(tree.feature[ours]), float(tree.threshold[ours])
        if other.children_left[peers] < 0 or feature < 0:
            if criterion == "poisson" and feature >= 0:
                below = X[rows, feature] <= threshold
                assert not (table.y[rows[below]].any() and table.y[rows[~below]].any())
                comparison.zeros += 1
            elif not (other.children_left[peers] < 0 and feature < 0):
                check_split_of_no_worth(tree, ours, other, peers, table.y[rows])
            continue
        left = X[rows, feature] <= threshold
        their_left = X[rows, other.feature[peers]] <= other.threshold[peers]
        if np.array_equal(left, their_left) or np.array_equal(left, ~their_left):
            if feature == other.feature[peers]:
                check_threshold(X[rows, feature], threshold, float(other.threshold[peers]))
            else:
                comparison.twins += 1
            sides = [other.children_left[peers], other.children_right[peers]]
            sides = sides if left[0] == their_left[0] else sides[::-1]
            first = int(tree.first_child[ours])
            todo += [(first, sides[0], rows[left]), (first + 1, sides[1], rows[~left])]
            continue
        if criterion == "poisson" and not (table.y[rows[left]].any() and table.y[rows[~left]].any()):
            assert table.y[rows[their_left]].any()
            assert table.y[rows[~their_left]].any()
            comparison.zeros += 1
            continue
        check_tie(table.y[rows], left, their_left, criterion)
        comparison.ties += 1
    return comparison


def check_split_of_no_worth(tree: ex.Tree, ours: int, other, peers: int, y: np.ndarray) -> None:
    """One of the two has a leaf: only scikit-learn's float test of purity (an impurity under 2⁻⁵²) may explain it."""
    assert other.children_left[peers] < 0, f"ours stops at node {ours}: {tree.node(ours).stop_reason}"
    assert other.impurity[peers] <= np.finfo(float).eps, f"scikit-learn stops with {len(y)} rows, ours goes on"


def check_threshold(column: np.ndarray, ours: float, theirs: float) -> None:
    """Two cuts between the same neighbours, both at the midpoint but for its rounding to a decimal (section 3)."""
    assert cut_below(column, ours) == cut_below(column, theirs)
    largest = max(abs(column[column <= ours].max()), abs(column[column > ours].min()))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=4 * 2.0**-52 * largest)


def check_tie(y: np.ndarray, left: np.ndarray, their_left: np.ndarray, criterion: str) -> None:
    """Two different splits of one node are worth the same, within a relative 1e-10."""
    first, second = decrease(y, left, criterion), decrease(y, their_left, criterion)
    assert abs(first - second) <= TIED * max(abs(first), abs(second)) + ROUNDING[criterion], (first, second)


ROUNDING = {"gini": 0, "variance": 0, "absolute_error": 0, "entropy": 1e-15, "poisson": 1e-14}
"""What the oracle's own arithmetic may be off by."""


LOADERS = {
    "iris": datasets.load_iris,
    "breast_cancer": datasets.load_breast_cancer,
    "wine": datasets.load_wine,
    "digits": datasets.load_digits,
    "diabetes": datasets.load_diabetes,
}


def exact(numbers: np.ndarray) -> np.ndarray:
    """Numbers rounded to what 32 bits can hold."""
    return np.asarray(numbers, dtype=np.float32).astype(np.float64)


def generated(rows: int, target: str, seed: int = 0) -> Table:
    """Ten features, some with few values, and a noisy target: "two" or "five" classes, or a number.

    Values are multiples of 2⁻²⁰, since scikit-learn takes neighbours closer than 1e-7 for equal.
    """
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rows, 10)) * 2**20) / 2**20
    X[:, 7:] = rng.integers(0, [3, 12, 60], size=(rows, 3))
    signal = X[:, 0] + X[:, 1] * X[:, 2] + (X[:, 8] > 5) + rng.normal(size=rows)
    if target == "count":
        return Table(f"{rows} rows, count", X, rng.poisson(np.exp(signal / 3)).astype(np.float64))
    if target == "number":
        return Table(f"{rows} rows, number", X, exact(signal))
    edges = np.quantile(signal, [0.5] if target == "two" else [0.2, 0.4, 0.6, 0.8])
    return Table(f"{rows} rows, {target} classes", X, np.digitize(signal, edges).astype(str))


@functools.cache
def table_of(name: str) -> Table:
    """A table by name: one of scikit-learn's, "generated/rows/target", or "line/rows/target" with a single feature."""
    if name.startswith(("generated", "line")):
        shape, rows, target = name.split("/")
        table = generated(int(rows), target)
        return Table(name, table.X[:, :1], table.y) if shape == "line" else table
    X, y = LOADERS[name](return_X_y=True)
    return Table(name, exact(X), exact(y) if name == "diabetes" else y.astype(str))


def merged(alphas: np.ndarray, impurities: np.ndarray) -> tuple[list[float], list[float]]:
    """scikit-learn's path with repeated alphas as one entry, the last (smallest) tree's."""
    kept: list[tuple[float, float]] = []
    for alpha, impurity in zip(alphas, impurities, strict=True):
        if kept and alpha - kept[-1][0] <= 1e-12 * alpha:
            kept.pop()
        kept.append((float(alpha), float(impurity)))
    return [alpha for alpha, _ in kept], [impurity for _, impurity in kept]
