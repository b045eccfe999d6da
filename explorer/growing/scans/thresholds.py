"""The best threshold of a sorted column at one node, and its gain.

Candidates are compared by a fraction that rises with the gain, of whole numbers where the target is a class, crosswise.
The gain is worked out for the best, and for all where one comes so near that the tie rule could decide otherwise.

A scan returns (position, weight, gain): the rows [start, position) go left, and weigh so much. Position −1: no
threshold is admissible, `CLOSE`: two are close. Between the rows `last[i]` and `first[i]` is a threshold; indices that
count from 0 spare a test for those from the end. Each scan is one text for rows that weigh 1 and for whole weights, and
for both kinds of keys: see `keys`.
"""

from typing import NamedTuple

import numpy as np

from explorer.growing.scans.buffers import FIRST_EQUAL, LEFT_WEIGHT, POSITION
from explorer.growing.scans.keys import is_light, row_in, rows_below, starts_value, weight_in
from explorer.growing.scans.running_best import ends_scan, needs_scan, start_scans
from explorer.jit import borrowing
from explorer.recipe.impurity import (
    ENTROPY,
    GINI,
    between_two,
    gain_of_squares,
    gain_of_two_classes,
    newton_pair_gain,
    node_total_impurity,
    total_impurity_two,
)
from explorer.recipe.split_score import tie_margin

NEAR = 10.0
"""Gains that differ by less than so many times what counts as equal are compared exactly."""
TINY = 1e-280
"""Squares of sums, or products of these, below this have lost digits: the quick comparison has no room."""
CLOSE = -2
"""In place of a position: two thresholds are so close that all gains have to be compared."""


class NewtonTerms(NamedTuple):
    """What Newton's gain adds to the variance: the mean less the base of all scores, and λ."""

    offset: float
    reg_lambda: float


class NodeLimits(NamedTuple):
    """What the searches of all features at a node compare with: its impurity, the same times its weight, least branch.

    Gains closer than `margin` are equal; total impurities closer than `near` may belong to such.
    """

    impurity: float
    total: float
    weight: int | float
    least: int | float
    margin: float
    near: float


@borrowing
def limits_of(kind, regression, stats, weight, scale, minimum):
    """The limits of a node with these statistics; gains are rounding noise, or ties, in comparison with `scale`.

    `minimum` is the weight that a branch needs.
    """
    if regression:
        total = stats[2]
    elif stats.size == 2:
        total = total_impurity_two(kind, stats[0], stats[1])
    else:
        total = node_total_impurity(kind, stats, weight)
    margin = tie_margin(0.0, scale)
    return NodeLimits(scale, total, np.int64(weight), least_rows(minimum), margin, NEAR * margin * weight)


@borrowing
def least_rows(minimum):
    """How much a branch of whole weights needs."""
    return max(1, np.int64(np.ceil(minimum - 1e-9 * minimum)))


@borrowing
def best_threshold(
    keys, classes, numbers, weights, logs, start, end, has_ties, node, kind, stats, residual, sides, best
):
    """The best threshold of the rows [start, end) of a sorted column: (position, weight, gain), at −1 if there is none.

    `logs` are looked up for the entropy of two classes or more, unless they are empty or None. `sides` [2, K]
    and `best` are working memory.
    """
    # The scans are called with only what they need: most nodes are small, and there passing whole records costs more
    # than the scan.
    position, left, gain = CLOSE, np.int64(0), 0.0
    if node.weight < 2 * node.least:
        position = -1
    elif numbers.size:
        position, left, gain = scan_numbers(keys, numbers, weights, start, end, node, stats, residual, has_ties, None)
    elif kind == GINI and stats.size == 2:
        position, left, gain = scan_two_by_gini(keys, classes, weights, start, end, node, stats, has_ties)
    elif kind == GINI:
        position, left, gain = scan_classes_by_gini(keys, classes, weights, start, end, node, stats, has_ties, sides)
    elif kind == ENTROPY:
        position, left, gain = scan_by_entropy(keys, classes, weights, start, end, node, stats, has_ties, logs, sides)
    if position == CLOSE:
        position, left, gain = scan_exactly(
            keys, classes, numbers, weights, start, end, has_ties, node, kind, stats, residual, sides, best
        )
    return position, left, gain


