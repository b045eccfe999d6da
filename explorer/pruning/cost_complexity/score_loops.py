"""The validation rows' way through the subtree sequence (DEFINITIONS section 7)."""

import numpy as np

from explorer.jit import inner, kernel
from explorer.tree.metrics import CLIP

RIGHT, SQUARED, LOG, FOURTH, LOG_SQUARED, COST, COST_SQUARED = range(7)
"""What to add up per row; some are squares of others, for standard errors."""


@kernel
def row_value(what, target, predicted, shares, node):
    """What one row adds when `node` predicts it: 1 if right, the squared error, −ln of its class's share, or a cost.

    `shares` [n, K] are the nodes' class shares; for costs, what each node's label costs a row of each class.
    """
    if what == RIGHT:
        return 1.0 if predicted[node] == target else 0.0
    if what in (SQUARED, FOURTH):
        squared = (predicted[node] - target) ** 2
        return squared if what == SQUARED else squared * squared
    share = shares[node, int(target)] if target >= 0.0 else 0.0
    if what in (COST, COST_SQUARED):
        return share if what == COST else share * share
    nats = 0.0 - np.log(min(max(share, CLIP), 1.0))
    return nats if what == LOG else nats * nats


@kernel
def curve_sums(what, stops, targets, weights, parent, leaf_from, n_subtrees, predicted, shares):
    """Weighted sum of `row_value` over the rows, for every subtree of the sequence.

    A row stops at one node of the largest subtree, which predicts it until an ancestor becomes a leaf at position
    `leaf_from`; then that ancestor does. So a row is climbed once, whatever the number of subtrees.
    """
    steps = np.zeros(n_subtrees + 1)
    for row in range(stops.size):
        node, begin = stops[row], 0
        while node >= 0:
            above = parent[node]
            end = leaf_from[above] if above >= 0 else n_subtrees
            if end > begin:
                value = weights[row] * row_value(what, targets[row], predicted, shares, node)
                steps[begin] += value
                steps[end] -= value
                begin = end
            node = above
    return np.cumsum(steps[:n_subtrees])


@kernel
def mixed_pieces(starts, rows, nodes, parts, parent, leaf_from, leaf_until, values):
    """The pieces (row, begin, end, values) of rows that end at several nodes, [pieces] and [pieces, K].

    Row i has the entries `starts[i]` to `starts[i + 1]`. A part that stops at a node is answered there until a node
    above collapses, a part that passes a node from the node's own collapse until then: every node on a row's ways adds
    its values, times a part, between two positions. Begins and ends in order give the pieces.
    """
    k = values.shape[1]
    stopping, passing, seen = np.zeros(parent.size), np.zeros(parent.size), np.zeros(parent.size, np.bool_)
    met, n_pieces = np.empty(16, np.int64), 0
    row_of, begins, ends = np.empty(16, np.int64), np.empty(16, np.int64), np.empty(16, np.int64)
    found, now = np.empty((16, k)), np.empty(k)
    for i in range(starts.size - 1):
        n_met = 0
        for entry in range(starts[i], starts[i + 1]):
            node = nodes[entry]
            stopping[node] += parts[entry]
            while node >= 0:
                if not seen[node]:
                    seen[node] = True
                    met = with_space(met, n_met + 1)
                    met[n_met] = node
                    n_met += 1
                node = parent[node]
                if node >= 0:
                    passing[node] += parts[entry]
        events, by, amount = np.empty(4 * n_met, np.int64), np.empty(4 * n_met, np.int64), np.empty(4 * n_met)
        n_events = 0
        for which in range(n_met):
            node = met[which]
            for begin, part in ((np.int64(0), stopping[node]), (np.int64(leaf_from[node]), passing[node])):
                if part > 0.0 and begin < leaf_until[node]:
                    events[n_events], by[n_events], amount[n_events] = begin, node, part
                    events[n_events + 1], by[n_events + 1], amount[n_events + 1] = leaf_until[node], node, -part
                    n_events += 2
            stopping[node], passing[node], seen[node] = 0.0, 0.0, False
        order = np.argsort(events[:n_events], kind="mergesort")
        now[:] = 0.0
        for place in range(n_events):
            event = order[place]
            for j in range(k):
                now[j] += amount[event] * values[by[event], j]
            if place + 1 < n_events and events[order[place + 1]] > events[event]:
                row_of, begins = with_space(row_of, n_pieces + 1), with_space(begins, n_pieces + 1)
                ends = with_space(ends, n_pieces + 1)
                if n_pieces == found.shape[0]:
                    wider = np.empty((2 * n_pieces, k))
                    wider[:n_pieces] = found
                    found = wider
                row_of[n_pieces], begins[n_pieces] = rows[starts[i]], events[event]
                ends[n_pieces] = events[order[place + 1]]
                found[n_pieces] = now
                n_pieces += 1
    return row_of[:n_pieces], begins[:n_pieces], ends[:n_pieces], found[:n_pieces]


@inner
def with_space(array, size):
    """The array with room for `size` items, twice as many as before or more."""
    if size <= array.size:
        return array
    wider = np.empty(max(size, 2 * array.size), dtype=array.dtype)
    wider[: array.size] = array
    return wider


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
    total, place = 0.0, rank + 1
    while place > 0:
        total += sums[place]
        place -= place & -place
    return total


@kernel
def file_under(sums, rank, number):
    """Add a number under a rank of a Fenwick array."""
    place = rank + 1
    while place < sums.size:
        sums[place] += number
        place += place & -place


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
