"""The best threshold of a sorted column at one node, and its gain.

Candidates are compared by a fraction that rises with the gain, of whole numbers where the target is a class, and two
fractions by multiplying crosswise: the gain itself is worked out for the best one only, as the engine for all tables
does. Where another candidate comes so near that the tie rule could decide otherwise, all gains are worked out.

A scan returns (position, weight, gain): the rows [start, position) go left, and weigh so much. Position −1: no
threshold is admissible, −2: two are close. Between the rows `last[i]` and `first[i]` is a threshold; indices that count
from 0 spare a test for those from the end. Each scan is one text for rows that weigh 1 and for whole weights: see
`weight_in`.
"""

import numpy as np

from explorer.growing.plain.table import STARTS_VALUE, is_light, row_in, rows_below, weight_in
from explorer.jit import borrowing
from explorer.recipe.impurity import GINI, between_two, gain_of_squares, gain_of_two_classes, node_total_impurity

NEAR = 1e-9
"""Gains that differ by less than this share of the node's impurity are compared exactly; the tie rule has 1e-10."""
TINY = 1e-280
"""Squares of sums below this have lost digits: numbers so small leave no room for the quick comparison."""


@borrowing
def scan_two_by_gini(keys, classes, weights, start, end, least, stats, before, has_ties):
    """Best threshold of two classes by Gini.

    With D = W·b − L·B, the gain is 2·D²/(L·R) over W².
    """
    n_second, few = np.int64(stats[1]), rows_below(weights, least)
    weight = np.int64(stats[0]) + n_second
    d, left, position, best_d, best_left = np.int64(0), np.int64(few), -1, np.int64(0), np.int64(0)
    best, best_lr, earlier = -1.0, 1.0, -np.inf
    for key in keys[start : start + few]:
        d += weight * classes[row_in(key)] - n_second
    last, first = keys[start + few : end - few - 1], keys[start + few + 1 : end - few]
    for i in range(first.size):
        row = row_in(last[i])
        of_row = weight_in(weights, row)
        d += of_row * (weight * classes[row] - n_second)
        left += of_row
        if (has_ties and first[i] < STARTS_VALUE) or is_light(weights, left, weight - left, least):
            continue
        lr, squared = float(left * (weight - left)), float(d) * float(d)
        if squared * best_lr > best * lr:
            earlier = best / best_lr if position >= 0 else earlier
            best, best_lr, position, best_d, best_left = squared, lr, start + few + i + 1, d, left
    if position < 0:
        return -1, best_left, 0.0
    if earlier >= best / best_lr - NEAR * before * weight:
        return -2, best_left, 0.0
    b = (best_d + best_left * n_second) // weight
    return position, best_left, gain_of_two_classes(GINI, before, stats[0], stats[1], float(best_left), float(b))


@borrowing
def scan_two_by_entropy(keys, classes, weights, start, end, least, stats, before, has_ties, logs):
    """The same by entropy, with w·log2 w looked up.

    What is compared is the total impurity of the branches, which no division rounds; that of a mixed branch is at least
    2, that of a pure one exactly 0, so that none has to be kept from falling below 0.
    """
    n_first, n_second, few = np.uint64(stats[0]), np.uint64(stats[1]), rows_below(weights, least)
    b, left, best_left, position = np.uint64(0), np.uint64(few), np.uint64(0), -1
    weight, best, earlier, least_left = n_first + n_second, np.inf, np.inf, np.uint64(least)
    for key in keys[start : start + few]:
        b += np.uint64(classes[row_in(key)])
    last, first = keys[start + few : end - few - 1], keys[start + few + 1 : end - few]
    for i in range(first.size):
        row = row_in(last[i])
        of_row = np.uint64(weight_in(weights, row))
        b += of_row * np.uint64(classes[row])
        left += of_row
        if (has_ties and first[i] < STARTS_VALUE) or is_light(weights, left, weight - left, least_left):
            continue
        a, right = left - b, weight - left
        after = logs[left] - logs[a] - logs[b]
        after += logs[right] - logs[n_first - a] - logs[n_second - b]
        if after < best:
            earlier, best, position, best_left = best, after, start + few + i + 1, left
    if position >= 0 and earlier <= best + NEAR * before:
        position = -2
    return position, np.int64(best_left), (before - best) / float(weight)


