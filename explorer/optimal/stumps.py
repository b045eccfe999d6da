"""The best tree of depth 1 for each branch of a test, in one pass over the rows of a node (section 27).

Shapes: n rows of a node, N rows of the problem, p columns of which q are numeric, k branches, K sums of a loss.
"""

from __future__ import annotations

import numpy as np

from explorer.jit import kernel
from explorer.recipe.columns import EACH_VALUE, ONE_VS_REST
from explorer.recipe.parameters import leaf_minimum
from explorer.recipe.split_score import at_least

LEAF = -1
"""In place of a column: a tree without a test."""


@kernel
def loss_in_leaf(sums, is_squared):
    """The loss of a leaf with these sums [K]."""
    if is_squared:
        return max(sums[2] - sums[1] * sums[1] / sums[0], 0.0) if sums[0] > 0.0 else 0.0
    least = sums[0]
    for j in range(1, sums.size):
        if sums[j] < least:
            least = sums[j]
    return least


@kernel
def loss_beside(sums, total, is_squared):
    """The loss of a leaf with what is left of `total` without `sums`, [K] each."""
    if is_squared:
        weight, linear = total[0] - sums[0], total[1] - sums[1]
        return max(total[2] - sums[2] - linear * linear / weight, 0.0) if weight > 0.0 else 0.0
    least = total[0] - sums[0]
    for j in range(1, sums.size):
        rest = total[j] - sums[j]
        if rest < least:
            least = rest
    return max(least, 0.0)


@kernel
def best_stumps(problem, orders, rows, branch, k, price, most_leaves):
    """The best tree of depth ≤ 1 for the rows of every branch: its loss, its column and its test, [k] each.

    `problem` is `Arrays`; `orders` [q, n] are the rows by every numeric column, `rows` [n] in any order; `branch` [N]
    says where each goes. Losses hold `price` for every leaf. `relaxed` are the losses without minimum sizes, `leaf`
    those of a leaf.
    """
    n_sums = problem.losses.shape[1]
    totals, weights = np.zeros((k, n_sums)), np.zeros(k)
    for i in rows:
        b = branch[i]
        weights[b] += problem.weights[i]
        for j in range(n_sums):
            totals[b, j] += problem.losses[i, j]
    leaf = np.empty(k)
    for b in range(k):
        leaf[b] = loss_in_leaf(totals[b], problem.is_squared) + price
    found = leaf.copy(), leaf.copy(), np.full(k, LEAF), np.zeros(k, dtype=np.int64)
    if most_leaves >= 2:
        _numeric_stumps(problem, orders, branch, totals, weights, price, found)
    for column in range(orders.shape[0], problem.codes.shape[0]):
        _category_stumps(problem, rows, branch, column, totals, weights, price, most_leaves, found)
    return found[0], found[1], leaf, found[2], found[3]


@kernel
def _numeric_stumps(problem, orders, branch, totals, weights, price, found):
    """Every threshold of every numeric column, for all branches at once."""
    best, relaxed, columns, tests = found
    k, n_sums = totals.shape
    limits = problem.limits
    is_limited = limits.min_leaf > 0.0 or limits.release8_minimum or limits.min_split > 0.0
    sums, weight, last = np.empty((k, n_sums)), np.empty(k), np.empty(k, dtype=np.int64)
    for column in range(orders.shape[0]):
        sums[:] = 0.0
        weight[:] = 0.0
        last[:] = -1
        for i in orders[column]:
            b, code = branch[i], problem.codes[column, i]
            if code != last[b]:
                if last[b] >= 0:
                    loss = loss_in_leaf(sums[b], problem.is_squared)
                    loss += loss_beside(sums[b], totals[b], problem.is_squared) + 2.0 * price
                    if loss < relaxed[b]:
                        relaxed[b] = loss
                    if loss < best[b] and (
                        not is_limited
                        or (
                            at_least(min(weight[b], weights[b] - weight[b]), leaf_minimum(limits, weights[b]))
                            and at_least(weights[b], limits.min_split)
                        )
                    ):
                        best[b], columns[b], tests[b] = loss, column, last[b]
                last[b] = code
            if is_limited:
                weight[b] += problem.weights[i]
            for j in range(n_sums):
                sums[b, j] += problem.losses[i, j]


