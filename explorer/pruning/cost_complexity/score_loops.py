"""Loops that score every subtree of the sequence on validation rows (DEFINITIONS section 7)."""

import math

import numpy as np

from explorer.jit import inner, kernel
from explorer.recipe.category_order import sort_stably
from explorer.tree.metrics import CLIP
from explorer.tree.routing import longer

RIGHT, SQUARED, LOG, FOURTH, LOG_SQUARED, COST, COST_SQUARED = range(7)
"""Which term of a row to sum; some are squares of others, for standard errors."""


@kernel
def row_value(what, target, predicted, shares, node):
    """The term of one row when `node` predicts it: 1 if right, the squared error, −ln of its class's share, or a cost.

    `shares` [n, K] are the nodes' class shares; for costs, the cost of each node's label for a row of each class.
    """
    if what == RIGHT:
        return 1.0 if predicted[node] == target else 0.0
    if what in (SQUARED, FOURTH):
        squared = (predicted[node] - target) ** 2
        return squared if what == SQUARED else squared * squared
    share = shares[node, int(target)] if target >= 0.0 else 0.0
    if what in (COST, COST_SQUARED):
        return share if what == COST else share * share
    nats = 0.0 - math.log(min(max(share, CLIP), 1.0))
    return nats if what == LOG else nats * nats


@kernel
def curve_sums(what, stops, targets, weights, parent, leaf_from, n_subtrees, predicted, shares):
    """Weighted sum of `row_value` over the rows, for every subtree of the sequence.

    A row stops at one node of the largest subtree, which predicts it until an ancestor becomes a leaf at position
    `leaf_from`; then that ancestor does. So one walk up per row serves any number of subtrees.
    """
    steps = np.zeros(n_subtrees + 1)
    for row in range(stops.size):
        node, begin = stops[row], 0
        while begin < n_subtrees:
            above = parent[node]
            end = leaf_from[above] if above >= 0 else n_subtrees
            if end > begin:
                value = weights[row] * row_value(what, targets[row], predicted, shares, node)
                steps[begin] += value
                steps[end] -= value
                begin = end
            node = above
    return np.cumsum(steps[:n_subtrees])


@inner
def taller(table, n_rows):
    """The table, copied into twice the room if it cannot hold so many rows."""
    if n_rows <= table.shape[0]:
        return table
    larger = np.empty((2 * table.shape[0], table.shape[1]))
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            larger[i, j] = table[i, j]
    return larger


@kernel
def mixed_pieces(starts, rows, nodes, parts, parent, leaf_from, leaf_until, values):
    """The pieces (row, begin, end, values) of rows that end at several nodes, [pieces] and [pieces, K].

    Row i has the entries `starts[i]` to `starts[i + 1]`. A node predicts the parts that stop at it until a node above
    collapses, and the parts that go on below it from its own collapse until then: every node on a row's decision paths
    adds its values, times a part, between two positions. Begins and ends in order give the pieces.
    """
    k = values.shape[1]
    at_node, below, seen = np.zeros(parent.size), np.zeros(parent.size), np.zeros(parent.size, np.bool_)
    visited, n_pieces = np.empty(16, np.int64), 0
    row_of, begins, ends = np.empty(16, np.int64), np.empty(16, np.int64), np.empty(16, np.int64)
    averages, current = np.empty((16, k)), np.empty(k)
    for i in range(starts.size - 1):
        n_visited = 0
        for entry in range(starts[i], starts[i + 1]):
            node = nodes[entry]
            at_node[node] += parts[entry]
            while node >= 0:
                if not seen[node]:
                    seen[node] = True
                    visited = longer(visited, n_visited + 1)
                    visited[n_visited] = node
                    n_visited += 1
                node = parent[node]
                if node >= 0:
                    below[node] += parts[entry]
        events, by = np.empty(4 * n_visited, np.int64), np.empty(4 * n_visited, np.int64)
        amount, n_events = np.empty(4 * n_visited), 0
        for which in range(n_visited):
            node = visited[which]
            for begin, part in ((np.int64(0), at_node[node]), (np.int64(leaf_from[node]), below[node])):
                if part > 0.0 and begin < leaf_until[node]:
                    events[n_events], by[n_events], amount[n_events] = begin, node, part
                    events[n_events + 1], by[n_events + 1], amount[n_events + 1] = leaf_until[node], node, -part
                    n_events += 2
            at_node[node], below[node], seen[node] = 0.0, 0.0, False
        order = np.empty(n_events, np.int64)
        sort_stably(events, n_events, order, np.empty(n_events, np.int64))
        current[:] = 0.0
        for rank in range(n_events):
            event = order[rank]
            for j in range(k):
                current[j] += amount[event] * values[by[event], j]
            if rank + 1 < n_events and events[order[rank + 1]] > events[event]:
                row_of, begins = longer(row_of, n_pieces + 1), longer(begins, n_pieces + 1)
                ends = longer(ends, n_pieces + 1)
                averages = taller(averages, n_pieces + 1)
                row_of[n_pieces], begins[n_pieces] = rows[starts[i]], events[event]
                ends[n_pieces] = events[order[rank + 1]]
                for j in range(k):
                    averages[n_pieces, j] = current[j]
                n_pieces += 1
    return row_of[:n_pieces], begins[:n_pieces], ends[:n_pieces], averages[:n_pieces]


