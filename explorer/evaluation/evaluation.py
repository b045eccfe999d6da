"""All scores of a tree on some rows and their baselines, computed by scikit-learn (DEFINITIONS section 8).

A baseline gives every row the same prediction, from the training set at the root alone: its heaviest class, its mean,
or its class shares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.class_weights import Floats, heaviest_classes, predicted_classes_of
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.metrics import CLIP, Predictor, checked_metric, costs_by_class, nats_of, targets_of
from explorer.tree.tree import Tree
from explorer.values import Value

Positions = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RowPredictions:
    """True value and prediction of every row, [n]: codes in `labels`, or numbers where `labels` is empty."""

    labels: tuple[Value, ...]
    truth: Floats = field(repr=False)
    predictions: Floats = field(repr=False)

    @property
    def residuals(self) -> Floats:
        """True value minus prediction, for numeric targets."""
        return self.truth - self.predictions

    @property
    def worst(self) -> Positions:
        """Positions of the rows with a wrong prediction; for numeric targets the largest error first."""
        wrong = np.flatnonzero(self.truth != self.predictions)
        return wrong if self.labels else wrong[np.argsort(-np.abs(self.residuals[wrong]), kind="stable")]

    def rows(self, true: int, prediction: int) -> Positions:
        """Positions of the rows of one class with one prediction, both as codes."""
        return np.flatnonzero((self.truth == true) & (self.predictions == prediction))


def row_predictions(tree: Tree, data: Dataset) -> RowPredictions:
    """A tree's predictions for rows and their true values; InputError where tree and rows do not go together.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> rows = row_predictions(grow(tennis, ID3.replace(max_depth=1)), tennis)
    >>> rows.labels, rows.rows(1, 0).tolist(), len(rows.worst)     # played on two sunny days, the 9th and the 11th
    (('No', 'Yes'), [8, 10], 4)
    """
    if tree.is_regression:
        return RowPredictions((), targets_of(tree, data)[0], tree.predict_encoded(data))
    return predicted_classes(evaluated_rows(tree, data))


def predicted_classes(rows: EvaluatedRows) -> RowPredictions:
    """The same for rows whose classes are predicted already."""
    return RowPredictions(rows.labels, rows.true.astype(np.float64), rows.prediction.astype(np.float64))


SAME_DIGITS = 12
"""Shares are compared to this many digits: averages of equal shares differ by rounding."""


@dataclass(frozen=True)
class Score:
    """One score of a tree, its baseline's score on the same rows, and whether the largest or the least is best."""

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
    """How well one class is predicted: `precision` of the rows predicted it, `recall` of the rows that are of it.

    nan where there are no such rows; `f1` is their harmonic mean, `weight` that of the rows of the class. `area` is the
    AUC of the class against the rest, nan where all rows or none are of the class.
    """

    name: Value
    precision: float
    recall: float
    f1: float
    weight: float
    area: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of a tree on some rows by name; for classes also the confusion matrix and the scores per class.

    `confusion` [L, L] is the row weight by true class and prediction, in the order of `labels`: the tree's classes,
    then classes that are not in its training set. For a numeric target both are empty, and so is `classes`.
    `impossible` is the weight of the rows whose class was predicted with a probability that log loss clips.
    """

    n_rows: int
    weight: float
    scores: dict[str, Score]
    labels: tuple[Value, ...] = ()
    confusion: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    classes: tuple[ClassScore, ...] = ()
    impossible: float = 0.0

    @property
    def predicted_shares(self) -> Floats:
        """The share of all weight that is predicted each of `labels` [L]."""
        return np.asarray(self.confusion.sum(axis=0) / self.confusion.sum())

    @property
    def mistakes(self) -> list[tuple[int, int]]:
        """The cells (true class, prediction) off the diagonal that some row is in, the heaviest first."""
        cells = [(int(i), int(j)) for i, j in np.argwhere(self.confusion > 0) if i != j]
        return sorted(cells, key=lambda cell: -self.confusion[cell])


@dataclass(frozen=True, eq=False)
class EvaluatedRows:
    """Rows of a categorical target as scikit-learn takes them: codes of classes [n], shares [n, L], weights [n].

    `majority`, `base_shares` and `least_cost` are the baselines' predictions: a class, shares, the class that costs
    least.
    """

    labels: tuple[Value, ...]
    true: NDArray[np.intp]
    prediction: NDArray[np.intp]
    shares: Floats
    weights: Floats
    majority: NDArray[np.intp]
    base_shares: Floats
    least_cost: NDArray[np.intp]


def evaluate(tree: Tree, data: Dataset | Source) -> Evaluation:
    """Score a tree on rows, beside the baselines of its own root; InputError where tree and rows do not go together.

    For classes: "accuracy", "error", "log_loss" (nats), "brier", "auc" (unless all rows are of one class) and, if the
    recipe has costs, "expected_cost". For numbers: "mse", "rmse", "r2" for two rows or more, and "mae", which a
    connected table has not: it is counted by sums of squares. A tree grown by Poisson deviance has "poisson_deviance"
    too, in rows from 0 on.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> evaluation = evaluate(grow(tennis, ID3.replace(max_depth=1)), tennis)
    >>> evaluation.labels, evaluation.confusion.tolist()
    (('No', 'Yes'), [[3.0, 2.0], [2.0, 7.0]])
    >>> accuracy = evaluation.scores["accuracy"]
    >>> [round(14 * share, 9) for share in (accuracy.value, accuracy.baseline)]
    [10.0, 9.0]
    """
    used = as_rows(tree, data)
    targets, weights = targets_of(tree, used)
    if tree.is_regression:
        means, names = np.full(used.n_rows, tree.values[0]), number_scores(tree, data, targets)
        predictions, share = tree.predict_encoded(used), tree.recipe.quantile
        evaluation = number_evaluation(targets, weights, predictions, means, names, share)
        return replace(evaluation, n_rows=data.n_rows)
    costs = None if tree.costs is None else costs_by_class(tree, targets)
    rows = evaluated_rows(tree, used)
    return replace(class_evaluation(rows, costs, areas_of(rows, tree)), n_rows=data.n_rows)


def number_scores(tree: Tree, data: Dataset | Source, targets: Floats) -> tuple[str, ...]:
    """The scores of a numeric target that these rows allow: losses other than squares need rows, R² more than one."""
    is_of_counts = tree.recipe.impurity == "poisson" and targets.min() >= 0.0
    own = "poisson_deviance" if is_of_counts else "quantile_loss" if tree.recipe.impurity == "quantile" else None
    of_rows = (*((own,) if own else ()), "mae") if isinstance(data, Dataset) else ()
    return ("mse", "rmse", *of_rows, *(("r2",) if data.n_rows > 1 else ()))


def score_by(tree: Tree, data: Dataset | Source, metric: str) -> Score:
    """One score of a tree on rows by its name, with its baseline; InputError where the rows do not allow it.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> auc = score_by(grow(tennis, ID3), tennis, "auc")
    >>> auc.value, auc.baseline
    (1.0, 0.5)
    """
    checked_metric(tree, metric)
    used = as_rows(tree, data)
    targets, weights = targets_of(tree, used)
    if tree.is_regression:
        return _number_score(metric, targets, weights, tree.predict_encoded(used), np.full(used.n_rows, tree.values[0]))
    rows = evaluated_rows(tree, used)
    if metric != "auc":
        return CLASS_SCORES[metric](rows, None if tree.costs is None else costs_by_class(tree, targets))
    areas = areas_of(rows, tree)
    if not areas:
        raise InputError(
            message("AUC compares rows of different classes, but all rows have one class: use another metric.")
        )
    return _area_score(areas)


def evaluated_rows(tree: Tree, data: Dataset) -> EvaluatedRows:
    """The rows with their predictions; classes that are not in the training set come last and have no share."""
    prediction, least_cost = tree.predict_encoded(data), predicted_classes_of(tree.stats[:1], tree.costs)[0]
    rows = beside_baselines(tree, data, tree.predict_proba(data), prediction, tree.row_stats[0])
    return replace(rows, least_cost=np.full(data.n_rows, least_cost, dtype=np.intp))


def beside_baselines(
    model: Predictor, data: Dataset, probabilities: Floats, prediction: NDArray[Any], class_weights: Floats
) -> EvaluatedRows:
    """Rows with a model's class probabilities [n, K] and predicted codes [n]; `class_weights` [K] of its training rows.

    Classes that the model does not have come last and have no share.
    """
    new_classes = [
        name for name in np.array(data.classes, dtype=object)[np.unique(data.y)] if name not in model.classes
    ]
    labels = (*model.classes, *new_classes)
    code_of = {name: code for code, name in enumerate(labels)}
    shares, base_shares = np.zeros((data.n_rows, len(labels))), np.zeros(len(labels))
    shares[:, : len(model.classes)] = probabilities
    base_shares[: len(model.classes)] = class_weights / class_weights.sum()
    majority = np.full(data.n_rows, heaviest_classes(class_weights[None])[0], dtype=np.intp)
    return EvaluatedRows(
        labels=labels,
        true=np.array([code_of.get(name, -1) for name in data.classes], dtype=np.intp)[data.y],
        prediction=prediction.astype(np.intp),
        shares=shares,
        weights=targets_of(model, data)[1],
        majority=majority,
        base_shares=np.broadcast_to(base_shares, shares.shape),
        least_cost=majority,
    )


def class_evaluation(rows: EvaluatedRows, costs: Floats | None, areas: Mapping[int, float]) -> Evaluation:
    """The scores of evaluated rows; `costs` [K, K] by true class and prediction, `areas` the AUC of classes by code."""
    from sklearn import metrics  # takes a second: not before a score needs it

    matrix = metrics.confusion_matrix(
        rows.true, rows.prediction, labels=np.arange(len(rows.labels)), sample_weight=rows.weights
    ).astype(np.float64)
    listed = [
        score(rows, costs) for name, score in CLASS_SCORES.items() if name != "expected_cost" or costs is not None
    ]
    listed[4:4] = [_area_score(areas)] if areas else []
    scores = {score.name: score for score in listed}
    impossible = float(rows.weights[_own_shares(rows, rows.shares) < CLIP].sum())
    classes, weight = _each_class(rows, areas), float(rows.weights.sum())
    return Evaluation(rows.true.size, weight, scores, rows.labels, matrix, classes, impossible)


def _accuracy(rows: EvaluatedRows, _costs: Floats | None = None) -> Score:
    own, base = (
        float(np.average(rows.true == prediction, weights=rows.weights))
        for prediction in (rows.prediction, rows.majority)
    )
    return Score("accuracy", own, base, "largest")


def _error(rows: EvaluatedRows, _costs: Floats | None) -> Score:
    right = _accuracy(rows)
    return Score("error", 1.0 - right.value, 1.0 - right.baseline, "least")


def _log_loss_score(rows: EvaluatedRows, _costs: Floats | None) -> Score:
    return Score("log_loss", _log_loss(rows, rows.shares), _log_loss(rows, rows.base_shares), "least")


def _brier(rows: EvaluatedRows, _costs: Floats | None) -> Score:
    return Score("brier", _squared_distance(rows, rows.shares), _squared_distance(rows, rows.base_shares), "least")


def _squared_distance(rows: EvaluatedRows, shares: Floats) -> float:
    """Mean of the squared distance between shares and the true class, half of it for two classes (Brier 1950)."""
    squares = (shares**2).sum(axis=1) + 1.0 - 2.0 * _own_shares(rows, shares)
    return float(np.average(squares, weights=rows.weights)) / (2 if len(rows.labels) == 2 else 1)


def _expected_cost(rows: EvaluatedRows, costs: Floats | None) -> Score:
    assert costs is not None, "only a recipe with costs has this score"
    own, least = (
        float(np.average(costs[rows.true, prediction], weights=rows.weights))
        for prediction in (rows.prediction, rows.least_cost)
    )
    return Score("expected_cost", own, least, "least")


CLASS_SCORES: dict[str, Callable[[EvaluatedRows, Floats | None], Score]] = {
    "accuracy": _accuracy,
    "error": _error,
    "log_loss": _log_loss_score,
    "brier": _brier,
    "expected_cost": _expected_cost,
}
"""The scores of classes but for AUC, from evaluated rows and costs [n, K] by row and prediction."""


def _area_score(areas: Mapping[int, float]) -> Score:
    return Score("auc", float(np.mean(list(areas.values()))), 0.5, "largest")


def areas_of(rows: EvaluatedRows, model: Predictor) -> dict[int, float]:
    """AUC of the model's classes by code; none of a class that all rows have, or no row."""
    return {code: area_under_curve(rows, code) for code in range(len(model.classes)) if has_both(rows, code)}