@kernel
def _category_stumps(problem, rows, branch, column, totals, weights, price, most_leaves, found):
    """Every test of a column of categories, for one branch after the other."""
    best, relaxed, columns, tests = found
    n_sums, size = totals.shape[1], problem.sizes[column]
    table, of_value = np.zeros((totals.shape[0], size, n_sums)), np.zeros((totals.shape[0], size))
    for i in rows:
        b, code = branch[i], problem.codes[column, i]
        of_value[b, code] += problem.weights[i]
        for j in range(n_sums):
            table[b, code, j] += problem.losses[i, j]
    for b in range(totals.shape[0]):
        own = best_category_test(problem, column, table[b], of_value[b], totals[b], weights[b], price, most_leaves)
        relaxed[b] = min(relaxed[b], own[1])
        if own[0] < best[b]:
            best[b], columns[b], tests[b] = own[0], column, own[2]


@kernel
def best_category_test(problem, column, table, of_value, total, weight, price, most_leaves):
    """The least loss by a test of a column of categories, with minimum sizes and without them, and the test.

    `table` [v, K] and `of_value` [v] are sums and weight of every category, `total` [K] and `weight` those of all.
    """
    best, relaxed, best_test = np.inf, np.inf, np.int64(0)
    kind, present = problem.kinds[column], np.flatnonzero(of_value > 0.0)
    splits, sums = at_least(weight, problem.limits.min_split), np.empty(total.size)
    for number in range(tests_of(kind, present.size)):
        test = test_at(kind, present, number)
        if kind == EACH_VALUE:
            if present.size > most_leaves:
                continue
            loss = price * present.size
            for code in present:
                loss += loss_in_leaf(table[code], problem.is_squared)
        else:
            if most_leaves < 2:
                continue
            sums[:] = 0.0
            for code in present:
                if not side_of(kind, test, code, present[0]):
                    sums += table[code]
            loss = loss_in_leaf(sums, problem.is_squared) + loss_beside(sums, total, problem.is_squared) + 2.0 * price
        relaxed = min(relaxed, loss)
        if loss < best and splits and is_admissible(problem, column, of_value, present, test):
            best, best_test = loss, test
    return best, relaxed, best_test


@kernel
def tests_of(kind, n_present):
    """How many tests a column of categories has where so many of them are present."""
    if n_present < 2:
        return 0
    if kind == EACH_VALUE:
        return 1
    if kind == ONE_VS_REST:
        return n_present if n_present > 2 else 1
    return 2 ** (n_present - 1) - 1


@kernel
def test_at(kind, present, number):
    """The test at a position: a category, or a set of them as bits, without the earliest one present."""
    if kind == EACH_VALUE:
        return 0
    if kind == ONE_VS_REST:
        return np.int64(present[number])
    test = 0
    for position in range(1, present.size):
        if (number + 1) >> (position - 1) & 1:
            test |= 1 << present[position]
    return np.int64(test)


@kernel
def side_of(kind, test, code, earliest):
    """The branch of a category, 0 or 1; the earliest one present is always in the first."""
    if kind == ONE_VS_REST:
        return np.int64((code == test) != (earliest == test))
    return np.int64(test >> code & 1)


@kernel
def is_admissible(problem, column, of_value, present, test):
    """Whether the branches of a test on categories, with these weights of its values [v], are large enough."""
    kind, limits = problem.kinds[column], problem.limits
    if kind == EACH_VALUE:
        n_large = 0
        for code in present:
            n_large += at_least(of_value[code], limits.min_leaf)
        return n_large >= (2 if limits.two_branches else present.size)
    first, second = 0.0, 0.0
    for code in present:
        if side_of(kind, test, code, present[0]):
            second += of_value[code]
        else:
            first += of_value[code]
    return at_least(min(first, second), limits.min_leaf)
