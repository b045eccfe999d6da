"""The most that any threshold inside a cell could gain, from the cell's counts alone (docs/exact-thresholds.md).

A *cell* is a run of neighbouring values of a numeric feature that are counted together: a bin, a fine code, or one
value. A threshold inside it takes a part x of its counts to the left. Which part is not known, but what x can be is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import Contingency, Floats, pair_gains, weights_of
from explorer.candidates.splits import NodeFeature
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.impurity import ENTROPY, GINI
from explorer.recipe.missing import MOST_COMMON, SAME_CLASS
from explorer.recipe.parameters import GrowParameters
from explorer.recipe.split_score import tie_margin

FEW_CLASSES, MOST_CLASSES = 3, 8
"""Up to so many classes all corners are tried at once; up to so many in a cell where a cheaper bound is not enough."""
INTERVALS = 16
"""Into how many intervals the weight that a cell gives to the left is divided, for numbers and for Gini."""
ROUNDING = 1e-11
"""By how much a bound is raised, relative to the numbers that it is the difference of: what rounding can take off.

In a node whose rows weigh 10⁵ times more or less than each other, rounding can move the gain itself by more than that.
"""
_ROWS_AT_ONCE = 1 << 16


class _Cuts(NamedTuple):
    """What a threshold inside a cell divides, one row per cell and side that the missing rows can be on.

    The counts `before` and `after` [c, K] stay on the left and on the right; `inside` may be divided. `cell` [c] is the
    position of the cell.
    """

    cell: NDArray[np.intp]
    before: Floats
    inside: Floats
    after: Floats

    def take(self, which: NDArray[np.intp]) -> _Cuts:
        """Some of the rows."""
        return _Cuts(self.cell[which], self.before[which], self.inside[which], self.after[which])


def least_that_can_win(gain: float, impurity: float) -> float:
    """The least bound of a cell that can hold the winner or change a tie, where a candidate has this gain.

    The winner of a feature may lie one tie margin below the feature's largest gain, and the feature one below another
    whose winner lies one below the largest of all.
    """
    return gain - 3.0 * float(tie_margin(gain, impurity))


def upper_gains(
    counts: Contingency, stats: Floats, column: TrainingColumn, parameters: GrowParameters, floor: float = -np.inf
) -> Floats:
    """Upper bounds [v] of `FeatureCandidates.gain` over all thresholds inside each cell and at its two ends.

    `counts` are those of cells in ascending order, `stats` [K] the node's statistics. The bounds hold for any order of
    the rows in a cell, admissible or not, and without the penalty for thresholds, which only lowers gains. A bound
    below `floor` may be looser than it could be. The score must compete by the decrease of the impurity.
    """
    feature = NodeFeature(column, counts, stats, parameters)
    cuts = _cuts(feature)
    bounds = _bounds_of_numbers(feature, cuts) if parameters.regression else _bounds_of_classes(feature, cuts, floor)
    upper = np.zeros(len(counts.table))
    np.maximum.at(upper, cuts.cell, bounds)
    return np.asarray(upper + _slack(feature), dtype=np.float64)


def _slack(feature: NodeFeature) -> float:
    """What rounding can take off a gain: a share of the impurity, or of the terms that an entropy is summed from."""
    parameters, table = feature.parameters, feature.counts.table
    if parameters.regression:
        squares = table[:, 2].sum() + feature.counts.missing[2]
        return ROUNDING * float(max(squares / feature.weight, feature.impurity))
    if parameters.impurity != ENTROPY:
        return ROUNDING
    return ROUNDING * float(2.0 + abs(np.log2(feature.weight)) + np.log2(parameters.n_stats))


# -- where the rows without a value are ------------------------------------------------------------------------------


def _cuts(feature: NodeFeature) -> _Cuts:
    """Every cell between those before and after it, with the missing rows where the recipe's policy can have them."""
    table, missing = feature.counts.table, feature.counts.missing
    before, after = np.zeros_like(table), np.zeros_like(table)
    before[1:] = np.cumsum(table[:-1], axis=0)
    after[:-1] = np.cumsum(table[:0:-1], axis=0)[::-1]
    known = _Cuts(np.arange(len(table)), before, table, after)
    if feature.missing.by_known_rows or not missing.any():
        return known
    if feature.parameters.missing == SAME_CLASS:
        return _each_class_by_its_median(feature, known)
    can_be_left, can_be_right = _sides_of_missing(feature, known)
    left, right = known.take(np.flatnonzero(can_be_left)), known.take(np.flatnonzero(can_be_right))
    both = left._replace(before=left.before + missing), right._replace(after=right.after + missing)
    return _Cuts(*(np.concatenate(parts) for parts in zip(*both, strict=True)))


