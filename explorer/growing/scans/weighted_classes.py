"""Find the best threshold of a feature without missing cells where rows of two classes have weights of their own."""

import numpy as np

from explorer.growing.scans.buffers import (
    ADMISSIBLE,
    BLOCK,
    FLOOR,
    LANES,
    LARGEST,
    LEFT_WEIGHT,
    MARGIN,
    POSITION,
    SPLIT_INFO,
)
from explorer.growing.scans.problem import code_of, row_of
from explorer.growing.scans.running_best import (
    clear,
    ends_scan,
    needs_scan,
    split_information_two,
    start_scans,
    weight_of_rows,
    write_best,
    write_threshold,
)
from explorer.jit import borrowing
from explorer.recipe.impurity import ENTROPY, GINI, total_impurity_two
from explorer.recipe.split_score import at_least


@borrowing
def add_up_block(keys, classes, weights, totals, sums):
    """Move some rows to the left branch, one after the other; the last of the `keys` only ends the value before it.

    Notes the sums after each row that is the last of its value, and which row that is, in `sums`. `totals` is the
    weight of the rows so far, in all and by class. Returns it with these rows, and how many sums were noted.
    """
    left, first, second = totals
    lefts, firsts, seconds, rows, n = sums.left, sums.first, sums.second, sums.row, np.uint64(0)
    segment, following = keys[:-1], keys[1:]
    for i in range(segment.size):
        row = row_of(segment[i])
        of_row, in_second = weights[row], weights[row] * classes[row]
        left += of_row
        second += in_second
        first += of_row - in_second
        lefts[n], firsts[n], seconds[n], rows[n] = left, first, second, i
        n += np.uint64(code_of(segment[i]) != code_of(following[i]))
    return (left, first, second), np.int64(n)


@borrowing
def rows_before(row_factor, sums, i):
    """Row weight of the left branch of a threshold."""
    return sums.left[i] if row_factor.size == 0 else sums.first[i] * row_factor[0] + sums.second[i] * row_factor[1]


@borrowing
def find_admissible(criterion, n, sums):
    """Which thresholds with these sums have the minimum of row weight on both sides: [low, high)."""
    stats, row_factor, minimum = criterion.stats, criterion.row_factor, criterion.minimum
    weight, low, high = stats[0] + stats[1], 0, n
    all_rows = weight if row_factor.size == 0 else stats[0] * row_factor[0] + stats[1] * row_factor[1]
    while low < high and not at_least(rows_before(row_factor, sums, low), minimum):
        low += 1
    while low < high and not (
        at_least(all_rows - rows_before(row_factor, sums, high - 1), minimum) and weight > sums.left[high - 1]
    ):
        high -= 1
    return low, high


@borrowing
def bound_gains(kind, stats, low, n, sums):
    """What thresholds with these sums gain at most, but for rounding; returns the bits of the largest bound.

    Gini's gain itself. An entropy gain is the mean divergence of the branches' shares q of the second class from the
    node's p. In nats it is at most (q − p)²·g(p) with g(t) = 1/(t·(1 − t)), and at most (q − p)²·(2·g(p) + g(q))/6,
    since its second derivative is g, which is convex. The first is less where g(q) is above 4·g(p). Without a
    condition and with one division, so that eight are worked out at a time; weights are shares of the node's. No bound
    is negative, so that their bits are in the order of the bounds, and compared faster.
    """
    padded = (n + LANES - 1) // LANES * LANES  # the last ones mean nothing: nobody reads them
    lefts, firsts = sums.left[low : low + padded], sums.first[low : low + padded]
    seconds, bounds, bits = sums.second[low : low + padded], sums.bound[:padded], sums.bits[:n]
    scale = 1.0 / (stats[0] + stats[1])
    first_all, second_all = stats[0] * scale, stats[1] * scale
    curvature, least = 2.0 / (first_all * second_all), first_all * second_all / 4.0
    by_divergence, by_gini = kind == ENTROPY and least > 0.0, kind == GINI
    for i in range(bounds.size):
        left, first, second = lefts[i] * scale, firsts[i] * scale, seconds[i] * scale
        right = 1.0 - left
        squared, sides = (second - second_all * left) ** 2, left * right
        if by_divergence:
            of_left, of_right = first * second, (first_all - first) * (second_all - second)
            least_left, least_right = least * left * left, least * right * right
            of_left = of_left if of_left > least_left else least_left
            of_right = of_right if of_right > least_right else least_right
            both = of_left * of_right
            total = curvature * both + sides * (left * of_right + right * of_left)
            bounds[i] = squared * total / (6.0 * np.log(2.0) * sides * both)
        else:
            bounds[i] = 2.0 * squared / sides if by_gini else np.inf
    largest = np.int64(0)
    for i in range(n):
        largest = max(largest, bits[i])
    return largest


