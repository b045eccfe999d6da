"""All candidates of a node in the order of the contest, each worded when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import Candidate, FeatureCandidates
from explorer.candidates.counts import weights_of
from explorer.data.dataset import Dataset
from explorer.recipe.impurity import impurity_of
from explorer.recipe.parameters import LOW_DECREASE, LOW_SCORE, NO_CANDIDATE, SPLIT, GrowParameters, node_weight
from explorer.recipe.recipe import Recipe
from explorer.recipe.split_score import BY_GAIN_RATIO, fill_scores, first_best, has_ratio, mean_gain_of, scale_of

Floats = NDArray[np.float64]


def statistics(data: Dataset, rows: NDArray[np.intp], weights: Floats, rules: GrowParameters) -> Floats:
    """Class weights of some rows, with `weights` of their own, or (W, mean, M2)."""
    if not rules.regression:
        return np.bincount(data.y[rows], weights=weights, minlength=rules.n_stats).astype(np.float64)
    mean = np.average(data.y[rows], weights=weights)
    mean += np.average(data.y[rows] - mean, weights=weights)
    return np.array([weights.sum(), mean, (weights * (data.y[rows] - mean) ** 2).sum()])


@dataclass(frozen=True)
class Competition:
    """The search at one node: features in the contest, their scores, the winner's place and why there is none."""

    features: list[FeatureCandidates]
    scores: Floats
    winner: int
    mean_gain: float
    reason: int


def select_split(
    features: list[FeatureCandidates], stats: Floats, rules: GrowParameters, total_weight: float
) -> Competition:
    """Let the best candidates of all features compete (the same functions as in the fast loops decide)."""
    gains = np.array([found.best_gain for found in features], dtype=np.float64)
    infos = np.array([found.split_info[found.best] if found.best >= 0 else 0.0 for found in features], dtype=np.float64)
    scores = np.empty(len(gains))
    costs = np.array([found.column.cost for found in features], dtype=np.float64)
    fill_scores(gains, infos, costs, rules.score, rules.mean_filter, rules.nunez_w, scores)
    impurity = features[0].impurity if features else 0.0
    winner = int(first_best(scores, scale_of(rules.score, impurity)))
    reason = SPLIT
    if winner < 0:
        reason = NO_CANDIDATE
    elif scores[winner] < rules.min_score:
        reason = LOW_SCORE
    elif node_weight(rules, stats) / total_weight * gains[winner] < rules.min_decrease:
        reason = LOW_DECREASE
    return Competition(features, scores, winner, float(mean_gain_of(gains, infos)), reason)


class RankedCandidates(Sequence[Candidate]):
    """All candidates of a node, the chosen one first, then by score, those out of the contest last; made on demand."""

    def __init__(self, contest: Competition, recipe: Recipe, impurity: str, unit: float) -> None:
        """Neither rank nor word anything yet."""
        self._contest, self._impurity, self.unit = contest, impurity, unit
        self._score_unit = recipe.score_unit(regression=impurity == "variance")
        self._strict = recipe.mean_gain_filter == "greater"

    @cached_property
    def _order(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The feature of every candidate and its place there, by rank: sorted when a rank is first asked for."""
        owner, place, key = [], [], []
        for i, found in enumerate(self._contest.features):
            inside = found.admissible & ~np.isnan(self._contest.scores[i])
            ranked = np.where(inside, -found.scores, 1e300)
            if i == self._contest.winner and self._contest.reason == SPLIT:
                ranked[found.best] = -np.inf
            owner.append(np.full(len(found), i))
            place.append(np.arange(len(found)))
            key.append(ranked)
        order = np.argsort(np.concatenate(key), kind="stable") if key else np.empty(0, np.intp)
        return (np.concatenate(owner)[order], np.concatenate(place)[order]) if owner else (order, order)

    def __len__(self) -> int:
        """How many candidates there are."""
        return sum(len(found) for found in self._contest.features)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> list[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Candidate | list[Candidate]:
        """The candidate at a rank."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        owner, place = self._order
        return self.make(int(owner[index]), int(place[index]))

    def make(self, feature: int, which: int) -> Candidate:
        """Word one candidate of a feature."""
        return self.word(self._contest.features[feature], which, self._rejection(feature, which))

    def word(self, found: FeatureCandidates, which: int, rejected: str | None) -> Candidate:
        """Word a test, its numbers in the recipe's unit."""
        return make_candidate(found, which, self._impurity, self.unit, self._score_unit, rejected)

    def of_feature(self, name: str) -> list[Candidate]:
        """All candidates of one feature in the order of the tie rule (thresholds ascending)."""
        for i, found in enumerate(self._contest.features):
            if found.column.usage.name == name:
                return [self.make(i, which) for which in range(len(found))]
        return []

    def _rejection(self, feature: int, which: int) -> str | None:
        found = self._contest.features[feature]
        if not found.admissible[which]:
            return limit_of(found, which)
        if found.n_thresholds and not found.gain[which] > 0:
            return "the penalty for choosing among thresholds leaves no gain"
        if np.isnan(self._contest.scores[feature]):
            if not has_ratio(found.split_info[which]):
                return "no gain ratio: all but no rows take one branch"
            below = "not above" if self._strict else "below"
            mean = self._contest.mean_gain * self.unit
            return (
                f"gain {below} the mean gain {mean:.4f}" if mean >= 0.001 else f"gain {below} the mean gain {mean:.3g}"
            )
        return None


def make_candidate(
    found: FeatureCandidates, which: int, impurity: str, unit: float, score_unit: float, rejected: str | None
) -> Candidate:
    """Word one test of a feature, its numbers in the recipe's unit."""
    gain, info = float(found.decrease[which]) * unit, float(found.split_info[which]) * unit
    ratio = float(found.gain[which] / found.split_info[which]) if found.split_info[which] > 0 else None
    branches = found.branches(which)
    scale = unit if impurity == "entropy" else 1.0
    return Candidate(
        feature=found.column.usage.name,
        condition=found.condition(which),
        gain=gain,
        split_info=info,
        gain_ratio=ratio,
        score=ratio if found.rules.score == BY_GAIN_RATIO else float(found.scores[which]) * score_unit,
        rejected=rejected,
        is_best=which == found.best,
        approximate=found.approximate,
        branch_stats=branches,
        weights=tuple(weights_of(branches, found.rules).tolist()),
        impurities=tuple(impurity_of(impurity, branch) * scale for branch in branches),
        cost=found.column.cost,
        known_share=1.0 - found.left_out / found.weight,
        missing_weight=found.left_out,
        n_thresholds=found.n_thresholds,
        filled_weight=0.0 if found.by_known or found.own_branch else found.missing_weight,
    )


def limit_of(found: FeatureCandidates, which: int) -> str | None:
    """What the recipe's limits have against a test."""
    return None if found.admissible[which] else f"a branch has less than the {found.minimum:g} rows required"
