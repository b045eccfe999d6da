"""The best threshold of a sorted column at one node, and its gain.

Candidates are compared by a fraction that rises with the gain, of whole numbers where the target is a class, and two
fractions by multiplying crosswise: the gain itself is worked out for the best one only, as the engine for all tables
does. Where another candidate comes so near that the tie rule could decide otherwise, all gains are worked out.

A scan returns (position, gain): the rows [start, position) go left. Position −1: no threshold is admissible. Between
the rows `last[i]` and `first[i]` is a threshold; indices that count from 0 spare a test for those from the end.
"""

import numpy as np

from explorer.growing.plain.table import STARTS_VALUE, row_in
from explorer.jit import borrowing
from explorer.recipe.impurity import GINI, between_two, node_total_impurity, total_impurity_two

NEAR = 1e-9
"""Gains that differ by less than this share of the node's impurity are compared exactly; the tie rule has 1e-10."""
TINY = 1e-280
"""Squares of sums below this have lost digits: numbers so small leave no room for the quick comparison."""


@borrowing
def gain_of_two_classes(kind, before, first_all, second_all, left, b):
    """Decrease of the impurity if `left` rows go left, `b` of them of the second class; `before` is its total."""
    weight = first_all + second_all
    right = weight - left
    a, d = left - b, second_all - b
    c = first_all - a
    if kind == GINI:
        after = 2.0 * (a * b * right + c * d * left) / (left * right)
    else:
        after = total_impurity_two(kind, a, b) + total_impurity_two(kind, c, d)
    return (before - after) / weight


@borrowing
def gain_of_squares(before, left, right, left_squares, right_squares):
    """The same by Gini from the sums of squared class weights of both branches."""
    after = (left * left - left_squares) / left + (right * right - right_squares) / right
    return (before - after) / (left + right)


@borrowing
def scan_two_by_gini(keys, classes, start, end, least, stats, before, has_ties):
    """Best threshold of two classes by Gini.

    With D = W·b − L·B, the gain is 2·D²/(L·R) over W².
    """
    weight, n_second = end - start, np.int64(stats[1])
    d, position, best_d = np.int64(0), -1, np.int64(0)
    best, best_lr, earlier = -1.0, 1.0, -np.inf
    for key in keys[start : start + least - 1]:
        d += weight * classes[row_in(key)] - n_second
    last, first = keys[start + least - 1 : end - least], keys[start + least : end - least + 1]
    for i in range(first.size):
        d += weight * classes[row_in(last[i])] - n_second
        if has_ties and first[i] < STARTS_VALUE:
            continue
        left = least + i
        lr, squared = float(left * (weight - left)), float(d) * float(d)
        if squared * best_lr > best * lr:
            earlier = best / best_lr if position >= 0 else earlier
            best, best_lr, position, best_d = squared, lr, start + left, d
    if position < 0:
        return -1, 0.0
    if earlier >= best / best_lr - NEAR * before * weight:
        return -2, 0.0
    left = position - start
    b = (best_d + left * n_second) // weight
    return position, gain_of_two_classes(GINI, before, stats[0], stats[1], float(left), float(b))


@borrowing
def scan_two_by_entropy(keys, classes, start, end, least, stats, before, has_ties, logs):
    """The same by entropy, with w·log2 w looked up.

    What is compared is the total impurity of the branches, which no division rounds; that of a mixed branch is at least
    2, that of a pure one exactly 0, so that none has to be kept from falling below 0.
    """
    n_first, n_second, b, position = np.uint64(stats[0]), np.uint64(stats[1]), np.uint64(0), -1
    weight, best, earlier = float(end - start), np.inf, np.inf
    for key in keys[start : start + least - 1]:
        b += np.uint64(classes[row_in(key)])
    last, first = keys[start + least - 1 : end - least], keys[start + least : end - least + 1]
    for i in range(first.size):
        b += np.uint64(classes[row_in(last[i])])
        if has_ties and first[i] < STARTS_VALUE:
            continue
        left = np.uint64(least + i)
        a, right = left - b, n_first + n_second - left
        after = logs[left] - logs[a] - logs[b]
        after += logs[right] - logs[n_first - a] - logs[n_second - b]
        if after < best:
            earlier, best, position = best, after, start + least + i
    if position >= 0 and earlier <= best + NEAR * before:
        return -2, 0.0
    return position, (before - best) / weight


@borrowing
def scan_classes_by_gini(keys, classes, start, end, least, stats, before, has_ties, counts):
    """Best threshold of more classes by Gini; `counts` [2, K] is working memory.

    What is compared is the total impurity of the branches, (L² − Σl²)/L + (R² − Σr²)/R, as one fraction.
    """
    left_counts, right_counts = counts[0], counts[1]
    left_squares, right_squares = np.int64(0), np.int64(0)
    for k in range(stats.size):
        left_counts[k], right_counts[k] = 0, np.int64(stats[k])
        right_squares += right_counts[k] * right_counts[k]
    position, best_left_squares, best_right_squares = -1, np.int64(0), np.int64(0)
    best, best_lr, earlier = np.inf, 1.0, np.inf
    last, first = keys[start : end - least], keys[start + 1 : end - least + 1]
    for i in range(first.size):
        k = classes[row_in(last[i])]
        left_squares += 2 * left_counts[k] + 1
        right_squares -= 2 * right_counts[k] - 1
        left_counts[k] += 1
        right_counts[k] -= 1
        left, right = i + 1, end - start - i - 1
        if left < least or (has_ties and first[i] < STARTS_VALUE):
            continue
        lr = float(left * right)
        total = float(left * left - left_squares) * float(right) + float(right * right - right_squares) * float(left)
        if total * best_lr < best * lr:
            earlier = best / best_lr
            best, best_lr, position = total, lr, start + left
            best_left_squares, best_right_squares = left_squares, right_squares
    if position < 0:
        return -1, 0.0
    if earlier <= best / best_lr + NEAR * before:
        return -2, 0.0
    left, right = float(position - start), float(end - position)
    return position, gain_of_squares(before, left, right, float(best_left_squares), float(best_right_squares))