def _log_loss(rows: EvaluatedRows, shares: Floats) -> float:
    """Mean of −ln(share of the true class)."""
    return float(np.average(nats_of(_own_shares(rows, shares)), weights=rows.weights))


def _own_shares(rows: EvaluatedRows, shares: Floats) -> Floats:
    """The share of each row's true class, [n]."""
    own: Floats = shares[np.arange(rows.true.size), rows.true]
    return own


def has_both(rows: EvaluatedRows, code: int) -> bool:
    """Whether some rows are of a class and some are not, without which there is no curve of it."""
    return 0 < int(np.count_nonzero(rows.true == code)) < rows.true.size


def area_under_curve(rows: EvaluatedRows, code: int) -> float:
    """AUC of one class against the rest."""
    from sklearn import metrics  # takes a second: not before a score needs it

    share = np.round(rows.shares[:, code], SAME_DIGITS)
    return float(metrics.roc_auc_score(rows.true == code, share, sample_weight=rows.weights))


def _each_class(rows: EvaluatedRows, areas: Mapping[int, float]) -> tuple[ClassScore, ...]:
    """Precision, recall, F1 and AUC of every class."""
    from sklearn import metrics  # takes a second: not before a score needs it

    precision, recall, f1, weight = metrics.precision_recall_fscore_support(
        rows.true,
        rows.prediction,
        labels=np.arange(len(rows.labels)),
        sample_weight=rows.weights,
        zero_division=np.nan,
    )
    listed = [areas.get(code, float("nan")) for code in range(len(rows.labels))]
    columns = rows.labels, precision.tolist(), recall.tolist(), f1.tolist(), weight.tolist(), listed
    return tuple(ClassScore(*row) for row in zip(*columns, strict=True))


