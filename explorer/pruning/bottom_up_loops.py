"""Loops behind pruning by comparing a node as a leaf with what is left below it (DEFINITIONS section 7).

Node ids are breadth-first, so a sweep from the highest id to the lowest meets every child before its parent.
"""

import numpy as np

from explorer.jit import kernel

NEGLIGIBLE = 1e-12
"""Losses that differ by this much, relatively, are equal: they came from the same numbers in another order."""


@kernel
def losses_on_paths(squared, stops, targets, weights, parent, predicted):
    """Per node: the loss of the rows that stop there and of those that pass it on their way down, and their weight.

    A row loses its weight where the node's answer is wrong, or (`squared`) weight times the squared error. Every node
    adds up its own rows, so a small loss far down keeps all its digits.
    """
    stopping, passing, weight = np.zeros(parent.size), np.zeros(parent.size), np.zeros(parent.size)
    for row in range(stops.size):
        node, last = stops[row], True
        while node >= 0:
            off = predicted[node] - targets[row]
            loss = off * off if squared else (1.0 if off != 0.0 else 0.0)
            if last:
                stopping[node] += weights[row] * loss
            else:
                passing[node] += weights[row] * loss
            weight[node] += weights[row]
            node, last = parent[node], False
    return stopping, passing, weight


@kernel
def loss_below(t, first_child, child_count, cost, leaves):
    """Loss and number of leaves of the branches of an inner node."""
    loss, count = 0.0, 0
    for c in range(first_child[t], first_child[t] + child_count[t]):
        loss += cost[c]
        count += leaves[c]
    return loss, count


@kernel
def decided_bottom_up(first_child, child_count, inner, own, passing, slack, strict):
    """Decide inner nodes, children before their parent: the loss below each, its leaves, and which become leaves.

    A leaf loses own + passing, a split node own + what its branches lose: of these the two sums are compared that
    differ. Node t becomes a leaf when passing[t] ≤ loss of its branches + slack; `strict`: only when it is smaller.
    """
    n = own.size
    below, left, closed = np.zeros(n), np.ones(n, np.int64), np.zeros(n, np.bool_)
    cost, leaves = own + passing, np.ones(n, np.int64)
    for t in range(n - 1, -1, -1):
        if not inner[t]:
            continue
        branches, left[t] = loss_below(t, first_child, child_count, cost, leaves)
        below[t] = own[t] + branches
        noise = NEGLIGIBLE * max(passing[t], branches)
        closed[t] = passing[t] - branches < -noise if strict else passing[t] - branches <= slack + noise
        if not closed[t]:
            cost[t], leaves[t] = below[t], left[t]
    return below, left, closed


@kernel
def decided_best_first(first_child, child_count, inner, own, passing, strict):
    """Loss below each inner node before anything is removed, its leaves, and which nodes removal would come to.

    A removal with the largest decrease leaves every node above it with a negative one, and nothing else changes. So a
    node is removed, unless one above it is, when its decrease is not negative and no node below has a larger one; of
    equal decreases the node above has more leaves and goes first.
    """
    n = own.size
    below, left, first = np.zeros(n), np.ones(n, np.int64), np.zeros(n, np.bool_)
    cost, leaves, best = own + passing, np.ones(n, np.int64), np.full(n, -np.inf)
    for t in range(n - 1, -1, -1):
        if not inner[t]:
            continue
        branches, left[t] = loss_below(t, first_child, child_count, cost, leaves)
        below[t] = own[t] + branches
        cost[t], leaves[t] = below[t], left[t]
        noise = NEGLIGIBLE * max(passing[t], branches)
        decrease = branches - passing[t]
        for c in range(first_child[t], first_child[t] + child_count[t]):
            best[t] = max(best[t], best[c])
        helps = decrease > noise if strict else decrease >= -noise
        first[t] = helps and decrease >= best[t] - noise
        best[t] = max(best[t], decrease)
    return below, left, first
