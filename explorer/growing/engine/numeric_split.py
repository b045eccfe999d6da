"""Find the best candidate of one feature at one node: the enumeration of `candidates`, made fast.

A scan fills one row of a table of results [F, R]: gain, split information, two numbers that say which candidate it
is, and how many thresholds were admissible. A gain of nan means that the feature has no admissible candidate.
"""

import numpy as np

from explorer.growing.engine.buffers import FIRST, SECOND, SPLIT_INFO
from explorer.growing.engine.numeric_split_weighted import scan_weighted
from explorer.growing.engine.problem import code_of, column_values, missing_start, row_of, weight_of
from explorer.growing.engine.running_best import (
    add_row,
    clear,
    ends_walk,
    in_doubt,
    split_information_two,
    start_search,
    weight_of_segment,
    write_best,
)
from explorer.jit import borrowing
from explorer.recipe.condition import midpoint, threshold_between
from explorer.recipe.impurity import GINI, between_two, node_total_impurity, total_impurity_two, weight_times_error
from explorer.recipe.missing import SAME_CLASS, median_goes_left, past_half
from explorer.recipe.parameters import leaf_minimum, node_weight, row_weight
from explorer.recipe.split_score import BY_SQUARED_SHARE, at_least, tie_margin


@borrowing
def find_medians(keys, classes, weights, start, known_end, values, scratch):
    """The median of each class's known values (of all, where a class has none); `scratch.known` are their weights."""
    medians, so_far, n = scratch.medians, scratch.halves, scratch.known.size
    total = 0.0
    for k in range(n + 1):
        medians[k], so_far[k] = np.nan, 0.0
    for k in range(n):
        total += scratch.known[k]
    for i in range(start, known_end):
        row, value = row_of(keys[i]), values[code_of(keys[i])]
        for turn in range(2):
            k = n if turn else np.int64(classes[row])
            if so_far[k] < 0.0:  # half of the class lies below: its median is halfway to this value
                medians[k], so_far[k] = midpoint(medians[k], value), np.inf
            elif so_far[k] < np.inf:
                so_far[k] += weight_of(weights, row)
                half = past_half(so_far[k], scratch.known[k] if k < n else total)
                if half >= 0:
                    medians[k], so_far[k] = value, np.inf if half > 0 else -1.0
    for k in range(n):
        if np.isnan(medians[k]):
            medians[k] = medians[n]


@borrowing
def sum_of_deviations(keys, numbers, start, end, stats):
    """What rounding leaves of Σ(y − mean) over a node (zero for classes), so that it can be taken into account."""
    total = 0.0
    if numbers.size:
        mean = stats[1]
        for i in range(start, end):
            total += numbers[row_of(keys[i])] - mean
    return total


@borrowing
def scan_plain(
    keys, classes, numbers, start, end, kind, stats, total, impurity, minimum, with_info, state, left, right, results
):
    """Best threshold at the node [start, end) where all weights are 1 and nothing is missing; fills its results row.

    Takes plain arrays: it is called for every feature of every node, and passing whole records would cost more than
    scanning a small node does.
    """
    clear(results)
    margin = tie_margin(0.0, impurity)
    floor, count = -np.inf, 0
    for _ in range(2):
        start_search(state)
        if numbers.size:
            found = scan_numbers(keys, numbers, start, end, stats[1], total, minimum, margin, floor, state)
        elif stats.size == 2:
            found = scan_two_classes(keys, classes, start, end, kind, stats[0], stats[1], minimum, margin, floor, state)
        else:
            found = scan_classes(keys, classes, start, end, kind, stats, minimum, margin, floor, state, left, right)
        count = max(count, found)  # a second walk may end early
        if not in_doubt(state):
            break
        floor = state[0] - margin
    if count == 0:
        return
    position = write_best(results, state, impurity, count)
    results[FIRST], results[SECOND] = code_of(keys[position - 1]), code_of(keys[position])
    if with_info:
        results[SPLIT_INFO] = split_information_two(float(position - start), float(end - position))


