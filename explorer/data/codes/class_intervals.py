"""Classes that a number tells by intervals, one for each class, as the bins of a number that was cut."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

MOST_GROUPS_BITS = 12
"""Neighbouring values are first counted together, in at most 2^12 groups."""


def told_by_intervals(
    codes: NDArray[np.int32], y: NDArray[np.int64], n_values: int, order: NDArray[np.intp], *, is_grouped: bool = False
) -> int:
    """Of rows with codes below `n_values` [n], for how many the best intervals are right: one each, in this order.

    `order` has the classes, y [n] of each row; an interval may be empty. Where values are grouped, two neighbours may
    both have a group, so that no intervals of single values are right for more rows.

    >>> told_by_intervals(np.arange(6, dtype=np.int32), np.array([0, 0, 2, 0, 1, 1]), 6, np.array([0, 2, 1]))
    5
    """
    best = np.zeros(n_values, np.int64)
    for place, k in enumerate(order):
        up_to = np.cumsum(np.bincount(codes[y == k], minlength=n_values))
        if place == 0:
            best = up_to
            continue
        before = np.append(0, up_to[:-1])
        begun = (best if is_grouped else np.append(0, best[:-1])) - before
        best = np.maximum(best, up_to + np.maximum.accumulate(begun))
    return int(best[-1]) if n_values else 0


def class_order(codes: NDArray[np.int32], y: NDArray[np.int64], n_classes: int) -> NDArray[np.intp]:
    """The classes that have rows, by the mean of their codes; those of disjoint intervals stand in their order."""
    counts, sums = np.bincount(y, minlength=n_classes), np.bincount(y, codes, n_classes)
    order = np.argsort(sums / np.maximum(counts, 1), kind="stable")
    return order[counts[order] > 0]


def most_told_by_groups(codes: NDArray[np.int32], y: NDArray[np.int64], n_values: int, order: NDArray[np.intp]) -> int:
    """For how many rows intervals are right at most; quick, since neighbouring values are counted together."""
    shift = max(n_values.bit_length() - MOST_GROUPS_BITS, 0)
    return told_by_intervals(codes >> shift, y, ((n_values - 1) >> shift) + 1, order, is_grouped=True)


def log_ways_of_intervals(n_values: int, n_classes: int) -> float:
    """The log of how many ways there are to give classes intervals of values, and one class to missing cells.

    >>> round(math.exp(log_ways_of_intervals(2, 2)))    # 3 places of one threshold, 2 orders, 2 classes
    12
    """
    cuts = n_classes - 1
    places = math.lgamma(n_values + cuts + 1) - math.lgamma(cuts + 1) - math.lgamma(n_values + 1)
    return places + math.lgamma(n_classes + 1) + math.log(n_classes)
