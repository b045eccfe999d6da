"""Boosting by hand: AdaBoost and gradient boosting of stumps on the two tables of Li Hang's chapter 8."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import explorer as ex
from pages.results.cache import kept
from pages.results.lessons import trees

_STUMP = ex.CART.replace(max_depth=1)
_CLASSES, _NUMBERS = "lihang_8_1", "lihang_8_2_regression"
STAGES = 6


class Stump(NamedTuple):
    """A threshold with the classes that it predicts on its two sides, and the weight of the points it gets wrong."""

    threshold: float
    left: int
    right: int
    error: float


@kept()
def points() -> ex.Dataset:
    """The ten points of two classes, −1 before +1."""
    return ex.Dataset.from_frame(ex.load_sample(_CLASSES).frame, "y", classes=[-1, 1])


@kept()
def voting(rounds: int = 3) -> ex.Ensemble:
    """AdaBoost of stumps of least weighted error, α = ½ ln((1 − ε)/ε)."""
    return ex.adaboost(points(), _STUMP.replace(impurity="error"), rounds, vote="half_log")


def weights_before(stage: int) -> tuple[float, ...]:
    """The weights of the ten points before a round, from 1 on."""
    weights = voting(4).members[stage - 1].weights
    assert weights is not None
    return tuple(weights.tolist())


@kept()
def stumps_of(stage: int) -> tuple[Stump, ...]:
    """All thresholds of a round by their place, each with its weighted error."""
    member = voting(4).members[stage - 1]
    candidates = ex.decide(member.tree, member.data(points()), 0).candidates
    stumps = []
    for candidate in candidates:
        threshold = candidate.condition.threshold
        assert threshold is not None
        left, right = (int(np.argmax(stats)) for stats in candidate.branch_stats)
        stumps.append(Stump(threshold, left, right, float(candidate.weighted_impurity)))
    return tuple(sorted(stumps, key=lambda stump: stump.threshold))


def threshold_of(tree: ex.Tree) -> float:
    """The threshold of a stump."""
    return float(tree.threshold[0])


@kept()
def member_stumps() -> tuple[Stump, ...]:
    """The three stumps of the vote."""
    return tuple(
        Stump(
            threshold_of(member.tree), int(member.tree.labels[1]), int(member.tree.labels[2]), member.facts["epsilon"]
        )
        for member in voting().members
    )


@kept()
def vote_sums() -> tuple[tuple[float, ...], ...]:
    """By stage from 0 on, the sum of the votes for +1 less that for −1, of every point."""
    ensemble, rows = voting(), points()
    raw = [ensemble.raw(rows, stage) for stage in range(ensemble.n_stages + 1)]
    return tuple(tuple((scores[:, 1] - scores[:, 0]).tolist()) for scores in raw)


def errors_by_stage() -> tuple[int, ...]:
    """How many points the vote of the first 1, 2, … trees gets wrong."""
    ensemble, rows = voting(), points()
    stages = range(1, ensemble.n_stages + 1)
    return tuple(int((ensemble.predict_encoded(rows, stage) != rows.y).sum()) for stage in stages)


@kept()
def fitted(learning_rate: float = 1.0) -> ex.Ensemble:
    """Six stumps on residuals, from 0 on."""
    data = trees.rows(_NUMBERS)
    return ex.gradient_boost(data, _STUMP, n_estimators=STAGES, learning_rate=learning_rate, base_score=0)


@kept()
def fits(learning_rate: float = 1.0) -> tuple[tuple[float, ...], ...]:
    """The fit of every point by stage from 0 on."""
    ensemble, rows = fitted(learning_rate), trees.rows(_NUMBERS)
    return tuple(tuple(np.ravel(ensemble.raw(rows, stage)).tolist()) for stage in range(ensemble.n_stages + 1))


@kept()
def loss_of_line() -> float:
    """The sum of squared residuals that the line of least squares leaves."""
    rows = trees.rows(_NUMBERS)
    x, y = rows.frame["x"].to_numpy(dtype=float), np.asarray(rows.y, dtype=float)
    return float(np.sum((y - np.polyval(np.polyfit(x, y, 1), x)) ** 2))


@kept()
def squared_losses(learning_rate: float = 1.0) -> tuple[float, ...]:
    """The sum of squared residuals by stage from 0 on."""
    rows = trees.rows(_NUMBERS)
    return tuple((rows.n_rows * fitted(learning_rate).staged_scores(rows, "mse")).tolist())
