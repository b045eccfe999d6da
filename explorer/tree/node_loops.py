"""Loops over the nodes of a tree: what lies above or below each of them."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.jit import kernel

Numbers = TypeVar("Numbers", NDArray[np.float64], NDArray[np.int64])


def added_up(parent: NDArray[np.integer], levels: Sequence[slice], own: Numbers) -> Numbers:
    """`own` [n, …] of each node plus that of all nodes below it, from the ids of each depth.

    >>> added_up(np.array([-1, 0, 0, 1]), [slice(0, 1), slice(1, 3), slice(3, 4)], np.array([1, 1, 1, 1])).tolist()
    [4, 2, 1, 1]
    """
    sums = own.copy()
    for level in reversed(levels[1:]):
        np.add.at(sums, parent[level], sums[level])
    return sums


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
