"""The loop that sends a whole grid of points down a tree, rectangle by rectangle."""

import numpy as np

from explorer.jit import inner, kernel
from explorer.tree.routing import SPREAD, branch_taken


@kernel
def stops_on_grid(plan, across, up, n_across, n_up):
    """The node where each point of a grid ends, [n_up, n_across], and whether each path ends in one node.

    `across` and `up` are the features that vary, as positions in the tree, −1 for one that it does not know. Row k of
    the plan has the k-th value across, row n_across + k the k-th value up; all other features have one value. So the
    points at a node are a box, some columns of the grid by some lines of it, and a test divides the ones or the others.
    """
    stops = np.zeros((n_up, n_across), np.int64)
    columns, lines = np.arange(n_across), np.arange(n_up)
    nodes, boxes = np.zeros(plan.first_child.size, np.int64), np.empty((plan.first_child.size, 2, 2), np.int64)
    boxes[0, 0, :], boxes[0, 1, :] = (0, n_across), (0, n_up)
    ends, box, n_waiting = np.empty(plan.child_count.max() + 1, np.int64), np.empty((2, 2), np.int64), 1
    while n_waiting > 0:
        n_waiting -= 1
        node, feature = nodes[n_waiting], plan.feature[nodes[n_waiting]]
        box[:] = boxes[n_waiting]
        axis = 0 if feature == across else 1
        first, last, n_branches = box[axis, 0], box[axis, 1], 0
        if plan.first_child[node] >= 0:
            n_branches = plan.child_count[node]
            if feature in (across, up):
                places = (columns if axis == 0 else lines)[first:last]
                is_single = divide(plan, node, places, n_across * axis, ends)
            else:
                is_single = send(plan, node, last - first, ends)
            if not is_single:
                return stops, False
            ends[: n_branches + 1] += first
        for branch in range(n_branches):
            box[axis, 0], box[axis, 1] = first, ends[branch]
            first = ends[branch]
            if box[axis, 0] < box[axis, 1]:
                nodes[n_waiting], boxes[n_waiting] = plan.first_child[node] + branch, box
                n_waiting += 1
        box[axis, 0], box[axis, 1] = first, last  # paths that end here
        for line in lines[box[1, 0] : box[1, 1]]:
            for column in columns[box[0, 0] : box[0, 1]]:
                stops[line, column] = node
    return stops, True


@inner
def divide(plan, node, places, first_row, ends):
    """Sort the places on an axis by their branch at a node; those whose path ends there come last.

    `ends` becomes where each branch ends among them, in the end that of all. False where a path divides. Two branches
    of a test on the other axis may sort the same places one after the other: as a set they stay the same.
    """
    n_branches = plan.child_count[node]
    branches, unsorted = np.empty(places.size, np.int64), places.copy()
    ends[: n_branches + 1] = 0
    for k in range(places.size):
        branch = branch_taken(plan, first_row + places[k], node)
        if branch == SPREAD:
            return False
        branches[k] = branch if branch >= 0 else n_branches
        ends[branches[k]] += 1
    for branch in range(1, n_branches + 1):
        ends[branch] += ends[branch - 1]
    filled = ends.copy()
    for k in range(places.size):
        filled[branches[k]] -= 1
        places[filled[branches[k]]] = unsorted[k]
    return True


@inner
def send(plan, node, count, ends):
    """The same for a feature that has one value: so many places go to one branch, or end there."""
    branch = branch_taken(plan, 0, node)
    if branch == SPREAD:
        return False
    ends[: plan.child_count[node] + 1] = 0
    ends[branch if branch >= 0 else plan.child_count[node] :] = count
    return True
