"""The best threshold, or the best subset of categories, of a counted column with two classes.

The rows of a node are counted by value and class in one pass, so that no split has to keep such a column in order. Both
tests are a cut in a list of the values: for a threshold as they are, for a subset by the share of the second class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.scans.buffers import FIRST, GAIN, SECOND
from explorer.growing.scans.categorical_split import PREFIX
from explorer.growing.scans.keys import weight_in
from explorer.growing.scans.thresholds import CLOSE
from explorer.jit import borrowing, inner
from explorer.recipe.category_order import sort_stably
from explorer.recipe.impurity import GINI, gain_of_two_classes, rounded_to_zero, total_impurity_two

ROWS_LEFT, DRAWN, COLUMN = 5, 6, 7
"""The last numbers of a row of results: how many rows a threshold of a sorted column sends left, the one drawn, and
where keys of the node's rows are side by side, −1 for nowhere."""
CODES, WEIGHTS, SECONDS, ORDER, BUFFER = range(5)
"""Rows of `Tally.values`."""
SECOND_CLASS = np.uint64(32)
LOWER_BITS = np.uint64(2**32 - 1)
MANY_ROWS = 100
"""Above so many rows all values are looked at; for fewer, only those that are present."""
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
"""Times a power of two, its upper six bits are another number for each (Leiserson, Prokop and Randall 1998)."""
POSITION_OF_BIT = np.zeros(64, np.int64)
for _bit in range(64):
    POSITION_OF_BIT[(int(DE_BRUIJN) << _bit) % 2**64 >> 58] = _bit
ONE, SIX, LAST_BIT, UPPER_SIX = np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(58)


class Tally(NamedTuple):
    """Room for the counts of C columns.

    `columns` [C] are those to count, `bases` [C] where the values of each begin in `counts`: a multiple of 64. A count
    has the weight of a value in its lower 32 bits, that of the second class in the upper ones; `present` has a bit for
    each value. With more than two classes `by_class` [V, K] has the rows of a value and class, and `counts` is empty.
    All these are zero between two uses. `values` [5, V] has, of the values of one column that are present, the
    codes, the rows, those of the second class, and an order with its buffer.
    """

    columns: NDArray[np.uint64]
    bases: NDArray[np.uint64]
    counts: NDArray[np.uint64]
    by_class: NDArray[np.uint32]
    present: NDArray[np.uint64]
    values: NDArray[np.int64]


@inner
def tally_for(table, n_classes):
    """Room for the columns of a table that are counted."""
    n_columns, n_words, most, is_two = 0, 0, 0, n_classes == 2
    bases = np.zeros(table.place.size, np.uint64)
    for feature in range(table.place.size):
        if table.place[feature] < 0:
            bases[-1 - table.place[feature]] = 64 * n_words
            n_columns, most = n_columns + 1, max(most, table.n_values[feature])
            n_words += (table.n_values[feature] + 63) // 64
    return Tally(
        columns=np.zeros(n_columns, np.uint64),
        bases=bases,
        counts=np.zeros(64 * n_words if is_two else 0, np.uint64),
        by_class=np.zeros((0 if is_two else 64 * n_words, n_classes), np.uint32),
        present=np.zeros(n_words, np.uint64),
        values=np.zeros((5, most), np.int64),
    )


@borrowing
def count_rows(codes, rows, classes, weights, start, end, n_columns, columns, bases, counts, present):
    """Count the rows [start, end) by value and class, in the first `n_columns` of these columns."""
    if end - start > MANY_ROWS:
        for i in range(start, end):
            row = rows[i]
            one = np.uint64(weight_in(weights, row)) * (ONE + (np.uint64(classes[row]) << SECOND_CLASS))
            for j in range(n_columns):
                column = columns[j]
                counts[bases[column] + np.uint64(codes[row, column])] += one
    else:
        for i in range(start, end):
            row = rows[i]
            one = np.uint64(weight_in(weights, row)) * (ONE + (np.uint64(classes[row]) << SECOND_CLASS))
            for j in range(n_columns):
                column = columns[j]
                value = bases[column] + np.uint64(codes[row, column])
                counts[value] += one
                present[value >> SIX] |= ONE << (value & LAST_BIT)


@borrowing
def take_codes(base, n_values, present, codes):
    """The codes of a column that are present, ascending, into `codes`; returns how many there are."""
    n_present = 0
    for word in range((n_values + 63) >> 6):
        at = (base >> SIX) + np.uint64(word)
        bits = present[at]
        present[at] = 0
        while bits:
            bit = bits & (~bits + ONE)
            bits ^= bit
            codes[np.uint64(n_present)] = 64 * word + POSITION_OF_BIT[(bit * DE_BRUIJN) >> UPPER_SIX]
            n_present += 1
    return n_present


