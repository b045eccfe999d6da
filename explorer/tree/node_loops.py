"""Loops over the nodes of a tree, from the root down: what lies above each of them."""

import numpy as np

from explorer.jit import kernel


@kernel
def sums_above(parent, own):
    """Sum of `own` over all nodes above each node, itself left out."""
    above = np.zeros(own.size)
    for t in range(1, own.size):
        above[t] = above[parent[t]] + own[parent[t]]
    return above


@kernel
def first_tests(parent, is_test):
    """The uppermost node at or above each node that is a test, [n]; −1 where there is none."""
    first = np.full(parent.size, -1, np.int64)
    for node in range(parent.size):
        if parent[node] >= 0 and first[parent[node]] >= 0:
            first[node] = first[parent[node]]
        elif is_test[node]:
            first[node] = node
    return first
