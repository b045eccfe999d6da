"""Find the best threshold of one feature at one node: the enumeration of `explorer.candidates`, compiled.

A node's rows lie sorted by the feature's value. The scan moves one row after the other from the right branch to the
left one, and every position where the value changes is a candidate threshold (CART book, chapter 2; C4.5, chapter 2).

A scan fills one row of a table of results [F, 8]: gain, split information, two numbers that say which candidate it
is, and how many thresholds were admissible; then comes the threshold that the node drew, where it draws, or the side of
the missing rows (see `default_direction`); last, where split information is late, the weights of the first branch and
of the rows with a value. A gain of nan means that the feature has no admissible candidate.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.scans.buffers import DRAWN_THRESHOLD, FIRST, GAIN, N_ADMISSIBLE, SECOND, SPLIT_INFO
from explorer.growing.scans.numeric_split_weighted import scan_newton, scan_weighted
from explorer.growing.scans.problem import (
    code_of,
    column_values,
    missing_start,
    row_of,
    segment_of,
    weight_of,
)
from explorer.growing.scans.running_best import (
    Criterion,
    TieRule,
    add_row,
    clear,
    ends_scan,
    has_none,
    is_in_doubt,
    split_information_two,
    start_scan,
    violates,
    weight_of_rows,
    write_best,
)
from explorer.growing.scans.thresholds import best_threshold, count_thresholds, limits_of, sum_of_deviations
from explorer.jit import borrowing
from explorer.recipe.condition import midpoint, threshold_after, threshold_between
from explorer.recipe.impurity import between_two, node_total_impurity, rounded_to_zero, weight_times_error
from explorer.recipe.missing import SAME_CLASS, median_goes_left, past_half
from explorer.recipe.newton import newton_pair
from explorer.recipe.parameters import leaf_minimum, node_weight, row_weight
from explorer.recipe.split_score import BY_NEWTON, at_least, has_own_gain, tie_margin


@borrowing
def find_medians(segment, values, buffers):
    """The median of each class's values in a segment of known rows (of all, where a class has none) into `buffers`.

    `buffers.known` are the classes' weights.
    """
    medians, weights_below, n_classes = buffers.medians, buffers.weights_below, buffers.known.size
    total = 0.0
    for k in range(n_classes + 1):
        medians[k], weights_below[k] = np.nan, 0.0
    for k in range(n_classes):
        total += buffers.known[k]
    for i in range(segment.start, segment.end):
        row, value = row_of(segment.keys[i]), values[code_of(segment.keys[i])]
        for turn in range(2):
            k = n_classes if turn else np.int64(segment.classes[row])
            if weights_below[k] < 0.0:  # half of the class lies below: its median is halfway to this value
                medians[k], weights_below[k] = midpoint(medians[k], value), np.inf
            elif weights_below[k] < np.inf:
                weights_below[k] += weight_of(segment.weights, row)
                half = past_half(weights_below[k], buffers.known[k] if k < n_classes else total)
                if half >= 0:
                    medians[k], weights_below[k] = value, np.inf if half > 0 else -1.0
    for k in range(n_classes):
        if np.isnan(medians[k]):
            medians[k] = medians[n_classes]


@borrowing
def deviations_of(segment, stats):
    """What rounding leaves of the sum of deviations over a node where rows weigh 1; zero for classes."""
    if segment.numbers.size == 0:
        return 0.0
    return sum_of_deviations(segment.keys, segment.numbers, None, segment.start, segment.end, stats[1])


@borrowing
def scan_unweighted(segment, criterion, penalty, residual, scan, result):
    """Best threshold of a segment where all rows weigh 1 and have a value, into its row of results.

    `residual` is the sum of all deviations from the mean. Called for every feature of every node, it takes a segment:
    passing whole records would cost more than scanning a small node does.
    """
    clear(result)
    keys, start, end, stats, kind = segment.keys, segment.start, segment.end, criterion.stats, criterion.kind
    node = limits_of(kind, criterion.regression, stats, float(end - start), criterion.scale, criterion.minimum)
    position, left, gain = best_threshold(
        keys, segment.classes, segment.numbers, None, None, start, end, None, node, kind, stats, residual, scan.sides
    )
    if position < 0:
        return
    result[GAIN] = rounded_to_zero(gain, node.impurity)
    result[FIRST], result[SECOND] = code_of(keys[position - 1]), code_of(keys[position])
    if penalty:
        result[N_ADMISSIBLE] = count_thresholds(keys, None, start, end, None, node)
    if criterion.with_info:
        result[SPLIT_INFO] = split_information_two(float(left), float(node.weight - left))


@borrowing
def scan_threshold(problem, parameters, feature, start, end, stats, scale, buffers):
    """Best threshold of a numeric feature at the node [start, end), whatever the weights and missing cells.

    Gains are rounding noise, or ties, in comparison with `scale`: the node's impurity.
    """
    segment, scan, result = segment_of(problem, feature, start, end), buffers.scan, buffers.results[feature]
    keys, best = segment.keys, scan.best
    is_usual = code_of(keys[end - 1]) < problem.n_values[feature] and not parameters.monotone
    if is_usual and not has_own_gain(parameters.score):
        minimum = leaf_minimum(parameters, row_weight(parameters, stats))
        criterion = Criterion(
            parameters.impurity, parameters.regression, stats, scale, minimum, parameters.row_factor,
            parameters.with_info,
        )  # fmt: skip
        if problem.weights.size == 0:
            residual = buffers.residual[0]
            if problem.has_missing[feature] or np.isnan(residual):
                residual = deviations_of(segment, stats)
            scan_unweighted(segment, criterion, parameters.penalty, residual, scan, result)
        else:
            scan_weighted(segment, criterion, scan, result)
        return
    has_sums = parameters.score == BY_NEWTON and parameters.regression and not parameters.release8_minimum
    if (
        is_usual
        and has_sums
        and scan_newton(segment, stats, scale, parameters.min_leaf, parameters.base, parameters.reg_lambda, result)
    ):
        return
    clear(result)
    margin, floor, n_admissible = tie_margin(0.0, scale), -np.inf, 0
    for _ in range(2):
        start_scan(best)
        ties = TieRule(margin, floor)
        count = scan_with_missing(problem, parameters, feature, start, end, stats, buffers, ties)
        n_admissible = max(n_admissible, count)  # a second scan may end early
        if not is_in_doubt(best):
            break
        floor = best[0] - margin
    if has_none(best):
        return
    position = write_best(result, best, scale, n_admissible)
    result[FIRST], result[SECOND] = code_of(keys[position - 1]), code_of(keys[position])
    left = weight_before(problem, parameters, feature, start, end, position, buffers)
    result[SPLIT_INFO] = split_information_two(left, node_weight(parameters, stats) - left)


@borrowing
def cut_between(parameters, values, low, high, result):
    """The threshold between two codes: by the recipe, or the one that the node drew."""
    if parameters.random_thresholds:
        return result[DRAWN_THRESHOLD]
    return threshold_after(values, low, high, parameters.threshold_at)


@borrowing
def weight_before(problem, parameters, feature, start, end, position, buffers):
    """Weight of the first branch of the threshold at `position`, with the missing rows that follow it."""
    keys, weights, values = problem.keys[feature], problem.weights, column_values(problem, feature)
    known_end = missing_start(keys, start, end, problem.n_values[feature])
    left = weight_of_rows(keys, weights, start, position)
    right = weight_of_rows(keys, weights, position, known_end)
    missing = weight_of_rows(keys, weights, known_end, end)
    low, high = code_of(keys[position - 1]), code_of(keys[position])
    cut = cut_between(parameters, values, low, high, buffers.results[feature])
    if missing > 0.0 and parameters.missing == SAME_CLASS:
        for k in range(buffers.missing.size):
            left += buffers.missing[k] if buffers.medians[k] <= cut else 0.0
    elif missing > 0.0 and median_goes_left(left, right, values[low], values[high], cut):
        left += missing
    return left


@borrowing
def scan_with_missing(problem, parameters, feature, start, end, stats, buffers, ties):
    """Thresholds with weights or missing cells, for every kind of target; returns how many are admissible.

    Missing rows go with the median of the known ones, or with the median of their own class ("same_class").
    """
    keys, values, scan = problem.keys[feature], column_values(problem, feature), buffers.scan
    weight = node_weight(parameters, stats)
    mean = stats[1] if parameters.regression else 0.0
    left_stats, known = scan.left, buffers.known
    known_end = missing_start(keys, start, end, problem.n_values[feature])
    known_rows_of_node = segment_of(problem, feature, start, known_end)
    missing_weight = sum_statistics(segment_of(problem, feature, known_end, end), mean, buffers.missing)
    is_simple = not (
        parameters.regression
        or parameters.monotone
        or parameters.missing == SAME_CLASS
        or parameters.score == BY_NEWTON
    )
    if is_simple and problem.weights.size == 0 and parameters.row_factor.size == 0 and left_stats.size == 2:
        minimum = leaf_minimum(parameters, float(known_end - start))
        rule = CutRule(values, parameters.threshold_at, parameters.random_thresholds, buffers.results[feature])
        return scan_imputed_two_classes(
            known_rows_of_node, parameters.impurity, stats, buffers.missing, minimum, rule, scan.best, ties
        )
    known_weight = sum_statistics(known_rows_of_node, mean, known)
    known_row_weight = known_weight if parameters.row_factor.size == 0 else row_weight(parameters, known)
    minimum = leaf_minimum(parameters, known_row_weight)
    by_class = parameters.missing == SAME_CLASS and known_end < end
    if by_class:
        find_medians(known_rows_of_node, values, buffers)
    before = stats[2] if parameters.regression else node_total_impurity(parameters.impurity, stats, weight)
    n_admissible, left = 0, 0.0
    for k in range(left_stats.size):
        left_stats[k] = 0.0
    for i in range(start + 1, known_end):
        left += add_row(known_rows_of_node, keys[i - 1], mean, left_stats)
        low, high = code_of(keys[i - 1]), code_of(keys[i])
        if low == high:
            continue
        right = max(known_weight - left, 0.0)
        if right <= 0.0 or not both_at_least(parameters, left, right, left_stats, known_row_weight, minimum):
            continue
        if by_class:
            to_left = branch_statistics_by_class(buffers, threshold_between(values, low, high, parameters.threshold_at))
        elif known_end < end and median_goes_left(
            left, right, values[low], values[high], cut_between(parameters, values, low, high, buffers.results[feature])
        ):
            to_left = missing_weight
            branch_statistics(parameters, buffers, True)
        else:
            to_left = 0.0
            branch_statistics(parameters, buffers, False)
        first_weight, second_weight = left + to_left, right + (missing_weight - to_left)
        if parameters.monotone and violates(
            problem.monotone[feature], scan.first, first_weight, scan.second, second_weight, buffers.bounds
        ):
            continue
        n_admissible += 1
        gain = gain_of_two(parameters, mean, before, scan.first, first_weight, scan.second, second_weight)
        if ends_scan(scan.best, gain, i, ties):
            return n_admissible
    return n_admissible


class CutRule(NamedTuple):
    """How a threshold is put between two codes: their values, the recipe's rule, and the row with what was drawn."""

    values: NDArray[np.float64]
    threshold_at: int
    is_drawn: bool
    result: NDArray[np.float64]


