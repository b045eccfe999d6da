"""All scores of a tree on some rows beside their baselines, worked out by scikit-learn (DEFINITIONS section 8).

A baseline answers every row alike, from the training rows at the root alone: with their heaviest class, their mean, or
the shares of their classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics

from explorer.data.dataset import Dataset
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.recipe.class_weights import Floats
from explorer.tree.metrics import checked_metric, costs_by_class, nats_of, targets_of
from explorer.tree.tree import Tree

Positions = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RowPredictions:
    """What is true of every row and what is answered, [n]: codes in `labels`, or numbers where `labels` is empty."""

    labels: tuple[Value, ...]
    truth: Floats = field(repr=False)
    predictions: Floats = field(repr=False)

    @property
    def residuals(self) -> Floats:
        """What is true less what is answered, for numbers."""
        return self.truth - self.predictions

    @property
    def worst(self) -> Positions:
        """Positions of the rows that are answered wrongly; for numbers the largest error first."""
        wrong = np.flatnonzero(self.truth != self.predictions)
        return wrong if self.labels else wrong[np.argsort(-np.abs(self.residuals[wrong]), kind="stable")]

    def rows(self, true: int, prediction: int) -> Positions:
        """Positions of the rows of one class that get one answer, both as codes."""
        return np.flatnonzero((self.truth == true) & (self.predictions == prediction))


def answered(tree: Tree, data: Dataset) -> RowPredictions:
    """A tree's answers to rows beside the truth; InputError where tree and rows do not go together.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> found = answered(grow(tennis, ID3.replace(max_depth=1)), tennis)
    >>> found.labels, found.rows(1, 0).tolist(), len(found.worst)     # played on two sunny days, the 9th and the 11th
    (('No', 'Yes'), [8, 10], 4)
    """
    if tree.is_regression:
        return RowPredictions((), targets_of(tree, data)[0], tree.predict_encoded(data))
    return predicted_classes(judged(tree, data))


def predicted_classes(rows: Judged) -> RowPredictions:
    """The same of rows whose classes are answered already."""
    return RowPredictions(rows.labels, rows.true.astype(np.float64), rows.prediction.astype(np.float64))


SAME_DIGITS = 12
"""Shares are compared by so many digits: mixtures of equal shares differ by rounding."""


@dataclass(frozen=True)
class Score:
    """One score of a tree, what its baseline scores on the same rows, and whether the largest or the least is best."""

    name: str
    value: float
    baseline: float
    best: str

    @property
    def improvement(self) -> float:
        """By how much the tree is better than its baseline; negative where it is worse."""
        return self.value - self.baseline if self.best == "largest" else self.baseline - self.value


@dataclass(frozen=True)
class ClassScore:
    """How well one class is found: `precision` of the rows answered so, `recall` of the rows that are so.

    nan where there are no such rows; `weight` is that of the rows of the class. `area` is the AUC of the class against
    the rest, nan where there is nothing to tell it from.
    """

    name: Value
    precision: float
    recall: float
    weight: float
    area: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of a tree on some rows by name; for classes also the confusion matrix and every class by itself.

    `confusion` [L, L] is the row weight by true class and answer, in the order of `labels`: the tree's classes, then
    classes of the rows that it never met. For a numeric target both are empty, and so is `classes`.
    """

    n_rows: int
    weight: float
    scores: dict[str, Score]
    labels: tuple[Value, ...] = ()
    confusion: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    classes: tuple[ClassScore, ...] = ()

    @property
    def mistakes(self) -> list[tuple[int, int]]:
        """The cells (true class, answer) of wrong answers that some row has, the heaviest first."""
        cells = [(int(i), int(j)) for i, j in np.argwhere(self.confusion > 0) if i != j]
        return sorted(cells, key=lambda cell: -self.confusion[cell])


@dataclass(frozen=True, eq=False)
class Judged:
    """Rows of a categorical target as scikit-learn wants them: codes of classes [n], shares [n, L], weights [n].

    `majority`, `alike` and `cheapest` are what the baselines predict: a class, shares, the class that costs least.
    """

    labels: tuple[Value, ...]
    true: NDArray[np.intp]
    prediction: NDArray[np.intp]
    shares: Floats
    weights: Floats
    majority: NDArray[np.intp]
    alike: Floats
    cheapest: NDArray[np.intp]


def evaluate(tree: Tree, data: Dataset) -> Evaluation:
    """Score a tree on rows, beside the baselines of its own root; InputError where tree and rows do not go together.

    For classes: "accuracy", "error", "log_loss" (nats), "auc" (unless all rows are of one class) and, if the recipe has
    costs, "expected_cost". For numbers: "mse", "mae" and, for two rows or more, "r2".

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> found = evaluate(grow(tennis, ID3.replace(max_depth=1)), tennis)
    >>> found.labels, found.confusion.tolist()
    (('No', 'Yes'), [[3.0, 2.0], [2.0, 7.0]])
    >>> [round(14 * one, 9) for one in (found.scores["accuracy"].value, found.scores["accuracy"].baseline)]
    [10.0, 9.0]
    """
    targets, weights = targets_of(tree, data)
    if tree.is_regression:
        means = np.full(data.n_rows, tree.values[0])
        return number_evaluation(targets, weights, tree.predict_encoded(data), means)
    costs = None if tree.costs is None else costs_by_class(tree, targets)
    rows = judged(tree, data)
    areas = {code: area_under_curve(rows, code) for code in range(len(tree.classes)) if is_told_apart(rows, code)}
    return class_evaluation(rows, costs, areas)


