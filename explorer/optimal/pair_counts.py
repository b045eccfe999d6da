"""The best tree of depth 2 from counts of pairs of values, where columns have few values (section 27)."""

from __future__ import annotations

import numpy as np

from explorer.jit import kernel
from explorer.optimal.stumps import (
    LEAF,
    best_category_test,
    is_admissible,
    loss_beside,
    loss_in_leaf,
    side_of,
    test_at,
    tests_of,
)
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.parameters import leaf_minimum
from explorer.recipe.split_score import at_least

BOTH, FIRST, SECOND = 0, 1, 2
"""Which branches of a test of two branches may be split once more."""


@kernel
def pays_to_count(n_rows, sizes):
    """Whether counting pairs of values takes less than looking at all rows for some of the thresholds."""
    n_values = sizes.sum()
    return n_rows * sizes.size + 3 * n_values * n_values / sizes.size < n_values * n_rows / 2


@kernel
def best_by_pairs(problem, starts, price, may_split, known, tolerance):
    """The best tree of depth 2 below `known`: its loss, its column and its test, as `best_of_depth_two` gives them.

    `problem` has these rows only; `starts` [p + 1] is where each column's values begin among all V values. Returns also
    the loss bounds of the branches of every threshold, in the order of columns and thresholds.
    """
    p, n_values, n_sums = problem.codes.shape[0], starts[-1], problem.losses.shape[1]
    pairs, weights = np.zeros((n_values, n_values, n_sums)), np.zeros((n_values, n_values))
    for i in range(problem.weights.size):
        for a in range(p):
            first = starts[a] + problem.codes[a, i]
            for b in range(p):
                second = starts[b] + problem.codes[b, i]
                weights[first, second] += problem.weights[i]
                for j in range(n_sums):
                    pairs[first, second, j] += problem.losses[i, j]
    best, best_column, best_test = known, LEAF, np.int64(0)
    below, above = np.full(n_values, np.nan), np.full(n_values, np.nan)
    n_cuts = 0
    total, total_weight = np.zeros((n_values, n_sums)), np.zeros(n_values)
    for code in range(problem.sizes[0]):
        total += pairs[code]
        total_weight += weights[code]
    weight = total_weight[: problem.sizes[0]].sum()
    may = at_least(weight, problem.limits.min_split)
    sums, sums_weight = np.empty((2, n_values, n_sums)), np.empty((2, n_values))
    for a in range(p):
        own = np.empty(problem.sizes[a])
        for code in range(problem.sizes[a]):
            own[code] = weights[starts[a] + code, starts[a] + code]
        present = np.flatnonzero(own > 0.0)
        if a < problem.n_numeric:
            sums[0] = 0.0
            sums_weight[0] = 0.0
            for place in range(present.size - 1):
                sums[0] += pairs[starts[a] + present[place]]
                sums_weight[0] += weights[starts[a] + present[place]]
                sums[1] = total - sums[0]
                sums_weight[1] = total_weight - sums_weight[0]
                losses, relaxed = _two_branches(problem, starts, sums, sums_weight, price, may_split)
                below[n_cuts], above[n_cuts] = relaxed[0], relaxed[1]
                n_cuts += 1
                left = own[present[: place + 1]].sum()
                large = at_least(min(left, weight - left), leaf_minimum(problem.limits, weight))
                if may and large and losses.sum() < best - tolerance:
                    best, best_column, best_test = losses.sum(), a, np.int64(present[place])
            continue
        kind = problem.kinds[a]
        for number in range(tests_of(kind, present.size)):
            test = test_at(kind, present, number)
            if not (may and is_admissible(problem, a, own, present, test)):
                continue
            loss = 0.0
            if kind == EACH_VALUE:
                for code in present:
                    at = starts[a] + code
                    loss += _stump(problem, starts, pairs[at], weights[at], price)[0]
            else:
                sums[:] = 0.0
                sums_weight[:] = 0.0
                for code in present:
                    side = side_of(kind, test, code, present[0])
                    sums[side] += pairs[starts[a] + code]
                    sums_weight[side] += weights[starts[a] + code]
                loss = _two_branches(problem, starts, sums, sums_weight, price, may_split)[0].sum()
            if loss < best - tolerance:
                best, best_column, best_test = loss, a, test
    return best, best_column, best_test, below[:n_cuts].copy(), above[:n_cuts].copy()


@kernel
def _two_branches(problem, starts, sums, weights, price, may_split):
    """The losses [2] of two branches with these sums of values, with minimum sizes and without them."""
    losses, relaxed = np.empty(2), np.empty(2)
    for side in range(2):
        losses[side], relaxed[side], leaf = _stump(problem, starts, sums[side], weights[side], price)
        if may_split == 2 - side:
            losses[side] = relaxed[side] = leaf
    return losses, relaxed


@kernel
def _stump(problem, starts, table, of_value, price):
    """The best tree of depth ≤ 1 for rows with these sums [V, K] and weights [V] of every column's values.

    Returns its loss with minimum sizes and without them, and that of a leaf.
    """
    n_sums = table.shape[1]
    total, weight = np.zeros(n_sums), 0.0
    for code in range(problem.sizes[0]):
        total += table[code]
        weight += of_value[code]
    leaf = loss_in_leaf(total, problem.is_squared) + price
    best, relaxed = leaf, leaf
    least, may = leaf_minimum(problem.limits, weight), at_least(weight, problem.limits.min_split)
    sums = np.empty(n_sums)
    for column in range(problem.codes.shape[0]):
        start, end = starts[column], starts[column + 1]
        if column >= problem.n_numeric:
            found = best_category_test(
                problem, column, table[start:end], of_value[start:end], total, weight, price, 2**31 - 1
            )
            best, relaxed = min(best, found[0]), min(relaxed, found[1])
            continue
        sums[:] = 0.0
        left = 0.0
        for value in range(start, end):
            if of_value[value] <= 0.0:
                continue
            if left > 0.0:
                loss = loss_in_leaf(sums, problem.is_squared) + loss_beside(sums, total, problem.is_squared)
                loss += 2.0 * price
                relaxed = min(relaxed, loss)
                if loss < best and may and at_least(min(left, weight - left), least):
                    best = loss
            sums += table[value]
            left += of_value[value]
    return best, relaxed, leaf
