"""Boosting of pruned C4.5 trees: Quinlan's of 1996, and that of C5.0 (DEFINITIONS section 20)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.adaboost import ROUNDING, decisive, error_of
from explorer.ensembles.arguments import check_choice, check_recipe, check_share, need_classes, too_uniform
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.members import Ensemble, ensemble_of
from explorer.ensembles.rounds import ChoicesOfMembers, Progress, Round, Rounds, checked_count, run_rounds
from explorer.ensembles.sample import with_own_draws
from explorer.growing.grow_many import Presorted
from explorer.pruning.pessimistic import pessimistic_prune
from explorer.recipe.recipe import C45, Recipe
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
UPDATES = ("quinlan96", "c50")
LEAST_WEIGHT = 1e-20
LEAST_RIGHT_WEIGHT = 0.001
FEW_ERRORS = 0.1
MOST_WRONG = 0.49
SIZE_FACTOR = 1.1


def c50(
    data: Dataset,
    recipe: Recipe = C45,
    trials: int = 10,
    update: str = "quinlan96",
    confidence: float | None = 0.25,
    progress: Progress | None = None,
    choices: ChoicesOfMembers | None = None,
) -> Ensemble:
    """Boosted C4.5 trees, each pruned pessimistically with this `confidence` (None: not pruned).

    `update` "quinlan96" is Quinlan's boosting of 1996: AdaBoost.M1 with weights that add up to the number of rows and
    votes ln 1/β. "c50" is that of C5.0: wrong rows are moved midway to half of the weight, later trees stay as small as
    the first, rows that cannot be won are left out, and trees vote with the confidence of their leaves.
    `progress(rounds done, rounds in all)` may raise `Stopped`: the members so far are kept. `choices` are made by hand,
    by the position of the member. Raises InputError for a numeric target.

    >>> from explorer import load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis_noise15").frame, "PlayTennis")
    >>> boosted = c50(data, trials=3)
    >>> [round(float(member.weights.sum()), 6) for member in boosted.members]
    [15.0, 15.0, 15.0]
    """
    need_classes(data, "C5.0")
    check_recipe(recipe)
    check_choice("update", update, UPDATES)
    if confidence is not None:
        check_share("confidence", confidence)
    trials = checked_count("trials", trials)
    options = {"trials": trials, "update": update, "confidence": confidence}
    rounds, ended = Rounds((), 0), too_uniform(data)
    if ended is None:
        start = data.weight_of_rows() / data.weight_of_rows().mean()
        boosting = _Boosting(data, Presorted(data, recipe), recipe, trials, confidence, choices or {})
        if update == "quinlan96":
            rounds = run_rounds(boosting.quinlan_round, QuinlanState(start), trials, progress)
        else:
            active = np.ones(data.n_rows, dtype=bool)
            state = State(start, active, np.zeros((data.n_rows, len(data.classes))))
            rounds = abandoned(run_rounds(boosting.c50_round, state, trials, progress))
        ended = rounds.ended
    combination = "votes" if update == "quinlan96" else "confidences"
    return ensemble_of(data, recipe, "c50", combination, rounds.members, rounds.n_stages, options, ended=ended)


@dataclass(frozen=True, eq=False)
class QuinlanState:
    """Before a trial of Quinlan 1996: the row weights [n], which add up to n, and the votes so far."""

    weights: Floats
    votes: float = 0.0


@dataclass(frozen=True, eq=False)
class State:
    """Before a trial of C5.0: row weights [n], rows still in [n], their votes so far [n, K], leaves of the first."""

    weights: Floats
    active: Mask
    votes: Floats
    first_leaves: int = 0


@dataclass(frozen=True, eq=False)
class _Boosting:
    """What stays the same in all trials."""

    data: Dataset
    presorted: Presorted
    recipe: Recipe
    trials: int
    confidence: float | None
    choices: ChoicesOfMembers

    def tree(self, stage: int, weights: Floats, recipe: Recipe, report: Progress) -> Tree:
        """The pruned tree on these weights."""
        own = with_own_draws(recipe, recipe.feature_seed, stage - 1)
        tree = self.presorted.grow(weights, None, own, report, self.choices.get(stage - 1))
        return tree if self.confidence is None else pessimistic_prune(tree, self.confidence)

    def quinlan_round(self, stage: int, state: QuinlanState, report: Progress) -> Round[QuinlanState]:
        """One trial of Quinlan 1996: right rows × β = ε/(1 − ε), then weights that add up to n again."""
        tree = self.tree(stage, state.weights, self.recipe, report)
        wrong = tree.predict_encoded(self.data) != self.data.y
        epsilon = error_of(state.weights, wrong)
        if epsilon >= 0.5 - ROUNDING:
            return Round((), state, Remark("no_better_than_chance", (stage, epsilon, 0.5)))
        beta = epsilon / (1.0 - epsilon)
        vote = -math.log(beta) if beta > 0 else decisive(state.votes)
        facts = {"epsilon": epsilon, "beta": beta, "alpha": vote}
        member = Member(tree, stage, vote, state.weights, facts=facts)
        if epsilon == 0.0:
            return Round((member,), state, Remark("no_errors", (stage,)))
        return Round((member,), QuinlanState(quinlan_weights(state.weights, wrong), state.votes + vote))

    def c50_round(self, stage: int, state: State, report: Progress) -> Round[State]:
        """One trial of C5.0, by the rules of section 20."""
        # Rule 1: a node of a later tree is split only if round(1.1 · leaves₀/n · W) ≥ 2, so if W reaches this weight.
        recipe = self.recipe
        if stage > 1:
            least = 1.5 * self.data.n_rows / (SIZE_FACTOR * state.first_leaves)
            recipe = recipe.replace(min_rows_split=max(recipe.min_rows_split, least))
        tree = self.tree(stage, state.weights, recipe, report)
        wrong = (tree.predict_encoded(self.data) != self.data.y) & state.active
        error, active = float(state.weights[wrong].sum()), int(state.active.sum())
        facts = {"epsilon": error / active, "wrong_weight": error, "active": float(active)}

        # Rule 4: a later tree without a test, or with half of the weight wrong, is not used.
        if stage > 1 and (tree.n_leaves == 1 or error / active >= MOST_WRONG):
            reason = Remark("no_test", (stage,)) if tree.n_leaves == 1 else None
            return Round((), state, reason or Remark("no_better_than_chance", (stage, error / active, MOST_WRONG)))
        member = Member(tree, stage, 1.0, state.weights, facts=facts)
        if error < FEW_ERRORS:
            return Round((member,), state, Remark("few_errors", (stage, error)))

        # Rule 3: rows that the trials left cannot win are dropped. Rule 2: the weights move midway.
        votes = state.votes + training_votes(tree, self.data)
        kept = state.active & ~self.is_lost(stage, votes)
        facts["dropped"] = float(active - kept.sum())
        weights = c50_weights(np.where(kept, state.weights, 0.0), wrong & kept)
        return Round((member,), State(weights, kept, votes, state.first_leaves or tree.n_leaves))

    def is_lost(self, stage: int, votes: Floats) -> Mask:
        """In the second half of the trials: rows whose right class is behind by more votes than are left, [n]."""
        if stage <= self.trials / 2:
            return np.zeros(len(votes), dtype=bool)
        ahead: Floats = votes.max(axis=1) - votes[np.arange(len(votes)), self.data.y]
        return ahead > self.trials - stage


def quinlan_weights(weights: Floats, wrong: Mask) -> Floats:
    """Right rows × β, then the same sum as before: wrong rows × 1/(2ε), right ones × 1/(2(1 − ε)).

    >>> quinlan_weights(np.ones(10), np.arange(10) < 3).round(4)[[0, 9]].tolist()
    [1.6667, 0.7143]
    """
    epsilon = error_of(weights, wrong)
    return np.maximum(weights / np.where(wrong, 2.0 * epsilon, 2.0 * (1.0 - epsilon)), LEAST_WEIGHT)


def c50_weights(weights: Floats, wrong: Mask) -> Floats:
    """C5.0's next weights: a quarter of the lead of the right rows goes to the wrong ones, in equal parts.

    Rows of weight 0 are out. 3 of 10 wrong: right rows 6/7, wrong ones 4/3 (AdaBoost: 5/7 and 5/3).

    >>> c50_weights(np.ones(10), np.arange(10) < 3).round(4)[[0, 9]].tolist()
    [1.3333, 0.8571]
    """
    active = weights > 0
    wrong_weight = float(weights[wrong].sum())
    right_weight = float(weights.sum()) - wrong_weight
    moved = 0.25 * (right_weight - wrong_weight)
    if not wrong.any() or right_weight <= 0:
        return weights
    lighter = np.maximum(weights * ((right_weight - moved) / right_weight), LEAST_RIGHT_WEIGHT)
    changed = np.where(wrong, weights + moved / wrong.sum(), lighter)
    return np.where(active, changed * (active.sum() / (right_weight + wrong_weight)), 0.0)


def training_votes(tree: Tree, data: Dataset) -> Floats:
    """The share of the predicted class in the leaf of every row, under that class, [n, K]."""
    shares, predicted = tree.predict_proba(data), tree.predict_encoded(data)
    votes = np.zeros_like(shares)
    rows = np.arange(len(votes))
    votes[rows, predicted] = shares[rows, predicted]
    return votes


def abandoned(rounds: Rounds) -> Rounds:
    """One tree where boosting ended with two trials or fewer; all of them where the user stopped it."""
    if rounds.ended is None or rounds.ended.code == "rounds_stopped" or rounds.n_stages > 2 or rounds.n_stages <= 1:
        return rounds
    return Rounds(rounds.members[:1], 1, Remark("boosting_abandoned", (rounds.n_stages,)))