NUMBER_SCORES: dict[str, tuple[str, str]] = {
    "mse": ("mean_squared_error", "least"),
    "rmse": ("root_mean_squared_error", "least"),
    "mae": ("mean_absolute_error", "least"),
    "poisson_deviance": ("", "least"),
    "quantile_loss": ("mean_pinball_loss", "least"),
    "r2": ("r2_score", "largest"),
}
"""The scores of a numeric target by scikit-learn's functions, and whether the largest or the least is best.

That of Poisson deviance is our own: scikit-learn's refuses a prediction of 0.
"""
R2_DIGITS = 12
"""Decimals of R²: what is left of it behind them is the rounding of the sums."""


def mean_poisson_deviance(targets: Floats, predictions: Floats, sample_weight: Floats) -> float:
    """2·Σ w·(y·ln(y/ŷ) − (y − ŷ)) / Σ w; infinite where 0 is predicted for a number above it.

    >>> ones = np.ones(2)
    >>> mean_poisson_deviance(np.array([0.0, 2.0]), ones, ones)           # 1 + (2·ln 2 − 1), times 2 over 2 rows
    1.3862943611198906
    """
    with np.errstate(divide="ignore"):
        logs = np.log(np.divide(targets, predictions, out=np.ones_like(targets), where=targets > 0))
    return 2.0 * float(np.average(targets * logs - targets + predictions, weights=sample_weight))


def number_evaluation(
    targets: Floats, weights: Floats, predictions: Floats, means: Floats, names: Sequence[str], share: float = 0.5
) -> Evaluation:
    """The scores of these names of the predictions [n], and of the training means [n]; quantiles are of `share`."""
    scores = {name: _number_score(name, targets, weights, predictions, means, share) for name in names}
    return Evaluation(targets.size, float(weights.sum()), scores)


def _number_score(
    name: str, targets: Floats, weights: Floats, predictions: Floats, means: Floats, share: float = 0.5
) -> Score:
    from sklearn import metrics  # takes a second: not before a score needs it

    function, best = NUMBER_SCORES[name]
    measure = getattr(metrics, function) if function else mean_poisson_deviance
    options = {"alpha": share} if name == "quantile_loss" else {}
    own, base = (float(measure(targets, numbers, sample_weight=weights, **options)) for numbers in (predictions, means))
    if name == "r2":  # a mean on its own rows explains nothing, not 10⁻¹⁶ of the variance
        own, base = (round(value, R2_DIGITS) + 0.0 for value in (own, base))
    return Score(name, own, base, best)
