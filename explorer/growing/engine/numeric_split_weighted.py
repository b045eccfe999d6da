"""Find the best threshold of a feature without missing cells where rows have weights of their own.

It takes plain arrays, as `scan_plain` does and for the same reason: whole records cost more to pass than a step does.
"""

import numpy as np

from explorer.growing.engine.buffers import FIRST, SECOND, SPLIT_INFO
from explorer.growing.engine.problem import code_of, row_of
from explorer.growing.engine.running_best import (
    clear,
    ends_walk,
    in_doubt,
    split_information_two,
    start_search,
    weight_of_segment,
    write_best,
)
from explorer.jit import borrowing
from explorer.recipe.impurity import ENTROPY, between_two, node_total_impurity, total_impurity_two
from explorer.recipe.split_score import at_least, tie_margin


@borrowing
def weighted_deviations(keys, numbers, weights, start, end, mean):
    """Sum of weight times deviation from the mean over a node: what rounding leaves of zero (zero for classes)."""
    total = 0.0
    if numbers.size:
        for i in range(start, end):
            row = row_of(keys[i])
            total += weights[row] * (numbers[row] - mean)
    return total


@borrowing
def rows_among(class_weights, row_factor):
    """Row weight of some class weights, a factor per class taken out again."""
    weight = 0.0
    for k in range(class_weights.size):
        weight += class_weights[k] * row_factor[k]
    return weight


@borrowing
def walk_two_classes(
    keys, classes, weights, row_factor, start, end, kind, stats, minimum, margin, floor, state
):  # fmt: skip
    """Walk the thresholds with two classes; returns how many are admissible. See `scan_two_classes` for the rest.

    Logarithms are worked out only where they can matter: an entropy gain is at most log2(1 + x), where x is the
    weighted square of how far the branches' shares lie from the node's p, divided by p·(1 − p).
    """
    by_rows, first_factor, second_factor = row_factor.size > 0, 1.0, 1.0
    if by_rows:
        first_factor, second_factor = row_factor[0], row_factor[1]
    weight, all_rows = stats[0] + stats[1], stats[0] * first_factor + stats[1] * second_factor
    before, share = total_impurity_two(kind, stats[0], stats[1]), stats[1] / weight
    least, count, one, first, second = -np.inf, 0, 0.0, 0.0, 0.0
    key = keys[start]
    for i in range(start + 1, end):
        row, following = row_of(key), keys[i]
        one += weights[row]
        second_part = weights[row] * classes[row]
        second += second_part
        first += weights[row] - second_part
        apart = code_of(following) != code_of(key)
        key = following
        other = max(weight - one, 0.0)
        rows = first * first_factor + second * second_factor if by_rows else one
        if not (apart and at_least(rows, minimum) and at_least(all_rows - rows, minimum) and other > 0.0):
            continue
        count += 1
        if (second - share * one) ** 2 < least * one * other:
            continue
        third, fourth = max(stats[0] - first, 0.0), max(stats[1] - second, 0.0)  # a hair below zero by subtraction
        gain = (before - (total_impurity_two(kind, first, second) + total_impurity_two(kind, third, fourth))) / weight
        if ends_walk(state, gain, i, margin, floor):
            return count
        if kind == ENTROPY and gain == state[0]:
            least = (2.0**gain - 1.0) * share * (1.0 - share) * (1.0 - 1e-9) - 1e-12
    return count


@borrowing
def walk_weighted(
    keys, classes, numbers, weights, row_factor, start, end, kind, stats, total, minimum, margin, floor, state, left,
    right,
):  # fmt: skip
    """The same with a numeric target or more classes; `left` and `right` are working memory.

    `row_factor` is empty where growing weights are row weights.
    """
    regression, mean = numbers.size > 0, stats[1]
    weight = stats[0] if regression else stats.sum()
    before = 0.0 if regression else node_total_impurity(kind, stats, weight)
    all_rows = rows_among(stats, row_factor) if row_factor.size else weight
    left[:] = 0.0
    count, one, running = 0, 0.0, 0.0
    for i in range(start + 1, end):
        row = row_of(keys[i - 1])
        one += weights[row]
        if regression:
            running += weights[row] * (numbers[row] - mean)
        else:
            left[classes[row]] += weights[row]
        if code_of(keys[i]) == code_of(keys[i - 1]):
            continue
        other, rows = max(weight - one, 0.0), one
        if row_factor.size:
            rows = rows_among(left, row_factor)
        if not (at_least(rows, minimum) and at_least(all_rows - rows, minimum) and other > 0.0):
            continue
        count += 1
        if regression:
            gain = between_two(one, running, other, total - running) / weight
        else:
            for k in range(stats.size):
                right[k] = max(stats[k] - left[k], 0.0)  # subtracting fractional weights can fall just below zero
            after = node_total_impurity(kind, left, one) + node_total_impurity(kind, right, other)
            gain = (before - after) / weight
        if ends_walk(state, gain, i, margin, floor):
            return count
    return count


@borrowing
def scan_weighted(
    keys, classes, numbers, weights, row_factor, start, end, kind, stats, scale, minimum, with_info, state, left, right,
    results,
):  # fmt: skip
    """Best threshold at the node [start, end) into its results row; `minimum` is in row weights.

    Gains are rounding noise, or ties, in comparison with `scale`: the node's impurity.
    """
    clear(results)
    margin, total = tie_margin(0.0, scale), weighted_deviations(keys, numbers, weights, start, end, stats[1])
    floor, count = -np.inf, 0
    for _ in range(2):
        start_search(state)
        if numbers.size == 0 and stats.size == 2:
            found = walk_two_classes(
                keys, classes, weights, row_factor, start, end, kind, stats, minimum, margin, floor, state
            )
        else:
            found = walk_weighted(
                keys, classes, numbers, weights, row_factor, start, end, kind, stats, total, minimum, margin, floor,
                state, left, right,
            )  # fmt: skip
        count = max(count, found)  # a second walk may end early
        if not in_doubt(state):
            break
        floor = state[0] - margin
    if count == 0:
        return
    position = write_best(results, state, scale, count)
    results[FIRST], results[SECOND] = code_of(keys[position - 1]), code_of(keys[position])
    if with_info:
        one, other = weight_of_segment(keys, weights, start, position), weight_of_segment(keys, weights, position, end)
        results[SPLIT_INFO] = split_information_two(one, other)
