"""Send rows down from one node of a tree in which branches have taken their nodes' places (subtree raising)."""

import numpy as np

from explorer.jit import borrowing, kernel
from explorer.kernels.route import SPREAD, branch_taken, longer


@borrowing
def standing(risen, node):
    """The node that stands in the place of a grown node."""
    while risen[node] >= 0:
        node = risen[node]
    return node


@borrowing
def heaviest_child(plan, risen, stats, node):
    """The child that stands below a node with most weight, the earlier one on a tie."""
    best, most = node, -1.0
    for child in range(plan.first_child[node], plan.first_child[node] + plan.child_count[node]):
        here, weight = standing(risen, child), 0.0
        for k in range(stats.shape[1]):
            weight += stats[here, k]
        if weight > most:
            best, most = here, weight
    return best


@borrowing
def next_below(plan, risen, stats, row, node):
    """Where a row goes from an inner node: to a child, or −1 where its way ends."""
    branch = branch_taken(plan, row, node)
    if branch == SPREAD:  # here it stands for the heaviest branch, which raising may have changed
        return heaviest_child(plan, risen, stats, node)
    return standing(risen, plan.first_child[node] + branch) if branch >= 0 else -1


@kernel
def hang(plan, begin, rows, classes, weights, risen, closed, stats, summed, own):
    """Send rows down from the node `begin`, `closed` nodes being leaves.

    Returns the node where each row ends, the nodes that were met [m], and their class weights: of all rows, and of
    those that end there, [m, K] each. `summed` and `own` [n, K] are working memory and zero before and after.
    """
    stops, met, n_met = np.empty(rows.size, np.int64), np.empty(16, np.int64), 0
    for i in range(rows.size):
        row, node, below = rows[i], begin, begin
        while below >= 0:
            node = below
            if not summed[node].any():
                met = longer(met, n_met + 1)
                met[n_met] = node
                n_met += 1
            summed[node, classes[row]] += weights[row]
            below = -1 if closed[node] or plan.first_child[node] < 0 else next_below(plan, risen, stats, row, node)
        own[node, classes[row]] += weights[row]
        stops[i] = node
    met = met[:n_met].copy()
    found, ending = summed[met], own[met]
    for node in met:
        summed[node], own[node] = 0.0, 0.0
    return stops, met, found, ending