@borrowing
def scan_classes_by_gini(keys, classes, weights, start, end, least, stats, before, has_ties, counts):
    """Best threshold of more classes by Gini; `counts` [2, K] is working memory.

    What is compared is the total impurity of the branches, (L² − Σl²)/L + (R² − Σr²)/R, as one fraction.
    """
    left_counts, right_counts = counts[0], counts[1]
    left_squares, right_squares, right = np.int64(0), np.int64(0), np.int64(0)
    for k in range(stats.size):
        left_counts[k], right_counts[k] = 0, np.int64(stats[k])
        right_squares += right_counts[k] * right_counts[k]
        right += right_counts[k]
    position, best_left_squares, best_right_squares, left, best_left = -1, np.int64(0), np.int64(0), np.int64(0), right
    best, best_lr, earlier, weight = np.inf, 1.0, np.inf, right
    few = rows_below(weights, least)
    last, first = keys[start : end - few - 1], keys[start + 1 : end - few]
    for i in range(first.size):
        row = row_in(last[i])
        k, of_row = classes[row], weight_in(weights, row)
        left_squares += of_row * (2 * left_counts[k] + of_row)
        right_squares -= of_row * (2 * right_counts[k] - of_row)
        left_counts[k] += of_row
        right_counts[k] -= of_row
        left += of_row
        right = weight - left
        if left < least or (has_ties and first[i] < STARTS_VALUE) or is_light(weights, left, right, least):
            continue
        lr = float(left * right)
        total = float(left * left - left_squares) * float(right) + float(right * right - right_squares) * float(left)
        if total * best_lr < best * lr:
            earlier = best / best_lr
            best, best_lr, position, best_left = total, lr, start + i + 1, left
            best_left_squares, best_right_squares = left_squares, right_squares
    if position < 0:
        return -1, best_left, 0.0
    if earlier <= best / best_lr + NEAR * before:
        return -2, best_left, 0.0
    squares = float(best_left_squares), float(best_right_squares)
    return position, best_left, gain_of_squares(before, float(best_left), float(weight - best_left), *squares)


@borrowing
def scan_classes_by_entropy(keys, classes, weights, start, end, least, stats, before, has_ties, logs, counts):
    """The same by entropy, with w·log2 w looked up; a branch that rounding takes below 0 is pure."""
    left_counts, right_counts, weight = counts[0], counts[1], np.int64(0)
    for k in range(stats.size):
        left_counts[k], right_counts[k] = 0, np.int64(stats[k])
        weight += right_counts[k]
    best, earlier, position, left, best_left = np.inf, np.inf, -1, np.int64(0), np.int64(0)
    few = rows_below(weights, least)
    last, first = keys[start : end - few - 1], keys[start + 1 : end - few]
    for i in range(first.size):
        row = row_in(last[i])
        k, of_row = classes[row], weight_in(weights, row)
        left_counts[k] += of_row
        right_counts[k] -= of_row
        left += of_row
        right = weight - left
        if left < least or (has_ties and first[i] < STARTS_VALUE) or is_light(weights, left, right, least):
            continue
        left_entropy, right_entropy = logs[np.uint64(left)], logs[np.uint64(right)]
        for k in range(stats.size):
            left_entropy -= logs[np.uint64(left_counts[k])]
            right_entropy -= logs[np.uint64(right_counts[k])]
        after = max(left_entropy, 0.0) + max(right_entropy, 0.0)
        if after < best:
            earlier, best, position, best_left = best, after, start + i + 1, left
    if position >= 0 and earlier <= best + NEAR * before:
        position = -2
    return position, best_left, (before - best) / float(weight)


