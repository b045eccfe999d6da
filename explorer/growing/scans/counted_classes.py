"""The best threshold by Gini of a counted column with more than two classes: as `counted`, a count for every class.

What is compared, and when all gains are worked out, is as in `thresholds`: so a column may be sorted or counted.
"""

import numpy as np

from explorer.growing.scans.buffers import FIRST, FIRST_EQUAL, GAIN, LEFT_WEIGHT, POSITION, SECOND
from explorer.growing.scans.counted import CODES, LAST_BIT, ONE, SIX, WEIGHTS, take_codes
from explorer.growing.scans.keys import weight_in
from explorer.growing.scans.running_best import ends_scan, needs_scan, start_scans
from explorer.growing.scans.thresholds import CLOSE
from explorer.jit import borrowing
from explorer.recipe.impurity import gain_of_squares, rounded_to_zero


@borrowing
def count_rows_by_class(codes, rows, classes, weights, start, end, n_columns, columns, bases, counts, present):
    """Count the rows [start, end) by value and class, in the first `n_columns` of these columns; `counts` [V, K]."""
    for i in range(start, end):
        row = rows[i]
        k, of_row = classes[row], np.uint32(weight_in(weights, row))
        for j in range(n_columns):
            column = columns[j]
            value = bases[column] + np.uint64(codes[row, column])
            counts[value, k] += of_row
            present[value >> SIX] |= ONE << (value & LAST_BIT)


@borrowing
def put_all_right(stats, sides):
    """All rows of a node on the right side; returns the sum of their squared class weights."""
    squares = np.int64(0)
    for k in range(stats.size):
        sides[0, k], sides[1, k] = 0, np.int64(stats[k])
        squares += sides[1, k] * sides[1, k]
    return squares


@borrowing
def move_value(counts, sides):
    """Move the rows of a value to the left; returns how many, and what that adds to the squares of each side."""
    rows, left, right = np.int64(0), np.int64(0), np.int64(0)
    for k in range(counts.size):
        count = np.int64(counts[k])
        rows += count
        left += count * (2 * sides[0, k] + count)
        right -= count * (2 * sides[1, k] - count)
        sides[0, k] += count
        sides[1, k] -= count
    return rows, left, right


@borrowing
def scan_class_cuts(stats, node, base, n_present, counts, values, sides):
    """The best cut, how many rows it sends left, and its gain; −1 if none is admissible, `CLOSE` if two are."""
    left_squares, right_squares, left = np.int64(0), put_all_right(stats, sides), np.int64(0)
    best_left_squares, best_right_squares, best_left, cut = left_squares, right_squares, left, -1
    best, best_lr, earlier = np.inf, 1.0, np.inf
    for position in range(n_present - 1):
        rows, more, fewer = move_value(counts[base + np.uint64(values[CODES, position])], sides)
        values[WEIGHTS, position] = rows
        left_squares += more
        right_squares += fewer
        left += rows
        right = node.weight - left
        if left < node.least or right < node.least:
            continue
        lr = float(left * right)
        total = float(left * left - left_squares) * float(right) + float(right * right - right_squares) * float(left)
        if total * best_lr < best * lr:
            earlier = best / best_lr
            best, best_lr, cut, best_left = total, lr, position, left
            best_left_squares, best_right_squares = left_squares, right_squares
    if cut < 0:
        return -1, best_left, 0.0
    if earlier <= best / best_lr + node.near:
        return CLOSE, best_left, 0.0
    squares = float(best_left_squares), float(best_right_squares)
    return cut, best_left, gain_of_squares(node.total, float(best_left), float(node.weight - best_left), *squares)


@borrowing
def scan_class_gains(stats, node, base, n_present, counts, values, sides, best):
    """Scan the gains of all cuts."""
    left_squares, right_squares, left = np.int64(0), put_all_right(stats, sides), np.int64(0)
    for position in range(n_present - 1):
        rows, more, fewer = move_value(counts[base + np.uint64(values[CODES, position])], sides)
        left_squares += more
        right_squares += fewer
        left += rows
        right = node.weight - left
        if left < node.least or right < node.least:
            continue
        gain = gain_of_squares(node.total, float(left), float(right), float(left_squares), float(right_squares))
        is_last = ends_scan(best, gain, position)
        if best[POSITION] == position:
            best[LEFT_WEIGHT] = float(left)
        if is_last:
            return


@borrowing
def search_class_cuts(stats, node, column, n_values, tally, sides, best, result):
    """As `search_cuts`, for a threshold and more than two classes."""
    base, counts, values = tally.bases[column], tally.by_class, tally.values
    n_present = take_codes(base, n_values, tally.present, values[CODES])
    cut, left, gain = scan_class_cuts(stats, node, base, n_present, counts, values, sides)
    if cut == CLOSE:
        start_scans(best, node.impurity)
        while needs_scan(best):
            scan_class_gains(stats, node, base, n_present, counts, values, sides, best)
        cut, left, gain = int(best[POSITION]), np.int64(best[LEFT_WEIGHT]), best[FIRST_EQUAL]
    for position in range(n_present):
        counts[base + np.uint64(values[CODES, position])] = 0
    if cut >= 0:
        result[GAIN] = rounded_to_zero(gain, node.impurity)
        result[FIRST], result[SECOND] = values[CODES, cut], values[CODES, cut + 1]
    return n_present, left
