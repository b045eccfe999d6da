"""Scores of an ensemble by stage, and the margins of its votes (DEFINITIONS sections 8 and 16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.base_ensemble import BaseEnsemble
from explorer.errors import InputError
from explorer.evaluation.evaluation import (
    Evaluation,
    RowPredictions,
    areas_of,
    beside_baselines,
    class_evaluation,
    number_evaluation,
    predicted_classes,
)
from explorer.evaluation.feature_importance import PermutationImportance
from explorer.evaluation.shuffled_columns import shuffled
from explorer.messages import listing, message
from explorer.tree.metrics import nats_of, targets_of
from explorer.tree.routing import row_values

Floats = NDArray[np.float64]
FOR_CLASSES = ("accuracy", "error", "log_loss", "expected_cost")
FOR_NUMBERS = ("mse", "absolute_error")


class Targets(NamedTuple):
    """Target and weight of some rows, [n] each; an unknown class has code −1."""

    values: Floats
    weights: Floats

    def taken(self, rows: NDArray[np.bool_]) -> Targets:
        """Those of some rows."""
        return Targets(self.values[rows], self.weights[rows])


def targets_for(ensemble: BaseEnsemble, rows: Dataset) -> Targets:
    """The targets of some rows; InputError where they do not go together with the ensemble."""
    return Targets(*targets_of(ensemble, rows))


def checked_score(ensemble: BaseEnsemble, metric: str | None) -> str:
    """The name of a score that suits the target; accuracy, or mean squared error, for None."""
    allowed = FOR_NUMBERS if ensemble.is_regression else FOR_CLASSES
    if metric is None:
        return allowed[0]
    if metric not in allowed:
        raise InputError(
            message(
                "Metric {metric!r} does not suit the target '{target}': choose one of {metrics}.",
                metric=metric,
                target=ensemble.target,
                metrics=listing(allowed),
            )
        )
    if metric == "expected_cost" and ensemble.costs is None:
        raise InputError(message("The recipe has no costs of misclassification: choose another metric."))
    return metric


def score_of(ensemble: BaseEnsemble, shares: Floats, targets: Targets, metric: str, raw: Floats | None = None) -> float:
    """The score of class shares [n, K], or of numbers [n, 1], and the scores behind them; nan without rows."""
    if not len(shares):
        return float("nan")
    return float(np.average(_PER_ROW[metric](ensemble, shares, raw, targets.values), weights=targets.weights))


def _is_right(ensemble: BaseEnsemble, shares: Floats, raw: Floats | None, values: Floats) -> Floats:
    return np.asarray(ensemble.encoded_from(shares, raw) == values, dtype=np.float64)


def _log_loss(ensemble: BaseEnsemble, shares: Floats, raw: Floats | None, values: Floats) -> Floats:
    codes = values.astype(np.intp)
    return nats_of(np.where(codes >= 0, shares[np.arange(len(shares)), codes], 0.0))


def _cost(ensemble: BaseEnsemble, shares: Floats, raw: Floats | None, values: Floats) -> Floats:
    if ensemble.costs is None or (values < 0).any():
        raise InputError(
            message("Some rows have a class that is not in the training set, so misclassifying it has no cost.")
        )
    return np.asarray(ensemble.costs[values.astype(np.intp), ensemble.encoded_from(shares, raw)])


_PER_ROW: dict[str, Callable[[BaseEnsemble, Floats, Floats | None, Floats], Floats]] = {
    "accuracy": _is_right,
    "error": lambda ensemble, shares, raw, values: 1.0 - _is_right(ensemble, shares, raw, values),
    "log_loss": _log_loss,
    "expected_cost": _cost,
    "mse": lambda ensemble, shares, raw, values: np.square(shares[:, 0] - values),
    "absolute_error": lambda ensemble, shares, raw, values: np.abs(shares[:, 0] - values),
}


def staged_scores(ensemble: BaseEnsemble, rows: Dataset, metric: str | None) -> Floats:
    """The score at stages 0 … M, [M + 1]."""
    targets, name = targets_for(ensemble, rows), checked_score(ensemble, metric)
    stages = enumerate(ensemble.staged_raw(rows))
    scores = (score_of(ensemble, ensemble.from_raw(raw, stage), targets, name, raw) for stage, raw in stages)
    return np.array(list(scores))


def evaluation_of(ensemble: BaseEnsemble, rows: Dataset, train: Dataset) -> tuple[Evaluation, RowPredictions]:
    """All scores on some rows as `evaluate` has them of a tree, beside the baselines of the training rows.

    Raises InputError where rows and ensemble do not go together.

    >>> from explorer import CART, forest, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> evaluation, rows = evaluation_of(forest(tennis, CART, n_estimators=5), tennis, tennis)
    >>> round(14 * evaluation.scores["accuracy"].value) == 14 - len(rows.worst), int(evaluation.confusion.sum())
    (True, 14)
    """
    targets, known = targets_for(ensemble, rows), targets_for(ensemble, train)
    raw = ensemble.raw(rows)
    shares = ensemble.from_raw(raw, ensemble.n_stages)
    prediction = ensemble.encoded_from(shares, raw)
    if ensemble.is_regression:
        mean = np.average(known.values, weights=known.weights)
        names = ("mse", "rmse", "mae", *(("r2",) if rows.n_rows > 1 else ()))
        means = np.full(rows.n_rows, mean)
        found = number_evaluation(targets.values, targets.weights, prediction, means, names)
        return found, RowPredictions((), targets.values, prediction)
    own = known.values >= 0
    codes = known.values[own].astype(np.intp)
    class_weights = np.bincount(codes, known.weights[own], len(ensemble.classes)).astype(np.float64)
    evaluated = beside_baselines(ensemble, rows, shares, prediction, class_weights)
    return class_evaluation(evaluated, None, areas_of(evaluated, ensemble)), predicted_classes(evaluated)


def shuffled_importance(
    ensemble: BaseEnsemble, rows: Dataset, repeats: int = 5, seed: int = 0
) -> dict[str, PermutationImportance]:
    """The added loss on some rows when one column is shuffled among them, as `permutation_importance` has it of a tree.

    A feature that no member tests has exactly 0. Raises InputError where rows and ensemble do not go together.
    """
    generator, targets = np.random.default_rng(seed), targets_for(ensemble, rows)
    tested = ensemble.tested_features()
    values = row_values(ensemble.features, tested, rows)
    score = "mse" if ensemble.is_regression else "error"

    def loss(numbers: Floats, codes: NDArray[np.int32]) -> float:
        raw = ensemble.raw(replace(values, numbers=numbers, codes=codes))
        return score_of(ensemble, ensemble.from_raw(raw, ensemble.n_stages), targets, score, raw)

    found = {feature.name: PermutationImportance(np.zeros(repeats)) for feature in ensemble.features}
    base = loss(values.numbers, values.codes)
    for position in tested:
        orders = [generator.permutation(rows.n_rows) for _ in range(repeats)]
        losses = np.array([loss(*shuffled(values, position, order)) for order in orders])
        found[ensemble.features[position].name] = PermutationImportance(losses - base)
    return found


def shares_of_splits(ensemble: BaseEnsemble) -> dict[str, float]:
    """The share of each feature in the splits of all members; all 0 where there is no split."""
    counts = dict.fromkeys((feature.name for feature in ensemble.features), 0)
    for member in ensemble.members:
        tree = member.tree
        for position in tree.feature[tree.is_inner].tolist():
            counts[tree.features[position].name] += 1
    total = sum(counts.values())
    return {name: count / (total or 1) for name, count in counts.items()}


def margins(shares: Floats, codes: NDArray[np.intp]) -> Floats:
    """The share of the right class less the largest share of a wrong one, [n], from −1 to 1.

    A row of an unknown class (−1) has no right share.

    >>> margins(np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([0, 0])).round(6).tolist()
    [0.4, -0.2]
    """
    rows = np.arange(len(shares))
    right = np.where(codes >= 0, shares[rows, codes], 0.0)
    others = shares.copy()
    others[rows[codes >= 0], codes[codes >= 0]] = -np.inf
    wrong = others.max(axis=1, initial=-np.inf)
    return np.asarray(right - np.where(np.isfinite(wrong), wrong, 0.0))