@borrowing
def scan_numbers(keys, numbers, weights, start, end, least, stats, residual, has_ties):
    """Best threshold of a numeric target by the variance between the branches, (S·R − S_R·L)²/(L·R) over W².

    With T = S + S_R, S·R − S_R·L is S·W − T·L. T is `residual`, what rounding leaves of the sum of all deviations from
    the mean.
    """
    mean, weight, few = stats[1], np.int64(stats[0]), rows_below(weights, least)
    left_sum, left, position, best_sum, best_left = 0.0, np.int64(few), -1, 0.0, np.int64(0)
    best, best_lr, earlier = -1.0, 1.0, -np.inf
    for key in keys[start : start + few]:
        left_sum += numbers[row_in(key)] - mean
    last, first = keys[start + few : end - few - 1], keys[start + few + 1 : end - few]
    for i in range(first.size):
        row = row_in(last[i])
        of_row = weight_in(weights, row)
        left_sum += of_row * (numbers[row] - mean)
        left += of_row
        right = weight - left
        if (has_ties and first[i] < STARTS_VALUE) or is_light(weights, left, right, least):
            continue
        distance = left_sum * float(weight) - residual * float(left)
        lr, squared = float(left) * float(right), distance * distance
        if squared * best_lr > best * lr:
            earlier = best / best_lr if position >= 0 else earlier
            best, best_lr, position, best_sum, best_left = squared, lr, start + few + i + 1, left_sum, left
    if position < 0:
        return -1, best_left, 0.0
    if best < TINY or earlier >= best / best_lr - NEAR * stats[2] * weight:
        return -2, best_left, 0.0
    between = between_two(float(best_left), best_sum, float(weight - best_left), residual - best_sum)
    return position, best_left, between / float(weight)


# -- every gain, where two candidates are too close ------------------------------------------------------------------


@borrowing
def scan_classes_exactly(keys, classes, weights, start, end, least, kind, stats, before, floor, counts):
    """The first threshold with a gain of at least `floor`; with an infinite floor only the largest gain, at −1."""
    left_counts, right_counts = counts[0], counts[1]
    left_squares, right_squares, largest, left, weight = 0.0, 0.0, -np.inf, np.int64(0), np.int64(0)
    for k in range(stats.size):
        left_counts[k], right_counts[k] = 0, np.int64(stats[k])
        right_squares += stats[k] * stats[k]
        weight += right_counts[k]
    for i in range(start + 1, end):
        row = row_in(keys[i - 1])
        k, of_row = classes[row], weight_in(weights, row)
        left_squares += float(of_row * (2 * left_counts[k] + of_row))
        right_squares -= float(of_row * (2 * right_counts[k] - of_row))
        left_counts[k] += of_row
        right_counts[k] -= of_row
        left += of_row
        if left < least or weight - left < least or keys[i] < STARTS_VALUE:
            continue
        left_weight, right_weight = float(left), float(weight - left)
        if stats.size == 2:
            gain = gain_of_two_classes(kind, before, stats[0], stats[1], left_weight, float(left_counts[1]))
        elif kind == GINI:
            gain = gain_of_squares(before, left_weight, right_weight, left_squares, right_squares)
        else:
            after = node_total_impurity(kind, left_counts, left_weight)
            after += node_total_impurity(kind, right_counts, right_weight)
            gain = (before - after) / float(weight)
        if gain >= floor:
            return i, left, gain
        largest = max(largest, gain)
    return -1, left, largest


@borrowing
def scan_numbers_exactly(keys, numbers, weights, start, end, least, stats, residual, floor):
    """The same with a numeric target."""
    mean, weight, left, left_sum, largest = stats[1], np.int64(stats[0]), np.int64(0), 0.0, -np.inf
    for i in range(start + 1, end):
        row = row_in(keys[i - 1])
        of_row = weight_in(weights, row)
        left_sum += of_row * (numbers[row] - mean)
        left += of_row
        if left < least or weight - left < least or keys[i] < STARTS_VALUE:
            continue
        gain = between_two(float(left), left_sum, float(weight - left), residual - left_sum) / float(weight)
        if gain >= floor:
            return i, left, gain
        largest = max(largest, gain)
    return -1, left, largest