@borrowing
def scan_imputed_two_classes(segment, kind, stats, missing, minimum, rule, best, ties):
    """As `scan_with_missing` for two classes and rows that weigh 1, of which `missing` [2] have no value.

    All counts are whole numbers, so that sums in any order are the same; only at the very middle does it take the
    median to know on which side the rows without a value are.
    """
    keys, classes, start = segment.keys, segment.classes, segment.start
    first_missing, second_missing = missing[0], missing[1]
    n_missing, n_known = first_missing + second_missing, float(segment.end - start)
    first_all, second_all, weight = stats[0], stats[1], n_known + n_missing
    before = node_total_impurity(kind, (first_all, second_all), weight)
    second, n_admissible = 0, 0
    key = keys[start]
    for i in range(start + 1, segment.end):
        second += classes[row_of(key)]
        following = keys[i]
        low, high = code_of(key), code_of(following)
        key = following
        if low == high:
            continue
        left = float(i - start)
        right = n_known - left
        if not (at_least(left, minimum) and at_least(right, minimum)):
            continue
        n_admissible += 1
        b = float(second)
        a = left - b
        goes_left = left > right
        if left == right:
            cut = rule.result[DRAWN_THRESHOLD]
            if not rule.is_drawn:
                cut = threshold_between(rule.values, low, high, rule.threshold_at)
            goes_left = median_goes_left(left, right, rule.values[low], rule.values[high], cut)
        if goes_left:
            a, b, left = a + first_missing, b + second_missing, left + n_missing
        else:
            right += n_missing
        after = node_total_impurity(kind, (a, b), left)
        after += node_total_impurity(kind, (first_all - a, second_all - b), right)
        if ends_scan(best, (before - after) / weight, i, ties):
            return n_admissible
    return n_admissible


