"""The values of a column at one node with the class weights, or the sums, of their rows."""

import numpy as np

from explorer.growing.scans.keys import STARTS_VALUE, row_in, weight_in
from explorer.jit import borrowing

FEW_ROWS = 12
"""Up to so many rows the values of a node are sorted by insertion; for more, all values in between are looked at."""


@borrowing
def count_values(codes, rows, classes, weights, start, end, counts, categories):
    """The values of the rows [start, end) of a counted column, ascending, with their class weights.

    `counts` [256, K + 1], with a last column for all classes, is zero before and after. Returns how many values there
    are.
    """
    n_classes, found, n_present = counts.shape[1] - 1, categories.codes, 0
    lowest, highest = 255, 0
    for i in range(start, end):
        code, of_row = np.int64(codes[rows[i]]), weight_in(weights, rows[i])
        counts[code, classes[rows[i]]] += of_row
        counts[code, n_classes] += of_row
        lowest, highest = min(lowest, code), max(highest, code)
    if lowest == highest or end - start > FEW_ROWS:
        for code in range(lowest, highest + 1):
            if counts[code, n_classes]:
                found[n_present] = code
                n_present += 1
    else:
        for i in range(start, end):
            code, position = np.int64(codes[rows[i]]), n_present
            while position > 0 and found[position - 1] > code:
                position -= 1
            if position > 0 and found[position - 1] == code:
                continue
            for later in range(n_present, position, -1):
                found[later] = found[later - 1]
            found[position] = code
            n_present += 1
    for position in range(n_present):
        code = found[position]
        for k in range(n_classes):
            categories.stats[position, k] = counts[code, k]
            counts[code, k] = 0
        categories.weights[position] = counts[code, n_classes]
        counts[code, n_classes] = 0
    return n_present


@borrowing
def sum_values(keys, classes, numbers, weights, start, end, mean, categories):
    """The values of a sorted categorical column: weight and class weights, or sums of the target less its mean.

    `categories.codes` gets the first row of each value in place of its code. Returns how many values there are.
    """
    n_present, stats = 0, categories.stats
    for i in range(start, end):
        row = row_in(keys[i])
        if i == start or keys[i] >= STARTS_VALUE:
            categories.codes[n_present], categories.weights[n_present] = row, 0.0
            for k in range(stats.shape[1]):
                stats[n_present, k] = 0.0
            n_present += 1
        of_row = float(weight_in(weights, row))
        categories.weights[n_present - 1] += of_row
        if numbers.size:
            stats[n_present - 1, 0] += of_row * (numbers[row] - mean)
        else:
            stats[n_present - 1, classes[row]] += of_row
    return n_present