@borrowing
def scan_by_entropy(keys, classes, weights, start, end, node, stats, has_ties, logs, sides):
    """Best threshold by entropy where logarithms are looked up."""
    if logs is None:
        return CLOSE, np.int64(0), 0.0
    if stats.size == 2:
        return scan_two_by_entropy(keys, classes, weights, start, end, node, stats, has_ties, logs)
    return scan_classes_by_entropy(keys, classes, weights, start, end, node, stats, has_ties, logs, sides)


@borrowing
def count_thresholds(keys, weights, start, end, has_ties, node):
    """How many thresholds of a sorted column are admissible."""
    n_admissible, left = 0, np.int64(0)
    for i in range(start + 1, end):
        left += weight_in(weights, row_in(keys[i - 1]))
        is_admissible = node.least <= left and left <= node.weight - node.least
        n_admissible += is_admissible and starts_value(keys[i], keys[i - 1], has_ties)
    return n_admissible


@borrowing
def sum_of_deviations(keys, numbers, weights, start, end, mean):
    """What rounding leaves of Σ(y − mean) over a node."""
    total = 0.0
    for key in keys[start:end]:
        total += weight_in(weights, row_in(key)) * (numbers[row_in(key)] - mean)
    return total


@borrowing
def scan_two_by_gini(keys, classes, weights, start, end, node, stats, has_ties):
    """Best threshold of two classes by Gini.

    With D = W·b − L·B, the gain is 2·D²/(L·R) over W².
    """
    n_second, few = np.int64(stats[1]), rows_below(weights, node.least)
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
        if not starts_value(first[i], last[i], has_ties) or is_light(weights, left, weight - left, node.least):
            continue
        lr, squared = float(left * (weight - left)), float(d) * float(d)
        if squared * best_lr > best * lr:
            earlier = best / best_lr if position >= 0 else earlier
            best, best_lr, position, best_d, best_left = squared, lr, start + few + i + 1, d, left
    if position < 0:
        return -1, best_left, 0.0
    if earlier >= best / best_lr - node.near * weight:
        return CLOSE, best_left, 0.0
    b = (best_d + best_left * n_second) // weight
    return position, best_left, gain_of_two_classes(GINI, node.total, stats[0], stats[1], float(best_left), float(b))


@borrowing
def entropy_after(logs, n_first, n_second, left, b):
    """Total impurity of both branches if so much goes left, `b` of it of the second class: w·log2 w is looked up."""
    a, right = left - b, n_first + n_second - left
    after = logs[left] - logs[a] - logs[b]
    return after + (logs[right] - logs[n_first - a] - logs[n_second - b])


@borrowing
def scan_two_by_entropy(keys, classes, weights, start, end, node, stats, has_ties, logs):
    """The same by entropy, with w·log2 w looked up.

    What is compared is the total impurity of the branches, which no division rounds; that of a mixed branch is at least
    2, that of a pure one exactly 0, so that none has to be kept from falling below 0.
    """
    n_first, n_second, few = np.uint64(stats[0]), np.uint64(stats[1]), rows_below(weights, node.least)
    b, left, best_left, position = np.uint64(0), np.uint64(few), np.uint64(0), -1
    weight, best, earlier, least = n_first + n_second, np.inf, np.inf, np.uint64(node.least)
    for key in keys[start : start + few]:
        b += np.uint64(classes[row_in(key)])
    last, first = keys[start + few : end - few - 1], keys[start + few + 1 : end - few]
    for i in range(first.size):
        row = row_in(last[i])
        of_row = np.uint64(weight_in(weights, row))
        b += of_row * np.uint64(classes[row])
        left += of_row
        if not starts_value(first[i], last[i], has_ties) or is_light(weights, left, weight - left, least):
            continue
        after = entropy_after(logs, n_first, n_second, left, b)
        if after < best:
            earlier, best, position, best_left = best, after, start + few + i + 1, left
    if position >= 0 and earlier <= best + node.near:
        position = CLOSE
    return position, np.int64(best_left), (node.total - best) / float(weight)


