"""The best threshold of a feature at a node whose rows are not in order, with two classes.

The rows are counted in buckets of neighbouring values. What a threshold gains is convex in what goes left, so inside a
bucket none gains more than the best of four: all, none, or one class of its rows go left. Only buckets in which the
best threshold may lie are sorted (after CLOUDS: Alsabti, Ranka and Singh 1998).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.plain.drawing import FEW_ROWS, LOW_HALF, ROW_BITS, WEIGHT_BITS, WEIGHT_MASK, sort_by_digits
from explorer.growing.scans.buffers import FIRST, GAIN, SECOND
from explorer.growing.scans.counted import COLUMN
from explorer.growing.scans.thresholds import CLOSE, entropy_after
from explorer.jit import borrowing, inner
from explorer.recipe.impurity import GINI, gain_of_two_classes, rounded_to_zero

ROWS_OF_A_BUCKET, MOST_BUCKETS, MOST_BOUNDED = 4, 1024, 1 << 26
"""Rows for each bucket, the most buckets, and the weight up to which products of weights are exact."""
LEFT, SECONDS, END, INSIDE = range(4)
"""What goes left at the end of a bucket, how much of it is of the second class, what that gains, and a bound inside."""


class Buckets(NamedTuple):
    """Working memory: weight and, in the upper half, that of the second class [B]; `sums` [4, B + 1]; what is open [B].

    The first column of `sums` is for what lies below all buckets.
    """

    counts: NDArray[np.uint64]
    sums: NDArray[np.float64]
    is_open: NDArray[np.uint8]


@inner
def buckets_for(n_rows):
    """Room for the buckets of nodes of up to so many rows."""
    most = MOST_BUCKETS if n_rows else 0
    return Buckets(np.zeros(most, np.uint64), np.zeros((4, most + 1)), np.zeros(most, np.uint8))


@borrowing
def score_of(kind, logs, first, second, left, b):
    """What rises with the gain if so much goes left: of Gini D²/(L·R), see `thresholds`, of entropy what is after."""
    if kind == GINI:
        weight = first + second
        d = weight * b - left * second
        return d * d / (left * (weight - left))
    return -entropy_after(logs, np.uint64(first), np.uint64(second), np.uint64(left), np.uint64(b))


@borrowing
def count_in_buckets(codes, ones, n, low, shift, n_buckets, counts):
    """Count the rows by bucket and class."""
    for k in range(n_buckets):
        counts[k] = 0
    for i in range(np.uint64(n)):
        one = np.uint64(ones[i] & WEIGHT_MASK) | (np.uint64(ones[i] >> WEIGHT_BITS) << ROW_BITS)
        counts[np.uint64(codes[i] - low) >> shift] += one


@borrowing
def open_buckets(kind, logs, first, second, node, slack, n_buckets, buckets):
    """Mark the buckets in which the best threshold may lie."""
    counts, sums, is_open, left, b = buckets.counts, buckets.sums, buckets.is_open, np.uint64(0), np.uint64(0)
    lefts, seconds, ends, inside = sums[LEFT], sums[SECONDS], sums[END], sums[INSIDE]
    for k in range(n_buckets):
        left += counts[k] & LOW_HALF
        b += counts[k] >> ROW_BITS
        lefts[k + 1], seconds[k + 1] = left, b
    least, most = float(node.least), float(node.weight - node.least)
    for k in range(1, n_buckets + 1):
        score = score_of(kind, logs, first, second, lefts[k], seconds[k])
        ends[k] = score if least <= lefts[k] and lefts[k] <= most else -np.inf
    ends[0] = best = -np.inf
    for k in range(1, n_buckets + 1):
        best = ends[k] if ends[k] > best else best
    for k in range(1, n_buckets + 1):
        of_second = seconds[k] - seconds[k - 1]
        of_first = lefts[k] - lefts[k - 1] - of_second
        one = score_of(kind, logs, first, second, lefts[k - 1] + of_first, seconds[k - 1])
        other = score_of(kind, logs, first, second, lefts[k - 1] + of_second, seconds[k])
        inside[k] = one if one > other else other
    for k in range(n_buckets):
        highest = max(max(ends[k], ends[k + 1]), inside[k + 1])
        is_open[k] = highest >= best - slack and lefts[k + 1] > lefts[k]


@borrowing
def sort_open(codes, ones, n, low, shift, n_values, is_open, work):
    """Sort the rows of open buckets by code into `work.sorted[0]`, class and weight below it; returns how many."""
    keys, ordered, m = work.sorted[0], work.sorted[1], np.uint64(0)
    for i in range(np.uint64(n)):
        keys[m] = (np.uint64(codes[i]) << ROW_BITS) | np.uint64(ones[i])
        m += np.uint64(is_open[np.uint64(codes[i] - low) >> shift])
    if m > FEW_ROWS:
        sort_by_digits(np.int64(m), n_values, work.sorted, work.digits)
        return np.int64(m)
    for i in range(m):
        keys[i] |= i << np.uint64(16)
    for i in range(m):
        key, n_less = keys[i], np.uint64(0)
        for other in range(m):
            n_less += np.uint64(keys[other] < key)
        ordered[n_less] = key
    for i in range(m):
        keys[i] = ordered[i]
    return np.int64(m)


@borrowing
def scan_open(kind, logs, first, second, node, slack, m, low, shift, sums, keys):
    """The best threshold in or at the ends of open buckets: (code, weight, second class, score).

    Code −1: no threshold is admissible, CLOSE: an earlier one is.
    """
    bucket, code, left, b = -1, -1, 0.0, 0.0
    best, earlier, best_code, best_left, best_b = -np.inf, -np.inf, -1, 0.0, 0.0
    least, most = float(node.least), float(node.weight - node.least)
    for i in range(m):
        code, one = np.int64(keys[i] >> ROW_BITS), np.int64(keys[i] & np.uint64(0xFFFF))
        if (code - low) >> shift != bucket:
            bucket = (code - low) >> shift
            left, b = sums[LEFT, bucket], sums[SECONDS, bucket]
        left += float(one & 255)
        b += float(one >> 8)
        if (i + 1 < m and np.int64(keys[i + 1] >> ROW_BITS) == code) or left < least or left > most:
            continue
        score = score_of(kind, logs, first, second, left, b)
        if score > best:
            earlier, best, best_code, best_left, best_b = best, score, code, left, b
    if best_code >= 0 and earlier >= best - slack:
        return CLOSE, best_left, best_b, best
    return best_code, best_left, best_b, best


@borrowing
def search_in_buckets(table, parameters, feature, drawn, n, node, stats, work, result):
    """The best threshold of a feature whose codes are in a row of `work.cells`, and the weight that goes left.

    −1 where there is none, CLOSE where the rows have to be sorted since two are close.
    """
    codes, ones, buckets, kind, first, second = (
        work.cells[drawn], work.ones, work.buckets, parameters.impurity, stats[0], stats[1],
    )  # fmt: skip
    low = high = codes[0]
    for i in range(np.uint64(n)):
        low, high = min(low, codes[i]), max(high, codes[i])
    shift, most = np.uint64(0), min(n // ROWS_OF_A_BUCKET, MOST_BUCKETS)
    while np.int64(np.uint64(high - low) >> shift) >= most:
        shift += np.uint64(1)
    n_buckets = np.int64(np.uint64(high - low) >> shift) + 1
    slack = node.near * node.weight if kind == GINI else node.near
    count_in_buckets(codes, ones, n, low, shift, n_buckets, buckets.counts)
    open_buckets(kind, table.logs, first, second, node, slack, n_buckets, buckets)
    m = sort_open(codes, ones, n, low, shift, table.n_values[feature], buckets.is_open, work)
    cut, left, b, score = scan_open(
        kind, table.logs, first, second, node, slack, m, np.int64(low), np.int64(shift), buckets.sums, work.sorted[0]
    )
    if cut < 0:
        return cut
    gain = (node.total + score) / float(node.weight)
    if kind == GINI:
        gain = gain_of_two_classes(GINI, node.total, first, second, left, b)
    next_code, bound = np.int32(2**31 - 1), np.int32(cut)
    for i in range(np.uint64(n)):
        next_code = min(next_code, codes[i] if codes[i] > bound else np.int32(2**31 - 1))
    result[COLUMN] = drawn
    result[GAIN], result[FIRST], result[SECOND] = rounded_to_zero(gain, node.impurity), cut, next_code
    return np.int64(left)
