"""AdaBoost: every tree is grown on weights that count the errors of the one before as half (DEFINITIONS section 19)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.arguments import (
    check_choice,
    check_positive,
    check_recipe,
    counts_rows,
    need_classes,
    too_uniform,
)
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.boosting.replay import Replay
from explorer.ensembles.members import Ensemble, ensemble_of
from explorer.ensembles.rounds import ChoicesOfMembers, Progress, Round, Rounds, checked_count, run_rounds
from explorer.ensembles.sample import with_own_draws
from explorer.errors import InputError
from explorer.formatting import percent
from explorer.growing.grow_many import Presorted
from explorer.messages import message
from explorer.recipe.recipe import CART, Recipe
from explorer.recipe.remarks import Remark

Floats = NDArray[np.float64]
VOTES = ("samme", "half_log")
STUMP = CART.replace(max_depth=1)
ROUNDING = 1e-12
"""An error this close below that of chance is chance: six times a twelfth is a bit less than a half."""
LEAST_WEIGHT = 1e-25
"""No weight falls below this share of all: a row that weighs nothing would leave the table for good."""


def adaboost(
    data: Dataset,
    recipe: Recipe = STUMP,
    n_estimators: int = 50,
    learning_rate: float = 1.0,
    vote: str = "samme",
    progress: Progress | None = None,
    choices: ChoicesOfMembers | None = None,
) -> Ensemble:
    """AdaBoost (Freund and Schapire 1997): trees on row weights, each with a vote α by its weighted error ε.

    `vote` "half_log" is AdaBoost.M1 with α = ½ ln((1 − ε)/ε) (Li Hang): it ends before a tree with ε ≥ ½. "samme" has
    α = ln((1 − ε)/ε) + ln(K − 1) for K classes (Zhu et al. 2009; scikit-learn): it ends before a tree with
    ε ≥ 1 − 1/K. Both end with a tree of ε = 0. `learning_rate` multiplies α. A row's weights add up to 1, or to the
    number of rows where the recipe counts rows. `progress(rounds done, rounds in all)` may raise `Stopped`: the members
    so far are kept. `choices` are made by hand, by the position of the member. Raises InputError for a numeric target,
    and where the first tree of SAMME is no better than chance.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": range(10), "y": [1, 1, 1, -1, -1, -1, 1, 1, 1, -1]})
    >>> stump = CART.replace(impurity="error", max_depth=1)
    >>> boosted = adaboost(Dataset.from_frame(frame, "y", classes=[-1, 1]), stump, 3, vote="half_log")
    >>> [round(member.vote, 5) for member in boosted.members]
    [0.42365, 0.64964, 0.75204]
    """
    need_classes(data, "AdaBoost")
    check_recipe(recipe)
    check_choice("vote", vote, VOTES)
    check_positive("learning_rate", learning_rate)
    options = {
        "n_estimators": checked_count("n_estimators", n_estimators),
        "learning_rate": float(learning_rate),
        "vote": vote,
    }
    rounds, ended = Rounds((), 0), too_uniform(data)
    if ended is None:
        start = data.weight_of_rows()
        start = start / start.sum()
        boosting = _Boosting(
            data=data,
            presorted=Presorted(data, recipe),
            vote=vote,
            learning_rate=learning_rate,
            scale=float(data.n_rows) if counts_rows(recipe) else 1.0,
            replay=Replay(start),
            choices=choices or {},
        )
        rounds = run_rounds(boosting.round, State(start), n_estimators, progress)
        ended = rounds.ended
    return ensemble_of(data, recipe, "adaboost", "votes", rounds.members, rounds.n_stages, options, ended=ended)


@dataclass(frozen=True, eq=False)
class WeightStep:
    """How a round changes the weights: which rows were wrong, a bit each, and by which factor."""

    wrong: NDArray[np.uint8]
    n_rows: int
    factor: float

    def __call__(self, weights: Floats) -> Floats:
        """The weights after the round, [n]."""
        return next_weights(weights, np.unpackbits(self.wrong, count=self.n_rows).astype(bool), self.factor)


@dataclass(frozen=True, eq=False)
class WeightsOfRound:
    """The row weights that a member was grown on, worked out from the errors of the rounds before."""

    replay: Replay[Floats]
    stage: int
    scale: float

    def __call__(self) -> Floats:
        """The weights, [n]."""
        return self.scale * self.replay.before(self.stage)


@dataclass(frozen=True, eq=False)
class State:
    """Before a round: the row weights [n], which add up to 1, the votes so far and the bound on the training error."""

    weights: Floats
    votes: float = 0.0
    bound: float = 1.0


@dataclass(frozen=True, eq=False)
class _Boosting:
    """What stays the same in all rounds; `scale` is what the weights that a tree is grown on add up to."""

    data: Dataset
    presorted: Presorted
    vote: str
    learning_rate: float
    scale: float
    replay: Replay[Floats]
    choices: ChoicesOfMembers

    @property
    def most_wrong(self) -> float:
        """The error of chance: ½, or 1 − 1/K with SAMME."""
        return 0.5 if self.vote == "half_log" else 1.0 - 1.0 / len(self.data.classes)

    def round(self, stage: int, state: State, report: Progress) -> Round[State]:
        """One round: a tree on the weights, its weighted error ε, its vote α, and the next weights."""
        weights = WeightsOfRound(self.replay, stage, self.scale)
        recipe = with_own_draws(self.presorted.recipe, self.presorted.recipe.feature_seed, stage - 1)
        tree = self.presorted.grow(self.scale * state.weights, None, recipe, report, self.choices.get(stage - 1))
        wrong = tree.predict_encoded(self.data) != self.data.y
        epsilon = error_of(state.weights, wrong)
        if epsilon >= self.most_wrong - ROUNDING:
            return Round((), state, self.too_weak(stage, epsilon))
        alpha = self.alpha_of(epsilon, state.votes)
        factor = alpha if self.vote == "half_log" else alpha / 2.0  # of the ½-form, in which right rows shrink too
        decides_alone = epsilon == 0.0 and self.vote == "half_log"
        z = 0.0 if decides_alone else normaliser(epsilon, factor)
        bound = state.bound * z
        facts = {"epsilon": epsilon, "alpha": alpha}
        if self.vote == "half_log" or len(self.data.classes) == 2:
            facts |= {"z": z, "bound": bound}
        members = (Member(tree, stage, alpha, weights, facts=facts),)
        if epsilon == 0.0:
            return Round(members, state, Remark("no_errors", (stage,)))
        step = WeightStep(np.packbits(wrong), len(wrong), factor)
        self.replay.add(step)
        return Round(members, State(step(state.weights), state.votes + alpha, bound))

    def alpha_of(self, epsilon: float, votes: float) -> float:
        """The vote of a tree after trees with these votes in all; that of one without errors is a convention."""
        if epsilon == 0.0:
            return decisive(votes) if self.vote == "half_log" else 1.0
        return self.learning_rate * vote_of(epsilon, len(self.data.classes), self.vote)

    def too_weak(self, stage: int, epsilon: float) -> Remark:
        """The remark that a tree is no better than chance; InputError where it is SAMME's first one."""
        if stage == 1 and self.vote == "samme":
            raise InputError(
                message(
                    "The first tree is wrong on {wrong} of the weight, no better than chance ({chance}): let it grow "
                    "deeper, or choose other features.",
                    wrong=percent(epsilon),
                    chance=percent(self.most_wrong),
                )
            )
        return Remark("no_better_than_chance", (stage, epsilon, self.most_wrong))


