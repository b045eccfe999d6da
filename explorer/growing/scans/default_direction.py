"""Thresholds of a feature with missing cells, each tried with those rows on either side (policy "default_direction").

XGBoost's sparsity-aware search (Chen and Guestrin 2016, algorithm 3), for every impurity and score. The last test of a
feature is "missing or not": no row with a value goes to the left.
"""

import numpy as np

from explorer.growing.scans.buffers import DIRECTION, FIRST, SECOND, SPLIT_INFO
from explorer.growing.scans.numeric_split import branch_statistics, gain_of_two, sum_statistics
from explorer.growing.scans.problem import code_of, missing_start, segment_of
from explorer.growing.scans.running_best import (
    TieRule,
    add_row,
    clear,
    ends_scan,
    has_none,
    is_in_doubt,
    split_information_two,
    start_scan,
    weight_of_rows,
    write_best,
)
from explorer.jit import borrowing
from explorer.recipe.impurity import node_total_impurity
from explorer.recipe.parameters import leaf_minimum, node_weight, row_weight
from explorer.recipe.split_score import at_least, second_is_better, tie_margin

NOT_ALLOWED = -np.inf
"""In place of the gain of a test whose branches have too few rows."""


@borrowing
def scan_both_sides(problem, parameters, feature, start, end, stats, scale, buffers):
    """Best threshold with its direction, or "missing or not", into the feature's row of results."""
    best, result, keys = buffers.scan.best, buffers.results[feature], problem.keys[feature]
    clear(result)
    margin, floor, n_admissible = tie_margin(0.0, scale), -np.inf, 0
    known_end = missing_start(keys, start, end, problem.n_values[feature])
    for _ in range(2):
        start_scan(best)
        ties = TieRule(margin, floor)
        count = scan_directions(problem, parameters, feature, start, known_end, end, stats, scale, buffers, ties)
        n_admissible = max(n_admissible, count)  # a second scan may end early
        if not is_in_doubt(best):
            break
        floor = best[0] - margin
    if has_none(best):
        return
    position = write_best(result, best, scale, n_admissible)
    weight, in_missing = node_weight(parameters, stats), weight_of_rows(keys, problem.weights, known_end, end)
    if position == known_end:
        result[FIRST], result[SECOND], result[DIRECTION] = -1.0, code_of(keys[start]), 0.0
        result[SPLIT_INFO] = split_information_two(in_missing, weight - in_missing)
        return
    result[FIRST], result[SECOND] = code_of(keys[position - 1]), code_of(keys[position])
    result[DIRECTION] = direction_at(problem, parameters, feature, start, known_end, position, stats, scale, buffers)
    left = weight_of_rows(keys, problem.weights, start, position)
    left += in_missing if result[DIRECTION] == 0.0 else 0.0
    result[SPLIT_INFO] = split_information_two(left, weight - left)


@borrowing
def scan_directions(problem, parameters, feature, start, known_end, end, stats, scale, buffers, ties):
    """Scan the thresholds, then "missing or not"; returns how many tests are admissible."""
    keys, scan = problem.keys[feature], buffers.scan
    segment, mean = segment_of(problem, feature, start, known_end), stats[1] if parameters.regression else 0.0
    sum_statistics(segment_of(problem, feature, known_end, end), mean, buffers.missing)
    sum_statistics(segment, mean, buffers.known)
    missing_weight = weight_of_rows(keys, problem.weights, known_end, end)
    known_weight = weight_of_rows(keys, problem.weights, start, known_end)
    n_admissible, left = 0, 0.0
    for k in range(scan.left.size):
        scan.left[k] = 0.0
    for i in range(start + 1, known_end):
        left += add_row(segment, keys[i - 1], mean, scan.left)
        if code_of(keys[i - 1]) == code_of(keys[i]):
            continue
        right = max(known_weight - left, 0.0)
        gain = gain_of_side(parameters, stats, left, right, missing_weight, True, buffers)
        other = gain_of_side(parameters, stats, left, right, missing_weight, False, buffers)
        if takes_right(gain, other, scale):
            gain = other
        if gain == NOT_ALLOWED:
            continue
        n_admissible += 1
        if ends_scan(scan.best, gain, i, ties):
            return n_admissible
    for k in range(scan.left.size):
        scan.left[k] = 0.0
    gain = gain_of_side(parameters, stats, 0.0, known_weight, missing_weight, True, buffers)
    if gain != NOT_ALLOWED:
        n_admissible += 1
        ends_scan(scan.best, gain, known_end, ties)
    return n_admissible


@borrowing
def takes_right(left, right, scale):
    """Whether the missing rows go right: where that is better but for rounding, or the only side allowed."""
    if right == NOT_ALLOWED or left == NOT_ALLOWED:
        return right != NOT_ALLOWED
    return second_is_better(left, right, scale)


@borrowing
def gain_of_side(parameters, stats, left, right, missing_weight, missing_to_left, buffers):
    """What a threshold gains with the missing rows on one side; `scan.left` are the known rows on its left."""
    scan = buffers.scan
    branch_statistics(parameters, buffers, missing_to_left)
    first = left + (missing_weight if missing_to_left else 0.0)
    second = right + (0.0 if missing_to_left else missing_weight)
    rows, others = first, second
    if parameters.row_factor.size:
        rows, others = row_weight(parameters, scan.first), row_weight(parameters, scan.second)
    minimum = leaf_minimum(parameters, row_weight(parameters, stats))
    if not (at_least(rows, minimum) and at_least(others, minimum) and first > 0.0 and second > 0.0):
        return NOT_ALLOWED
    weight = node_weight(parameters, stats)
    before = stats[2] if parameters.regression else node_total_impurity(parameters.impurity, stats, weight)
    mean = stats[1] if parameters.regression else 0.0
    return gain_of_two(parameters, mean, before, scan.first, first, scan.second, second)


@borrowing
def direction_at(problem, parameters, feature, start, known_end, position, stats, scale, buffers):
    """The side of the missing rows at the winning threshold: 0 left, 1 right."""
    keys, scan = problem.keys[feature], buffers.scan
    segment, mean = segment_of(problem, feature, start, known_end), stats[1] if parameters.regression else 0.0
    left = 0.0
    for k in range(scan.left.size):
        scan.left[k] = 0.0
    for i in range(start, position):
        left += add_row(segment, keys[i], mean, scan.left)
    right = max(weight_of_rows(keys, problem.weights, start, known_end) - left, 0.0)
    missing_weight = node_weight(parameters, stats) - left - right
    gain = gain_of_side(parameters, stats, left, right, missing_weight, True, buffers)
    other = gain_of_side(parameters, stats, left, right, missing_weight, False, buffers)
    return 1.0 if takes_right(gain, other, scale) else 0.0
