"""Which scores there are, and one score of a tree beside its baseline (DEFINITIONS section 8)."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.recipe.class_weights import heaviest_classes, predicted_classes_of
from explorer.sources.source import Source
from explorer.tree.grouped_rows import all_rows, as_rows
from explorer.tree.tree import Tree
from explorer.values import Value


class Predictor(Protocol):
    """A tree or an ensemble: what it predicts."""

    @property
    def target(self) -> str:
        """The name of the target."""

    @property
    def classes(self) -> tuple[Value, ...]:
        """The classes in order; empty for numbers."""

    @property
    def is_regression(self) -> bool:
        """Whether it predicts numbers."""


def targets_of(tree: Predictor, valid: Dataset) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Target and weight of every validation row, in the tree's terms: an unknown class has code -1."""
    if valid.is_regression != tree.is_regression:
        raise InputError(
            message(
                "The validation set and the tree disagree on whether '{target}' is numeric: split one table with "
                "`data.split`.",
                target=tree.target,
            )
        )
    if valid.n_rows == 0:
        raise InputError(message("The validation set has no rows: give it at least one."))
    weights = valid.weight_of_rows()
    if tree.is_regression:
        return np.asarray(valid.y, dtype=np.float64), weights
    code = {name: number for number, name in enumerate(tree.classes)}
    recode = np.array([code.get(name, -1) for name in valid.classes], dtype=np.float64)
    return recode[valid.y], weights


def node_predictions(tree: Tree) -> NDArray[np.float64]:
    """The prediction of every grown node as a leaf: its mean, or the code of its label."""
    return np.asarray(tree.values if tree.is_regression else tree.labels, dtype=np.float64)


CLIP = 1e-15
"""Probabilities below this count as this in log loss, so that it stays finite."""
METRICS = {
    "accuracy": "largest",
    "error": "least",
    "log_loss": "least",
    "auc": "largest",
    "expected_cost": "least",
    "mse": "least",
}
"""Each score and whether its largest or its least value is the best one."""


def checked_metric(tree: Tree, metric: str | None) -> str:
    """The metric's name (accuracy, or MSE for a numeric target, when none is given), if it suits the target."""
    if metric is None:
        return "mse" if tree.is_regression else "accuracy"
    if metric not in METRICS:
        raise InputError(
            message(
                "There is no metric called '{metric}': choose one of {metrics}.",
                metric=metric,
                metrics=listing(METRICS),
            )
        )
    if tree.is_regression and metric != "mse":
        raise InputError(
            message(
                "Metric '{metric}' does not suit the numeric target '{target}': choose 'mse'.",
                metric=metric,
                target=tree.target,
            )
        )
    if metric == "mse" and not tree.is_regression:
        raise InputError(
            message(
                "Metric 'mse' does not suit the categorical target '{target}': choose 'accuracy' or another metric.",
                target=tree.target,
            )
        )
    if metric == "expected_cost" and tree.costs is None:
        raise InputError(
            message(
                "The tree has no misclassification costs: grow it with "
                "recipe.replace(costs={{true: {{predicted: …}}}})."
            )
        )
    return metric


def accuracy(data: Dataset, codes: ArrayLike) -> float:
    """Share of the row weight whose class code [n] is the predicted one."""
    return float(np.average(data.y == np.asarray(codes), weights=data.weight_of_rows()))


def mean_squared_error(data: Dataset, values: ArrayLike) -> float:
    """Weighted mean of the squared differences between target and predicted values [n]."""
    return float(np.average(np.square(data.y - np.asarray(values)), weights=data.weight_of_rows()))


def score(tree: Tree, data: Dataset | Source) -> float:
    """The tree's accuracy on the rows, or its mean squared error where the target is numeric.

    A row of a class that is not in the training set is wrong. Raises InputError where tree and rows do not match.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> round(14 * score(grow(tennis, ID3.replace(max_depth=1)), tennis), 9)      # Outlook: 4 + 3 + 3 are correct
    10.0
    """
    rows = as_rows(tree, data)
    targets, weights = targets_of(tree, rows)
    errors = tree.predict_encoded(rows) - targets
    return float(np.average(errors**2 if tree.is_regression else errors == 0, weights=weights))


