"""Newton boosting: XGBoost's objective and trees, with exact search (DEFINITIONS section 22)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.arguments import check_finite, check_positive, too_uniform
from explorer.ensembles.combination import sigmoid, softmax
from explorer.ensembles.members import Ensemble, Member, ensemble_of
from explorer.ensembles.node_values import NodeRows
from explorer.ensembles.rounds import ChoicesOfMembers, Progress, Round, Rounds, checked_count, run_rounds
from explorer.errors import InputError
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.recipe.newton import log_odds
from explorer.recipe.recipe import CART, Recipe
from explorer.recipe.remarks import Remark

Floats = NDArray[np.float64]
LEAST_GAIN = 1e-6
"""XGBoost makes no split with a smaller gain (its kRtEps)."""
LEAST_HESSIAN = 1e-16
"""XGBoost's floor of a row's second derivative under the logistic losses."""
NO_GRADIENT = 1e-14
"""Gradients below this share of the largest target are rounding noise: nothing is left to fit."""
COMBINATIONS_OF = {"squared_error": "sum", "log_loss": "sum_sigmoid", "softmax": "sum_softmax"}


def newton_boost(
    data: Dataset,
    n_estimators: int = 100,
    reg_lambda: float = 1.0,
    gamma: float = 0.0,
    learning_rate: float = 0.3,
    base_score: float | None = None,
    max_depth: int | None = 6,
    min_child_weight: float = 1.0,
    missing: str = "default_direction",
    progress: Progress | None = None,
    choices: ChoicesOfMembers | None = None,
) -> Ensemble:
    """Boost by first and second derivatives (Chen and Guestrin 2016): squared error for numbers, log loss for classes.

    With more than two classes each round grows one tree per class. `reg_lambda` (λ) shrinks the leaves −G/(H + λ),
    `gamma` (γ) prunes in units of the library, twice the paper's, and `min_child_weight` is the least H of a branch.
    `base_score` is the prediction before the first tree: a number, or the probability of the second class; None takes
    the mean, or the share. `missing` is a policy of recipes. `progress(rounds done, rounds in all)` may raise
    `Stopped`: the members so far are kept. `choices` are made by hand, by the position of the member. Raises InputError
    for values outside their range.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, 7, 8], "y": [1, 2, 2.5, 7, 8, 7.5, 3, 2]})
    >>> boosted = newton_boost(Dataset.from_frame(frame, "y"), 1, base_score=0.0, learning_rate=1.0, max_depth=1)
    >>> boosted.members[0].tree.values.round(4).tolist()        # root 33/9; 5.5/4 up to 3.5, and 27.5/6 above
    [3.6667, 1.375, 4.5833]
    """
    loss = _loss_of(data)
    check_positive("learning_rate", learning_rate)
    options: dict[str, object] = {
        "n_estimators": checked_count("n_estimators", n_estimators),
        "reg_lambda": reg_lambda,
        "gamma": gamma,
        "learning_rate": learning_rate,
        "base_score": base_score,
        "max_depth": max_depth,
        "min_child_weight": min_child_weight,
        "missing": missing,
    }
    recipe = newton_recipe(reg_lambda, gamma, max_depth, min_child_weight, missing)
    start = _start(data, base_score)
    ended, rounds = too_uniform(data), Rounds((), 0)
    if ended is None:
        boosting = _Boosting(data, recipe, loss, learning_rate, choices or {})
        rounds = run_rounds(boosting.round, np.tile(start, (data.n_rows, 1)), n_estimators, progress)
        ended = rounds.ended
    combination, n_stages = COMBINATIONS_OF[loss], rounds.n_stages
    return ensemble_of(
        data, recipe, "newton_boosting", combination, rounds.members, n_stages, options, start=start, ended=ended
    )


def newton_recipe(
    reg_lambda: float, gamma: float, max_depth: int | None, min_child_weight: float, missing: str
) -> Recipe:
    """The recipe of the trees: CART's tests, Newton's gain, no split with a gain below 1e-6."""
    return CART.replace(
        name="Newton",
        score="newton",
        reg_lambda=reg_lambda,
        gamma=gamma,
        max_depth=max_depth,
        min_rows_leaf=min_child_weight,
        min_score=LEAST_GAIN,
        missing=missing,
    )


def _loss_of(data: Dataset) -> str:
    """The loss by the target."""
    if data.is_regression:
        return "squared_error"
    return "log_loss" if len(data.classes) <= 2 else "softmax"


def _start(data: Dataset, base_score: float | None) -> Floats:
    """F_0 [1], or [K] with more than two classes: the logarithms of the shares, less their mean."""
    weights = data.weight_of_rows()
    if base_score is not None:
        check_finite("base_score", base_score)
        if not data.is_regression and not 0.0 < base_score < 1.0:
            raise InputError(
                message(
                    "base_score is {value!r}, but with classes it is a probability: give a number between 0 and 1, or "
                    "None for the share.",
                    value=base_score,
                )
            )
    if data.is_regression:
        return np.array([np.average(data.y, weights=weights) if base_score is None else float(base_score)])
    if len(data.classes) <= 2:
        share = float(np.average(data.y == 1, weights=weights)) if base_score is None else float(base_score)
        return np.array([log_odds(min(max(share, LEAST_HESSIAN), 1.0 - LEAST_HESSIAN))])
    if base_score is not None:
        return np.full(len(data.classes), float(base_score))
    counts = np.bincount(data.y, weights=weights, minlength=len(data.classes))
    scores = np.log(np.maximum(counts / counts.sum(), LEAST_HESSIAN))
    return np.asarray(scores - scores.mean())


@dataclass(frozen=True, eq=False)
class _Boosting:
    """What stays the same in all rounds."""

    data: Dataset
    recipe: Recipe
    loss: str
    learning_rate: float
    choices: ChoicesOfMembers

    def round(self, stage: int, raw: Floats, report: Progress) -> Round[Floats]:
        """One round: gradients at the present scores, a tree on them for every score, and the new scores."""
        gradients, hessians = self.derivatives(raw)
        if np.abs(gradients).max() <= NO_GRADIENT * max(1.0, float(np.abs(self.data.y).max())):
            return Round((), raw, Remark("nothing_left_to_fit", (stage - 1,)))
        after, members = raw.copy(), []
        for column in range(raw.shape[1]):
            g, h = gradients[:, column], None if hessians is None else hessians[:, column]
            member = self.member(stage, column if raw.shape[1] > 1 else None, g, h, report)
            after[:, column] += member.vote * NodeRows.of(member.tree, self.data).answers(member.tree.values)
            members.append(member)
        return Round(tuple(members), after)

    @property
    def width(self) -> int:
        """How many trees a round has: one for each class with softmax, else one."""
        return len(self.data.classes) if self.loss == "softmax" else 1

    def derivatives(self, raw: Floats) -> tuple[Floats, Floats | None]:
        """Row by row g = ∂l/∂F and h = ∂²l/∂F², [n, width] each; no h where it is 1."""
        y = np.asarray(self.data.y, dtype=np.float64)
        if self.loss == "squared_error":
            return raw - y[:, None], None
        if self.loss == "log_loss":
            p = sigmoid(raw)[:, 1:]
            return p - y[:, None], np.maximum(p * (1.0 - p), LEAST_HESSIAN)
        # XGBoost takes 2·p·(1 − p), twice the diagonal of the softmax's Hessian.
        p = softmax(raw)
        return p - (y[:, None] == np.arange(p.shape[1])), np.maximum(2.0 * p * (1.0 - p), LEAST_HESSIAN)

    def member(self, stage: int, of_class: int | None, g: Floats, h: Floats | None, report: Progress) -> Member:
        """The tree on −g/h with the weights w·h: its W is H, and W · mean is −G."""
        target, weights = -g if h is None else -g / h, None if h is None else self.data.weight_of_rows() * h
        rows = self.data.with_target(target)
        weighted = rows if weights is None else rows.with_weights(weights)
        choices = self.choices.get((stage - 1) * self.width + (of_class or 0))
        tree = grow(weighted, self.recipe, progress=report, choices=choices)
        return Member(tree, stage, self.learning_rate, weights, target, of_class)