@kernel
def sums_below(parent, own):
    """Sum of `own` over all nodes below each node, itself left out."""
    below = np.zeros(own.size)
    for node in range(own.size - 1, 0, -1):
        below[parent[node]] += own[node] + below[node]
    return below


@kernel
def up_to(sums, rank):
    """Sum of the numbers filed under ranks 0 to `rank`, from a Fenwick (1994) array; rank -1 has none."""
    total, index = 0.0, rank + 1
    while index > 0:
        total += sums[index]
        index -= index & -index
    return total


@kernel
def file_under(sums, rank, number):
    """Add a number under a rank of a Fenwick array."""
    index = rank + 1
    while index < sums.size:
        sums[index] += number
        index += index & -index


@kernel
def pairs_with(rank, positive, negative, positives, negatives):
    """Pairs (positive ranked above negative, equal ranks half) of these rows with those filed already."""
    lower, not_higher = up_to(negatives, rank - 1), up_to(negatives, rank)
    higher = up_to(positives, positives.size - 2) - up_to(positives, rank)
    not_lower = up_to(positives, positives.size - 2) - up_to(positives, rank - 1)
    return 0.5 * (positive * (lower + not_higher) + negative * (higher + not_lower))


@kernel
def ordered_pairs(begin, end, rank, positive, negative, n_subtrees):
    """Weight of the pairs in which the positive row has the higher rank (equal: half), for every subtree.

    Piece i has weights `positive[i]` and `negative[i]` under one rank and is present at positions [begin, end). The
    count is kept up to date while pieces leave and arrive: O(n log n) for all subtrees together.
    """
    arriving, leaving = np.argsort(begin, kind="mergesort"), np.argsort(end, kind="mergesort")
    positives, negatives = np.zeros(rank.size + 1), np.zeros(rank.size + 1)
    pairs, total, entered, left = np.zeros(n_subtrees), 0.0, 0, 0
    for position in range(n_subtrees):
        while left < end.size and end[leaving[left]] == position:
            i = leaving[left]
            file_under(positives, rank[i], -positive[i])
            file_under(negatives, rank[i], -negative[i])
            total -= pairs_with(rank[i], positive[i], negative[i], positives, negatives)
            total -= 0.5 * positive[i] * negative[i]
            left += 1
        while entered < begin.size and begin[arriving[entered]] == position:
            i = arriving[entered]
            total += pairs_with(rank[i], positive[i], negative[i], positives, negatives)
            total += 0.5 * positive[i] * negative[i]
            file_under(positives, rank[i], positive[i])
            file_under(negatives, rank[i], negative[i])
            entered += 1
        pairs[position] = total
    return pairs