@borrowing
def take_values(n_rows, column, n_values, tally):
    """Move the counts of a column to `tally.values`, by ascending code; returns how many values there are."""
    counts, present, values, n_present = tally.counts, tally.present, tally.values, 0
    base = tally.bases[column]
    if n_rows > MANY_ROWS:
        for code in range(n_values):
            if counts[base + np.uint64(code)]:
                take_value(code, base, n_present, counts, values)
                n_present += 1
        return n_present
    n_present = take_codes(base, n_values, present, values[CODES])
    for position in range(n_present):
        take_value(values[CODES, position], base, position, counts, values)
    return n_present


@borrowing
def take_value(code, base, position, counts, values):
    """Move the count of one value to its place among those that are present."""
    at, to = base + np.uint64(code), np.uint64(position)
    count = counts[at]
    counts[at] = 0
    values[CODES, to], values[ORDER, to] = code, position
    values[WEIGHTS, to], values[SECONDS, to] = count & LOWER_BITS, count >> SECOND_CLASS


@borrowing
def order_by_share(n_present, values, shares):
    """Breiman's order of the categories that are present: by the share of the second class.

    The branches of the winner are numbered by `order_by_mean`: its quotients are the same to the last digit.
    """
    for position in range(n_present):
        shares[position] = float(values[SECONDS, position]) / float(values[WEIGHTS, position])
    sort_stably(shares, n_present, values[ORDER], values[BUFFER])


@borrowing
def scan_cuts_by_gini(stats, least, near, n_present, values):
    """The best cut in the order of the values by Gini, and how many rows it sends left, in all and of the second class.

    The cut is −1 if none is admissible, `CLOSE` where two are too close.
    With D = W·b − L·B, the gain is 2·D²/(L·R) over W².
    """
    weights, seconds, order = values[WEIGHTS], values[SECONDS], values[ORDER]
    n_second, left, b, cut = np.int64(stats[1]), np.int64(0), np.int64(0), -1
    best_left, best_b = left, b
    weight, best, best_lr, earlier = np.int64(stats[0]) + n_second, -1.0, 1.0, -np.inf
    for i in range(n_present - 1):
        at = np.uint64(order[i])
        left += weights[at]
        b += seconds[at]
        if left < least or weight - left < least:
            continue
        d, lr = float(weight * b - left * n_second), float(left * (weight - left))
        squared = d * d
        if squared * best_lr > best * lr:
            earlier = best / best_lr if cut >= 0 else earlier
            best, best_lr, cut, best_left, best_b = squared, lr, i, left, b
    if cut >= 0 and earlier >= best / best_lr - near * weight:
        return CLOSE, best_left, best_b
    return cut, best_left, best_b


@borrowing
def scan_cuts_exactly(is_subset, kind, stats, least, node, n_present, values, gains):
    """As `scan_cuts_by_gini`, from the gains of all cuts: the first of the best, or −1."""
    weights, seconds, order = values[WEIGHTS], values[SECONDS], values[ORDER]
    weight, left, b, largest = np.int64(stats[0] + stats[1]), np.int64(0), np.int64(0), -np.inf
    for i in range(n_present - 1):
        left += weights[order[i]]
        b += seconds[order[i]]
        gains[i] = -np.inf
        if left >= least and weight - left >= least:
            gains[i] = gain_of_cut(is_subset, kind, stats, float(left), float(b), node)
            largest = max(largest, gains[i])
    if largest == -np.inf:
        return -1, left, b
    cut, left, b = 0, weights[order[0]], seconds[order[0]]
    while gains[cut] < largest - node.margin:
        cut += 1
        left += weights[order[cut]]
        b += seconds[order[cut]]
    return cut, left, b


@borrowing
def gain_of_cut(is_subset, kind, stats, left, b, node):
    """What is gained by a branch of `left` rows, `b` of the second class, in the steps of the other loops."""
    if not is_subset:
        return gain_of_two_classes(kind, node.total, stats[0], stats[1], left, b)
    weight, d = stats[0] + stats[1], stats[1] - b
    after = total_impurity_two(kind, left - b, b)
    after += total_impurity_two(kind, weight - left - d, d)
    return node.impurity - after / weight


@borrowing
def search_cuts(is_subset, kind, stats, node, n_rows, column, n_values, tally, gains, result):
    """The best cut of a column that was counted into its row of results.

    Returns how many values the node has of it, and the weight of the first branch.
    """
    n_present, values = take_values(n_rows, column, n_values, tally), tally.values
    if n_present < 2:
        return n_present, 0
    least = 1 if is_subset else node.least
    if is_subset:
        order_by_share(n_present, values, gains)
    cut, left, b = CLOSE, np.int64(0), np.int64(0)
    if kind == GINI:
        cut, left, b = scan_cuts_by_gini(stats, least, node.near, n_present, values)
    if cut == CLOSE:
        cut, left, b = scan_cuts_exactly(is_subset, kind, stats, least, node, n_present, values, gains)
    if cut < 0:
        return n_present, left
    result[GAIN] = rounded_to_zero(gain_of_cut(is_subset, kind, stats, float(left), float(b), node), node.impurity)
    result[FIRST], result[SECOND] = values[CODES, cut], values[CODES, cut + 1]
    if is_subset:
        result[FIRST], result[SECOND] = PREFIX, cut
    return n_present, left