@borrowing
def scan_threshold(problem, rules, feature, start, end, stats, scale, scratch):
    """Best threshold of a numeric feature at the node [start, end), whatever the weights and missing cells.

    Gains are rounding noise, or ties, in comparison with `scale`: the node's impurity.
    """
    results, state, keys = scratch.results, scratch.state, problem.keys[feature]
    complete = code_of(keys[end - 1]) < problem.n_values[feature] and rules.score != BY_SQUARED_SHARE
    if complete and problem.weights.size == 0:
        minimum = leaf_minimum(rules, node_weight(rules, stats))
        scan_plain(
            keys, problem.classes, problem.numbers, start, end, rules.impurity, stats,
            sum_of_deviations(keys, problem.numbers, start, end, stats), scale, minimum,
            rules.with_info, state, scratch.left, scratch.other, results[feature],
        )  # fmt: skip
        return
    if complete:
        minimum = leaf_minimum(rules, row_weight(rules, stats))
        scan_weighted(
            keys, problem.classes, problem.numbers, problem.weights, rules.row_factor, start, end, rules.impurity,
            stats, scale, minimum, rules.with_info, state, scratch.left, scratch.other, results[feature],
        )  # fmt: skip
        return
    clear(results[feature])
    margin, floor, count = tie_margin(0.0, scale), -np.inf, 0
    for _ in range(2):
        start_search(state)
        found = scan_any(problem, rules, feature, start, end, stats, scratch, margin, floor)
        count = max(count, found)  # a second walk may end early
        if not in_doubt(state):
            break
        floor = state[0] - margin
    if count == 0:
        return
    position = write_best(results[feature], state, scale, count)
    results[feature, FIRST], results[feature, SECOND] = code_of(keys[position - 1]), code_of(keys[position])
    left = weight_before(problem, rules, feature, start, end, position, scratch)
    results[feature, SPLIT_INFO] = split_information_two(left, node_weight(rules, stats) - left)


@borrowing
def weight_before(problem, rules, feature, start, end, position, scratch):
    """Weight of the first branch of the threshold at `position`, with the missing rows that follow it."""
    keys, weights = problem.keys[feature], problem.weights
    known_end = missing_start(keys, start, end, problem.n_values[feature])
    left = weight_of_segment(keys, weights, start, position)
    right = weight_of_segment(keys, weights, position, known_end)
    missing = weight_of_segment(keys, weights, known_end, end)
    low, high = code_of(keys[position - 1]), code_of(keys[position])
    if missing > 0.0 and rules.missing == SAME_CLASS:
        cut = threshold_between(column_values(problem, feature), low, high, rules.place)
        for k in range(scratch.missing.size):
            left += scratch.missing[k] if scratch.medians[k] <= cut else 0.0
    elif missing > 0.0 and median_goes_left(left, right, column_values(problem, feature), low, high, rules.place):
        left += missing
    return left


@borrowing
def scan_two_classes(keys, classes, start, end, kind, first_all, second_all, minimum, margin, floor, state):
    """Walk the thresholds with two classes; returns how many are admissible.

    The largest gain goes to `state`; a second walk has a `floor` (see `tally`).
    """
    weight = first_all + second_all
    before = total_impurity_two(kind, first_all, second_all)
    gini = kind == GINI
    second, count = 0, 0
    key = keys[start]
    for i in range(start + 1, end):
        second += classes[row_of(key)]
        following = keys[i]
        if code_of(following) != code_of(key):
            left = float(i - start)
            right = weight - left
            if at_least(left, minimum) and at_least(right, minimum):
                count += 1
                b = float(second)
                a, d = left - b, second_all - b
                c = first_all - a
                if gini:
                    after = 2.0 * (a * b * right + c * d * left) / (left * right)  # one division, not two
                else:
                    after = total_impurity_two(kind, a, b) + total_impurity_two(kind, c, d)
                gain = (before - after) / weight
                if ends_walk(state, gain, i, margin, floor):
                    return count
        key = following
    return count


@borrowing
def scan_numbers(keys, numbers, start, end, mean, total, minimum, margin, floor, state):
    """As `scan_two_classes`, with a numeric target; `total` is the sum of all deviations from the mean."""
    weight = float(end - start)
    running, count = 0.0, 0
    key = keys[start]
    for i in range(start + 1, end):
        running += numbers[row_of(key)] - mean
        following = keys[i]
        if code_of(following) != code_of(key):
            left = float(i - start)
            right = weight - left
            if at_least(left, minimum) and at_least(right, minimum):
                count += 1
                gain = between_two(left, running, right, total - running) / weight
                if ends_walk(state, gain, i, margin, floor):
                    return count
        key = following
    return count


@borrowing
def scan_classes(keys, classes, start, end, kind, stats, minimum, margin, floor, state, left_stats, right_stats):
    """As `scan_two_classes`, with more classes; `left_stats` and `right_stats` are working memory."""
    weight = float(end - start)
    before = node_total_impurity(kind, stats, weight)
    gini = kind == GINI
    left_squares, right_squares = 0.0, 0.0
    for k in range(stats.size):
        left_stats[k], right_stats[k] = 0.0, stats[k]
        right_squares += stats[k] * stats[k]
    count, key = 0, keys[start]
    for i in range(start + 1, end):
        k = classes[row_of(key)]
        left_squares += 2.0 * left_stats[k] + 1.0
        right_squares -= 2.0 * right_stats[k] - 1.0
        left_stats[k] += 1.0
        right_stats[k] -= 1.0
        following = keys[i]
        if code_of(following) != code_of(key):
            left = float(i - start)
            right = weight - left
            if at_least(left, minimum) and at_least(right, minimum):
                count += 1
                if gini:
                    after = (left * left - left_squares) / left + (right * right - right_squares) / right
                else:
                    after = node_total_impurity(kind, left_stats, left)
                    after += node_total_impurity(kind, right_stats, right)
                gain = (before - after) / weight
                if ends_walk(state, gain, i, margin, floor):
                    return count
        key = following
    return count


