"""Rows that are sent down a raised branch: each from outside it, once, to the node where it ends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.jit import borrowing, kernel
from explorer.pruning.raising.limits import expected_errors
from explorer.pruning.raising.pruning_state import current_node
from explorer.tree.packed_tests import SIDE_BY_SIDE, follow_packed, follow_side_by_side
from explorer.tree.routing import SPREAD, branch_taken

FIRST_TOGETHER = 8
"""Rows that are sent down first: often they show that a branch is not worth raising."""


class Arrivals(NamedTuple):
    """Class weights of rows that are sent down: `slot` [n] of a node (−1: none reached it) among the reached ones.

    `nodes` [m] were reached, by the rows `arriving` [m, K], of which those `ending` [m, K] go no further. `leaves`
    [m, 3] are weight, heaviest class and expected errors of reached leaves. `ends` and `waiting` are buffers for rows
    that are sent down together.
    """

    slot: NDArray[np.int64]
    nodes: NDArray[np.int64]
    arriving: NDArray[np.float64]
    ending: NDArray[np.float64]
    leaves: NDArray[np.float64]
    ends: NDArray[np.int64]
    waiting: NDArray[np.int64]


@kernel
def arrivals_for(n_nodes, n_reached, n_classes):
    """Room for so many reached nodes."""
    slot, nodes = np.full(n_nodes, -1, dtype=np.int64), np.empty(n_reached, dtype=np.int64)
    arriving, ending = np.empty((n_reached, n_classes)), np.empty((n_reached, n_classes))
    ends, waiting = np.empty(SIDE_BY_SIDE, dtype=np.int64), np.empty(SIDE_BY_SIDE, dtype=np.int64)
    return Arrivals(slot, nodes, arriving, ending, np.empty((n_reached, 3)), ends, waiting)


@borrowing
def slot_of(arrivals, node, n_reached):
    """The slot of a node; a new one is empty, and the next free one."""
    slot = arrivals.slot[node]
    if slot < 0:
        slot = n_reached
        arrivals.slot[node], arrivals.nodes[slot] = slot, node
        for k in range(arrivals.arriving.shape[1]):
            arrivals.arriving[slot, k], arrivals.ending[slot, k] = 0.0, 0.0
    return slot


@borrowing
def forget(arrivals, n_reached):
    """No node is reached any more."""
    for slot in range(n_reached):
        arrivals.slot[arrivals.nodes[slot]] = -1


@borrowing
def heaviest_child(plan, state, node):
    """The current child with the most weight, the earlier one on a tie."""
    best, most = node, -1.0
    for child in range(plan.first_child[node], plan.first_child[node] + plan.child_count[node]):
        current, weight = current_node(state.raised_to, child), 0.0
        for k in range(state.stats.shape[1]):
            weight += state.stats[current, k]
        if weight > most:
            best, most = current, weight
    return best


@borrowing
def next_below(plan, state, row, node):
    """The child that a row goes to from an inner node, or −1 where its decision path ends."""
    branch = branch_taken(plan, row, node)
    if branch == SPREAD:  # in this plan: the heaviest branch, which raising may have changed
        return heaviest_child(plan, state, node)
    return current_node(state.raised_to, plan.first_child[node] + branch) if branch >= 0 else -1


@borrowing
def leaf_below(plan, state, row, node):
    """The leaf of the pruned tree where a row ends that has come to a node, or −1 if it ends at an inner node."""
    while state.packed.ints[node, 0] >= 0:
        below = next_below(plan, state, row, current_node(state.raised_to, node))
        if below < 0:
            return -1
        node = follow_packed(state.packed, plan.numbers, plan.codes, row, below)
    return -1 - state.packed.ints[node, 0]


@borrowing
def rise_at_leaf(limit, beta_quantile, state, arrivals, node, slot, k, weight, is_new):
    """By how much the expected errors of a leaf rise with the row of class k and this weight that has just arrived."""
    leaf = arrivals.leaves[slot]
    if is_new:
        leaf[0], leaf[1], leaf[2] = 0.0, 0.0, state.as_leaf[node]
        for class_weight in state.stats[node]:
            leaf[0] += class_weight
            leaf[1] = max(leaf[1], class_weight)
    before = leaf[2]
    leaf[0] += weight
    leaf[1] = max(leaf[1], state.stats[node, k] + arrivals.arriving[slot, k])
    leaf[2] = expected_errors(limit, beta_quantile, leaf[0] - leaf[1], leaf[0])
    return leaf[2] - before


@borrowing
def send_to_leaves(
    plan, training, state, limit, beta_quantile, arrivals, branch, start, end, n_reached, n_inside, expected, enough
):
    """Send the rows at [start, end) of `state.rows` down to the leaves of a branch; adds to `arrivals`.

    Returns how many nodes are reached by now, how many rows ended above the leaves, and, unless `enough` is infinite,
    by how much the expected errors rise at the leaves (added to `expected`): once they are above it, it ends early.
    """
    first, together = start, FIRST_TOGETHER
    while first < end and expected <= enough:
        rows = state.rows[first : min(first + together, end)]
        arrivals.ends[: rows.size] = branch
        follow_side_by_side(state.packed, plan.numbers, plan.codes, rows, arrivals.ends, arrivals.waiting)
        for i in range(rows.size):
            node = leaf_below(plan, state, rows[i], arrivals.ends[i])
            if node < 0:
                n_inside += 1
                continue
            slot, k, weight = slot_of(arrivals, node, n_reached), training.classes[rows[i]], training.weights[rows[i]]
            arrivals.arriving[slot, k] += weight
            if enough < np.inf:
                is_new = slot == n_reached
                expected += rise_at_leaf(limit, beta_quantile, state, arrivals, node, slot, k, weight, is_new)
            n_reached = max(n_reached, slot + 1)
        first, together = first + together, min(2 * together, SIDE_BY_SIDE)
    return n_reached, n_inside, expected


@borrowing
def send_through(plan, training, state, arrivals, branch, start, end, n_reached, passes_pruned, ends):
    """As `send_to_leaves`, where the nodes on the way count as reached; `passes_pruned` goes on to the grown leaves.

    `ends` [rows] receives where the rows end, unless it is empty.
    """
    for i in range(start, end):
        row, node, below = state.rows[i], branch, branch
        k, weight = training.classes[row], training.weights[row]
        while below >= 0:
            node = below
            slot = slot_of(arrivals, node, n_reached)
            n_reached = max(n_reached, slot + 1)
            arrivals.arriving[slot, k] += weight
            is_last = plan.first_child[node] < 0 or (state.pruned[node] and not passes_pruned)
            below = -1 if is_last else next_below(plan, state, row, node)
        arrivals.ending[arrivals.slot[node], k] += weight
        if ends.size:
            ends[i - start] = node
    return n_reached
