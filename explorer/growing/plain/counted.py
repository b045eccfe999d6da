"""The best threshold, or the best subset of categories, of a counted column with two classes.

The rows of a node are counted by value and class in one pass, so that no split has to keep such a column in order. Both
tests are a cut in a list of the values: for a threshold as they are, for a subset by the share of the second class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.buffers import FIRST, GAIN, SECOND
from explorer.growing.engine.categorical_split import PREFIX
from explorer.growing.plain.thresholds import NEAR, gain_of_two_classes
from explorer.jit import borrowing
from explorer.recipe.category_order import sort_stably
from explorer.recipe.impurity import GINI, rounded_to_zero, total_impurity_two

ROWS_LEFT = 5
"""The last number of a row of results: how many rows a threshold sends left."""
CODES, WEIGHTS, SECONDS, ORDER, BUFFER = range(5)
"""Rows of `Tally.values`."""
SECOND_CLASS = 32
LOWER_BITS = (1 << SECOND_CLASS) - 1
MANY_ROWS = 100
"""Above so many rows all values are looked at; for fewer, only those that are present."""
DE_BRUIJN = 0x03F79D71B4CB0A89
"""Times a power of two, its upper six bits are another number for each (Leiserson, Prokop and Randall 1998)."""
POSITION_OF_BIT = np.zeros(64, np.int64)
for _bit in range(64):
    POSITION_OF_BIT[((DE_BRUIJN << _bit) >> 58) & 63] = _bit


class Tally(NamedTuple):
    """Room for the counts of C columns.

    `columns` [C] are those to count, `bases` [C] where the values of each begin in `counts`: a multiple of 64. Of every
    value that has the rows in the lower 32 bits, and above them those of the second class; `present` has a bit for it.
    Both are zero between two uses. `values` [5, 256] are of the values of one column that are present the codes, the
    rows, those of the second class, and an order with its buffer.
    """

    columns: NDArray[np.int64]
    bases: NDArray[np.int64]
    counts: NDArray[np.int64]
    present: NDArray[np.int64]
    values: NDArray[np.int64]


def tally_for(n_values: NDArray[np.int64]) -> Tally:
    """Room for columns with so many values each."""
    n_words = (n_values + 63) // 64
    return Tally(
        columns=np.zeros(len(n_values), np.int64),
        bases=64 * (np.cumsum(n_words) - n_words),
        counts=np.zeros(64 * n_words.sum(), np.int64),
        present=np.zeros(n_words.sum(), np.int64),
        values=np.zeros((5, int(n_values.max(initial=0))), np.int64),
    )


@borrowing
def count_rows(codes, rows, classes, start, end, n_columns, columns, bases, counts, present):
    """Count the rows [start, end) by value and class, in the first `n_columns` of these columns."""
    if end - start > MANY_ROWS:
        for i in range(start, end):
            row = rows[i]
            one = 1 + (np.int64(classes[row]) << SECOND_CLASS)
            for j in range(n_columns):
                column = columns[j]
                counts[bases[column] + codes[row, column]] += one
    else:
        for i in range(start, end):
            row = rows[i]
            one = 1 + (np.int64(classes[row]) << SECOND_CLASS)
            for j in range(n_columns):
                column = columns[j]
                value = bases[column] + np.int64(codes[row, column])
                counts[value] += one
                present[value >> 6] |= 1 << (value & 63)


@borrowing
def take_values(n_rows, column, n_values, tally):
    """Move the counts of a column to `tally.values`, by ascending code; returns how many values there are."""
    base, counts, present, values, n_present = tally.bases[column], tally.counts, tally.present, tally.values, 0
    if n_rows > MANY_ROWS:
        for code in range(n_values):
            if counts[base + code]:
                take_value(code, base, n_present, counts, values)
                n_present += 1
        return n_present
    for word in range((n_values + 63) >> 6):
        bits = present[(base >> 6) + word]
        present[(base >> 6) + word] = 0
        while bits != 0:
            bit = bits & -bits
            bits ^= bit
            code = 64 * word + POSITION_OF_BIT[((bit * DE_BRUIJN) >> 58) & 63]
            take_value(code, base, n_present, counts, values)
            n_present += 1
    return n_present


@borrowing
def take_value(code, base, position, counts, values):
    """Move the count of one value to its place among those that are present."""
    count = counts[base + code]
    counts[base + code] = 0
    values[CODES, position], values[ORDER, position] = code, position
    values[WEIGHTS, position], values[SECONDS, position] = count & LOWER_BITS, count >> SECOND_CLASS


@borrowing
def order_by_share(n_present, values, shares):
    """Breiman's order of the categories that are present: by the share of the second class."""
    for position in range(n_present):
        shares[position] = float(values[SECONDS, position]) / float(values[WEIGHTS, position])
    sort_stably(shares, n_present, values[ORDER], values[BUFFER])