def score_by(tree: Tree, data: Dataset, metric: str) -> Score:
    """One score of a tree on rows by its name, beside its baseline; InputError where the rows do not allow it.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> found = score_by(grow(tennis, ID3), tennis, "auc")
    >>> found.value, found.baseline
    (1.0, 0.5)
    """
    checked_metric(tree, metric)
    found = evaluate(tree, data).scores
    if metric not in found:
        raise InputError("AUC compares rows of different classes, but these are all of one class: take another metric.")
    return found[metric]


def judged(tree: Tree, data: Dataset) -> Judged:
    """The rows with their answers; classes that the tree never met come last and have no share."""
    weights = targets_of(tree, data)[1]
    unmet = [name for name in np.array(data.classes, dtype=object)[np.unique(data.y)] if name not in tree.classes]
    labels = (*tree.classes, *unmet)
    place = {name: number for number, name in enumerate(labels)}
    shares, alike = np.zeros((data.n_rows, len(labels))), np.zeros(len(labels))
    shares[:, : len(tree.classes)] = tree.predict_proba(data)
    alike[: len(tree.classes)] = tree.row_stats[0] / tree.row_stats[0].sum()
    return Judged(
        labels=labels,
        true=np.array([place.get(name, -1) for name in data.classes], dtype=np.intp)[data.y],
        prediction=tree.predict_encoded(data).astype(np.intp),
        shares=shares,
        weights=weights,
        majority=np.full(data.n_rows, tree.row_stats[0].argmax(), dtype=np.intp),
        alike=np.broadcast_to(alike, shares.shape),
        cheapest=np.full(data.n_rows, tree.labels[0], dtype=np.intp),
    )


def class_evaluation(rows: Judged, costs: Floats | None, areas: Mapping[int, float]) -> Evaluation:
    """The scores of answered rows; `costs` [K, K] by true class and answer, `areas` the AUC of classes by code."""
    matrix = metrics.confusion_matrix(
        rows.true, rows.prediction, labels=np.arange(len(rows.labels)), sample_weight=rows.weights
    ).astype(np.float64)
    right, base = (
        float(metrics.accuracy_score(rows.true, prediction, sample_weight=rows.weights))
        for prediction in (rows.prediction, rows.majority)
    )
    loss, base_loss = (_log_loss(rows, shares) for shares in (rows.shares, rows.alike))
    found = [
        Score("accuracy", right, base, "largest"),
        Score("error", 1.0 - right, 1.0 - base, "least"),
        Score("log_loss", loss, base_loss, "least"),
    ]
    if areas:
        found.append(Score("auc", float(np.mean(list(areas.values()))), 0.5, "largest"))
    if costs is not None:
        own, cheapest = (_mean_cost(rows, costs, prediction) for prediction in (rows.prediction, rows.cheapest))
        found.append(Score("expected_cost", own, cheapest, "least"))
    scores = {one.name: one for one in found}
    return Evaluation(rows.true.size, float(rows.weights.sum()), scores, rows.labels, matrix, _each_class(rows, areas))


def _mean_cost(rows: Judged, costs: Floats, prediction: NDArray[np.intp]) -> float:
    return float(np.average(costs[rows.true, prediction], weights=rows.weights))


def _log_loss(rows: Judged, shares: Floats) -> float:
    """Mean of −ln(share of the true class)."""
    own = shares[np.arange(rows.true.size), rows.true]
    return float(np.average(nats_of(own), weights=rows.weights))


def is_told_apart(rows: Judged, code: int) -> bool:
    """Whether some rows are of a class and some are not, without which there is no curve of it."""
    return 0 < int(np.count_nonzero(rows.true == code)) < rows.true.size


def area_under_curve(rows: Judged, code: int) -> float:
    """AUC of one class against the rest."""
    share = np.round(rows.shares[:, code], SAME_DIGITS)
    return float(metrics.roc_auc_score(rows.true == code, share, sample_weight=rows.weights))


def _each_class(rows: Judged, areas: Mapping[int, float]) -> tuple[ClassScore, ...]:
    """Precision, recall and AUC of every class."""
    precision, recall, _, weight = metrics.precision_recall_fscore_support(
        rows.true,
        rows.prediction,
        labels=np.arange(len(rows.labels)),
        sample_weight=rows.weights,
        zero_division=np.nan,
    )
    listed = [areas.get(code, float("nan")) for code in range(len(rows.labels))]
    columns = rows.labels, precision.tolist(), recall.tolist(), weight.tolist(), listed
    return tuple(ClassScore(*one) for one in zip(*columns, strict=True))


def number_evaluation(targets: Floats, weights: Floats, predictions: Floats, means: Floats) -> Evaluation:
    """MSE, MAE and R² of the answers [n], beside those of training means [n]."""
    measures: dict[str, tuple[Any, str]] = {
        "mse": (metrics.mean_squared_error, "least"),
        "mae": (metrics.mean_absolute_error, "least"),
        "r2": (metrics.r2_score, "largest"),
    }
    if targets.size < 2:
        del measures["r2"]  # one row has no spread that could be explained
    scores = {
        name: Score(
            name,
            float(measure(targets, predictions, sample_weight=weights)),
            float(measure(targets, means, sample_weight=weights)),
            best,
        )
        for name, (measure, best) in measures.items()
    }
    return Evaluation(targets.size, float(weights.sum()), scores)
