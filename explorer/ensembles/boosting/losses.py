"""Losses of gradient boosting: start, negative gradient, leaf value and loss of each (DEFINITIONS section 21).

Vocabulary: *raw scores* F [n, S] are the sums that boosting adds to, one column, or one per class where a loss has
several. A loss is a record in `LOSSES`; `gradient.py` and the pages read the record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.boosting.node_values import NodeRows, quantile, quantiles_by_node, sums_by_node
from explorer.errors import InputError
from explorer.messages import Worded, listing, message

Floats = NDArray[np.float64]
QUANTILES = ("midpoint", "lower")
"""An even count's median: the middle of the two, as in textbooks, or the lower one, as in scikit-learn's leaves."""
NO_CURVATURE = 1e-150
"""Below this, the sum of second derivatives counts as zero: no step improves the loss, and the leaf value is 0."""
MOST_CERTAIN = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Problem:
    """What a loss is computed from: targets y [n] (numbers, or class codes), row weights [n], and its parameters.

    `delta` is Huber's threshold in force; `alpha` the quantile that is predicted, or that Huber's threshold is of |r|.
    """

    y: Floats
    weights: Floats
    n_classes: int = 0
    alpha: float = 0.9
    delta: float | None = None
    quantiles: str = "midpoint"

    def at(self, rows: NDArray[np.intp]) -> Problem:
        """The same for some of the rows."""
        return replace(self, y=self.y[rows], weights=self.weights[rows])

    @property
    def indicators(self) -> Floats:
        """1 where a row is of a class, else 0, [n, K]."""
        return np.asarray(self.y[:, None] == np.arange(self.n_classes), dtype=np.float64)


Start = Callable[[Problem], Floats]
Gradient = Callable[[Problem, Floats], Floats]
LeafValues = Callable[[Problem, Floats, Floats, NodeRows], Floats]
RowLoss = Callable[[Problem, Floats], Floats]


@dataclass(frozen=True, kw_only=True)
class Loss:
    """One loss, everything that boosting and the pages know of it.

    `needs` is "numbers", "classes" or "two classes"; `combination` names how raw scores become predictions. `start`
    gives F_0 [S]; `negative_gradient` gives g [n, S]; `leaf_values` gives the number that each node adds to one score
    [nodes], from that score's target, raw score [n] and g [n]: None where it is the mean of g, the tree's own.
    `of_rows` gives the loss of each row [n].
    """

    name: str
    label: Worded = Worded()
    needs: str
    combination: str = "sum"
    start: Start
    negative_gradient: Gradient
    leaf_values: LeafValues | None
    of_rows: RowLoss
    fades: bool = True
    """Whether g nears 0 as F nears y, rather than keeping its size."""

    def mean(self, problem: Problem, raw: Floats) -> float:
        """The weighted mean of the loss of the rows."""
        return float(np.average(self.of_rows(problem, raw), weights=problem.weights))


def residuals(problem: Problem, raw: Floats) -> Floats:
    """Residuals r = y − F, [n]."""
    return problem.y - raw.reshape(len(problem.y))


def sigmoid(scores: Floats) -> Floats:
    """1/(1 + e^−F), without overflow.

    >>> sigmoid(np.array([0.0, -800.0])).tolist()
    [0.5, 0.0]
    """
    powers = np.exp(-np.abs(scores))
    return np.where(scores >= 0, 1.0, powers) / (1.0 + powers)


def softmax(scores: Floats) -> Floats:
    """Shares of K classes e^F_k / Σ e^F_j from a score for each, [n, K], without overflow.

    >>> softmax(np.array([[0.0, 0.0], [900.0, 0.0]])).tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _median(problem: Problem) -> Floats:
    return np.array([_first_quantile(problem, 0.5)])


def _first_quantile(problem: Problem, share: float) -> float:
    """F_0 of a loss by quantiles; scikit-learn interpolates it where rows have no weights, unlike its leaves."""
    if problem.quantiles == "lower" and np.ptp(problem.weights) == 0:
        return float(np.quantile(problem.y, share))
    return quantile(problem.y, problem.weights, share, problem.quantiles)


# Squared error: ½r².


def _mean(problem: Problem) -> Floats:
    return np.array([np.average(problem.y, weights=problem.weights)])


SQUARED_ERROR = Loss(
    name="squared_error",
    label=lambda: message("squared error"),
    needs="numbers",
    start=_mean,
    negative_gradient=lambda problem, raw: residuals(problem, raw)[:, None],
    leaf_values=None,
    of_rows=lambda problem, raw: 0.5 * residuals(problem, raw) ** 2,
)


# Absolute error: |r|. Its gradient at r = 0 is any number from −1 to 1: scikit-learn's +1 is taken.


