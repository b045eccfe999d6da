"""The best tree of depth 2 for the rows of a node: thresholds are refused in whole intervals (section 27)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.jit import kernel
from explorer.optimal.pair_counts import BOTH, FIRST, SECOND
from explorer.optimal.problem import Limits
from explorer.optimal.stumps import LEAF, best_stumps, is_admissible, side_of, test_at, tests_of
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.parameters import leaf_minimum
from explorer.recipe.split_score import at_least

UNLIMITED = 2**31 - 1
"""As many leaves as the depth allows."""


class Arrays(NamedTuple):
    """What compiled loops read of a `Problem`, whose fields these are."""

    codes: NDArray[np.int32]
    kinds: NDArray[np.int32]
    sizes: NDArray[np.int32]
    losses: NDArray[np.float64]
    is_squared: bool
    weights: NDArray[np.float64]
    most_losses: NDArray[np.float64]
    limits: Limits
    n_numeric: int


@kernel
def best_of_depth_two(problem, orders, rows, price, may_split, known, tolerance, stop):
    """The best tree of depth 2 below `known`: its loss (`known` where there is none), its column and its test.

    Returns also the loss bounds (`below`, `above`) found for the branches of thresholds, NaN where none was needed,
    in the order of columns and thresholds, and whether the search came to its end before `stop[0]` was set.
    """
    q, n = orders.shape
    cuts, starts = _cuts_of(problem, orders)
    most, weight = np.zeros((q, n + 1)), np.zeros((q, n + 1))
    for column in range(q):
        for place in range(n):
            i = orders[column, place]
            most[column, place + 1] = most[column, place] + (0.0 if problem.is_squared else problem.most_losses[i])
            weight[column, place + 1] = weight[column, place] + problem.weights[i]
    below, above = np.full(cuts.size, np.nan), np.full(cuts.size, np.nan)
    branch = np.zeros(problem.weights.size, dtype=np.int32)
    best, best_column, best_test = known, LEAF, np.int64(0)
    total = 0.0
    for i in rows:
        total += problem.weights[i]
    if not at_least(total, problem.limits.min_split):
        return best, best_column, best_test, below, above, True

    # 1. Thresholds, coarse ones first: an interval between two that are known is cut at its middle.
    waiting = np.empty((2 * cuts.size + q + 1, 5), dtype=np.int64)
    first, last = 0, 0
    least = leaf_minimum(problem.limits, total)
    for column in range(q):
        low, high = starts[column], starts[column + 1] - 1
        while low <= high and not at_least(weight[column, cuts[low]], least):
            low += 1
        while low <= high and not at_least(total - weight[column, cuts[high]], least):
            high -= 1
        waiting[last] = column, low, high, -1, -1
        last += 1
    while first < last:
        if stop[0]:
            return best, best_column, best_test, below, above, False
        column, low, high, lower_end, upper_end = waiting[first]
        first += 1
        ends = lower_end, upper_end
        while low <= high and _bound(problem, below, above, cuts, most[column], ends, low, price) >= best - tolerance:
            low += 1
        while low <= high and _bound(problem, below, above, cuts, most[column], ends, high, price) >= best - tolerance:
            high -= 1
        if low > high:
            continue
        middle = (low + high) // 2
        for place in range(n):
            branch[orders[column, place]] = place >= cuts[middle]
        losses, relaxed, leaf, _, _ = best_stumps(problem, orders, rows, branch, 2, price, UNLIMITED)
        below[middle] = leaf[0] if may_split == SECOND else relaxed[0]
        above[middle] = leaf[1] if may_split == FIRST else relaxed[1]
        loss = (leaf[0] if may_split == SECOND else losses[0]) + (leaf[1] if may_split == FIRST else losses[1])
        if loss < best - tolerance:
            best, best_column = loss, column
            best_test = np.int64(problem.codes[column, orders[column, cuts[middle] - 1]])
        waiting[last] = column, low, middle - 1, lower_end, middle
        waiting[last + 1] = column, middle + 1, high, middle, upper_end
        last += 2

    # 2. Tests on categories, one by one.
    present_weight = np.zeros(problem.sizes.max() if problem.sizes.size else 1)
    for column in range(q, problem.codes.shape[0]):
        if stop[0]:
            return best, best_column, best_test, below, above, False
        kind = problem.kinds[column]
        present_weight[:] = 0.0
        for i in rows:
            present_weight[problem.codes[column, i]] += problem.weights[i]
        present = np.flatnonzero(present_weight > 0.0)
        for number in range(tests_of(kind, present.size)):
            test = test_at(kind, present, number)
            if not is_admissible(problem, column, present_weight, present, test):
                continue
            for i in rows:
                code = problem.codes[column, i]
                if kind == EACH_VALUE:
                    branch[i] = np.searchsorted(present, code)
                else:
                    branch[i] = side_of(kind, test, code, present[0])
            k = present.size if kind == EACH_VALUE else 2
            losses, _, leaf, _, _ = best_stumps(problem, orders, rows, branch, k, price, UNLIMITED)
            if may_split != BOTH:
                losses[2 - may_split] = leaf[2 - may_split]
            loss = losses.sum()
            if loss < best - tolerance:
                best, best_column, best_test = loss, column, test
    return best, best_column, best_test, below, above, True


@kernel
def _cuts_of(problem, orders):
    """How many rows lie below each threshold of the node, by column and ascending, and where each column starts."""
    q, n = orders.shape
    cuts, starts = np.empty(q * max(n - 1, 0), dtype=np.int64), np.zeros(q + 1, dtype=np.int64)
    m = 0
    for column in range(q):
        for place in range(1, n):
            if problem.codes[column, orders[column, place]] != problem.codes[column, orders[column, place - 1]]:
                cuts[m] = place
                m += 1
        starts[column + 1] = m
    return cuts[:m].copy(), starts


@kernel
def _bound(problem, below, above, cuts, most, ends, at, price):
    """A loss that no tree with this threshold at the root is below.

    More rows never lose less: what is known of the threshold before it bounds its first branch from below, that after
    it its second. And a row adds no more than its largest loss, so that what is known of the other branch does too.
    """
    before, after = ends
    first, second = price, price
    if before >= 0:
        first = max(first, below[before])
        if not problem.is_squared:
            second = max(second, above[before] - (most[cuts[at]] - most[cuts[before]]))
    if after >= 0:
        second = max(second, above[after])
        if not problem.is_squared:
            first = max(first, below[after] - (most[cuts[after]] - most[cuts[at]]))
    return first + second
