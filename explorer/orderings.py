"""The order in which groups of categories are tried, shared by both layers (DEFINITIONS section 3).

With two classes or a numeric target the best grouping is a prefix of the categories sorted by their mean
(Breiman et al. 1984, theorem 4.5). With more classes all groupings are tried up to `EXHAUSTIVE` categories; above
that, the categories are sorted by the first principal component of their class profiles (Coppersmith et al. 1999).
"""

import numpy as np

from explorer.jit import inner, kernel

EXHAUSTIVE = 10
"""Up to this many categories present at a node, every grouping can be listed."""


@inner
def stable_order(keys):
    """Positions of ascending keys, equal keys in their own order (a merge sort, from runs of one upwards)."""
    order, other = np.arange(keys.size), np.empty(keys.size, dtype=np.int64)
    width = 1
    while width < keys.size:
        for start in range(0, keys.size, 2 * width):
            middle, end = min(start + width, keys.size), min(start + 2 * width, keys.size)
            left, right = start, middle
            for place in range(start, end):
                if left < middle and (right >= end or keys[order[left]] <= keys[order[right]]):
                    other[place] = order[left]
                    left += 1
                else:
                    other[place] = order[right]
                    right += 1
        order, other = other, order
        width *= 2
    return order


@inner
def principal_component(profiles, weights):
    """Score of each category on the first principal component of its class profile (rows sum to 1, [k, K])."""
    k, n_classes = profiles.shape
    mean = np.zeros(n_classes)
    for i in range(k):
        mean += profiles[i] * (weights[i] / weights.sum())
    spread = np.zeros((n_classes, n_classes))
    for i in range(k):
        apart = profiles[i] - mean
        for a in range(n_classes):
            for b in range(n_classes):
                spread[a, b] += weights[i] * apart[a] * apart[b]
    _, vectors = np.linalg.eigh(spread)
    axis = np.ascontiguousarray(vectors[:, n_classes - 1])
    if axis[np.argmax(np.abs(axis))] < 0.0:  # an eigenvector has no sign of its own
        axis = -axis
    scores = np.empty(k)
    for i in range(k):
        scores[i] = np.round(np.dot(profiles[i] - mean, axis), 12)
    return scores


@kernel
def category_order(table, weights, regression):
    """Order of the categories along which prefixes are tried.

    `table` is [k, K] class weights per category, or [k, 1] sums of the target when `regression`.
    """
    k = weights.size
    keys = np.empty(k)
    if regression or table.shape[1] == 2:
        last = table.shape[1] - 1
        for i in range(k):
            keys[i] = table[i, last] / weights[i]
    else:
        profiles = np.empty(table.shape)
        for i in range(k):
            profiles[i] = table[i] / weights[i]
        keys = principal_component(profiles, weights)
    return stable_order(keys)


@kernel
def prefixes_are_exact(table, regression):
    """Whether the best grouping is sure to be a prefix of `category_order`, leaf minima apart."""
    return regression or table.shape[1] == 2
