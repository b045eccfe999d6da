"""Find the best threshold of one feature at one node: the enumeration of `explorer.candidates`, compiled.

A node's rows lie sorted by the feature's value. The scan moves one row after the other from the right branch to the
left one, and every position where the value changes is a candidate threshold (CART book, chapter 2; C4.5, chapter 2).

A scan fills one row of a table of results [F, 8]: gain, split information, two numbers that say which candidate it
is, and how many thresholds were admissible; then comes the threshold that the node drew, where it draws, or the side of
the missing rows (see `missing_rows`); last, where split information is late, the weights of the first branch and
of the rows with a value. A gain of nan means that the feature has no admissible candidate.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.quantile_loss import has_quantiles
from explorer.growing.scans.branch_gains import find_medians, sum_statistics
from explorer.growing.scans.buffers import (
    ADMISSIBLE,
    DIRECTION,
    DRAWN_THRESHOLD,
    FIRST,
    GAIN,
    LEFT_WEIGHT,
    N_ADMISSIBLE,
    POSITION,
    SECOND,
    SIDE,
    SPLIT_INFO,
)
from explorer.growing.scans.missing_rows import NOT_ALLOWED, gain_of_better_side, gain_of_imputed, gain_of_side
from explorer.growing.scans.problem import code_of, column_values, missing_start, row_of, segment_of, weight_of
from explorer.growing.scans.ranked_rows import find_threshold_losses, take_losses
from explorer.growing.scans.running_best import (
    add_row,
    clear,
    criterion_of,
    ends_scan,
    needs_scan,
    split_information_two,
    start_scans,
    weight_of_rows,
    write_best,
    write_threshold,
)
from explorer.growing.scans.thresholds import (
    CLOSE,
    NEAR,
    NewtonTerms,
    NodeLimits,
    best_threshold,
    count_thresholds,
    least_rows,
    limits_of,
    scan_numbers,
    sum_of_deviations,
)
from explorer.growing.scans.weighted_classes import scan_two_weighted_classes
from explorer.jit import borrowing
from explorer.recipe.condition import threshold_between
from explorer.recipe.impurity import node_total_impurity, rounded_to_zero
from explorer.recipe.missing import DEFAULT_DIRECTION, SAME_CLASS, median_goes_left
from explorer.recipe.parameters import leaf_minimum, node_weight, row_weight
from explorer.recipe.split_score import BY_NEWTON, at_least, has_own_gain, tie_margin

LIGHTEST = 5e-324
"""The least weight above zero."""


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
        keys,
        segment.classes,
        segment.numbers,
        None,
        None,
        start,
        end,
        None,
        node,
        kind,
        stats,
        residual,
        scan.sides,
        scan.best,
    )
    if position < 0:
        return
    result[GAIN] = rounded_to_zero(gain, node.impurity)
    write_threshold(result, keys, position)
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
    is_complete, is_weighted = code_of(segment.keys[end - 1]) < problem.n_values[feature], problem.weights.size > 0
    is_usual = is_complete and not (parameters.monotone or has_own_gain(parameters))
    is_newton = parameters.score == BY_NEWTON
    minimum = leaf_minimum(parameters, row_weight(parameters, stats))
    if is_usual and (not is_weighted or (parameters.n_stats == 2 and not parameters.regression)):
        criterion = criterion_of(parameters, stats, scale, minimum)
        if is_weighted:
            scan_two_weighted_classes(segment, criterion, scan, result)
        else:
            residual = buffers.residual[0]
            if problem.has_missing[feature] or np.isnan(residual):
                residual = deviations_of(segment, stats)
            scan_unweighted(segment, criterion, parameters.penalty, residual, scan, result)
    elif not (
        is_complete
        and parameters.regression
        and (is_newton or (is_usual and not parameters.penalty))
        and scan_weighted_numbers(parameters, segment, stats, scale, minimum, result)
    ):
        scan_every_gain(problem, parameters, feature, start, end, stats, scale, is_usual, buffers)


@borrowing
def scan_weighted_numbers(parameters, segment, stats, scale, minimum, result):
    """Best threshold of a numeric target by the variance of weighted rows, or by Newton's gain, into the results.

    False where two are so close that all gains have to be compared.
    """
    keys, numbers, weights, start, end = segment.keys, segment.numbers, segment.weights, segment.start, segment.end
    is_newton, scale_of_ties, weight, residual = parameters.score == BY_NEWTON, scale, 0.0, 0.0
    newton = NewtonTerms(stats[1] - parameters.base, parameters.reg_lambda)
    clear(result)
    for key in keys[start:end]:
        of_row = weight_of(weights, row_of(key))
        weight += of_row
        residual += of_row * (numbers[row_of(key)] - stats[1])
    if is_newton:
        scale_of_ties += newton.offset * newton.offset
    else:
        weight = stats[0]
    margin, least = tie_margin(0.0, scale_of_ties), max(minimum - 1e-9 * minimum, LIGHTEST)
    if weights.size == 0:
        rows = NodeLimits(scale, stats[2], end - start, least_rows(minimum), margin, NEAR * margin * weight)
        position, n_left, gain = scan_numbers(keys, numbers, None, start, end, rows, stats, residual, None, newton)
        left = float(n_left)
    else:
        node = NodeLimits(scale, stats[2], weight, least, margin, NEAR * margin * weight)
        if is_newton:
            position, left, gain = scan_numbers(keys, numbers, weights, start, end, node, stats, residual, None, newton)
        else:
            position, left, gain = scan_numbers(keys, numbers, weights, start, end, node, stats, residual, None, None)
    if position >= 0:
        result[GAIN] = rounded_to_zero(gain, scale)
        write_threshold(result, keys, position)
        right = stats[0] - left if is_newton else weight_of_rows(keys, weights, position, end)
        result[SPLIT_INFO] = split_information_two(left, right) if is_newton or parameters.with_info else 0.0
    return position > CLOSE


class KnownRows(NamedTuple):
    """What the thresholds of a feature share at a node: where its rows with a value end, and what they add up to.

    `mean` is what sums of a numeric target are around, `before` the node's total impurity, `weight` and `missing` the
    weight of the rows with and without a value, `row_weight` the former in row weights; `total` is the weight of the
    node, nan where it is that of the two branches. `by_class` says whether missing rows go by the medians of classes.
    """

    end: int
    mean: float
    before: float
    weight: float
    missing: float
    row_weight: float
    total: float
    by_class: bool


@borrowing
def known_rows(problem, parameters, feature, start, end, stats, is_usual, is_counted, buffers):
    """The same of a node, with the statistics of the rows with and without a value in `buffers`.

    Where all have one and gains are the usual ones, these are the node's to the last digit, whatever the order. Where
    rows are only counted, nothing is summed up.
    """
    known_end = missing_start(problem.keys[feature], start, end, problem.n_values[feature])
    mean, weight, known = stats[1] if parameters.regression else 0.0, node_weight(parameters, stats), buffers.known
    before = stats[2] if parameters.regression else node_total_impurity(parameters.impurity, stats, weight)
    missing_weight = sum_statistics(segment_of(problem, feature, known_end, end), mean, buffers.missing)
    known_weight, total = float(known_end - start), np.nan
    if is_usual and not parameters.regression:
        for k in range(known.size):
            known[k] = stats[k]
    elif not is_counted:
        known_weight = sum_statistics(segment_of(problem, feature, start, known_end), mean, known)
    if is_usual:
        known_weight = total = weight
    in_rows = known_weight if parameters.row_factor.size == 0 else row_weight(parameters, known)
    by_class = parameters.missing == SAME_CLASS and known_end < end
    return KnownRows(known_end, mean, before, known_weight, missing_weight, in_rows, total, by_class)


@borrowing
def scan_every_gain(problem, parameters, feature, start, end, stats, scale, is_usual, buffers):
    """Best threshold of a feature from the gains of all, whatever the weights and missing cells, into the results."""
    keys, best, result = problem.keys[feature], buffers.scan.best, buffers.results[feature]
    values = column_values(problem, feature)
    clear(result)
    by_direction = parameters.missing == DEFAULT_DIRECTION and code_of(keys[end - 1]) >= problem.n_values[feature]
    is_counted = problem.weights.size == 0 and parameters.row_factor.size == 0 and stats.size == 2
    is_counted = is_counted and not (by_direction or parameters.missing == SAME_CLASS or parameters.score == BY_NEWTON)
    is_counted = is_counted and not (parameters.regression or parameters.monotone)
    rows = known_rows(problem, parameters, feature, start, end, stats, is_usual, is_counted, buffers)
    if rows.by_class:
        find_medians(segment_of(problem, feature, start, rows.end), values, buffers)
    if has_quantiles(parameters):
        find_threshold_losses(problem, parameters, feature, start, rows.end, end, rows.mean, buffers.loss)
    start_scans(best, scale)
    while needs_scan(best):
        if is_counted:
            minimum = leaf_minimum(parameters, float(rows.end - start))
            rule = CutRule(values, parameters.threshold_at, parameters.random_thresholds, result)
            segment = segment_of(problem, feature, start, rows.end)
            scan_imputed_two_classes(segment, parameters.impurity, stats, buffers.missing, minimum, rule, best)
        else:
            scan_with_missing(problem, parameters, feature, start, stats, scale, rows, by_direction, buffers)
    position = write_best(result, best, scale)
    if position < 0:
        return
    left = best[LEFT_WEIGHT]
    if position == rows.end:  # "missing or not"
        result[FIRST], result[SECOND], result[DIRECTION] = -1.0, code_of(keys[start]), 0.0
        result[SPLIT_INFO] = split_information_two(rows.missing, node_weight(parameters, stats) - rows.missing)
        return
    write_threshold(result, keys, position)
    if by_direction:
        result[DIRECTION] = best[SIDE]
    if rows.by_class:
        low, high = code_of(keys[position - 1]), code_of(keys[position])
        cut = threshold_between(values, low, high, parameters.threshold_at)
        for k in range(buffers.missing.size):
            left += buffers.missing[k] if buffers.medians[k] <= cut else 0.0
    elif best[SIDE] == 0.0:
        left += rows.missing
    right = node_weight(parameters, stats) - left
    if is_usual:
        right = weight_of_rows(keys, problem.weights, position, end)
    result[SPLIT_INFO] = split_information_two(left, right)


@borrowing
def scan_with_missing(problem, parameters, feature, start, stats, scale, rows, by_direction, buffers):
    """Thresholds with weights or missing cells, for every kind of target.

    Missing rows go to the better side `by_direction`, else with the median of the known ones, or of their own class.
    """
    keys, scan, segment = problem.keys[feature], buffers.scan, segment_of(problem, feature, start, rows.end)
    best, left_stats, n_admissible, left = scan.best, scan.left, 0, 0.0
    for k in range(left_stats.size):
        left_stats[k] = 0.0
    for i in range(start + 1, rows.end):
        left += add_row(segment, keys[i - 1], rows.mean, left_stats)
        low, high = code_of(keys[i - 1]), code_of(keys[i])
        if low == high:
            continue
        if has_quantiles(parameters):
            take_losses(buffers.loss, i - start, left_stats)
        right = max(rows.weight - left, 0.0)
        if by_direction:
            gain, goes_left = gain_of_better_side(parameters, stats, rows, left, right, scale, buffers)
        else:
            gain, goes_left = gain_of_imputed(problem, parameters, feature, rows, left, right, low, high, buffers)
        if gain == NOT_ALLOWED:
            continue
        n_admissible += 1
        is_last = ends_scan(best, gain, i)
        if best[POSITION] == i:
            best[LEFT_WEIGHT], best[SIDE] = left, 0.0 if goes_left else 1.0
        if is_last:
            return
    if by_direction:
        for k in range(left_stats.size):
            left_stats[k] = 0.0
        if has_quantiles(parameters):
            take_losses(buffers.loss, 0, left_stats)
        gain = gain_of_side(parameters, stats, rows, 0.0, rows.weight, True, buffers)
        n_admissible += gain != NOT_ALLOWED
        ends_scan(best, gain, rows.end)
    best[ADMISSIBLE] = n_admissible


class CutRule(NamedTuple):
    """How a threshold is put between two codes: their values, the recipe's rule, and the row with what was drawn."""

    values: NDArray[np.float64]
    threshold_at: int
    is_drawn: bool
    result: NDArray[np.float64]


@borrowing
def scan_imputed_two_classes(segment, kind, stats, missing, minimum, rule, best):
    """As `scan_with_missing` for two classes and rows that weigh 1, of which `missing` [2] have no value.

    All counts are whole numbers, so that sums in any order are the same; only at the very middle does it take the
    median to know on which side the rows without a value are.
    """
    keys, classes, start = segment.keys, segment.classes, segment.start
    first_missing, second_missing = missing[0], missing[1]
    n_missing, n_known = first_missing + second_missing, float(segment.end - start)
    first_all, second_all, weight = stats[0], stats[1], n_known + n_missing
    before = node_total_impurity(kind, (first_all, second_all), weight)
    second, n_admissible = np.int64(0), 0  # as written in Python, bytes would add up to a byte
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
        is_last = ends_scan(best, (before - after) / weight, i)
        if best[POSITION] == i:
            best[LEFT_WEIGHT], best[SIDE] = float(i - start), 0.0 if goes_left else 1.0
        if is_last:
            return
    best[ADMISSIBLE] = n_admissible
