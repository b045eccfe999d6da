"""The best threshold, or the best subset of categories, of a counted column with two classes.

The rows of a node are counted by value and class in one pass, so that no split has to keep such a column in order. Both
tests are a cut in a list of the values: for a threshold as they are, for a subset by the share of the second class.
"""

import numpy as np

from explorer.growing.engine.buffers import FIRST, GAIN, SECOND
from explorer.growing.engine.categorical_split import PREFIX
from explorer.growing.plain.thresholds import gain_of_two_classes
from explorer.jit import borrowing
from explorer.recipe.category_order import sort_stably
from explorer.recipe.impurity import rounded_to_zero, total_impurity_two

ROWS_LEFT = 5
"""The last number of a row of results: how many rows a threshold sends left."""
TALLY, CODES, WEIGHTS, SECONDS, ORDER, BUFFER, PRESENT = range(7)
"""Rows of the working memory of counts [7, 256]: by value, rows in the lower 32 bits and above them those of the second
class; then of the values that are present their codes, rows, those of the second class, and an order with its buffer;
in the last row a bit for each value that is present. The first and the last row are zero between two uses."""
SECOND_CLASS = 32
LOWER_BITS = (1 << SECOND_CLASS) - 1
MANY_ROWS = 100
"""Above so many rows all values are looked at; for fewer, only those that are present."""
DE_BRUIJN = 0x03F79D71B4CB0A89
"""Times a power of two, its upper six bits are another number for each (Leiserson, Prokop and Randall 1998)."""
POSITION_OF_BIT = np.zeros(64, np.int64)
for _bit in range(64):
    POSITION_OF_BIT[((DE_BRUIJN << _bit) >> 58) & 63] = _bit


@borrowing
def count_two_classes(codes, rows, classes, start, end, counts):
    """Count the rows [start, end) by value and class; returns how many values there are, which ascend."""
    tally, present = counts[TALLY], counts[PRESENT]
    highest, n_present = 0, 0
    if end - start > MANY_ROWS:
        for i in range(start, end):
            row = rows[i]
            code = np.int64(codes[row])
            tally[code] += 1 + (np.int64(classes[row]) << SECOND_CLASS)
            highest = max(highest, code)
        for code in range(highest + 1):
            if tally[code]:
                take_value(code, n_present, counts)
                n_present += 1
        return n_present
    for i in range(start, end):
        row = rows[i]
        code = np.int64(codes[row])
        tally[code] += 1 + (np.int64(classes[row]) << SECOND_CLASS)
        present[code >> 6] |= 1 << (code & 63)
        highest = max(highest, code)
    for word in range((highest >> 6) + 1):
        bits = present[word]
        present[word] = 0
        while bits != 0:
            bit = bits & -bits
            bits ^= bit
            take_value(64 * word + POSITION_OF_BIT[((bit * DE_BRUIJN) >> 58) & 63], n_present, counts)
            n_present += 1
    return n_present


@borrowing
def take_value(code, position, counts):
    """Put a value that was counted at its place among those that are present."""
    number = counts[TALLY, code]
    counts[CODES, position], counts[TALLY, code] = code, 0
    counts[WEIGHTS, position], counts[SECONDS, position] = number & LOWER_BITS, number >> SECOND_CLASS


@borrowing
def order_by_share(n_present, counts, shares):
    """Breiman's order of the categories that are present: by the share of the second class."""
    for position in range(n_present):
        shares[position] = float(counts[SECONDS, position]) / float(counts[WEIGHTS, position])
    sort_stably(shares, n_present, counts[ORDER], counts[BUFFER])


@borrowing
def best_threshold(kind, first_all, second_all, least, impurity, before, margin, n_present, counts, gains, result):
    """The first of the best thresholds between values that are present; returns how many are admissible."""
    weights, seconds, weight = counts[WEIGHTS], counts[SECONDS], first_all + second_all
    left, b, largest, n_admissible = 0, 0, -np.inf, 0
    for i in range(n_present - 1):
        left += weights[i]
        b += seconds[i]
        if left < least or weight - left < least:
            gains[i] = -np.inf
            continue
        gains[i] = gain_of_two_classes(kind, before, first_all, second_all, float(left), float(b))
        largest = max(largest, gains[i])
        n_admissible += 1
    if n_admissible == 0:
        return 0
    cut, left = 0, weights[0]
    while gains[cut] < largest - margin:
        cut += 1
        left += weights[cut]
    result[FIRST], result[SECOND] = counts[CODES, cut], counts[CODES, cut + 1]
    result[GAIN], result[ROWS_LEFT] = rounded_to_zero(gains[cut], impurity), left
    return n_admissible


@borrowing
def best_subset_of_two(kind, first_all, second_all, impurity, margin, n_present, counts, gains, result):
    """The first of the best prefixes of `order_by_share`; returns how many rows it has."""
    weights, seconds, order, weight = counts[WEIGHTS], counts[SECONDS], counts[ORDER], first_all + second_all
    left, b, largest = 0.0, 0.0, -np.inf
    for i in range(n_present - 1):
        left += weights[order[i]]
        b += seconds[order[i]]
        d = second_all - b
        after = total_impurity_two(kind, left - b, b)
        after += total_impurity_two(kind, weight - left - d, d)
        gains[i] = impurity - after / weight
        largest = max(largest, gains[i])
    last, left = 0, weights[order[0]]
    while gains[last] < largest - margin:
        last += 1
        left += weights[order[last]]
    result[GAIN] = rounded_to_zero(gains[last], impurity)
    result[FIRST], result[SECOND] = PREFIX, last
    return float(left)


@borrowing
def branches_by_code(codes, rows, classes, start, end, result, branch, plan):
    """Write every row's branch by the threshold of a counted column, and rows and class weights per branch."""
    highest_left, counts = np.int64(result[FIRST]), plan.counts
    n_right, n_second = 0, 0
    for i in range(start, end):
        row = rows[i]
        goes_right = np.int64(codes[row]) > highest_left
        branch[row] = goes_right
        n_right += goes_right
        n_second += goes_right & classes[row]
    plan.rows[0], plan.rows[1] = end - start - n_right, n_right
    counts[1, 0], counts[1, 1] = n_right - n_second, n_second
    counts[0, 0], counts[0, 1] = plan.node_counts[0] - counts[1, 0], plan.node_counts[1] - counts[1, 1]
