"""The order in which groups of categories are tried, shared by both layers (DEFINITIONS section 3).

With two classes or a numeric target the best grouping is a prefix of the categories sorted by their mean
(Breiman et al. 1984, theorem 4.5). With more classes all groupings are tried up to `EXHAUSTIVE` categories; above
that, the categories are sorted by the first principal component of their class profiles (Coppersmith et al. 1999).
"""

import numpy as np

from explorer.jit import inner, kernel

EXHAUSTIVE = 10
"""Up to this many categories present at a node, every grouping can be listed."""
MOST_EXACT_CLASSES = 50
"""Up to this many classes present at a node, the principal component is that of the whole matrix of covariances."""
POWER_STEPS = 30
"""Steps of the power iteration beyond that."""


@inner
def sort_stably(keys, n, order, buffer):
    """Write the positions of the first `n` keys, ascending, equal keys in their own order, into `order`.

    Short runs are sorted by insertion and then merged; `buffer` is working memory.
    """
    run = 12
    for start in range(0, n, run):
        for i in range(start, min(start + run, n)):
            j = i
            while j > start and keys[order[j - 1]] > keys[i]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
    width = run
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            left, right = start, middle
            for i in range(start, end):
                if left < middle and (right >= end or keys[order[left]] <= keys[order[right]]):
                    buffer[i] = order[left]
                    left += 1
                else:
                    buffer[i] = order[right]
                    right += 1
        for i in range(n):
            order[i] = buffer[i]
        width *= 2


@inner
def principal_component(profiles, weights):
    """Score of each category on the first principal component of its class profile (rows sum to 1, [k, K])."""
    k, n_classes = profiles.shape
    mean = np.zeros(n_classes)
    for i in range(k):
        mean += profiles[i] * (weights[i] / weights.sum())
    if n_classes > MOST_EXACT_CLASSES:
        axis = leading_axis(profiles, weights, mean)
    else:
        spread = np.zeros((n_classes, n_classes))
        for i in range(k):
            deviation = profiles[i] - mean
            for a in range(n_classes):
                for b in range(n_classes):
                    spread[a, b] += weights[i] * deviation[a] * deviation[b]
        _, vectors = np.linalg.eigh(spread)
        axis = np.ascontiguousarray(vectors[:, n_classes - 1])
    if axis[np.argmax(np.abs(axis))] < 0.0:  # an eigenvector has no sign of its own
        axis = -axis
    scores = np.empty(k)
    for i in range(k):
        scores[i] = np.round(np.dot(profiles[i] - mean, axis), 12)
    return scores


@inner
def leading_axis(profiles, weights, mean):
    """The direction of the first principal component of many classes, by power iteration [K].

    A step costs k·K in place of the K³ of all eigenvectors. It begins with the category farthest from the mean.
    """
    k, n_classes = profiles.shape
    axis, farthest = np.zeros(n_classes), 0.0
    for i in range(k):
        deviation = profiles[i] - mean
        distance = weights[i] * np.dot(deviation, deviation)
        if distance > farthest:
            axis, farthest = deviation, distance
    for _ in range(POWER_STEPS):
        length = np.sqrt(np.dot(axis, axis))
        if length == 0.0:
            break
        axis = axis / length
        following = np.zeros(n_classes)
        for i in range(k):
            deviation = profiles[i] - mean
            following += deviation * (weights[i] * np.dot(deviation, axis))
        axis = following
    length = np.sqrt(np.dot(axis, axis))
    return axis / length if length > 0.0 else axis


@inner
def present_classes(table):
    """The columns of a table [k, K] of class weights in which some category has rows."""
    present = np.zeros(table.shape[1], dtype=np.bool_)
    for i in range(table.shape[0]):
        for c in range(table.shape[1]):
            if table[i, c] != 0.0:
                present[c] = True
    return np.flatnonzero(present)


@inner
def order_by_mean(table, weights, n, keys, order, buffer):
    """Breiman's order of the first `n` categories into `order`; `keys` and `buffer` are working memory."""
    last = table.shape[1] - 1
    for i in range(n):
        keys[i] = table[i, last] / weights[i]
    sort_stably(keys, n, order, buffer)


@kernel
def category_order(table, weights, regression):
    """Order of the categories along which prefixes are tried.

    `table` is [k, K] class weights per category, or [k, 1] sums of the target when `regression`.
    """
    k = weights.size
    order, buffer = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    if regression or table.shape[1] == 2:
        order_by_mean(table, weights, k, np.empty(k), order, buffer)
        return order
    present = present_classes(table)
    profiles = np.empty((k, present.size))
    for i in range(k):
        for c in range(present.size):
            profiles[i, c] = table[i, present[c]] / weights[i]
    sort_stably(principal_component(profiles, weights), k, order, buffer)
    return order


@kernel
def prefixes_are_exact(table, regression):
    """Whether the best grouping is sure to be a prefix of `category_order`, but for the minima of branches."""
    return regression or table.shape[1] == 2
