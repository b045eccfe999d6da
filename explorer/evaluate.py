"""Scores of predictions beside their baselines, and leave-one-out for small tables (DEFINITIONS sections 7 and 8)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.dataset import Dataset
from explorer.grow import grow
from explorer.prune.path import cost_complexity_path
from explorer.recipe import Recipe
from explorer.tree import Tree


def accuracy(data: Dataset, codes: ArrayLike) -> float:
    """Share of the row weight whose class code [n] is the predicted one."""
    return float(np.average(data.y == np.asarray(codes), weights=data.weight_of_rows()))


def mean_squared_error(data: Dataset, values: ArrayLike) -> float:
    """Weighted mean of the squared differences between target and predicted values [n]."""
    return float(np.average(np.square(data.y - np.asarray(values)), weights=data.weight_of_rows()))


def score(tree: Tree, data: Dataset) -> float:
    """The tree's accuracy on the rows, or its mean squared error where the target is numeric."""
    nodes = tree.apply(data)
    if tree.is_regression:
        return mean_squared_error(data, tree.values[nodes])
    return accuracy(data, tree.labels[nodes])


def class_weights(data: Dataset) -> NDArray[np.float64]:
    """Row weight of every class, [K] in class order."""
    counts = np.bincount(data.y, weights=data.weight_of_rows(), minlength=len(data.classes))
    return counts.astype(np.float64)


def baseline(train: Dataset, data: Dataset) -> float:
    """The score on `data` of always answering the training rows' heaviest class, or their mean."""
    weights = train.weight_of_rows()
    if train.is_regression:
        return mean_squared_error(data, np.full(data.n_rows, np.average(train.y, weights=weights)))
    majority = class_weights(train).argmax()
    return accuracy(data, np.full(data.n_rows, majority))


def leave_one_out(data: Dataset, recipe: Recipe, risk: str = "impurity") -> NDArray[np.float64]:
    """Score of every entry of the pruning path when each row is answered by a tree grown without it, [path].

    Entry k is read off each row's own path at the geometric midpoint of the interval that begins at α_k; the full
    tree is compared with full trees. One tree is grown per row: meant for tables of up to about a hundred rows.
    """
    prices = cost_complexity_path(grow(data, recipe), risk=risk).midpoints
    weights = data.weight_of_rows()
    losses = np.stack([_held_out(data, row, recipe, risk, prices) for row in range(data.n_rows)])
    return np.asarray(np.average(losses, axis=0, weights=weights), dtype=np.float64)


def _held_out(data: Dataset, row: int, recipe: Recipe, risk: str, prices: NDArray[np.float64]) -> NDArray[np.float64]:
    """The score of one row alone, [prices], under trees grown on all other rows."""
    rest = data.take(np.delete(np.arange(data.n_rows), row))
    path = cost_complexity_path(grow(rest, recipe), risk=risk)
    if risk == "unnormalised":
        prices = prices * (rest.weight_of_rows().sum() / data.weight_of_rows().sum())
    scores = path.curve(data.take([row]))
    positions = [0, *(path.position(price) for price in prices[1:])]
    return np.asarray(scores, dtype=np.float64)[positions]