def error_of(weights: Floats, wrong: NDArray[np.bool_]) -> float:
    """The share of the weight that the wrong rows have."""
    return float(weights[wrong].sum() / weights.sum())


def vote_of(epsilon: float, n_classes: int, vote: str) -> float:
    """The vote α of a tree with this error.

    >>> round(vote_of(0.3, 2, "half_log"), 5), round(vote_of(0.3, 2, "samme"), 5)
    (0.42365, 0.8473)
    """
    log_odds = math.log((1.0 - epsilon) / epsilon)
    return 0.5 * log_odds if vote == "half_log" else log_odds + math.log(n_classes - 1)


def decisive(votes: float) -> float:
    """A vote that outweighs these: AdaBoost.M1's ln 1/β is infinite for a tree without errors, so it decides alone."""
    return votes + 1.0


def normaliser(epsilon: float, factor: float) -> float:
    """Z = (1 − ε)·e^−α + ε·e^α, which is 2·√(ε(1 − ε)) where α is not shrunk."""
    return (1.0 - epsilon) * math.exp(-factor) + epsilon * math.exp(factor)


def next_weights(weights: Floats, wrong: NDArray[np.bool_], factor: float) -> Floats:
    """Wrong rows × e^α, right ones × e^−α, divided by their sum."""
    changed = weights * np.where(wrong, math.exp(2.0 * factor), 1.0)
    return np.maximum(changed / changed.sum(), LEAST_WEIGHT)
