"""Where the training rows end in the grown tree, sorted so that the rows of a node are a segment."""

import numpy as np

from explorer.jit import kernel
from explorer.pruning.raising.routing import next_below
from explorer.tree.packed_tests import SIDE_BY_SIDE, follow_packed, follow_side_by_side


@kernel
def depth_first(parent):
    """Position of every node in depth-first order, and how many nodes its subtree has, itself included."""
    first, size = np.zeros(parent.size, dtype=np.int64), np.ones(parent.size, dtype=np.int64)
    for node in range(parent.size - 1, 0, -1):
        size[parent[node]] += size[node]
    filled = np.ones(parent.size, dtype=np.int64)
    for node in range(1, parent.size):
        above = parent[node]
        first[node] = first[above] + filled[above]
        filled[above] += size[node]
    return first, size


@kernel
def find_ends(plan, state, start, ends):
    """Fill in the node where each row ends, `ends` [m], from the row `start` on, before anything is pruned."""
    waiting, rows = np.empty(SIDE_BY_SIDE, dtype=np.int64), np.arange(start, start + ends.size)
    for first in range(0, ends.size, SIDE_BY_SIDE):
        block_nodes, block_rows = ends[first : first + SIDE_BY_SIDE], rows[first : first + SIDE_BY_SIDE]
        block_nodes[:] = 0
        follow_side_by_side(plan.packed, plan.numbers, plan.codes, block_rows, block_nodes, waiting)
        for i in range(block_nodes.size):
            row, below = block_rows[i], block_nodes[i]
            while below >= 0:
                block_nodes[i] = follow_packed(plan.packed, plan.numbers, plan.codes, row, below)
                below = next_below(plan, state, row, block_nodes[i]) if plan.first_child[block_nodes[i]] >= 0 else -1


@kernel
def sort_by_end(training, state, ends):
    """Fill in the rows in the order of their ends, and the class weights that end at each node."""
    filled = np.zeros(state.first.size + 1, dtype=np.int64)
    for row in range(ends.size):
        node = ends[row]
        filled[state.first[node] + 1] += 1
        state.ending[node, training.classes[row]] += training.weights[row]
    for position in range(1, filled.size):
        filled[position] += filled[position - 1]
    for row in range(ends.size):
        stop = state.first[ends[row]]
        state.rows[filled[stop]], state.stops[filled[stop]] = row, stop
        filled[stop] += 1
