"""One feature's counts at one node, which is all that its tests are made of (DEFINITIONS section 3).

A *contingency* counts the rows per value and class: it may come from rows, or from anywhere else. For a numeric target
its three columns are the moments W, Σ(y − mean) and Σ(y − mean)², around the node's mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.jit import kernel
from explorer.limits import Rules
from explorer.usage import Column

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Contingency:
    """Counts of one feature at one node: `table` [v, K] for the codes present, `missing` [K], `mean` of the node."""

    codes: NDArray[np.intp]
    table: Floats
    missing: Floats
    mean: float


def count_rows(
    column: Column, rows: NDArray[np.intp], y: NDArray[np.int32] | Floats, weights: Floats, rules: Rules, mean: float
) -> Contingency:
    """Count a node's rows, of these weights, by value and by class (or as moments around the node's mean)."""
    end = column.n_values + 1
    if rules.regression:
        counted, seen = count_moments(column.codes, rows, y, weights, mean, end)
    else:
        counted, seen = count_classes(column.codes, rows, y, weights, end, rules.n_stats)
    present = np.flatnonzero(seen[:-1])
    return Contingency(present, counted[present], counted[-1], mean)


@kernel
def count_classes(codes, rows, y, weights, n_codes, n_classes):
    """Weight of the rows by code and class, [n_codes, n_classes], and whether a row has each code."""
    table, seen = np.zeros((n_codes, n_classes)), np.zeros(n_codes, np.bool_)
    for i in range(rows.size):
        code = codes[rows[i]]
        table[code, y[rows[i]]] += weights[i]
        seen[code] = True
    return table, seen


@kernel
def count_moments(codes, rows, y, weights, mean, n_codes):
    """Weight, sum and sum of squares of the rows by code, around a mean, [n_codes, 3], and whether a row has each."""
    table, seen = np.zeros((n_codes, 3)), np.zeros(n_codes, np.bool_)
    for i in range(rows.size):
        code, apart = codes[rows[i]], y[rows[i]] - mean
        table[code, 0] += weights[i]
        table[code, 1] += weights[i] * apart
        table[code, 2] += weights[i] * apart * apart
        seen[code] = True
    return table, seen
