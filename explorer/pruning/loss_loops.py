"""The validation loss of every node, from rows that are divided by its test (DEFINITIONS section 7)."""

import numpy as np

from explorer.jit import borrowing, inner, kernel
from explorer.pruning.raising.row_division import divide_by_branches, divide_packed, division_for
from explorer.tree.packed_tests import CHILD_MASK
from explorer.tree.routing import SPREAD, branch_taken

AT_NODE, BELOW, WEIGHT, PREDICTED = range(4)


@borrowing
def loss_of(squared, predicted, targets, weights, rows):
    """Loss of one prediction for `rows` [m], added up in their order, and their weight."""
    loss, weight = 0.0, 0.0
    for i in range(rows.size):
        row = rows[i]
        error = predicted - targets[row]
        loss += weights[row] * (error * error if squared else np.float64(error != 0.0))
        weight += weights[row]
    return loss, weight


@borrowing
def divide_whole(plan, division, rows, start, end, node):
    """Divide `rows` [start, end) of a node by its test; returns its first child and how many branches they have.

    No branches for a leaf, −1 where a row goes on in every branch. Most tests are packed, and nothing else is read.
    """
    head = plan.packed.ints[node, 0]
    if head < 0:
        return 0, 0
    if divide_packed(plan, division, rows, start, end, node):
        return head & CHILD_MASK, 2
    for i in range(end - start):
        division.branches[i] = branch_taken(plan, rows[start + i], node)
        if division.branches[i] == SPREAD:
            return 0, -1
    divide_by_branches(division, rows, start, end, plan.child_count[node])
    return np.int64(plan.first_child[node]), np.int64(plan.child_count[node])


@borrowing
def losses_at(plan, targets, weights, squared, division, rows, losses, node, start, end):
    """Fill in `losses` of a node with its rows [start, end), and divide these; see `divide_whole`."""
    loss, losses[node, WEIGHT] = loss_of(squared, losses[node, PREDICTED], targets, weights, rows[start:end])
    first_child, n_branches = divide_whole(plan, division, rows, start, end, node)
    losses[node, BELOW if n_branches > 0 else AT_NODE] = loss
    if n_branches < 0:
        losses[node, WEIGHT] = np.nan
    return first_child, n_branches


@inner
def losses_apart(targets, weights, squared, rows, losses, node, n_stopping):
    """Fill in `losses` of a node where the first ones of its divided rows stop, and the others go on."""
    going_on, predicted = np.sort(rows[n_stopping:]), losses[node, PREDICTED]
    losses[node, AT_NODE] = loss_of(squared, predicted, targets, weights, rows[:n_stopping])[0]
    losses[node, BELOW] = loss_of(squared, predicted, targets, weights, going_on)[0]


@kernel
def losses_below(plan, targets, weights, squared, rows, losses, segment, least):
    """Fill in `losses` [n, 4] of a node and those below it: of the rows that stop there, of the others, and weight.

    What a node predicts is given beside them. `segment` [3] is the node, and where its rows lie in `rows`. Nodes with
    fewer rows than `least` are left out: their segments are returned, [m, 3]. Where a row goes on in every branch the
    weight is nan, and no rows go on.
    """
    most_rows, n_left, n_waiting = segment[2] - segment[1], 0, 1
    division = division_for(most_rows, max(2, plan.child_count.max()))
    left, waiting = np.empty((most_rows + 1, 3), dtype=np.int64), np.empty((most_rows + 1, 3), dtype=np.int64)
    waiting[0] = segment
    while n_waiting > 0:
        n_waiting -= 1
        node, start, end = waiting[n_waiting, 0], waiting[n_waiting, 1], waiting[n_waiting, 2]
        if end - start < least:
            left[n_left, 0], left[n_left, 1], left[n_left, 2] = node, start, end
            n_left += 1
            continue
        first_child, n_branches = losses_at(plan, targets, weights, squared, division, rows, losses, node, start, end)
        if n_branches > 0 and division.begins[0] > start:
            n_stopping = division.begins[0] - start
            losses_apart(targets, weights, squared, rows[start:end], losses, node, n_stopping)
        for branch in range(n_branches):
            begin, stop = division.begins[branch], division.begins[branch + 1]
            if stop > begin:
                waiting[n_waiting, 0] = first_child + branch
                waiting[n_waiting, 1], waiting[n_waiting, 2] = begin, stop
                n_waiting += 1
    return left[:n_left]