def _median_residuals(problem: Problem, raw: Floats, gradient: Floats, ends: NodeRows) -> Floats:
    return quantiles_by_node(ends, residuals(problem, raw), problem.weights, 0.5, problem.quantiles)


ABSOLUTE_ERROR = Loss(
    name="absolute_error",
    label=lambda: message("absolute error"),
    needs="numbers",
    start=_median,
    negative_gradient=lambda problem, raw: np.where(residuals(problem, raw) >= 0, 1.0, -1.0)[:, None],
    leaf_values=_median_residuals,
    of_rows=lambda problem, raw: np.abs(residuals(problem, raw)),
    fades=False,
)


# Huber's loss: ½r² up to |r| = δ, then δ(|r| − δ/2).


def huber_delta(problem: Problem, raw: Floats) -> float:
    """The α-quantile of |r|: the threshold of a round where none is given (Friedman 2001)."""
    return quantile(np.abs(residuals(problem, raw)), problem.weights, problem.alpha, problem.quantiles)


def _delta(problem: Problem, raw: Floats) -> float:
    return huber_delta(problem, raw) if problem.delta is None else problem.delta


def _huber_gradient(problem: Problem, raw: Floats) -> Floats:
    delta = _delta(problem, raw)
    return np.clip(residuals(problem, raw), -delta, delta)[:, None]


def _huber_leaves(problem: Problem, raw: Floats, gradient: Floats, ends: NodeRows) -> Floats:
    """One step from the median towards the M-estimate (Friedman 2001, equation 20), not the M-estimate itself."""
    rest, medians = residuals(problem, raw), _median_residuals(problem, raw, gradient, ends)
    delta = _delta(problem, raw)

    def beyond_median(nodes: NDArray[np.intp], rows: NDArray[np.intp]) -> Floats:
        return problem.weights[rows] * np.clip(rest[rows] - medians[nodes], -delta, delta)

    return medians + ends.means_by_node(beyond_median, problem.weights)


def _huber_loss(problem: Problem, raw: Floats) -> Floats:
    size, delta = np.abs(residuals(problem, raw)), _delta(problem, raw)
    return np.where(size <= delta, 0.5 * size**2, delta * (size - 0.5 * delta))


HUBER = Loss(
    name="huber",
    label=lambda: message("Huber's loss"),
    needs="numbers",
    start=_median,
    negative_gradient=_huber_gradient,
    leaf_values=_huber_leaves,
    of_rows=_huber_loss,
)


# The loss of the α-quantile: α·r for r ≥ 0, (α − 1)·r below.


def _quantile_leaves(problem: Problem, raw: Floats, gradient: Floats, ends: NodeRows) -> Floats:
    return quantiles_by_node(ends, residuals(problem, raw), problem.weights, problem.alpha, problem.quantiles)


def _quantile_gradient(problem: Problem, raw: Floats) -> Floats:
    return np.where(residuals(problem, raw) >= 0, problem.alpha, problem.alpha - 1.0)[:, None]


QUANTILE = Loss(
    name="quantile",
    label=lambda: message("quantile loss"),
    needs="numbers",
    start=lambda problem: np.array([_first_quantile(problem, problem.alpha)]),
    negative_gradient=_quantile_gradient,
    leaf_values=_quantile_leaves,
    of_rows=lambda problem, raw: residuals(problem, raw) * _quantile_gradient(problem, raw)[:, 0],
    fades=False,
)


# Log loss of two classes: −ln p of the row's class, p = σ(F).


def _share_of_second(problem: Problem) -> float:
    share = float(np.average(problem.y, weights=problem.weights))
    return min(max(share, MOST_CERTAIN), 1.0 - MOST_CERTAIN)


def _log_odds(problem: Problem) -> Floats:
    share = _share_of_second(problem)
    return np.array([np.log(share / (1.0 - share))])


def newton_step(ends: NodeRows, gradient: Floats, curvature: Floats, weights: Floats) -> Floats:
    """Σ w·g / Σ w·h of every node: one Newton step; 0 where there is no curvature left."""
    totals = sums_by_node(ends, weights * gradient), sums_by_node(ends, weights * curvature)
    return np.divide(*totals, out=np.zeros_like(totals[0]), where=np.abs(totals[1]) > NO_CURVATURE)


def _binomial_leaves(problem: Problem, raw: Floats, gradient: Floats, ends: NodeRows) -> Floats:
    share = problem.y - gradient
    return newton_step(ends, gradient, share * (1.0 - share), problem.weights)


def _binomial_loss(problem: Problem, raw: Floats) -> Floats:
    scores = raw.reshape(len(problem.y))
    return np.logaddexp(0.0, scores) - problem.y * scores


