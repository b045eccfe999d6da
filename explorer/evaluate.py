"""Scores of predictions beside their baselines (DEFINITIONS section 8)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.dataset import Dataset
from explorer.prune.curve import checked_metric, costs_by_class
from explorer.targets import targets_of
from explorer.tree import Tree


def accuracy(data: Dataset, codes: ArrayLike) -> float:
    """Share of the row weight whose class code [n] is the predicted one."""
    return float(np.average(data.y == np.asarray(codes), weights=data.weight_of_rows()))


def mean_squared_error(data: Dataset, values: ArrayLike) -> float:
    """Weighted mean of the squared differences between target and predicted values [n]."""
    return float(np.average(np.square(data.y - np.asarray(values)), weights=data.weight_of_rows()))


def score(tree: Tree, data: Dataset) -> float:
    """The tree's accuracy on the rows, or its mean squared error where the target is numeric."""
    answers = tree.answers(data)
    return mean_squared_error(data, answers) if tree.is_regression else accuracy(data, answers)


def expected_cost(tree: Tree, data: Dataset) -> float:
    """Mean cost of the tree's answers to the rows; InputError for a tree without costs or rows of unknown classes."""
    return _mean_cost(tree, data, tree.answers(data))


def cost_baseline(tree: Tree, data: Dataset) -> float:
    """The same for always giving the one answer that costs least on the training rows: the root's."""
    return _mean_cost(tree, data, np.full(data.n_rows, tree.labels[0]))


def _mean_cost(tree: Tree, data: Dataset, answers: NDArray[Any]) -> float:
    checked_metric(tree, "expected_cost")
    targets, weights = targets_of(tree, data)
    costs = costs_by_class(tree, targets)
    return float(np.average(costs[targets.astype(np.intp), answers], weights=weights))


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
