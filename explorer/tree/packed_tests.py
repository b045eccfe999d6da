"""The tests of a tree packed for routing: what a row meets at a node lies in 16 bytes, beside its sibling's.

Routing many rows waits for memory more than it computes, so rows are also sent down side by side. Thresholds and
groupings of few categories are packed; other tests, and values that need a rule of their own, are left to
`explorer.tree.routing`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.jit import borrowing, kernel

SLOT_BITS, CATEGORIES, OTHER = 32, 1 << 61, 1 << 62
CHILD_MASK, SLOT_MASK = (1 << SLOT_BITS) - 1, (1 << 29) - 1
MASK_WIDTH = 64
"""Categories whose branches fit into the bits of one number."""
SIDE_BY_SIDE = 64
"""Rows that are sent down together: while one waits for memory, the others go on."""


class PackedTests(NamedTuple):
    """One record per node, [n, 2], seen as whole numbers and as floats.

    The first number is −1 − node for a leaf, OTHER for a test that is not packed, else the first child and the slot of
    the values, with the flag CATEGORIES for those; the second is the threshold, or the categories that have a branch,
    of which `second` [n] has those of the second branch.
    """

    ints: NDArray[np.int64]
    floats: NDArray[np.float64]
    second: NDArray[np.int64]


@kernel
def fill_categories(ints, second_branch, node, codes, branches):
    """Pack a test of categories, given its pairs; False if it does not fit."""
    known, second = np.uint64(0), np.uint64(0)
    for i in range(codes.size):
        if codes[i] >= MASK_WIDTH or codes[i] < 0 or branches[i] > 1:
            return False
        bit = np.uint64(1) << np.uint64(codes[i])
        known |= bit
        if branches[i] == 1:
            second |= bit
    ints[node, 1], second_branch[node] = np.int64(known), np.int64(second)
    return True


@kernel
def fill_tests(tests, first_child, child_count, feature, threshold, slot, offsets, pair_codes, pair_branches):
    """Fill in the records of all nodes."""
    ints, floats = tests.ints, tests.floats
    for node in range(first_child.size):
        ints[node, 0] = OTHER
        if first_child[node] < 0:
            ints[node, 0] = -1 - node
            continue
        where, first = slot[feature[node]], np.int64(first_child[node])
        if child_count[node] < 2:
            continue
        if where >= 0 and not np.isnan(threshold[node]):
            ints[node, 0] = (where << SLOT_BITS) | first
            floats[node, 1] = threshold[node]
        elif where < 0:
            pairs = slice(offsets[node], offsets[node + 1])
            if fill_categories(ints, tests.second, node, pair_codes[pairs], pair_branches[pairs]):
                ints[node, 0] = CATEGORIES | ((-where - 1) << SLOT_BITS) | first


def packed_tests(*arrays: NDArray[np.generic]) -> PackedTests:
    """The records of a tree from the arrays of `Plan`: children, tests, slots and pairs of categories."""
    ints = np.empty((len(arrays[0]), 2), dtype=np.int64)
    tests = PackedTests(ints, ints.view(np.float64), np.zeros(len(ints), dtype=np.int64))
    fill_tests(tests, *arrays)
    return tests


@borrowing
def packed_step(tests, numbers, codes, row, node):
    """The child that a row goes to by a packed test; the node itself at a leaf, or where another rule is needed."""
    head = tests.ints[node, 0]
    if not 0 <= head < OTHER:
        return node
    where, child = (head >> SLOT_BITS) & SLOT_MASK, head & CHILD_MASK
    if head < CATEGORIES:
        value = numbers[row, where]
        return child + np.int64(value > tests.floats[node, 1]) if np.isfinite(value) else node
    code = np.int64(codes[row, where])
    if code < 0 or code >= MASK_WIDTH or not (tests.ints[node, 1] >> code) & 1:
        return node
    return child + ((tests.second[node] >> code) & 1)


@borrowing
def follow_packed(tests, numbers, codes, row, node):
    """The node that a row comes to by packed tests: a leaf, or the first one whose test needs a rule of its own."""
    below = packed_step(tests, numbers, codes, row, node)
    while below != node:
        node = below
        below = packed_step(tests, numbers, codes, row, node)
    return node


@borrowing
def follow_side_by_side(tests, numbers, codes, rows, nodes, waiting):
    """As `follow_packed` for many `rows` [m] at `nodes` [m], in place, but negative ones; `waiting` [m] is a buffer."""
    n_waiting = 0
    for i in range(rows.size):
        waiting[n_waiting] = i
        n_waiting += nodes[i] >= 0
    while n_waiting > 0:
        n_left = 0
        for position in range(n_waiting):
            i = waiting[position]
            node = nodes[i]
            below = packed_step(tests, numbers, codes, rows[i], node)
            nodes[i], waiting[n_left] = below, i
            n_left += below != node
        n_waiting = n_left
