"""What every scan does with a row and with a gain: add it up, and keep the best by the tie rule."""

import numpy as np

from explorer.impurity import xlog2x
from explorer.jit import borrowing
from explorer.kernels.problem import row_of, weight_of
from explorer.kernels.scratch import FIRST, GAIN, N_ADMISSIBLE, SECOND, SPLIT_INFO


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
def clear(results, feature):
    """No candidate yet."""
    results[feature, GAIN] = np.nan
    results[feature, SPLIT_INFO] = 0.0
    results[feature, FIRST] = -1.0
    results[feature, SECOND] = -1.0
    results[feature, N_ADMISSIBLE] = 0.0


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
