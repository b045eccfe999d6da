"""The rows of a node without one of which another feature would win the split, found exactly.

What growing measures on the whole training set stays as it is: bins, the values that C4.5's thresholds are taken from,
and the weights of the classes. Tests of the finished split (χ², description length, validation rows) are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.competition import compete, select_split, statistics
from explorer.candidates.counts import row_weights
from explorer.growing.node_rows import NodeRows
from explorer.growing.node_search import RowSearch
from explorer.recipe.class_weights import Floats
from explorer.recipe.impurity import ENTROPY, GINI, xlog2x
from explorer.recipe.parameters import SPLIT, stop_before_search
from explorer.recipe.remarks import Remark
from explorer.recipe.split_score import BY_DECREASE, BY_GAIN, BY_P_VALUE

ROUNDING = 1e-9
"""Leads that differ by less than this share of the node's impurity may be ties."""
FIXED_COST = 100
"""What a search of a feature costs before its first test, in tests."""
_BOUNDED = (BY_GAIN, BY_DECREASE)
"""The scores for which a bound on the change by one row is known."""
CLASSES_PER_TEST = 10
"""By how many classes a test takes as long again: it adds up the weights of all of them."""


@dataclass(frozen=True)
class DecidingRows:
    """The rows without which another feature would win, {position among the node's rows: column that would win}.

    None where finding them takes more work than allowed; `work` counts the work that was done, in tests of features.
    """

    winners: dict[int, int] | None
    work: int = 0


def rows_that_decide(search: RowSearch, most_work: float = np.inf) -> DecidingRows:
    """Leave each row of the node out in turn, if that takes no more than `most_work`.

    A row without which the node would not be split decides nothing, nor does one without which the winner is still as
    good as any other feature. Rows with the same value, target and weight change
    a feature's best test alike, so it is searched once for all of them.
    """
    if search.parameters.random_thresholds:
        return DecidingRows(None)  # without a row, other thresholds would be drawn
    features, column_indices, _ = search.feature_candidates()
    total = float(search.used.weight_of_rows().sum())
    is_drawn = search.drawn(features)
    competition = select_split(features, search.stats, search.parameters, total, is_drawn=is_drawn)
    if competition.winner < 0:
        return DecidingRows({})
    near = contenders(search, features, competition.winner)
    if is_drawn is not None:
        near &= is_drawn  # what a node draws is not drawn again without a row
    columns = [column for column, is_near in zip(column_indices, near, strict=True) if is_near]
    if len(columns) < 2:
        return DecidingRows({})
    work = sum(_work(search, feature) for feature, is_near in zip(features, near, strict=True) if is_near)
    if work > most_work or search.parameters.score == BY_P_VALUE:
        return DecidingRows(None)
    own = column_indices[competition.winner]
    winners = _winners_without_each_row(search, columns, total, own)
    rows = np.flatnonzero((winners >= 0) & (winners != own))
    return DecidingRows({int(row): int(winners[row]) for row in rows}, work)


