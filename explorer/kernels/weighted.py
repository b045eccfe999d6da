"""Thresholds among rows that have weights of their own and all have a value: `scan_plain` for any weights."""

import numpy as np

from explorer.impurity import ENTROPY, between_two, total_impurity, total_impurity_two
from explorer.jit import inner
from explorer.kernels.problem import code_of, row_of
from explorer.kernels.tally import keep_best
from explorer.limits import leaf_minimum, node_weight
from explorer.selection import reaches


@inner
def scan_weighted(problem, rules, keys, start, end, stats, margin, floor, scratch):
    """Walk the thresholds at the node [start, end) with these statistics; returns how many are admissible.

    The largest gain goes to `scratch.state`; with a `floor`, the walk ends at the first gain that reaches it.
    """
    classes, numbers, weights, state = problem.classes, problem.numbers, problem.weights, scratch.state
    minimum = leaf_minimum(rules, node_weight(rules, stats))
    if rules.regression:
        return weighted_numbers(keys, numbers, weights, start, end, stats, minimum, margin, floor, state)
    if stats.size == 2:
        return weighted_two(keys, classes, weights, start, end, rules.impurity, stats, minimum, margin, floor, state)
    return weighted_classes(
        keys, classes, weights, start, end, rules.impurity, stats, minimum, margin, floor, state, scratch.left,
        scratch.other,
    )  # fmt: skip


@inner
def weighted_two(keys, classes, weights, start, end, kind, stats, minimum, margin, floor, state):
    """Two classes: sums of weights of the second class and of both tell everything.

    Logarithms are worked out only where they can matter: an entropy gain is at most log2(1 + x), where x is the
    weighted square of how far the branches' shares lie from the node's p, divided by p·(1 − p).
    """
    first_all, second_all = stats[0], stats[1]
    weight = first_all + second_all
    before = total_impurity_two(kind, first_all, second_all)
    share, least = second_all / weight, -np.inf
    spread = share * (1.0 - share)
    best, left, b, count = floor, 0.0, 0.0, 0
    key = keys[start]
    for i in range(start + 1, end):
        row = row_of(key)
        left += weights[row]
        b += weights[row] * classes[row]
        following = keys[i]
        if code_of(following) != code_of(key):
            right = weight - left
            if reaches(left, minimum) and reaches(right, minimum) and right > 0.0:
                count += 1
                if kind == ENTROPY and (b - share * left) ** 2 < least * left * right:
                    key = following
                    continue
                a, d = max(left - b, 0.0), max(second_all - b, 0.0)  # subtracting can fall just below zero
                after = total_impurity_two(kind, a, b) + total_impurity_two(kind, max(first_all - a, 0.0), d)
                gain = (before - after) / weight
                if gain > best or (gain == best and floor > -np.inf):
                    best = gain
                    keep_best(state, gain, i, margin)
                    if floor > -np.inf:
                        return count
                    least = (2.0**gain - 1.0) * spread * (1.0 - 1e-9) - 1e-12
        key = following
    return count


@inner
def weighted_numbers(keys, numbers, weights, start, end, stats, minimum, margin, floor, state):
    """A numeric target, its deviations taken from the mean."""
    weight, mean, total = stats[0], stats[1], 0.0
    for i in range(start, end):
        total += weights[row_of(keys[i])] * (numbers[row_of(keys[i])] - mean)
    best, left, running, count = floor, 0.0, 0.0, 0
    key = keys[start]
    for i in range(start + 1, end):
        row = row_of(key)
        left += weights[row]
        running += weights[row] * (numbers[row] - mean)
        following = keys[i]
        if code_of(following) != code_of(key):
            right = weight - left
            if reaches(left, minimum) and reaches(right, minimum) and right > 0.0:
                count += 1
                gain = between_two(left, running, right, total - running) / weight
                if gain > best or (gain == best and floor > -np.inf):
                    best = gain
                    keep_best(state, gain, i, margin)
                    if floor > -np.inf:
                        return count
        key = following
    return count


@inner
def weighted_classes(
    keys, classes, weights, start, end, kind, stats, minimum, margin, floor, state, left_stats, right_stats
):  # fmt: skip
    """More classes; `left_stats` and `right_stats` are working memory."""
    weight = 0.0
    for k in range(stats.size):
        left_stats[k], right_stats[k] = 0.0, stats[k]
        weight += stats[k]
    before = total_impurity(kind, stats, weight)
    best, left, count = floor, 0.0, 0
    key = keys[start]
    for i in range(start + 1, end):
        row = row_of(key)
        k = classes[row]
        left += weights[row]
        left_stats[k] += weights[row]
        right_stats[k] = max(right_stats[k] - weights[row], 0.0)
        following = keys[i]
        if code_of(following) != code_of(key):
            right = weight - left
            if reaches(left, minimum) and reaches(right, minimum) and right > 0.0:
                count += 1
                after = total_impurity(kind, left_stats, left) + total_impurity(kind, right_stats, right)
                gain = (before - after) / weight
                if gain > best or (gain == best and floor > -np.inf):
                    best = gain
                    keep_best(state, gain, i, margin)
                    if floor > -np.inf:
                        return count
        key = following
    return count