@borrowing
def bound_by_fractions(stats, first, second):
    """A closer bound of an entropy gain, for thresholds with these class weights to the left.

    The gain is Σ o·ln(o/e) over branches and classes, o being the share of the node's weight that is there and e that
    without a gain. Below 1, ln(r) is at most 3·(r² − 1)/(r² + 4·r + 1), and above (r − 1)·(r + 5)/(4·r + 2): their
    differences from ln(r) have the derivatives −(r − 1)⁴ and (r − 1)³ over something positive. All o differ from their
    e by the same amount, two above and two below.
    """
    scale = 1.0 / (stats[0] + stats[1])
    first, second, of_first, of_second = first * scale, second * scale, stats[0] * scale, stats[1] * scale
    left, others, other_seconds = first + second, of_first - first, of_second - second
    right = others + other_seconds
    more, more_e, less, less_e = first, left * of_first, second, left * of_second
    more_2, more_2_e, less_2, less_2_e = other_seconds, right * of_second, others, right * of_first
    if more < more_e:
        more, more_e, less, less_e = less, less_e, more, more_e
        more_2, more_2_e, less_2, less_2_e = less_2, less_2_e, more_2, more_2_e
    above = more * (more + 5.0 * more_e) / (more_e * (4.0 * more + 2.0 * more_e))
    above += more_2 * (more_2 + 5.0 * more_2_e) / (more_2_e * (4.0 * more_2 + 2.0 * more_2_e))
    below = less * (less + less_e) / (less * less + 4.0 * less * less_e + less_e * less_e)
    below += less_2 * (less_2 + less_2_e) / (less_2 * less_2 + 4.0 * less_2 * less_2_e + less_2_e * less_2_e)
    return (more - more_e) * (above - 3.0 * below) / np.log(2.0)


@borrowing
def gain_at(kind, before, stats, sums, i):
    """Decrease of the impurity by a threshold; `before` is the node's in all."""
    # Subtracting fractional weights can fall just below zero.
    third, fourth = max(stats[0] - sums.first[i], 0.0), max(stats[1] - sums.second[i], 0.0)
    after = total_impurity_two(kind, sums.first[i], sums.second[i]) + total_impurity_two(kind, third, fourth)
    return (before - after) / (stats[0] + stats[1])


@borrowing
def in_reach(gain):
    """How large the bound of a gain has to be at least, if it is to be this large."""
    return gain * (1.0 - 1e-9) - 1e-12


@borrowing
def scan_blocks(segment, criterion, sums, best):
    """Scan the thresholds of a segment, a block of rows at a time.

    Logarithms are computed only where they can matter: where the bound of the gain leaves the best in reach. A good
    one is therefore looked for first, by the bounds.
    """
    start, kind, stats = segment.start, criterion.kind, criterion.stats
    before, n_admissible, totals = total_impurity_two(kind, stats[0], stats[1]), 0, (0.0, 0.0, 0.0)
    margin, enough = best[MARGIN], in_reach(best[FLOOR])
    for begin in range(start, segment.end - 1, BLOCK):
        keys = segment.keys[begin : min(begin + BLOCK + 1, segment.end)]
        totals, n = add_up_block(keys, segment.classes, segment.weights, totals, sums)
        low, high = find_admissible(criterion, n, sums)
        bounds, bits, good, good_gain = sums.bound[: high - low], sums.bits[: high - low], 0, 0.0
        n_admissible += bounds.size
        largest = bound_gains(kind, stats, low, bounds.size, sums) if bounds.size else 0
        while good < bits.size and bits[good] != largest:
            good += 1
        if good < bits.size and not bounds[good] < enough:  # nan where a branch is too small for products
            good_gain = gain_at(kind, before, stats, sums, low + good)
            enough = max(enough, in_reach(good_gain - margin))
        else:
            bounds = bounds[:0]
        for i in range(bounds.size):
            if bounds[i] < enough:
                continue
            gain = good_gain
            if i != good:
                first, second = sums.first[low + i], sums.second[low + i]
                if kind == ENTROPY and bound_by_fractions(stats, first, second) < enough:
                    continue
                gain = gain_at(kind, before, stats, sums, low + i)
            position = begin + sums.row[low + i] + 1
            is_last = ends_scan(best, gain, position)
            if best[POSITION] == position:
                best[LEFT_WEIGHT] = sums.left[low + i]
            if is_last:
                return
            enough = max(enough, in_reach(best[LARGEST] - margin))
        if high < n:
            break  # as the left branch grows, the right one has less and less
    best[ADMISSIBLE] = n_admissible


@borrowing
def scan_two_weighted_classes(segment, criterion, scan, result):
    """Best threshold of a segment of weighted rows that have a value, into its row of results."""
    clear(result)
    best = scan.best
    start_scans(best, criterion.scale)
    while needs_scan(best):
        scan_blocks(segment, criterion, scan.sums, best)
    position = write_best(result, best, criterion.scale)
    if position < 0:
        return
    write_threshold(result, segment.keys, position)
    if criterion.with_info:
        right = weight_of_rows(segment.keys, segment.weights, position, segment.end)
        result[SPLIT_INFO] = split_information_two(best[LEFT_WEIGHT], right)