LOG_LOSS = Loss(
    name="log_loss",
    label=lambda: message("log loss"),
    needs="classes",
    combination="sum_sigmoid",
    start=_log_odds,
    negative_gradient=lambda problem, raw: (problem.y - sigmoid(raw[:, 0]))[:, None],
    leaf_values=_binomial_leaves,
    of_rows=_binomial_loss,
)


# Log loss of K > 2 classes: p = softmax of K scores, K trees per round.


def _log_shares(problem: Problem) -> Floats:
    shares = np.average(problem.indicators, axis=0, weights=problem.weights)
    logarithms = np.log(np.clip(shares, MOST_CERTAIN, 1.0 - MOST_CERTAIN))
    return np.asarray(logarithms - logarithms.mean())


def _multinomial_leaves(problem: Problem, raw: Floats, gradient: Floats, ends: NodeRows) -> Floats:
    """Friedman's (K − 1)/K times the Newton step of one class's score; `problem.y` is 1 for rows of that class."""
    share, classes = problem.y - gradient, problem.n_classes
    return (classes - 1) / classes * newton_step(ends, gradient, share * (1.0 - share), problem.weights)


def _multinomial_loss(problem: Problem, raw: Floats) -> Floats:
    top = raw.max(axis=1)
    logarithms = top + np.log(np.exp(raw - top[:, None]).sum(axis=1))
    return np.asarray(logarithms - raw[np.arange(len(raw)), problem.y.astype(np.intp)])


MULTINOMIAL = Loss(
    name="log_loss",
    label=lambda: message("log loss"),
    needs="classes",
    combination="sum_softmax",
    start=_log_shares,
    negative_gradient=lambda problem, raw: problem.indicators - softmax(raw),
    leaf_values=_multinomial_leaves,
    of_rows=_multinomial_loss,
)


# Exponential loss of two classes: e^(−yF) with y = ±1, the loss that AdaBoost minimises; p = σ(2F).


def _signs(problem: Problem) -> Floats:
    return 2.0 * problem.y - 1.0


def _exponential_loss(problem: Problem, raw: Floats) -> Floats:
    return np.exp(-_signs(problem) * raw.reshape(len(problem.y)))


def _exponential_leaves(problem: Problem, raw: Floats, gradient: Floats, ends: NodeRows) -> Floats:
    return newton_step(ends, gradient, np.abs(gradient), problem.weights)


EXPONENTIAL = Loss(
    name="exponential",
    label=lambda: message("exponential loss"),
    needs="two classes",
    combination="sum_sigmoid_of_double",
    start=lambda problem: 0.5 * _log_odds(problem),
    negative_gradient=lambda problem, raw: (_signs(problem) * _exponential_loss(problem, raw))[:, None],
    leaf_values=_exponential_leaves,
    of_rows=_exponential_loss,
)

LOSSES = {loss.name: loss for loss in (SQUARED_ERROR, ABSOLUTE_ERROR, HUBER, QUANTILE, LOG_LOSS, EXPONENTIAL)}
"""The losses by the name that `gradient_boost` takes (scikit-learn's)."""


def loss_for(name: str | None, data: Dataset) -> Loss:
    """The loss of this name for a target; None takes squared error for numbers and log loss for classes.

    Raises InputError where there is no such loss, or target and loss do not go together.
    """
    name = name or ("squared_error" if data.is_regression else "log_loss")
    loss = LOSSES.get(name)
    if loss is None:
        raise InputError(
            message("There is no loss '{loss}': choose one of {choices}.", loss=name, choices=listing(LOSSES))
        )
    if (loss.needs == "numbers") != data.is_regression:
        _refuse_target(loss, data)
    if loss.needs == "two classes" and len(data.classes) != 2:
        raise InputError(
            message(
                "The target '{target}' has {classes} classes, but loss '{loss}' needs two: choose loss 'log_loss'.",
                target=data.target.name,
                classes=len(data.classes),
                loss=name,
            )
        )
    return loss_named(name, len(data.classes))


def loss_named(name: str, n_classes: int) -> Loss:
    """The loss of this name, for one score or for one of every class."""
    return MULTINOMIAL if name == "log_loss" and n_classes > 2 else LOSSES[name]


def _refuse_target(loss: Loss, data: Dataset) -> None:
    target = data.target.name
    if data.is_regression:
        raise InputError(
            message(
                "The target '{target}' is numeric, but loss '{loss}' needs classes: choose loss 'squared_error', or "
                "make the target categorical.",
                target=target,
                loss=loss.name,
            )
        )
    raise InputError(
        message(
            "The target '{target}' has classes, but loss '{loss}' needs numbers: choose loss 'log_loss', or make the "
            "target numeric.",
            target=target,
            loss=loss.name,
        )
    )