@borrowing
def sum_statistics(segment, mean, counts):
    """Statistics of a segment, the missing or the known rows of a node, into `counts`; returns their weight."""
    weight = 0.0
    for k in range(counts.size):
        counts[k] = 0.0
    for i in range(segment.start, segment.end):
        weight += add_row(segment, segment.keys[i], mean, counts)
    return weight


@borrowing
def both_at_least(parameters, left, right, left_stats, known_row_weight, minimum):
    """Whether the known rows on either side of a threshold have the minimum of row weight."""
    if parameters.row_factor.size:
        left = row_weight(parameters, left_stats)
        right = known_row_weight - left
    return at_least(left, minimum) and at_least(right, minimum)


@borrowing
def branch_statistics(parameters, buffers, missing_to_left):
    """Statistics of the two branches from those of the known rows on the left, the missing and the known rows."""
    scan = buffers.scan
    for k in range(scan.left.size):
        rest = buffers.known[k] - scan.left[k]
        if not parameters.regression:
            rest = max(rest, 0.0)  # subtracting fractional weights can fall just below zero
        scan.first[k] = scan.left[k] + (buffers.missing[k] if missing_to_left else 0.0)
        scan.second[k] = rest if missing_to_left else rest + buffers.missing[k]


@borrowing
def branch_statistics_by_class(buffers, cut):
    """As `branch_statistics`, each class's missing rows beside its own median; returns the weight of those left."""
    scan, weight = buffers.scan, 0.0
    for k in range(scan.left.size):
        rest = max(buffers.known[k] - scan.left[k], 0.0)
        to_left = buffers.medians[k] <= cut
        scan.first[k] = scan.left[k] + (buffers.missing[k] if to_left else 0.0)
        scan.second[k] = rest if to_left else rest + buffers.missing[k]
        weight += buffers.missing[k] if to_left else 0.0
    return weight


@borrowing
def gain_of_two(parameters, mean, before, first, first_weight, second, second_weight):
    """What two branches gain by the score, from class weights or sums around the `mean`.

    Such sums hold squares too where the score is "squared_share_weighting".
    """
    if parameters.score == BY_NEWTON:
        return newton_pair(parameters, mean, first, first_weight, second, second_weight)
    weight = first_weight + second_weight
    if parameters.regression and first.size > 1:
        after = weight_times_error(first_weight, first[1], first[0])
        after += weight_times_error(second_weight, second[1], second[0])
        return (before - after / weight) / weight
    if parameters.regression:
        return between_two(first_weight, first[0], second_weight, second[0]) / weight
    after = node_total_impurity(parameters.impurity, first, first_weight)
    after += node_total_impurity(parameters.impurity, second, second_weight)
    return (before - after) / weight
