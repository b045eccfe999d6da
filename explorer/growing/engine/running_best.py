"""What every scan does with a row and with a gain: add it up, and keep the best by the tie rule.

The tie rule takes up to two walks over the candidates. The first looks for the largest gain; where it leaves doubt
which candidate is the first equal to that, a second one ends at the first gain that reaches a *floor*.
"""

import numpy as np

from explorer.growing.engine.buffers import FIRST, GAIN, N_ADMISSIBLE, SECOND, SPLIT_INFO
from explorer.growing.engine.problem import row_of, weight_of
from explorer.jit import borrowing
from explorer.recipe.impurity import rounded_to_zero, xlog2x


@borrowing
def add_row(classes, numbers, weights, key, mean, counts):
    """Add a row to class weights, or its target less the node's mean to a sum (the last place); return its weight."""
    row = row_of(key)
    weight = weight_of(weights, row)
    if numbers.size:
        apart = numbers[row] - mean
        counts[counts.size - 1] += weight * apart
        if counts.size > 1:
            counts[0] += weight * apart * apart
    else:
        counts[classes[row]] += weight
    return weight


@borrowing
def clear(row):
    """No candidate yet in this row of results."""
    row[GAIN], row[SPLIT_INFO], row[N_ADMISSIBLE] = np.nan, 0.0, 0.0
    row[FIRST] = row[SECOND] = -1.0


@borrowing
def weight_of_segment(keys, weights, start, end):
    """Weight of the rows [start, end)."""
    weight = 0.0
    for i in range(start, end):
        weight += weight_of(weights, row_of(keys[i]))
    return weight


@borrowing
def split_information_two(left, right):
    """Entropy of two branch weights in bits."""
    weight = left + right
    return (xlog2x(weight) - xlog2x(left) - xlog2x(right)) / weight


@borrowing
def start_search(state):
    """An empty search: [largest gain, its first equal, where that is, doubt]."""
    state[0] = state[1] = -np.inf
    state[2], state[3] = -1.0, 0.0


@borrowing
def keep_best(state, gain, where, margin):
    """Take note of a gain above the largest so far, and follow the tie rule.

    A gain that creeps up within the margin could make a candidate in between the first equal one; that is marked as
    doubt, and settled by a second scan.
    """
    if gain - margin > state[0]:
        state[1], state[2], state[3] = gain, where, 0.0
    elif state[1] < gain - margin:
        state[3] = 1.0
    state[0] = gain


@borrowing
def ends_walk(state, gain, where, margin, floor):
    """Take note of a gain; whether the walk may end here, as a second one does at the first gain from `floor` on."""
    if not (gain > state[0] and gain >= floor):
        return False
    keep_best(state, gain, where, margin)
    return floor > -np.inf


@borrowing
def in_doubt(state):
    """Whether the walk has left open which candidate is the first of the equal ones."""
    return state[3] != 0.0


@borrowing
def write_best(row, state, scale, count):
    """Write the best of `count` candidates into its row of results: its gain; return which it is."""
    row[GAIN], row[N_ADMISSIBLE] = rounded_to_zero(state[1], scale), count
    return int(state[2])
