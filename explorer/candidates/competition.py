"""The competition of the features at a node, and all its candidates by rank, each worded on demand (section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.adjusted_p import AdjustedP
from explorer.candidates.candidates import Candidate, FeatureCandidates
from explorer.candidates.counts import Bools, weights_of
from explorer.candidates.merging import MergedSplit
from explorer.candidates.quantile_loss import LOSS, POSITION, group_sums, has_quantiles
from explorer.data.dataset import Dataset
from explorer.recipe.feature_draw import draw_first, path_hash
from explorer.recipe.impurity import IMPURITIES, POISSON, deviance_from, impurity_of
from explorer.recipe.parameters import (
    LOW_DECREASE,
    LOW_SCORE,
    NO_CANDIDATE,
    NOT_SIGNIFICANT,
    SPLIT,
    GrowParameters,
    node_impurity,
    node_weight,
)
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark
from explorer.recipe.significance import fill_log_worths
from explorer.recipe.split_score import (
    BY_GAIN_RATIO,
    BY_NEWTON,
    BY_P_VALUE,
    fill_scores,
    first_best,
    has_ratio,
    mean_gain_of,
    scale_of,
    score_limit,
)

Floats = NDArray[np.float64]


def statistics(data: Dataset, rows: NDArray[np.intp], weights: Floats, parameters: GrowParameters) -> Floats:
    """Class weights of some rows, with `weights` of their own, or (W, mean or quantile, total loss)."""
    if not parameters.regression:
        return np.bincount(data.y[rows], weights=weights, minlength=parameters.n_stats).astype(np.float64)
    if has_quantiles(parameters):
        order = np.argsort(data.y[rows], kind="stable")
        one_group = np.zeros(len(rows), np.int64)
        sums = group_sums(parameters, data.y[rows[order]].astype(np.float64), weights[order], one_group, 1)[0]
        return np.array([weights.sum(), sums[POSITION], sums[LOSS]])
    mean = np.average(data.y[rows], weights=weights)
    mean += np.average(data.y[rows] - mean, weights=weights)
    if parameters.impurity == POISSON:
        losses = np.array([deviance_from(number, mean) if number != mean else 0.0 for number in data.y[rows].tolist()])
    else:
        losses = (data.y[rows] - mean) ** 2
    return np.array([weights.sum(), mean, (weights * losses).sum()])


@dataclass(frozen=True)
class Competition:
    """The search at one node: its features, their scores, the position of the winner and why there is none (−1).

    `is_drawn` says which features compete where the recipe draws them; None where all do.
    """

    features: list[FeatureCandidates]
    scores: Floats
    winner: int
    mean_gain: float
    reason: int
    is_drawn: Bools | None = None


def drawn_features(n_features: int, path: Sequence[int], parameters: GrowParameters) -> Bools | None:
    """Which of the features with two values at a node it may test [n_features]; None where it draws none."""
    if parameters.max_features >= n_features:
        return None
    items = np.arange(n_features)
    draw_first(parameters.feature_seed, path_hash(path), parameters.max_features, items, n_features)
    return np.isin(np.arange(n_features), items[: parameters.max_features])


def select_split(
    features: Sequence[FeatureCandidates],
    stats: Floats,
    parameters: GrowParameters,
    total_weight: float,
    impurity: float | None = None,
    is_drawn: Bools | None = None,
) -> Competition:
    """Let the best candidates of all features compete (the same functions as in the compiled loops decide).

    `impurity` is that of the node where it does not follow from `stats`: several targets have one together.
    """
    gains = np.array([feature.best_gain for feature in features], dtype=np.float64)
    if is_drawn is not None:
        gains = np.where(is_drawn, gains, np.nan)
    infos = np.array([f.split_info[f.best] if f.best >= 0 else 0.0 for f in features], dtype=np.float64)
    costs = np.array([feature.column.cost for feature in features], dtype=np.float64)
    by_p = parameters.score == BY_P_VALUE
    log_ps = np.array([feature.log_p for feature in features], dtype=np.float64) if by_p else None
    many = np.array([feature.column.has_many_values for feature in features], dtype=np.bool_)
    scores, winner, reason = compete(gains, infos, costs, many, stats, parameters, total_weight, impurity, log_ps)
    return Competition(list(features), scores, winner, float(mean_gain_of(gains, infos, many)), reason, is_drawn)


def compete(
    gains: Floats,
    infos: Floats,
    costs: Floats,
    many_values: Bools,
    stats: Floats,
    parameters: GrowParameters,
    total_weight: float,
    impurity: float | None = None,
    log_ps: Floats | None = None,
) -> tuple[Floats, int, int]:
    """The scores of features with these best gains, split information and costs, [F] each; the winner, −1 without one.

    `many_values` [F] says which features are left out of the mean gain.

    The last number is why there is no split, or SPLIT. A gain of nan does not compete. By p-values features compete by
    their `log_ps`.
    """
    scores = np.empty(len(gains))
    if log_ps is None:
        rule = parameters.mean_filter
        fill_scores(gains, infos, costs, many_values, parameters.score, rule, parameters.nunez_w, scores)
    else:
        fill_log_worths(log_ps, gains, parameters.p_adjustment, scores)
    if impurity is None:
        impurity = float(node_impurity(parameters, stats)) if len(gains) else 0.0
    winner = int(first_best(scores, scale_of(parameters.score, impurity)))
    reason = SPLIT
    if winner < 0:
        reason = NO_CANDIDATE
    elif scores[winner] < parameters.min_log_worth:
        reason = NOT_SIGNIFICANT
    elif scores[winner] < score_limit(parameters.score, parameters.min_score, node_weight(parameters, stats)):
        reason = LOW_SCORE
    elif node_weight(parameters, stats) / total_weight * gains[winner] < parameters.min_decrease:
        reason = LOW_DECREASE
    return scores, winner, reason


class RankedCandidates(Sequence[Candidate]):
    """All candidates of a node, the chosen one first, then by score, those that may not compete last."""

    def __init__(self, competition: Competition, recipe: Recipe, impurity: str, unit: float) -> None:
        """Neither rank nor word anything yet."""
        self._competition, self._impurity, self.unit = competition, impurity, unit
        self._score_unit = recipe.score_unit(regression=not IMPURITIES[impurity].needs_classes)
        self._strict = recipe.mean_gain_filter == "greater"

    @cached_property
    def _order(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The feature of every candidate and its position there, by rank: sorted when a rank is first needed."""
        owners, positions, keys = [], [], []
        for i, feature in enumerate(self._competition.features):
            competes = feature.admissible & ~np.isnan(self._competition.scores[i])
            key = np.where(competes, -self._scores_of(feature), 1e300)
            if i == self._competition.winner and self._competition.reason == SPLIT:
                key[feature.best] = -np.inf
            owners.append(np.full(len(feature), i))
            positions.append(np.arange(len(feature)))
            keys.append(key)
        order = np.argsort(np.concatenate(keys), kind="stable") if keys else np.empty(0, np.intp)
        return (np.concatenate(owners)[order], np.concatenate(positions)[order]) if owners else (order, order)

    @cached_property
    def _n_competing(self) -> int:
        """How many features compete."""
        return max(int((~np.isnan(self._competition.scores)).sum()), 1)

    def _scores_of(self, feature: FeatureCandidates) -> Floats:
        """What each test of a feature would compete by, [tests]; p-values depend on how many features do."""
        by_p = feature.parameters.score == BY_P_VALUE
        return feature.log_worths(self._n_competing) if by_p else feature.scores

    def __len__(self) -> int:
        """How many candidates there are."""
        return sum(len(feature) for feature in self._competition.features)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> list[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Candidate | list[Candidate]:
        """The candidate at a rank."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        owners, positions = self._order
        return self.make(int(owners[index]), int(positions[index]))

    def make(self, feature: int, which: int) -> Candidate:
        """Word one candidate of a feature."""
        return self.word(self._competition.features[feature], which, self._rejection(feature, which))

    def word(self, feature: FeatureCandidates, which: int, rejection: Remark | None) -> Candidate:
        """Word a test, its numbers in the recipe's unit."""
        test = feature.significance(which, self._n_competing)
        return make_candidate(feature, which, self._impurity, self.unit, self._score_unit, rejection, test)

    def of_feature(self, name: str, most: int | None = None) -> list[Candidate]:
        """The candidates of one feature in the order of the tie rule (thresholds ascending).

        Wording one takes time in proportion to the values of the feature: where `most` are enough, every k-th is given.
        """
        for i, feature in enumerate(self._competition.features):
            if feature.column.encoding.name == name:
                every = 1 if most is None else 1 + len(feature) // most
                return [self.make(i, which) for which in range(0, len(feature), every)]
        return []

    def n_of_feature(self, name: str) -> int:
        """How many candidates one feature has."""
        return sum(len(f) for f in self._competition.features if f.column.encoding.name == name)

    def _rejection(self, index: int, which: int) -> Remark | None:
        feature, is_drawn = self._competition.features[index], self._competition.is_drawn
        if is_drawn is not None and not is_drawn[index]:
            return Remark("feature_not_drawn")
        if not feature.admissible[which]:
            return limit_of(feature, which)
        if feature.n_thresholds and not feature.gain[which] > 0:
            return Remark("penalty_leaves_no_gain")
        if np.isnan(self._competition.scores[index]):
            if not has_ratio(feature.split_info[which]):
                return Remark("no_gain_ratio")
            if np.isnan(self._competition.mean_gain):
                return Remark("no_mean_gain")
            code = "gain_not_above_mean" if self._strict else "gain_below_mean"
            return Remark(code, (self._competition.mean_gain * self.unit,))
        return None


def make_candidate(
    feature: FeatureCandidates,
    which: int,
    impurity: str,
    unit: float,
    score_unit: float,
    rejection: Remark | None,
    significance: AdjustedP | None,
) -> Candidate:
    """Word one test of a feature, its numbers in the recipe's unit."""
    gain, info = float(feature.decrease[which]) * unit, float(feature.split_info[which]) * unit
    ratio = float(feature.gain[which] / feature.split_info[which]) if feature.split_info[which] > 0 else None
    branches = feature.branches(which)
    scale = unit if IMPURITIES[impurity].in_bits else 1.0
    return Candidate(
        feature=feature.column.encoding.name,
        condition=feature.condition(which),
        gain=gain,
        split_info=info,
        gain_ratio=ratio,
        score=_score_of(feature, which, ratio, score_unit, significance),
        rejection=rejection,
        is_best=which == feature.best,
        approximate=feature.splits.approximate,
        branch_stats=branches,
        weights=tuple(weights_of(branches, feature.parameters).tolist()),
        impurities=tuple(impurity_of(impurity, branch) * scale for branch in branches),
        missing_branch=feature.missing_branch(which),
        significance=significance,
        cost=feature.column.cost,
        known_share=1.0 - feature.missing.left_out / feature.at_node.weight,
        missing_weight=feature.missing.left_out,
        n_thresholds=feature.n_thresholds,
        filled_weight=feature.missing.imputed,
        judged=_judged(feature),
        parameters=feature.parameters,
        merges=feature.splits.compared if isinstance(feature.splits, MergedSplit) else (),
    )


def _judged(feature: FeatureCandidates) -> Floats | None:
    """(W, quantile, total loss) of the rows in the branches of a test, None where the loss is around a mean."""
    is_of_all = feature.counts.ranked is not None and feature.missing.own_branch
    return feature.stats if is_of_all else feature.at_node.judged


def _score_of(
    feature: FeatureCandidates, which: int, ratio: float | None, unit: float, significance: AdjustedP | None
) -> float | None:
    """What a test competes by in the recipe's unit; Newton's gain for the whole node, as XGBoost prints it."""
    score = feature.parameters.score
    if score == BY_GAIN_RATIO:
        return ratio
    if score == BY_P_VALUE:
        return None if significance is None else significance.score
    scale = feature.at_node.weight if score == BY_NEWTON else unit
    return float(feature.scores[which]) * scale


def limit_of(feature: FeatureCandidates, which: int) -> Remark | None:
    """What the recipe's limits have against a test."""
    return feature.limit(which)
