"""The best candidate so far of a search, under the tie rule, and the split information of two branches."""

import numpy as np

from explorer.impurity import xlog2x
from explorer.jit import inner


@inner
def split_information_two(left, right):
    """Entropy of two branch weights in bits."""
    weight = left + right
    return (xlog2x(weight) - xlog2x(left) - xlog2x(right)) / weight


@inner
def start_search(state):
    """An empty search: [largest gain, its first equal, where that is, doubt]."""
    state[0] = state[1] = -np.inf
    state[2], state[3] = -1.0, 0.0


@inner
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