def _work(search: RowSearch, feature: FeatureCandidates) -> int:
    """An upper limit of the tests that leaving rows out in turn evaluates, the fixed cost of a search included."""
    n_rows, n_targets = len(search.at_node.rows), len(np.unique(search.used.y[search.at_node.rows]))
    n_groups = min(n_rows, (len(feature.counts.codes) + 1) * n_targets)
    n_classes = 0 if search.parameters.regression else search.parameters.n_stats
    return n_groups * (len(feature) + FIXED_COST) * (1 + n_classes // CLASSES_PER_TEST)


def _winners_without_each_row(search: RowSearch, columns: list[int], total: float, own: int) -> NDArray[np.intp]:
    """The column that would win without each row of the node, [rows]; −1 where the node would be a leaf.

    In a tie it is the column `own`, whatever the order of the columns.
    """
    columns = [own, *(column for column in columns if column != own)]
    y, n_features = search.used.y[search.at_node.rows], search.n_features
    target_of_row, first_rows = _groups(y, search.at_node.weights)
    stats = [_without(search, int(row)).stats for row in first_rows]
    best = [_best_without(search, column, target_of_row) for column in columns]
    alike_of_row, first_rows = _groups(*(which for which, _ in best), target_of_row)
    costs = np.array([search.columns[i].cost for i in columns])
    many = np.array([search.columns[i].has_many_values for i in columns])
    winners = np.full(len(first_rows), -1, dtype=np.intp)
    for i, row in enumerate(first_rows):
        others, stats_left = np.delete(y, row), stats[target_of_row[row]]
        if not len(others) or _stops(search, stats_left, bool(np.ptp(others) == 0), n_features):
            continue
        gains, infos = np.array([numbers[which[row]] for which, numbers in best]).T.copy()
        total_left = total - float(search.at_node.weights[row])
        _, winner, reason = compete(gains, infos, costs, many, stats_left, search.parameters, total_left)
        winners[i] = columns[winner] if reason == SPLIT else -1
    return winners[alike_of_row]


def contenders(search: RowSearch, features: list[FeatureCandidates], winner: int) -> NDArray[np.bool_]:
    """The winner and the features that one row less could bring to the front, [F]; all where no bound is known.

    Let T be weight times impurity, and a test's lead U = T(node) − Σ T(branch) = W·gain. Without a row of weight w, T
    of any set with that row falls by between 0 and `_largest_fall`, and T(node) falls alike for all features. So the
    lead of one feature over another changes by no more than that; by twice as much where rows without a value are left
    out of T(node). The winner's own test must stay admissible, and the lists of tests must be complete.
    """
    parameters, best = search.parameters, features[winner]
    weights, rows = search.at_node.weights, search.at_node.rows
    is_bounded = parameters.score in _BOUNDED and not (
        parameters.penalty or parameters.release8_minimum or parameters.monotone
    )
    is_incomplete = [bool(feature.missing.weight > 0) for feature in features]
    if not is_bounded or any(feature.splits.approximate for feature in features):
        return np.ones(len(features), dtype=bool)
    if any(is_incomplete) and not all(f.missing.by_known_rows and not f.missing.own_branch for f in features):
        return np.ones(len(features), dtype=bool)

    # The winner's test stays admissible: each branch keeps its minimum without its heaviest row.
    row_weights_at_node = weights
    if parameters.row_factor.size:
        row_weights_at_node = weights * parameters.row_factor[search.used.y[rows]]
    heaviest = float(row_weights_at_node.max())
    in_branches = row_weights(best.splits.branch_counts(best.best), parameters)
    if (in_branches[in_branches > 0] <= heaviest + best.splits.minimum).any():
        return np.ones(len(features), dtype=bool)

    weight = best.at_node.weight
    change = _largest_fall(search, weight, float(weights.max())) * (2.0 if any(is_incomplete) else 1.0)
    leads = np.array([feature.best_gain for feature in features]) * weight
    near: NDArray[np.bool_] = leads >= leads[winner] - change - ROUNDING * weight * best.impurity
    return near


def _largest_fall(search: RowSearch, weight: float, heaviest: float) -> float:
    """The most by which weight times impurity of any part of the node can fall with one row of weight w ≤ heaviest.

    Gini: 2w, since ∂T/∂w_k = 1 − 2p_k + Σ p². Error: w. Entropy: W·log W − (W−w)·log(W−w) − w·log w, reached by the
    only row of a class. Variance: w·(largest − smallest target)².
    """
    if search.parameters.regression:
        return heaviest * float(np.ptp(search.used.y[search.at_node.rows])) ** 2
    if search.parameters.impurity == ENTROPY:
        return float(xlog2x(weight) - xlog2x(max(weight - heaviest, 0.0)) - xlog2x(heaviest))
    return 2.0 * heaviest if search.parameters.impurity == GINI else heaviest


def _groups(*facts: NDArray[np.generic]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The group of every row, rows with equal facts being in one, and the first row of every group."""
    table = np.column_stack([np.asarray(fact, dtype=np.float64) for fact in facts])
    _, first_rows, groups = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return groups.reshape(-1), first_rows


def _without(search: RowSearch, row: int) -> RowSearch:
    """The node without the row at this position."""
    rows, weights = np.delete(search.at_node.rows, row), np.delete(search.at_node.weights, row)
    stats = np.zeros_like(search.stats)
    if len(rows):
        stats = statistics(search.used, rows, weights, search.parameters)
    return replace(search, at_node=NodeRows(rows, weights), stats=stats)


def _best_without(
    search: RowSearch, column: int, target_of_row: NDArray[np.intp]
) -> tuple[NDArray[np.intp], list[tuple[float, float]]]:
    """The group of every row, and for each group the feature's best gain and split information without such a row."""
    groups, first_rows = _groups(search.columns[column].codes[search.at_node.rows], target_of_row)
    numbers = []
    for row in first_rows:
        left = _without(search, int(row))
        candidates = left.candidates_in(column) if len(left.at_node.rows) else None
        numbers.append(_numbers(candidates))
    return groups, numbers


def _numbers(candidates: FeatureCandidates | Remark | None) -> tuple[float, float]:
    """Gain and split information of the best test; nan where there is none."""
    if not isinstance(candidates, FeatureCandidates) or candidates.best < 0:
        return float("nan"), 0.0
    return candidates.best_gain, float(candidates.split_info[candidates.best])


def _stops(search: RowSearch, stats: Floats, is_pure: bool, n_features: int) -> bool:
    """Whether a node with these statistics would not be searched."""
    depth = int(search.tree.depth[search.node])
    return bool(stop_before_search(search.parameters, stats, is_pure, depth, n_features) != SPLIT)
