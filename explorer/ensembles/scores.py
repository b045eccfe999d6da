"""Scores of an ensemble by stage, and the margins of its votes (DEFINITIONS sections 8 and 16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.base_ensemble import BaseEnsemble
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.tree.metrics import nats_of, targets_of

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
