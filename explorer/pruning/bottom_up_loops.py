"""Loops of the methods that compare a node as a leaf with its pruned subtree (DEFINITIONS section 7).

Node ids are breadth-first, so a sweep from the highest id to the lowest visits every child before its parent.
"""

import numpy as np

from explorer.jit import kernel

NEGLIGIBLE = 1e-12
"""Losses that differ by this much, relatively, are equal: they came from the same numbers in another order."""


@kernel
def losses_on_paths(squared, stops, targets, weights, parent, predicted):
    """Loss of each node's prediction on the rows that stop there and on those that go on, and their weight, [n].

    A row's loss is its weight where the prediction is wrong, or (`squared`) weight times the squared error. Every node
    adds up its own rows, so a small loss far down keeps all its digits.
    """
    # What a row adds to at a node lies side by side: a path of many nodes waits for memory once at each.
    sums = np.zeros((parent.size, 4))
    for node in range(parent.size):  # a slice of NumPy's takes a second longer to compile
        sums[node, 3] = predicted[node]
    for row in range(stops.size):
        node, place = stops[row], 0
        while node >= 0:
            error = sums[node, 3] - targets[row]
            loss = error * error if squared else (1.0 if error != 0.0 else 0.0)
            sums[node, place] += weights[row] * loss
            sums[node, 2] += weights[row]
            node, place = parent[node], 1
    return sums[:, 0].copy(), sums[:, 1].copy(), sums[:, 2].copy()


@kernel
def branch_sums(t, first_child, child_count, cost, leaves):
    """Loss and number of leaves of all branches of an inner node together."""
    loss, count = 0.0, 0
    for c in range(first_child[t], first_child[t] + child_count[t]):
        loss += cost[c]
        count += leaves[c]
    return loss, count


@kernel
def prune_bottom_up(first_child, child_count, inner, at_node, below, slack, strict):
    """Decide inner nodes, children before their parent: loss and leaves of each pruned subtree T_t, and which go.

    A leaf's loss is at_node + below, that of a split node at_node + the losses of its branches. So only `below` and
    the branches are compared: t becomes a leaf when below[t] ≤ loss of its branches + slack (`strict`: only when
    smaller).
    """
    n = at_node.size
    subtree_loss, subtree_leaves, pruned = np.zeros(n), np.ones(n, np.int64), np.zeros(n, np.bool_)
    cost, leaves = at_node + below, np.ones(n, np.int64)
    for t in range(n - 1, -1, -1):
        if not inner[t]:
            continue
        branches, subtree_leaves[t] = branch_sums(t, first_child, child_count, cost, leaves)
        subtree_loss[t] = at_node[t] + branches
        noise = NEGLIGIBLE * max(below[t], branches)  # a decrease this small is a tie
        pruned[t] = below[t] - branches < -noise if strict else below[t] - branches <= slack + noise
        if not pruned[t]:
            cost[t], leaves[t] = subtree_loss[t], subtree_leaves[t]
    return subtree_loss, subtree_leaves, pruned


@kernel
def prune_best_first(first_child, child_count, inner, at_node, below, strict):
    """Mitchell's order: loss and leaves of each full subtree T_t, and which nodes his removals would come to.

    Mitchell removes, again and again, the node whose removal decreases the loss most. After such a removal every node
    above has a negative decrease, and nothing else changes. So a node is removed, unless one above it is, when its
    decrease is not negative and no node below has a larger one; of equal decreases the node above has more leaves and
    goes first.
    """
    n = at_node.size
    subtree_loss, subtree_leaves, removed = np.zeros(n), np.ones(n, np.int64), np.zeros(n, np.bool_)
    cost, leaves, best = at_node + below, np.ones(n, np.int64), np.full(n, -np.inf)
    for t in range(n - 1, -1, -1):
        if not inner[t]:
            continue
        branches, subtree_leaves[t] = branch_sums(t, first_child, child_count, cost, leaves)
        subtree_loss[t] = at_node[t] + branches
        cost[t], leaves[t] = subtree_loss[t], subtree_leaves[t]
        noise = NEGLIGIBLE * max(below[t], branches)
        decrease = branches - below[t]
        for c in range(first_child[t], first_child[t] + child_count[t]):
            best[t] = max(best[t], best[c])
        helps = decrease > noise if strict else decrease >= -noise
        removed[t] = helps and decrease >= best[t] - noise
        best[t] = max(best[t], decrease)
    return subtree_loss, subtree_leaves, removed
