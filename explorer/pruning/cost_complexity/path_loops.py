"""Loops behind cost-complexity pruning (DEFINITIONS section 7): one sweep over the nodes each.

Node ids are breadth-first, so a sweep from the highest id to the lowest meets every child before its parent.

Vocabulary. C_t(α) = min(R(t) + α, Σ_c C_c(α)) is the least penalised loss that the subtree below t can have when a leaf
costs α. It is concave and piecewise linear; its *breakpoints* are the α at which nodes below t collapse. They are kept
in a pairing heap (Fredman et al. 1986) with the largest α on top, stored as two arrays, *child* and *sibling*.
"""

import heapq

import numpy as np

from explorer.jit import kernel

NEGLIGIBLE = 1e-12
"""A decrease of risk this small, relative to the node's own risk, is rounding noise and counts as zero."""


@kernel
def meld(first, second, key, child, sibling):
    """Join two heaps (-1 is the empty one) and return the top of the joint heap."""
    if first < 0:
        return second
    if second < 0:
        return first
    if key[first] < key[second]:
        first, second = second, first
    sibling[second] = child[first]
    child[first] = second
    return first


@kernel
def without_top(top, key, child, sibling):
    """Remove the top of a heap and return the new top: its children are joined in pairs, then from last to first."""
    pairs, rest = np.int32(-1), child[top]
    while rest >= 0:
        first = rest
        second = sibling[first]
        sibling[first] = -1
        rest = np.int32(-1)
        if second >= 0:
            rest = sibling[second]
            sibling[second] = -1
            first = meld(first, second, key, child, sibling)
        sibling[first] = pairs
        pairs = first
    joint = np.int32(-1)
    while pairs >= 0:
        following = sibling[pairs]
        sibling[pairs] = -1
        joint = meld(joint, pairs, key, child, sibling)
        pairs = following
    return joint


@kernel
def link_strength(saved, extra_leaves, own_risk):
    """g(t) = (R(t) − R(T_t)) / (|T_t| − 1): the risk that a subtree saves per extra leaf (Breiman et al. 1984)."""
    return saved / extra_leaves if saved > NEGLIGIBLE * own_risk else 0.0


@kernel
def collapse_alphas(first_child, child_count, inner, risk):
    """The critical α of each node, at which its own subtree collapses to a leaf; 0 for nodes that are not `inner`.

    For every inner node the line R(t) + α is intersected with Σ_c C_c(α), starting from the piece of the latter with
    the largest α, in which every child is a leaf. A breakpoint above the intersection is where t is a leaf already: it
    is dropped for good. A node's own α is the largest of what remains, so it becomes the top of its heap. Every node
    enters a heap once and leaves at most once: O(n log n) for any depth.
    """
    n = risk.size
    alpha, saved, extra = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    child, sibling = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    for t in range(n - 1, -1, -1):
        if not inner[t]:
            continue
        heap, below = np.int32(-1), 0.0
        for c in range(first_child[t], first_child[t] + child_count[t]):
            below += risk[c]
            if inner[c]:
                heap = meld(heap, np.int32(c), alpha, child, sibling)
        gain, leaves = risk[t] - below, np.int64(child_count[t] - 1)
        strength = link_strength(gain, leaves, risk[t])
        while heap >= 0 and alpha[heap] > strength:
            gain += saved[heap]
            leaves += extra[heap]
            heap = without_top(heap, alpha, child, sibling)
            strength = link_strength(gain, leaves, risk[t])
        alpha[t], saved[t], extra[t], child[t] = strength, gain, leaves, heap
    return alpha


@kernel
def least_on_path(parent, alpha):
    """Smallest critical α on the path from the root to each node: from there on it, or a node above it, is a leaf."""
    least = alpha.copy()
    for t in range(1, alpha.size):
        least[t] = min(alpha[t], least[parent[t]])
    return least


@kernel
def collapsed_bottom_up(first_child, child_count, inner, total, unit, alpha):
    """Which inner nodes become leaves when every leaf adds a penalty α, children decided first; and the next α.

    Node t collapses when total[t] + α·unit[t] ≤ (sum of `total` over the leaves left below) + α·unit[t]·(their number).
    The next α is the least one above at which a decision changes (∞ when there is none).
    """
    n = total.size
    cost, leaves, pruned, following = total.copy(), np.ones(n, np.int64), np.zeros(n, np.bool_), np.inf
    for t in range(n - 1, -1, -1):
        if not inner[t]:
            continue
        cost[t], leaves[t] = 0.0, 0
        for c in range(first_child[t], first_child[t] + child_count[t]):
            cost[t] += cost[c]
            leaves[t] += leaves[c]
        penalty = alpha * unit[t] * (leaves[t] - 1)
        if total[t] - cost[t] <= penalty + NEGLIGIBLE * total[t]:
            cost[t], leaves[t], pruned[t] = total[t], 1, True
        else:
            following = min(following, (total[t] - cost[t]) / (unit[t] * (leaves[t] - 1)))
    return pruned, following