def _sides_of_missing(feature: NodeFeature, cuts: _Cuts) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the missing rows can be left, and right, of a threshold in each cell."""
    if feature.parameters.missing != MOST_COMMON:
        return np.ones(len(cuts.cell), np.bool_), np.ones(len(cuts.cell), np.bool_)
    return _sides_of_median(*(weights_of(part, feature.parameters) for part in cuts[1:]))


def _sides_of_median(before: Floats, inside: Floats, after: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the median of these weights can be left, and right, of a threshold in each cell or at its ends."""
    nearly_half = ROUNDING * (before + inside + after)
    return before + inside - after >= -nearly_half, after + inside - before >= -nearly_half


def _each_class_by_its_median(feature: NodeFeature, cuts: _Cuts) -> _Cuts:
    """The missing rows of each class on the side of its median, as part of the cell where they can be on either.

    So can those of a class without known values, which follow the median of all.
    """
    can_be_left, can_be_right = _sides_of_median(*cuts[1:])
    missing = feature.counts.missing
    return _Cuts(
        cuts.cell,
        cuts.before + ~can_be_right * missing,
        cuts.inside + (can_be_left & can_be_right) * missing,
        cuts.after + ~can_be_left * missing,
    )


# -- classes ---------------------------------------------------------------------------------------------------------


def _bounds_of_classes(feature: NodeFeature, cuts: _Cuts, floor: float) -> Floats:
    """The best corner of each cell, [c]; of many classes a cheaper bound, which must reach the floor first."""
    n_classes, n_present = feature.parameters.n_stats, (cuts.inside > 0.0).sum(axis=1)
    bounds = np.full(len(cuts.cell), np.inf) if n_classes <= FEW_CLASSES else _bounds_class_by_class(feature, cuts)
    reaches_floor, fewer = bounds + _slack(feature) >= floor, -1
    for n_free in (FEW_CLASSES, MOST_CLASSES):
        which = np.flatnonzero(reaches_floor & (n_present > fewer) & (n_present <= n_free))
        fewer, n_free = n_free, min(n_free, n_classes)
        at_once = _ROWS_AT_ONCE >> n_free
        for start in range(0, len(which), at_once):
            some = which[start : start + at_once]
            bounds[some] = _best_corner(feature, cuts.take(some), n_free)
    return bounds


def _best_corner(feature: NodeFeature, cuts: _Cuts, n_free: int) -> Floats:
    """The largest gain, [c], with all rows of each class in a cell left or all right; `n_free` classes at most."""
    is_left = (np.arange(1 << n_free)[:, None] >> np.arange(n_free) & 1).astype(np.bool_)
    left, right = (_placed(side.astype(np.float64), cuts.inside, n_free) for side in (is_left, ~is_left))
    return _gains(feature, left + cuts.before[:, None], right + cuts.after[:, None]).max(axis=1)


def _placed(share: Floats, inside: Floats, n_free: int) -> Floats:
    """Shares [corners, n_free] of the heaviest classes of every cell, or of all in their order, [c, corners, K]."""
    if n_free == inside.shape[1]:
        return np.asarray(share * inside[:, None])
    heaviest = np.argsort(-inside, axis=1, kind="stable")[:, None, :n_free]
    placed = np.zeros((len(inside), len(share), inside.shape[1]))
    position = np.broadcast_to(heaviest, (*placed.shape[:2], n_free))
    np.put_along_axis(placed, position, share * np.take_along_axis(inside[:, None], heaviest, axis=2), axis=2)
    return placed


def _bounds_class_by_class(feature: NodeFeature, cuts: _Cuts) -> Floats:
    """Bounds that look at one class of a cell at a time, [c]."""
    without_cell = _gains(feature, cuts.before, cuts.after)
    if feature.parameters.impurity == GINI:
        return np.minimum(without_cell, _bounds_of_gini(feature, cuts))
    before, after = (part[:, None, :] for part in (cuts.before, cuts.after))
    one_class = cuts.inside[:, None, :] * np.eye(cuts.inside.shape[1])
    if_left, if_right = _gains(feature, before + one_class, after), _gains(feature, before, after + one_class)
    lost = without_cell[:, None] - np.maximum(if_left, if_right)
    return np.asarray(without_cell - lost.sum(axis=1))


def _bounds_of_gini(feature: NodeFeature, cuts: _Cuts) -> Floats:
    """The largest Σ_k W·D_k²/(W_L·W_R), [c], in intervals of the weight on the left; D_k = l_k − W_L·t_k/W.

    Here l_k and t_k are the weights of class k on the left and in all. In an interval, every |D_k| is bounded by its
    maximum and W_L·W_R by its minimum.
    """
    before, inside, after = (weights_of(part, feature.parameters)[:, None] for part in cuts[1:])
    ends, smallest = _intervals(before, inside, after)
    weight = before + inside + after
    shares = (cuts.before + cuts.inside + cuts.after) / weight
    least, most = ends[:, :-1, None] * shares[:, None], ends[:, 1:, None] * shares[:, None]
    at_lower_end = (cuts.before - before * shares)[:, None]
    all_left, all_right = at_lower_end + cuts.inside[:, None] - least, at_lower_end - most
    largest = np.maximum(np.abs(all_left), np.abs(all_right))
    bounds = np.full(smallest.shape, np.inf)
    np.divide(weight * (largest * largest).sum(axis=2), smallest, out=bounds, where=smallest > 0.0)
    return np.asarray(bounds.max(axis=1) / feature.weight + _own_branch_gain(feature))