@borrowing
def scan_any(problem, rules, feature, start, end, stats, scratch, margin, floor):
    """Thresholds with weights or missing cells, for every kind of target."""
    keys, values = problem.keys[feature], column_values(problem, feature)
    classes, numbers, weights = problem.classes, problem.numbers, problem.weights
    weight = node_weight(rules, stats)
    mean = stats[1] if rules.regression else 0.0
    left_stats, known = scratch.left, scratch.known
    known_end = missing_start(keys, start, end, problem.n_values[feature])
    missing_weight = sum_up(classes, numbers, weights, keys, known_end, end, mean, scratch.missing)
    known_weight = sum_up(classes, numbers, weights, keys, start, known_end, mean, known)
    known_rows = known_weight if rules.row_factor.size == 0 else row_weight(rules, known)
    minimum = leaf_minimum(rules, known_rows)
    by_class = rules.missing == SAME_CLASS and known_end < end
    if by_class:
        find_medians(keys, classes, weights, start, known_end, values, scratch)
    before = stats[2] if rules.regression else node_total_impurity(rules.impurity, stats, weight)
    count, left = 0, 0.0
    for k in range(left_stats.size):
        left_stats[k] = 0.0
    for i in range(start + 1, known_end):
        left += add_row(classes, numbers, weights, keys[i - 1], mean, left_stats)
        low, high = code_of(keys[i - 1]), code_of(keys[i])
        if low == high:
            continue
        right = max(known_weight - left, 0.0)
        if right <= 0.0 or not both_reach(rules, left, right, left_stats, known_rows, minimum):
            continue
        count += 1
        if by_class:
            to_left = share_out_by_class(scratch, threshold_between(values, low, high, rules.place))
        elif known_end < end and median_goes_left(left, right, values, low, high, rules.place):
            to_left = missing_weight
            share_out(rules, scratch, True)
        else:
            to_left = 0.0
            share_out(rules, scratch, False)
        one, other = left + to_left, right + (missing_weight - to_left)
        gain = gain_of_two(rules, before, scratch.one, one, scratch.other, other)
        if ends_walk(scratch.state, gain, i, margin, floor):
            return count
    return count


@borrowing
def sum_up(classes, numbers, weights, keys, start, end, mean, counts):
    """Statistics of the rows [start, end), the missing or the known ones of a node, into `counts`; their weight."""
    weight = 0.0
    for k in range(counts.size):
        counts[k] = 0.0
    for i in range(start, end):
        weight += add_row(classes, numbers, weights, keys[i], mean, counts)
    return weight


@borrowing
def both_reach(rules, left, right, left_stats, known_rows, minimum):
    """Whether the known rows on either side of a threshold have the minimum of row weight."""
    if rules.row_factor.size:
        left = row_weight(rules, left_stats)
        right = known_rows - left
    return at_least(left, minimum) and at_least(right, minimum)


@borrowing
def share_out(rules, scratch, missing_to_left):
    """Statistics of the two branches from those on the left, the missing and the known rows."""
    for k in range(scratch.left.size):
        rest = scratch.known[k] - scratch.left[k]
        if not rules.regression:
            rest = max(rest, 0.0)  # subtracting fractional weights can fall just below zero
        scratch.one[k] = scratch.left[k] + (scratch.missing[k] if missing_to_left else 0.0)
        scratch.other[k] = rest if missing_to_left else rest + scratch.missing[k]


@borrowing
def share_out_by_class(scratch, cut):
    """As `share_out`, each class's missing rows on the side of its own median; returns the weight of those left."""
    weight = 0.0
    for k in range(scratch.left.size):
        rest = max(scratch.known[k] - scratch.left[k], 0.0)
        to_left = scratch.medians[k] <= cut
        scratch.one[k] = scratch.left[k] + (scratch.missing[k] if to_left else 0.0)
        scratch.other[k] = rest if to_left else rest + scratch.missing[k]
        weight += scratch.missing[k] if to_left else 0.0
    return weight


@borrowing
def gain_of_two(rules, before, one, weight_one, other, weight_other):
    """Decrease of impurity by two branches, from class weights or centred sums (of squares too: see BY_SEED000)."""
    if rules.regression and one.size > 1:
        after = weight_times_error(weight_one, one[1], one[0]) + weight_times_error(weight_other, other[1], other[0])
        return (before - after / (weight_one + weight_other)) / (weight_one + weight_other)
    if rules.regression:
        return between_two(weight_one, one[0], weight_other, other[0]) / (weight_one + weight_other)
    after = node_total_impurity(rules.impurity, one, weight_one) + node_total_impurity(
        rules.impurity, other, weight_other
    )
    return (before - after) / (weight_one + weight_other)
