"""The validation rows' way through the subtree sequence (DEFINITIONS section 7)."""

import numpy as np

from explorer.jit import kernel

RIGHT, SQUARED, LOG, FOURTH, LOG_SQUARED, COST, COST_SQUARED = range(7)
"""What to add up per row; some are squares of others, for standard errors."""

CLIP = 1e-15
"""Log loss never sees a probability closer to 0 or 1 than this."""


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
    nats = -np.log(min(max(share, CLIP), 1.0 - CLIP))
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
