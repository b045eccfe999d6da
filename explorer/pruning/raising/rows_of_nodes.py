"""Where the training rows end in the grown tree, in such an order that the rows of a node are a segment."""

import numpy as np

from explorer.jit import inner, kernel
from explorer.pruning.raising.pruning_state import segment_of_node
from explorer.pruning.raising.routing import divide
from explorer.pruning.raising.row_division import division_for


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


@inner
def divide_nodes(plan, state, nodes):
    """Divide the rows of nodes among their children, if they have any; a node comes before those below it."""
    division = division_for(state.rows.size, plan.child_count.max())
    for node in nodes:
        if plan.first_child[node] < 0:
            continue
        start, end = segment_of_node(state, node)
        divide(plan, state, division, state.rows, start, end, node)
        for branch in range(plan.child_count[node]):
            state.begins[state.first[plan.first_child[node] + branch]] = division.begins[branch]
