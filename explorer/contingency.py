"""One feature's counts at one node, which is all that its tests are made of (DEFINITIONS section 3).

A *contingency* counts the rows per value and class: it may come from rows, or from anywhere else. For a numeric target
its three columns are the moments W, Σ(y − mean) and Σ(y − mean)², around the node's mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    codes, end = column.codes[rows].astype(np.int64), column.n_values + 1
    if rules.regression:
        apart = y[rows] - mean
        moments = (weights, weights * apart, weights * apart * apart)
        counted = np.stack([np.bincount(codes, weights=moment, minlength=end) for moment in moments], axis=1)
    else:
        cells = codes * rules.n_stats + y[rows]
        counted = np.bincount(cells, weights=weights, minlength=end * rules.n_stats).reshape(end, rules.n_stats)
    full = counted.astype(np.float64, copy=False)
    present = np.flatnonzero(np.bincount(codes, minlength=end)[:-1])
    return Contingency(present, full[present], full[-1], mean)