def expected_cost(tree: Tree, data: Dataset | Source) -> float:
    """Mean cost of the tree's predictions for the rows; InputError without costs or for unknown classes."""
    rows = as_rows(tree, data)
    return _mean_cost(tree, rows, tree.predict_encoded(rows))


def cost_baseline(tree: Tree, data: Dataset | Source) -> float:
    """The same for always predicting the class of least cost on the training set: the root's prediction."""
    rows = as_rows(tree, data)
    return _mean_cost(tree, rows, np.full(rows.n_rows, predicted_classes_of(tree.stats[:1], tree.costs)[0]))


def _mean_cost(tree: Tree, data: Dataset, predictions: NDArray[Any]) -> float:
    checked_metric(tree, "expected_cost")
    targets, weights = targets_of(tree, data)
    costs = costs_by_class(tree, targets)
    return float(np.average(costs[targets.astype(np.intp), predictions], weights=weights))


def costs_by_class(tree: Tree, targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The tree's costs by true and predicted class, [K, K]; InputError where a target is an unknown class."""
    assert tree.costs is not None
    if (targets < 0).any():
        raise InputError(
            message(
                "Some validation rows have a class that is not in the training set, so misclassifying it has no cost."
            )
        )
    return tree.costs


def nats_of(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log loss of the shares of true classes: −ln of each, finite also for a share of 0.

    >>> nats_of(np.array([1.0, 0.5, 0.0])).round(3).tolist()             # 0, ln 2 and 15·ln 10
    [0.0, 0.693, 34.539]
    """
    return np.asarray(0.0 - np.log(np.clip(shares, CLIP, 1.0)))


def class_weights(data: Dataset) -> NDArray[np.float64]:
    """Row weight of every class, [K] in class order."""
    counts = np.bincount(data.y, weights=data.weight_of_rows(), minlength=len(data.classes))
    return counts.astype(np.float64)


def baseline(train: Dataset | Source, data: Dataset | Source) -> float:
    """The score on `data` of always predicting the majority class of the training set, or its mean."""
    train, data = (rows if isinstance(rows, Dataset) else all_rows(rows) for rows in (train, data))
    if train.is_regression:
        mean = np.average(train.y, weights=train.weight_of_rows())
        return mean_squared_error(data, np.full(data.n_rows, mean))
    majority = train.classes[int(heaviest_classes(class_weights(train)[None])[0])]
    code = data.classes.index(majority) if majority in data.classes else -1
    return accuracy(data, np.full(data.n_rows, code))


def left_out_baseline(train: Dataset) -> float:
    """The score of the training rows when the mean of all others predicts each row, or each group of rows.

    Classes have the majority class of all rows, since in tables of two classes as large that of the others is never
    right; so have rows divided by time their mean.

    >>> import pandas as pd
    >>> lengths = Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "length": [1.0, 2.0, 6.0]}), "length")
    >>> left_out_baseline(lengths)  # (4 − 1)², (3.5 − 2)² and (1.5 − 6)², the mean of 9, 2.25 and 20.25
    10.5
    """
    if not train.is_regression or (train.division is not None and train.division.kind != "groups"):
        return baseline(train, train)
    weights = train.weight_of_rows()
    units = (
        np.arange(train.n_rows) if train.division is None else np.unique(train.division.units, return_inverse=True)[1]
    )
    sums, of_units = np.bincount(units, weights * train.y), np.bincount(units, weights)
    others = of_units.sum() - of_units
    if (others <= 0).any():
        return baseline(train, train)
    return mean_squared_error(train, ((sums.sum() - sums) / others)[units])


TIE = 1e-12
"""Scores closer than this, relatively, are equal: they came from the same predictions in another order."""


def best_position(tree: Tree, values: ArrayLike, metric: str | None) -> int:
    """Position of the best value; of equal values the last, which is the simplest tree."""
    scores = np.asarray(values, dtype=np.float64)
    if METRICS[checked_metric(tree, metric)] == "least":
        scores = -scores
    largest = scores.max()
    return int(np.flatnonzero(scores >= largest - TIE * max(abs(largest), 1e-300))[-1])