@borrowing
def scan_classes_by_gini(keys, classes, weights, start, end, node, stats, has_ties, counts):
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
    few = rows_below(weights, node.least)
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
        if (
            left < node.least
            or not starts_value(first[i], last[i], has_ties)
            or is_light(weights, left, right, node.least)
        ):
            continue
        lr = float(left * right)
        total = float(left * left - left_squares) * float(right) + float(right * right - right_squares) * float(left)
        if total * best_lr < best * lr:
            earlier = best / best_lr
            best, best_lr, position, best_left = total, lr, start + i + 1, left
            best_left_squares, best_right_squares = left_squares, right_squares
    if position < 0:
        return -1, best_left, 0.0
    if earlier <= best / best_lr + node.near:
        return CLOSE, best_left, 0.0
    squares = float(best_left_squares), float(best_right_squares)
    return position, best_left, gain_of_squares(node.total, float(best_left), float(weight - best_left), *squares)


@borrowing
def scan_classes_by_entropy(keys, classes, weights, start, end, node, stats, has_ties, logs, counts):
    """The same by entropy, with w·log2 w looked up; a branch that rounding takes below 0 is pure."""
    left_counts, right_counts, weight = counts[0], counts[1], np.int64(0)
    for k in range(stats.size):
        left_counts[k], right_counts[k] = 0, np.int64(stats[k])
        weight += right_counts[k]
    best, earlier, position, left, best_left = np.inf, np.inf, -1, np.int64(0), np.int64(0)
    few = rows_below(weights, node.least)
    last, first = keys[start : end - few - 1], keys[start + 1 : end - few]
    for i in range(first.size):
        row = row_in(last[i])
        k, of_row = classes[row], weight_in(weights, row)
        left_counts[k] += of_row
        right_counts[k] -= of_row
        left += of_row
        right = weight - left
        if (
            left < node.least
            or not starts_value(first[i], last[i], has_ties)
            or is_light(weights, left, right, node.least)
        ):
            continue
        left_entropy, right_entropy = logs[np.uint64(left)], logs[np.uint64(right)]
        for k in range(stats.size):
            left_entropy -= logs[np.uint64(left_counts[k])]
            right_entropy -= logs[np.uint64(right_counts[k])]
        after = max(left_entropy, 0.0) + max(right_entropy, 0.0)
        if after < best:
            earlier, best, position, best_left = best, after, start + i + 1, left
    if position >= 0 and earlier <= best + node.near:
        position = CLOSE
    return position, best_left, (node.total - best) / float(weight)


@borrowing
def shrunk(newton, weight):
    """A branch's weight, by Newton's gain with λ. `newton` is None for the variance."""
    if newton is None:
        return float(weight)
    return float(weight) + newton.reg_lambda


@borrowing
def around_base(newton, total, weight):
    """A branch's sum of deviations from the mean, by Newton's gain from the base."""
    if newton is None:
        return total
    return total + float(weight) * newton.offset


@borrowing
def gain_of_sums(newton, weight, left, left_sum, right, right_sum):
    """What a threshold gains, from its branches' weights and sums of deviations from the mean."""
    if newton is None:
        return between_two(left, left_sum, right, right_sum) / weight
    left_sum, right_sum = around_base(newton, left_sum, left), around_base(newton, right_sum, right)
    return newton_pair_gain(left, left_sum, right, right_sum, newton.reg_lambda) / (left + right)