def _gains(feature: NodeFeature, left: Floats, right: Floats) -> Floats:
    """Decrease of the impurity with branches [..., K], and what a branch for missing rows has gained already, [...]."""
    left, right = np.broadcast_arrays(left, right)
    first, second = (np.ascontiguousarray(branch.reshape(-1, branch.shape[-1])) for branch in (left, right))
    before, own_branch = feature.total_before, _own_branch_gain(feature)
    gains = pair_gains(feature.parameters, feature.counts.mean, before, feature.weight, first, second, own_branch)
    return np.asarray(gains, dtype=np.float64).reshape(left.shape[:-1])


def _own_branch_gain(feature: NodeFeature) -> float:
    return feature.missing.own_branch_gain(feature.impurity, feature.weight)


def _intervals(before: Floats, inside: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Ends [c, intervals + 1] of intervals of the weight that a cell gives to the left, and the least W_L·W_R in each.

    W_L·W_R is concave in that weight, so it is least at an end.
    """
    ends = inside * np.linspace(0.0, 1.0, INTERVALS + 1)
    products = (before + ends) * (after + inside - ends)
    return ends, np.minimum(products[:, :-1], products[:, 1:])


# -- numbers ---------------------------------------------------------------------------------------------------------


class _Moments(NamedTuple):
    """A numeric target by cut, [c, 1] each: weights and sums around the mean of all rows, and M2 inside the cell."""

    before: Floats
    inside: Floats
    after: Floats
    sum_before: Floats
    sum_inside: Floats
    squares_inside: Floats

    @property
    def weight(self) -> Floats:
        """Weight of all rows, [c, 1]."""
        return self.before + self.inside + self.after


def _moments(cuts: _Cuts) -> _Moments:
    """Moments around the mean of the rows that tests are evaluated on; M2 is raised by what rounding can take off."""
    (before, sum_before, _), (inside, sum_inside, squares), (after, sum_after, _) = (
        np.hsplit(part, 3) for part in cuts[1:]
    )
    mean = (sum_before + sum_inside + sum_after) / (before + inside + after)
    inside = np.maximum(inside, np.finfo(float).tiny)  # a cell without rows has no mean
    squared_errors = np.maximum(squares - sum_inside * sum_inside / inside, 0.0) + ROUNDING * squares
    return _Moments(before, inside, after, sum_before - mean * before, sum_inside - mean * inside, squared_errors)


def _bounds_of_numbers(feature: NodeFeature, cuts: _Cuts) -> Floats:
    """The smaller of two bounds of the decrease of variance, [c]: by intervals, and by a branch for the cell."""
    moments = _moments(cuts)
    total = np.minimum(_largest_by_intervals(moments), _with_a_branch_for_the_cell(moments))
    return np.asarray(total / feature.weight + _own_branch_gain(feature), dtype=np.float64)


def _largest_by_intervals(at: _Moments) -> Floats:
    """The largest W·S²/(W_L·W_R) over all weights m of the cell that can be on the left, [c], in intervals of m.

    In an interval, |S| is bounded by its maximum and W_L·W_R by its minimum.
    """
    ends, smallest = _intervals(at.before, at.inside, at.after)
    low, high = ends[:, :-1], ends[:, 1:]
    mean, spread = at.sum_inside / at.inside, np.sqrt(at.squares_inside / at.inside)
    length = np.hypot(mean, spread)
    direction = np.divide(mean, length, out=np.zeros_like(mean), where=length > 0.0)
    largest = np.zeros(low.shape)
    for sign in (1.0, -1.0):
        m = np.clip(at.inside * (1.0 + sign * direction) / 2.0, low, high)  # where ±S can be largest
        reach = sign * (at.sum_before + m * mean) + spread * np.sqrt(m * (at.inside - m))
        largest = np.maximum(largest, reach)
    bounds = np.full(largest.shape, np.inf)  # where a branch can be empty: the other bound holds
    np.divide(at.weight * largest * largest, smallest, out=bounds, where=smallest > 0.0)
    return np.asarray(bounds.max(axis=1))


def _with_a_branch_for_the_cell(at: _Moments) -> Floats:
    """What three branches gain, the rows before the cell, in it and after it, and all that the cell has left, [c]."""
    sum_after = -at.sum_before - at.sum_inside
    total = at.sum_inside * at.sum_inside / at.inside + at.squares_inside
    for weight, sums in ((at.before, at.sum_before), (at.after, sum_after)):
        total = total + np.divide(sums * sums, weight, out=np.zeros_like(sums), where=weight > 0.0)
    return np.asarray(total[:, 0])
