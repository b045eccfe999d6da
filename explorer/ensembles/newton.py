"""Newton boosting: XGBoost's objective and trees, with exact search (DEFINITIONS section 22)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.arguments import check_finite, check_positive, too_uniform
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.boosting.losses import sigmoid, softmax
from explorer.ensembles.boosting.node_values import NodeRows
from explorer.ensembles.boosting.replay import Replay
from explorer.ensembles.boosting.score_steps import RoundStep, ScoreStep, is_fitted, nothing_is_left
from explorer.ensembles.members import Ensemble, ensemble_of
from explorer.ensembles.rounds import ChoicesOfMembers, Progress, Round, Rounds, checked_count, run_rounds
from explorer.errors import InputError
from explorer.growing.grow_many import Presorted
from explorer.messages import message
from explorer.recipe.newton import log_odds
from explorer.recipe.recipe import CART, Recipe
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
LEAST_GAIN = 1e-6
"""XGBoost makes no split with a smaller gain (its kRtEps)."""
LEAST_HESSIAN = 1e-16
"""XGBoost's floor of a row's second derivative under the logistic losses."""
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
    ended, rounds = too_uniform(data), Rounds((), 0)
    start = _start(data, base_score)
    if ended is None:
        first = np.tile(start, (data.n_rows, 1))
        presorted = Presorted(data.with_target(np.zeros(data.n_rows)), recipe)
        boosting = _Boosting(data, presorted, loss, learning_rate, choices or {}, Replay(first))
        rounds = run_rounds(boosting.round, first, n_estimators, progress)
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
        base_score=0.0,  # the target is the gradient at the scores so far
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


def derivatives(loss: str, y: Floats, raw: Floats) -> tuple[Floats, Floats | None]:
    """Row by row g = ∂l/∂F and h = ∂²l/∂F², [n, width] each; no h where it is 1."""
    if loss == "squared_error":
        return raw - y[:, None], None
    if loss == "log_loss":
        p = sigmoid(raw)
        return p - y[:, None], np.maximum(p * (1.0 - p), LEAST_HESSIAN)
    # XGBoost takes 2·p·(1 − p), twice the diagonal of the softmax's Hessian.
    p = softmax(raw)
    return p - (y[:, None] == np.arange(p.shape[1])), np.maximum(2.0 * p * (1.0 - p), LEAST_HESSIAN)


@dataclass(frozen=True, eq=False)
class RowsOfRound:
    """What the rows of a member count, worked out from the scores before its round: target −g/h, or weight w·h."""

    replay: Replay[Floats]
    data: Dataset
    loss: str
    stage: int
    column: int
    asks_weights: bool

    def __call__(self) -> Floats:
        """The numbers of one score, [n]."""
        g, h = derivatives(self.loss, np.asarray(self.data.y, np.float64), self.replay.before(self.stage))
        target, weights = target_and_weights(self.data, g, h, self.column)
        return weights if self.asks_weights and weights is not None else target


def target_and_weights(data: Dataset, g: Floats, h: Floats | None, column: int) -> tuple[Floats, Floats | None]:
    """−g/h and w·h of one score: with them a node's W is H, and W · mean is −G. No weights where h is 1."""
    if h is None:
        return -g[:, column], None
    return -g[:, column] / h[:, column], data.weight_of_rows() * h[:, column]


@dataclass(frozen=True, eq=False)
class _Boosting:
    """What stays the same in all rounds."""

    data: Dataset
    presorted: Presorted
    loss: str
    learning_rate: float
    choices: ChoicesOfMembers
    replay: Replay[Floats]

    def round(self, stage: int, raw: Floats, report: Progress) -> Round[Floats]:
        """One round: gradients at the present scores, a tree on them for every score, and the new scores."""
        g, h = derivatives(self.loss, np.asarray(self.data.y, np.float64), raw)
        if is_fitted(g, self.data.y, self.learning_rate) if h is None else nothing_is_left(g):
            return Round((), raw, Remark("nothing_left_to_fit", (stage - 1,)))
        members, steps = list[Member](), list[ScoreStep]()
        for column in range(raw.shape[1]):
            target, weights = target_and_weights(self.data, g, h, column)
            choices = self.choices.get((stage - 1) * raw.shape[1] + column)
            tree = self.presorted.grow(weights, target, progress=report, choices=choices)
            steps.append(ScoreStep.of(column, self.learning_rate * tree.values, NodeRows.of(tree, self.data)))
            members.append(self.member(tree, stage, column, raw.shape[1], h is not None))
        step = RoundStep(tuple(steps))
        self.replay.add(step)
        return Round(tuple(members), step(raw))

    def member(self, tree: Tree, stage: int, column: int, width: int, has_weights: bool) -> Member:
        """A tree with the targets and weights that it was grown on, which are worked out again when asked for."""
        target, weights = (
            RowsOfRound(self.replay, self.data, self.loss, stage, column, asks_weights)
            for asks_weights in (False, True)
        )
        of_class = column if width > 1 else None
        return Member(tree, stage, self.learning_rate, weights if has_weights else None, target, of_class)
