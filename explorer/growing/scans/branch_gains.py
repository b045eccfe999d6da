"""Statistics of a node's rows and of the two branches of a test, and what the branches gain."""

import numpy as np

from explorer.candidates.quantile_loss import has_quantiles
from explorer.growing.scans.buffers import ABOVE, ABOVE_WITH_MISSING, UP_TO, UP_TO_WITH_MISSING
from explorer.growing.scans.keys import is_weighted, row_in, weight_in
from explorer.growing.scans.problem import code_of, row_of, weight_of
from explorer.growing.scans.running_best import add_row
from explorer.jit import borrowing
from explorer.recipe.condition import midpoint
from explorer.recipe.impurity import POISSON, between_branches, deviance_from, node_total_impurity, weight_times_error
from explorer.recipe.missing import past_half
from explorer.recipe.newton import newton_pair
from explorer.recipe.parameters import row_weight
from explorer.recipe.split_score import BY_NEWTON, at_least


@borrowing
def node_statistics(parameters, segment, stats):
    """Fill the statistics of the rows in a segment; return whether they all agree on the target.

    Class weights, or weight, mean and total loss: the sum of squared deviations, unless the impurity is another.
    """
    keys, numbers, weights = segment.keys, segment.numbers, segment.weights
    for k in range(stats.size):
        stats[k] = 0.0
    if numbers.size == 0 and stats.size == 2:
        first, second = 0.0, 0.0
        for i in range(segment.start, segment.end):
            row = row_of(keys[i])
            of_row = weight_of(weights, row)
            in_second = of_row * segment.classes[row]
            first += of_row - in_second
            second += in_second
        stats[0], stats[1] = first, second
        return not (first > 0.0 and second > 0.0)
    if numbers.size == 0:
        for i in range(segment.start, segment.end):
            row = row_of(keys[i])
            stats[segment.classes[row]] += weight_of(weights, row)
        n_present = 0
        for weight in stats:
            n_present += weight > 0.0
        return n_present <= 1
    if weights.size == 0:
        is_pure = node_numbers(keys, numbers, None, segment.start, segment.end, stats)
    else:
        is_pure = node_numbers(keys, numbers, weights, segment.start, segment.end, stats)
    if parameters.impurity == POISSON:
        stats[2] = total_deviance(segment, stats[1], parameters.base)
    return is_pure


@borrowing
def total_deviance(segment, mean, zero):
    """Half the Poisson deviance of a segment's rows from their mean; `zero` is 0 less what is taken off the numbers."""
    total = 0.0
    for key in segment.keys[segment.start : segment.end]:
        number = segment.numbers[row_of(key)]
        if number != mean:
            total += weight_of(segment.weights, row_of(key)) * deviance_from(number - zero, mean - zero)
    return max(total, 0.0)


@borrowing
def node_numbers(keys, numbers, weights, start, end, stats):
    """Weight, mean and sum of squared deviations of a segment into `stats`; whether all numbers agree.

    In two passes: the second one also corrects the mean by what rounding left of the sum of deviations.
    """
    lowest, highest, total, weight = np.inf, -np.inf, 0.0, 0.0
    for key in keys[start:end]:
        number = numbers[row_in(key)]
        if is_weighted(weights):
            weight += float(weight_in(weights, row_in(key)))
        total += weight_in(weights, row_in(key)) * number
        lowest, highest = min(lowest, number), max(highest, number)
    if not is_weighted(weights):
        weight = float(end - start)
    mean = total / weight
    residual, squares = 0.0, 0.0
    for key in keys[start:end]:
        deviation = numbers[row_in(key)] - mean
        weighted = weight_in(weights, row_in(key)) * deviation
        residual += weighted
        squares += weighted * deviation
    stats[0] = weight
    stats[1] = mean + residual / weight if lowest < highest else lowest
    stats[2] = max(squares - residual * residual / weight, 0.0) if lowest < highest else 0.0
    return lowest == highest


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
def subtract_statistics(parameters, buffers):
    """Statistics of the known rows that are not on the left, into `scan.second`."""
    scan = buffers.scan
    if has_quantiles(parameters):
        scan.second[UP_TO] = scan.left[ABOVE]
        return
    for k in range(scan.left.size):
        rest = buffers.known[k] - scan.left[k]
        # Subtracting fractional weights can fall just below zero.
        scan.second[k] = rest if parameters.regression else max(rest, 0.0)


@borrowing
def branch_statistics(parameters, buffers, missing_to_left):
    """Statistics of the two branches from those of the known rows on the left, the missing and the known rows."""
    scan = buffers.scan
    if has_quantiles(parameters):
        scan.first[UP_TO] = scan.left[UP_TO_WITH_MISSING if missing_to_left else UP_TO]
        scan.second[UP_TO] = scan.left[ABOVE if missing_to_left else ABOVE_WITH_MISSING]
        return
    subtract_statistics(parameters, buffers)
    for k in range(scan.left.size):
        scan.first[k] = scan.left[k] + (buffers.missing[k] if missing_to_left else 0.0)
        scan.second[k] += 0.0 if missing_to_left else buffers.missing[k]


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
def gain_of_two(parameters, mean, before, first, first_weight, second, second_weight, weight):
    """What two branches gain by the score per `weight`, from class weights or sums around the `mean`.

    Such sums hold squares too where the score is "squared_share_weighting". Where the loss is around a quantile it
    stands in their place.
    """
    if has_quantiles(parameters):
        return (before - first[UP_TO] - second[UP_TO]) / weight
    if parameters.score == BY_NEWTON:
        return newton_pair(parameters, mean, first, first_weight, second, second_weight)
    if parameters.regression and first.size > 1:
        after = weight_times_error(first_weight, first[1], first[0])
        after += weight_times_error(second_weight, second[1], second[0])
        return (before - after / weight) / weight
    if parameters.regression:
        kind, mean = parameters.impurity, mean - parameters.base
        return between_branches(kind, mean, first_weight, first[0], second_weight, second[0]) / weight
    after = node_total_impurity(parameters.impurity, first, first_weight)
    after += node_total_impurity(parameters.impurity, second, second_weight)
    return (before - after) / weight