@borrowing
def scan_cuts_by_gini(stats, least, before, n_present, values):
    """The best cut in the order of the values by Gini, −1 if none is admissible, −2 where two are too close.

    With D = W·b − L·B, the gain is 2·D²/(L·R) over W².
    """
    weights, seconds, order = values[WEIGHTS], values[SECONDS], values[ORDER]
    n_second, left, b, cut = np.int64(stats[1]), np.int64(0), np.int64(0), -1
    weight, best, best_lr, earlier = np.int64(stats[0]) + n_second, -1.0, 1.0, -np.inf
    for i in range(n_present - 1):
        left += weights[order[i]]
        b += seconds[order[i]]
        if left < least or weight - left < least:
            continue
        d, lr = float(weight * b - left * n_second), float(left * (weight - left))
        squared = d * d
        if squared * best_lr > best * lr:
            earlier = best / best_lr if cut >= 0 else earlier
            best, best_lr, cut = squared, lr, i
    return -2 if cut >= 0 and earlier >= best / best_lr - NEAR * before * weight else cut


@borrowing
def scan_cuts_exactly(is_subset, kind, stats, least, node, n_present, values, gains):
    """The first of the best cuts from the gains of all, −1 if none is admissible."""
    weights, seconds, order = values[WEIGHTS], values[SECONDS], values[ORDER]
    weight, left, b, largest = stats[0] + stats[1], 0.0, 0.0, -np.inf
    for i in range(n_present - 1):
        left += weights[order[i]]
        b += seconds[order[i]]
        gains[i] = -np.inf
        if left >= least and weight - left >= least:
            gains[i] = gain_of_cut(is_subset, kind, stats, left, b, node)
            largest = max(largest, gains[i])
    if largest == -np.inf:
        return -1
    cut = 0
    while gains[cut] < largest - node.margin:
        cut += 1
    return cut


@borrowing
def gain_of_cut(is_subset, kind, stats, left, b, node):
    """What sending `left` rows, `b` of them of the second class, to one branch gains, as the other loops work it out."""
    if not is_subset:
        return gain_of_two_classes(kind, node.total, stats[0], stats[1], left, b)
    weight, d = stats[0] + stats[1], stats[1] - b
    after = total_impurity_two(kind, left - b, b)
    after += total_impurity_two(kind, weight - left - d, d)
    return node.impurity - after / weight


@borrowing
def search_cuts(is_subset, kind, stats, node, n_rows, column, n_values, tally, gains, result):
    """The best cut of a column that was counted into its row of results; returns how many values the node has of it."""
    n_present, values = take_values(n_rows, column, n_values, tally), tally.values
    if n_present < 2:
        return n_present
    least = 1 if is_subset else node.least
    if is_subset:
        order_by_share(n_present, values, gains)
    cut = scan_cuts_by_gini(stats, least, node.total, n_present, values) if kind == GINI else -2
    if cut == -2:
        cut = scan_cuts_exactly(is_subset, kind, stats, least, node, n_present, values, gains)
    if cut < 0:
        return n_present
    left, b, order = np.int64(0), np.int64(0), values[ORDER]
    for i in range(cut + 1):
        left += values[WEIGHTS, order[i]]
        b += values[SECONDS, order[i]]
    gain = gain_of_cut(is_subset, kind, stats, float(left), float(b), node)
    result[GAIN], result[ROWS_LEFT] = rounded_to_zero(gain, node.impurity), left
    result[FIRST], result[SECOND] = values[CODES, cut], values[CODES, cut + 1]
    if is_subset:
        result[FIRST], result[SECOND] = PREFIX, cut
    return n_present


@borrowing
def branches_by_code(codes, column, rows, classes, start, end, result, branch, plan):
    """Write every row's branch by the threshold of a counted column, and rows and class weights per branch."""
    highest_left, counts = np.int64(result[FIRST]), plan.counts
    n_right, n_second = 0, 0
    for i in range(start, end):
        row = rows[i]
        goes_right = np.int64(codes[row, column]) > highest_left
        branch[row] = goes_right
        n_right += goes_right
        n_second += goes_right & classes[row]
    plan.rows[0], plan.rows[1] = end - start - n_right, n_right
    counts[1, 0], counts[1, 1] = n_right - n_second, n_second
    counts[0, 0], counts[0, 1] = plan.node_counts[0] - counts[1, 0], plan.node_counts[1] - counts[1, 1]
