"""Find the best threshold of a feature without missing cells where rows have weights of their own."""

import numpy as np

from explorer.growing.engine.buffers import FIRST, SECOND, SPLIT_INFO
from explorer.growing.engine.problem import code_of, row_of
from explorer.growing.engine.running_best import (
    LEFT_WEIGHT,
    POSITION,
    TieRule,
    clear,
    ends_scan,
    is_in_doubt,
    split_information_two,
    start_scan,
    weight_of_rows,
    write_best,
)
from explorer.jit import borrowing
from explorer.recipe.impurity import ENTROPY, between_two, node_total_impurity, total_impurity_two
from explorer.recipe.split_score import at_least, tie_margin


@borrowing
def weighted_deviations(segment, mean):
    """Sum of weight times deviation from the mean over a node: what rounding leaves of zero (zero for classes)."""
    total = 0.0
    if segment.numbers.size:
        for i in range(segment.start, segment.end):
            row = row_of(segment.keys[i])
            total += segment.weights[row] * (segment.numbers[row] - mean)
    return total


@borrowing
def row_weight_of_classes(class_weights, row_factor):
    """Row weight of some class weights, a factor per class taken out again."""
    weight = 0.0
    for k in range(class_weights.size):
        weight += class_weights[k] * row_factor[k]
    return weight


@borrowing
def scan_weighted_two_classes(segment, criterion, best, ties):
    """Scan the thresholds with two classes; returns how many are admissible. See `scan_two_classes` for the rest.

    Logarithms are computed only where they can matter. An entropy gain is at most x/ln 2, where x is the weighted
    square of how far the branches' shares q lie from the node's p, divided by p·(1 − p). It is also at most the
    weighted mean of (q − p)²·(2·g(p) + g(q))/(6·ln 2) with g(t) = 1/(t·(1 − t)): that is the second derivative of the
    divergence of q from p, and convex.
    """
    classes, weights, start = segment.classes, segment.weights, segment.start
    kind, stats, row_factor, minimum = criterion.kind, criterion.stats, criterion.row_factor, criterion.minimum
    by_rows, first_factor, second_factor = row_factor.size > 0, 1.0, 1.0
    if by_rows:
        first_factor, second_factor = row_factor[0], row_factor[1]
    weight, all_rows = stats[0] + stats[1], stats[0] * first_factor + stats[1] * second_factor
    before, share = total_impurity_two(kind, stats[0], stats[1]), stats[1] / weight
    least, enough, n_admissible, left, first, second = -np.inf, -np.inf, 0, 0.0, 0.0, 0.0
    curvature, keys = 2.0 / (share * (1.0 - share)), segment.keys[segment.start : segment.end]
    for i in range(keys.size - 1):
        row = row_of(keys[i])
        of_row, in_second = weights[row], weights[row] * classes[row]
        left += of_row
        second += in_second
        first += of_row - in_second
        rows = first * first_factor + second * second_factor if by_rows else left
        if not at_least(rows, minimum) or code_of(keys[i]) == code_of(keys[i + 1]):
            continue
        right = max(weight - left, 0.0)
        if not (at_least(all_rows - rows, minimum) and right > 0.0):
            break  # as the left branch grows, the right one has less and less
        n_admissible += 1
        squared = (second - share * left) ** 2
        if squared < least * left * right:
            continue
        # Subtracting fractional weights can fall just below zero.
        third, fourth = max(stats[0] - first, 0.0), max(stats[1] - second, 0.0)
        if kind == ENTROPY:
            # The weighted mean of the two branches, less than enough: both sides times all that would divide.
            of_left, of_right, sides = first * second, third * fourth, left * right
            mean = curvature * weight * of_left * of_right + sides * (left * of_right + right * of_left)
            if squared * mean < enough * weight * of_left * of_right * sides:
                continue
        gain = (before - (total_impurity_two(kind, first, second) + total_impurity_two(kind, third, fourth))) / weight
        is_last = ends_scan(best, gain, start + i + 1, ties)
        if best[POSITION] == start + i + 1:
            best[LEFT_WEIGHT] = left
        if is_last:
            return n_admissible
        if kind == ENTROPY and gain == best[0]:
            least = np.log(2.0) * gain * share * (1.0 - share) * (1.0 - 1e-9) - 1e-12
            enough = 6.0 * np.log(2.0) * (gain * (1.0 - 1e-9) - 1e-12)
    return n_admissible


@borrowing
def scan_weighted_any(segment, criterion, residual, scan, ties):
    """The same with a numeric target or more classes; `residual` is the sum of all weighted deviations."""
    keys, classes, numbers, weights = segment.keys, segment.classes, segment.numbers, segment.weights
    kind, stats, row_factor, minimum = criterion.kind, criterion.stats, criterion.row_factor, criterion.minimum
    left_stats, right_stats = scan.left, scan.second
    regression, mean = numbers.size > 0, stats[1]
    weight = stats[0] if regression else stats.sum()
    before = 0.0 if regression else node_total_impurity(kind, stats, weight)
    all_rows = row_weight_of_classes(stats, row_factor) if row_factor.size else weight
    left_stats[:] = 0.0
    n_admissible, left, left_sum = 0, 0.0, 0.0
    for i in range(segment.start + 1, segment.end):
        row = row_of(keys[i - 1])
        left += weights[row]
        if regression:
            left_sum += weights[row] * (numbers[row] - mean)
        else:
            left_stats[classes[row]] += weights[row]
        if code_of(keys[i]) == code_of(keys[i - 1]):
            continue
        right, rows = max(weight - left, 0.0), left
        if row_factor.size:
            rows = row_weight_of_classes(left_stats, row_factor)
        if not (at_least(rows, minimum) and at_least(all_rows - rows, minimum) and right > 0.0):
            continue
        n_admissible += 1
        if regression:
            gain = between_two(left, left_sum, right, residual - left_sum) / weight
        else:
            for k in range(stats.size):
                # Subtracting fractional weights can fall just below zero.
                right_stats[k] = max(stats[k] - left_stats[k], 0.0)
            after = node_total_impurity(kind, left_stats, left) + node_total_impurity(kind, right_stats, right)
            gain = (before - after) / weight
        is_last = ends_scan(scan.best, gain, i, ties)
        if scan.best[POSITION] == i:
            scan.best[LEFT_WEIGHT] = left
        if is_last:
            return n_admissible
    return n_admissible


@borrowing
def scan_weighted(segment, criterion, scan, result):
    """Best threshold of a segment of weighted rows into its row of results."""
    clear(result)
    keys, best = segment.keys, scan.best
    margin, residual = tie_margin(0.0, criterion.scale), weighted_deviations(segment, criterion.stats[1])
    floor, n_admissible = -np.inf, 0
    for _ in range(2):
        start_scan(best)
        if segment.numbers.size == 0 and criterion.stats.size == 2:
            count = scan_weighted_two_classes(segment, criterion, best, TieRule(margin, floor))
        else:
            count = scan_weighted_any(segment, criterion, residual, scan, TieRule(margin, floor))
        n_admissible = max(n_admissible, count)  # a second scan may end early
        if not is_in_doubt(best):
            break
        floor = best[0] - margin
    if n_admissible == 0:
        return
    position = write_best(result, best, criterion.scale, n_admissible)
    result[FIRST], result[SECOND] = code_of(keys[position - 1]), code_of(keys[position])
    if criterion.with_info:
        right = weight_of_rows(keys, segment.weights, position, segment.end)
        result[SPLIT_INFO] = split_information_two(best[LEFT_WEIGHT], right)
