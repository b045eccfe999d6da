"""Rows that are sent down a raised branch: at every node those that come there together are divided by its test."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.jit import borrowing, kernel
from explorer.pruning.raising.pruning_state import current_node, segment_of_node
from explorer.pruning.raising.row_division import Division, copy_rows, divide_by_branches, divide_packed, division_for
from explorer.tree.packed_tests import packed_step
from explorer.tree.routing import SPREAD, branch_taken

FEW = 16
"""Rows that are sent down side by side, one node at a time: dividing so few takes longer than following them."""


class Journey(NamedTuple):
    """Rows on their way down: `rows` [m] are divided in place, until `ends` [m] are the positions where they end.

    `waiting` [s, 3] are nodes and the segments of `rows` that have come there. `arriving` and `ending` [K] are class
    weights of one node: of the rows that come there, and of those that end there. `nodes` and `going` [FEW] are for
    few rows: where they are, and which of them go on.
    """

    rows: NDArray[np.uint32]
    ends: NDArray[np.int64]
    division: Division
    waiting: NDArray[np.int64]
    arriving: NDArray[np.float64]
    ending: NDArray[np.float64]
    nodes: NDArray[np.int64]
    going: NDArray[np.int64]


@kernel
def journey_for(n_rows, n_nodes, n_branches, n_classes):
    """Room for so many rows on their way through so many nodes."""
    rows, ends = np.empty(n_rows, dtype=np.uint32), np.empty(n_rows, dtype=np.int64)
    waiting, division = np.empty((n_nodes + 1, 3), dtype=np.int64), division_for(n_rows, n_branches)
    nodes, going = np.empty(FEW, dtype=np.int64), np.empty(FEW, dtype=np.int64)
    return Journey(rows, ends, division, waiting, np.empty(n_classes), np.empty(n_classes), nodes, going)


@borrowing
def heaviest_branch(plan, state, node):
    """The branch whose current child has the most weight, the earlier one on a tie."""
    best, most = 0, -1.0
    for branch in range(plan.child_count[node]):
        current, weight = current_node(state.raised_to, plan.first_child[node] + branch), 0.0
        for k in range(state.stats.shape[1]):
            weight += state.stats[current, k]
        if weight > most:
            best, most = branch, weight
    return best


@borrowing
def divide(plan, state, division, rows, start, end, node):
    """Divide `rows` [start, end) that have come to a node by its test; `division.begins` tells where branches begin."""
    if divide_packed(plan, division, rows, start, end, node):
        return
    for i in range(end - start):
        branch = branch_taken(plan, rows[start + i], node)
        if branch == SPREAD:  # in this plan: the heaviest branch, which raising may have changed
            branch = heaviest_branch(plan, state, node)
        division.branches[i] = branch
    divide_by_branches(division, rows, start, end, plan.child_count[node])


@borrowing
def set_out(state, journey, node, branch):
    """Begin a journey of the rows of a node from outside a branch, at that branch; returns how many wait there."""
    start, end = segment_of_node(state, node)
    inside_start, inside_end = segment_of_node(state, branch)
    n_before, n_rows = inside_start - start, end - start - (inside_end - inside_start)
    copy_rows(state.rows[start:inside_start], journey.rows)
    copy_rows(state.rows[inside_end:end], journey.rows[n_before:])
    journey.waiting[0, 0], journey.waiting[0, 1], journey.waiting[0, 2] = branch, 0, n_rows
    return n_rows


@borrowing
def send_to_children(plan, state, journey, node, n_waiting):
    """Let the divided rows of a node wait at its current children, the first one on top; returns how many wait."""
    begins = journey.division.begins
    for branch in range(plan.child_count[node] - 1, -1, -1):
        if begins[branch + 1] > begins[branch]:
            waiting = journey.waiting[n_waiting]
            waiting[0] = current_node(state.raised_to, plan.first_child[node] + branch)
            waiting[1], waiting[2] = begins[branch], begins[branch + 1]
            n_waiting += 1
    return n_waiting


@borrowing
def send_to_leaves(plan, state, journey, node, rows):
    """Sort few `rows` [m] by the leaves below a node where they end, `journey.nodes`; False where one needs a rule."""
    nodes, going, n_going = journey.nodes, journey.going, rows.size
    for i in range(rows.size):
        nodes[i], going[i] = node, i
    while n_going > 0:
        n_left = 0
        for place in range(n_going):
            i = going[place]
            at = nodes[i]
            below = packed_step(plan.packed, plan.numbers, plan.codes, rows[i], at)
            if below == at and plan.first_child[at] >= 0:
                return False
            below = current_node(state.raised_to, below)
            nodes[i], going[n_left] = below, i
            n_left += below != at and not state.pruned[below]
        n_going = n_left
    for i in range(1, rows.size):
        row, at, place = rows[i], nodes[i], i
        while place > 0 and state.first[nodes[place - 1]] > state.first[at]:
            rows[place], nodes[place] = rows[place - 1], nodes[place - 1]
            place -= 1
        rows[place], nodes[place] = row, at
    return True


@borrowing
def count_classes(training, rows, counts):
    """Class weights of `rows` [m], in place of `counts` [K]."""
    counts[:] = 0.0
    for i in range(rows.size):
        counts[training.classes[rows[i]]] += training.weights[rows[i]]
