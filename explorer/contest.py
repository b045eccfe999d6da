"""The contest of all features at one node, held with the same functions as in the fast loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.candidates import FeatureCandidates
from explorer.dataset import Dataset
from explorer.limits import LOW_DECREASE, LOW_SCORE, NO_CANDIDATE, SPLIT, Rules, node_weight
from explorer.selection import fill_scores, first_best, mean_gain_of, scale_of

Floats = NDArray[np.float64]


def statistics(data: Dataset, rows: NDArray[np.intp], weights: Floats, rules: Rules) -> Floats:
    """Class weights of some rows, with `weights` of their own, or (W, mean, M2)."""
    if not rules.regression:
        return np.bincount(data.y[rows], weights=weights, minlength=rules.n_stats).astype(np.float64)
    mean = np.average(data.y[rows], weights=weights)
    mean += np.average(data.y[rows] - mean, weights=weights)
    return np.array([weights.sum(), mean, (weights * (data.y[rows] - mean) ** 2).sum()])


@dataclass(frozen=True)
class Contest:
    """The search at one node: features in the contest, their scores, the winner's place and why there is none."""

    features: list[FeatureCandidates]
    scores: Floats
    winner: int
    mean_gain: float
    reason: int


def hold_contest(features: list[FeatureCandidates], stats: Floats, rules: Rules, total_weight: float) -> Contest:
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
    return Contest(features, scores, winner, float(mean_gain_of(gains, infos)), reason)