@borrowing
def scan_numbers(keys, numbers, weights, start, end, node, stats, residual, has_ties, newton):
    """Best threshold of a numeric target by the variance between the branches, (S·R − S_R·L)²/(L·R) over W².

    With T = S + S_R, S·R − S_R·L is S·W − T·L. T is `residual`, what rounding leaves of the sum of all deviations from
    the mean. By Newton's gain λ is added to L and R, and S is around the base; what all thresholds share is left out.
    """
    mean, weight, few = stats[1], node.weight, rows_below(weights, node.least)
    left_sum, left, position, best_sum, best_left = 0.0, np.int64(few), -1, 0.0, np.int64(0)
    best, best_lr, earlier, both = -1.0, 1.0, -np.inf, shrunk(newton, shrunk(newton, weight))
    total = around_base(newton, residual, weight)
    for key in keys[start : start + few]:
        left_sum += numbers[row_in(key)] - mean
    last, first = keys[start + few : end - few - 1], keys[start + few + 1 : end - few]
    for i in range(first.size):
        row = row_in(last[i])
        of_row = weight_in(weights, row)
        left_sum += of_row * (numbers[row] - mean)
        left += of_row
        right = weight - left
        if not starts_value(first[i], last[i], has_ties) or is_light(weights, left, right, node.least):
            continue
        of_left = shrunk(newton, left)
        distance = around_base(newton, left_sum, left) * both - total * of_left
        lr, squared = of_left * shrunk(newton, right), distance * distance
        if squared * best_lr > best * lr:
            earlier = best / best_lr if position >= 0 else earlier
            best, best_lr, position, best_sum, best_left = squared, lr, start + few + i + 1, left_sum, left
    if position < 0:
        return -1, best_left, 0.0
    has_digits = min(best, best * best_lr) > TINY and best * both * both < np.inf
    if not has_digits or earlier >= best / best_lr - node.near * both:
        return CLOSE, best_left, 0.0
    right = float(weight - best_left)
    gain = gain_of_sums(newton, float(weight), float(best_left), best_sum, right, residual - best_sum)
    return position, best_left, gain


@borrowing
def scan_exactly(keys, classes, numbers, weights, start, end, has_ties, node, kind, stats, residual, sides, best):
    """Best threshold of a sorted column from the gains of all; position −1 where none is admissible."""
    start_scans(best, node.impurity)
    while needs_scan(best):
        scan_gains(keys, classes, numbers, weights, start, end, has_ties, node, kind, stats, residual, sides, best)
    return int(best[POSITION]), np.int64(best[LEFT_WEIGHT]), best[FIRST_EQUAL]


@borrowing
def scan_gains(keys, classes, numbers, weights, start, end, has_ties, node, kind, stats, residual, counts, best):
    """Scan the gains of all thresholds."""
    left_counts, right_counts, is_number = counts[0], counts[1], numbers.size > 0
    left_squares, right_squares, left_sum, left = 0.0, 0.0, 0.0, np.int64(0)
    for k in range(0 if is_number else stats.size):
        left_counts[k], right_counts[k] = 0, np.int64(stats[k])
        right_squares += stats[k] * stats[k]
    for i in range(start + 1, end):
        row = row_in(keys[i - 1])
        of_row = weight_in(weights, row)
        left += of_row
        if is_number:
            left_sum += of_row * (numbers[row] - stats[1])
        else:
            k = classes[row]
            left_squares += float(of_row * (2 * left_counts[k] + of_row))
            right_squares -= float(of_row * (2 * right_counts[k] - of_row))
            left_counts[k] += of_row
            right_counts[k] -= of_row
        is_light_branch = left < node.least or node.weight - left < node.least
        if is_light_branch or not starts_value(keys[i], keys[i - 1], has_ties):
            continue
        left_weight, right_weight = float(left), float(node.weight - left)
        if is_number:
            gain = between_two(left_weight, left_sum, right_weight, residual - left_sum) / float(node.weight)
        elif stats.size == 2:
            gain = gain_of_two_classes(kind, node.total, stats[0], stats[1], left_weight, float(left_counts[1]))
        elif kind == GINI:
            gain = gain_of_squares(node.total, left_weight, right_weight, left_squares, right_squares)
        else:
            after = node_total_impurity(kind, left_counts, left_weight)
            after += node_total_impurity(kind, right_counts, right_weight)
            gain = (node.total - after) / float(node.weight)
        is_last = ends_scan(best, gain, i)
        if best[POSITION] == i:
            best[LEFT_WEIGHT] = left_weight
        if is_last:
            return