@borrowing
def scan_classes_by_entropy(keys, classes, start, end, least, stats, before, has_ties, logs, counts):
    """The same by entropy, with w·log2 w looked up; a branch that rounding takes below 0 is pure."""
    left_counts, right_counts = counts[0], counts[1]
    for k in range(stats.size):
        left_counts[k], right_counts[k] = 0, np.int64(stats[k])
    weight, best, earlier, position = float(end - start), np.inf, np.inf, -1
    last, first = keys[start : end - least], keys[start + 1 : end - least + 1]
    for i in range(first.size):
        k = classes[row_in(last[i])]
        left_counts[k] += 1
        right_counts[k] -= 1
        left, right = i + 1, end - start - i - 1
        if left < least or (has_ties and first[i] < STARTS_VALUE):
            continue
        left_entropy, right_entropy = logs[np.uint64(left)], logs[np.uint64(right)]
        for k in range(stats.size):
            left_entropy -= logs[np.uint64(left_counts[k])]
            right_entropy -= logs[np.uint64(right_counts[k])]
        after = max(left_entropy, 0.0) + max(right_entropy, 0.0)
        if after < best:
            earlier, best, position = best, after, start + left
    if position >= 0 and earlier <= best + NEAR * before:
        return -2, 0.0
    return position, (before - best) / weight


@borrowing
def scan_numbers(keys, numbers, start, end, least, stats, residual, has_ties):
    """Best threshold of a numeric target by the variance between the branches, (S·R − S_R·L)²/(L·R) over W².

    With T = S + S_R, S·R − S_R·L is S·W − T·L. T is `residual`, what rounding leaves of the sum of all deviations from
    the mean.
    """
    mean, weight = stats[1], float(end - start)
    left_sum, position, best_sum = 0.0, -1, 0.0
    best, best_lr, earlier = -1.0, 1.0, -np.inf
    for key in keys[start : start + least - 1]:
        left_sum += numbers[row_in(key)] - mean
    last, first = keys[start + least - 1 : end - least], keys[start + least : end - least + 1]
    for i in range(first.size):
        left_sum += numbers[row_in(last[i])] - mean
        if has_ties and first[i] < STARTS_VALUE:
            continue
        left, right = float(least + i), float(end - start - least - i)
        distance = left_sum * weight - residual * left
        lr, squared = left * right, distance * distance
        if squared * best_lr > best * lr:
            earlier = best / best_lr if position >= 0 else earlier
            best, best_lr, position, best_sum = squared, lr, start + least + i, left_sum
    if position < 0:
        return -1, 0.0
    if best < TINY or earlier >= best / best_lr - NEAR * stats[2] * weight:
        return -2, 0.0
    left, right = float(position - start), float(end - position)
    return position, between_two(left, best_sum, right, residual - best_sum) / weight


# -- every gain, where two candidates are too close ------------------------------------------------------------------


@borrowing
def scan_classes_exactly(keys, classes, start, end, least, kind, stats, before, floor, counts):
    """The first threshold with a gain of at least `floor`; with an infinite floor only the largest gain, at −1."""
    left_counts, right_counts = counts[0], counts[1]
    left_squares, right_squares, largest = 0.0, 0.0, -np.inf
    weight = float(end - start)
    for k in range(stats.size):
        left_counts[k], right_counts[k] = 0, np.int64(stats[k])
        right_squares += stats[k] * stats[k]
    for i in range(start + 1, end - least + 1):
        k = classes[row_in(keys[i - 1])]
        left_squares += 2.0 * left_counts[k] + 1.0
        right_squares -= 2.0 * right_counts[k] - 1.0
        left_counts[k] += 1
        right_counts[k] -= 1
        if i - start < least or keys[i] < STARTS_VALUE:
            continue
        left, right = float(i - start), float(end - i)
        if stats.size == 2:
            gain = gain_of_two_classes(kind, before, stats[0], stats[1], left, float(left_counts[1]))
        elif kind == GINI:
            gain = gain_of_squares(before, left, right, left_squares, right_squares)
        else:
            after = node_total_impurity(kind, left_counts, left) + node_total_impurity(kind, right_counts, right)
            gain = (before - after) / weight
        if gain >= floor:
            return i, gain
        largest = max(largest, gain)
    return -1, largest


@borrowing
def scan_numbers_exactly(keys, numbers, start, end, least, stats, residual, floor):
    """The same with a numeric target."""
    mean, weight, left_sum, largest = stats[1], float(end - start), 0.0, -np.inf
    for i in range(start + 1, end - least + 1):
        left_sum += numbers[row_in(keys[i - 1])] - mean
        if i - start < least or keys[i] < STARTS_VALUE:
            continue
        gain = between_two(float(i - start), left_sum, float(end - i), residual - left_sum) / weight
        if gain >= floor:
            return i, gain
        largest = max(largest, gain)
    return -1, largest
