"""The medians by class that missing cells count as under "same_class"."""

import numpy as np

from explorer.conditions import midpoint
from explorer.jit import borrowing
from explorer.kernels.problem import code_of, row_of, weight_of
from explorer.missing import past_half


@borrowing
def find_medians(keys, classes, weights, start, known_end, values, scratch):
    """The median of each class's known values (of all, where a class has none); `scratch.known` are their weights."""
    medians, so_far, n = scratch.medians, scratch.halves, scratch.known.size
    total = 0.0
    for k in range(n + 1):
        medians[k], so_far[k] = np.nan, 0.0
    for k in range(n):
        total += scratch.known[k]
    for i in range(start, known_end):
        row, value = row_of(keys[i]), values[code_of(keys[i])]
        for turn in range(2):
            k = n if turn else np.int64(classes[row])
            if so_far[k] < 0.0:  # half of the class lies below: its median is halfway to this value
                medians[k], so_far[k] = midpoint(medians[k], value), np.inf
            elif so_far[k] < np.inf:
                so_far[k] += weight_of(weights, row)
                half = past_half(so_far[k], scratch.known[k] if k < n else total)
                if half >= 0:
                    medians[k], so_far[k] = value, np.inf if half > 0 else -1.0
    for k in range(n):
        if np.isnan(medians[k]):
            medians[k] = medians[n]