@kernel
def outermost(parent, pruned):
    """The pruned nodes that have no pruned node above them."""
    hidden = np.zeros(pruned.size, np.bool_)
    for t in range(1, pruned.size):
        hidden[t] = hidden[parent[t]] or pruned[parent[t]]
    return pruned & ~hidden


@kernel
def subtree_sums(parent, inner, total):
    """Per node: the sum of `total` over the leaves below it, and their number."""
    cost, leaves = np.zeros(total.size), np.zeros(total.size, np.int64)
    for t in range(total.size):  # np.where takes a second longer to compile
        if not inner[t]:
            cost[t], leaves[t] = total[t], 1
    for t in range(total.size - 1, 0, -1):
        cost[parent[t]] += cost[t] if inner[parent[t]] else 0.0
        leaves[parent[t]] += leaves[t] if inner[parent[t]] else 0
    return cost, leaves


@kernel
def collapse_one(parent, done, total, cost, leaves, node):
    """Make a node a leaf, and update the nodes above it, up to the next one that is done."""
    done[node] = True
    added_cost, fewer_leaves = total[node] - cost[node], leaves[node] - 1
    above = parent[node]
    while above >= 0 and not done[above]:
        cost[above] += added_cost
        leaves[above] -= fewer_leaves
        above = parent[above]


@kernel
def before_collapse(parent, inner, total, order):
    """Per node: the sum of `total` over the leaves below it and their number, just before it collapses (0: never).

    `order` lists the nodes in the order in which they collapse, nodes of one step from the highest id to the lowest and
    with the step's number beside them, [m, 2]: all of a step are read before any of them collapses.
    """
    cost, leaves = subtree_sums(parent, inner, total)
    cost_before, leaves_before, done = np.zeros(total.size), np.zeros(total.size, np.int64), ~inner
    read = 0
    for turn in range(order.shape[0]):
        while read < order.shape[0] and order[read, 1] == order[turn, 1]:
            node = order[read, 0]
            cost_before[node], leaves_before[node] = cost[node], leaves[node]
            read += 1
        collapse_one(parent, done, total, cost, leaves, order[turn, 0])
    return cost_before, leaves_before


@kernel
def local_link_strength(t, total, unit, cost, leaves):
    """g(t) when losses are divided by the node's own weight `unit[t]` instead of the root's."""
    return link_strength(total[t] - cost[t], leaves[t] - 1, total[t]) / unit[t]


@kernel
def weakest_first(heap, strength, done, ceiling):
    """Pop all weakest links: the nodes whose current g(t) is the least, or below `ceiling`."""
    batch = [np.int64(-1) for _ in range(0)]
    while heap:
        g, t = heap[0]
        if not done[t] and g == strength[t]:
            if batch and g > ceiling:
                break
            if not batch:
                ceiling = max(ceiling, g * (1.0 + NEGLIGIBLE))
            batch.append(t)
            done[t] = True
        heapq.heappop(heap)
    return batch


@kernel
def local_collapse_alphas(parent, inner, total, unit):
    """Critical α per node for losses divided by the node's own weight, by Breiman's weakest-link pruning.

    Repeat: collapse all nodes of the least g(t) together, then update g above them, up to the next collapsed node.
    """
    cost, leaves = subtree_sums(parent, inner, total)
    strength, alpha, done = np.full(total.size, np.inf), np.zeros(total.size), ~inner
    heap = [(0.0, np.int64(0)) for _ in range(0)]
    for t in range(total.size):
        if inner[t]:
            strength[t] = local_link_strength(t, total, unit, cost, leaves)
            heap.append((strength[t], np.int64(t)))
    heapq.heapify(heap)
    level = 0.0
    while heap:
        batch = weakest_first(heap, strength, done, level)  # the weakest links of this step
        for t in batch:
            level = max(level, strength[t])  # the α at which they collapse
        for t in batch:
            alpha[t] = level
            collapse_one(parent, done, total, cost, leaves, t)
            above = parent[t]
            while above >= 0 and not done[above]:  # R(T_t) and |T_t| have changed on the path to the root
                strength[above] = local_link_strength(above, total, unit, cost, leaves)
                heapq.heappush(heap, (strength[above], np.int64(above)))
                above = parent[above]
    return alpha
