"""One feature's counts at one node, which is all that its tests are made of (DEFINITIONS section 3).

A *contingency* counts the rows per value and class: it may come from rows, or from anywhere else. For a numeric target
its three columns are the moments W, Σ(y − mean) and Σ(y − mean)², around the node's mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.jit import kernel
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.impurity import between_two, node_total_impurity, xlog2x
from explorer.recipe.parameters import GrowParameters


def weights_of(table: Floats, rules: GrowParameters) -> Floats:
    """Weights [v] of the rows of a table [v, K]."""
    if rules.regression:
        return np.ascontiguousarray(table[..., 0])
    return np.asarray(row_sums(table))


def row_weights(table: Floats, rules: GrowParameters) -> Floats:
    """Weights [v] of the rows of a table [v, K], class weights and costs taken out again."""
    return weights_of(table, rules) if not rules.row_factor.size else np.ascontiguousarray(table @ rules.row_factor)


@kernel
def row_sums(table):
    """Sum of every row of a table [v, K]."""
    sums = np.zeros(table.shape[0])
    for i in range(table.shape[0]):
        for one in table[i]:
            sums[i] += one
    return sums


@kernel
def summed_below(table):
    """Sums of the rows up to each but the last, and of those after it, [v − 1, K] both."""
    n_tests = max(table.shape[0] - 1, 0)
    below, above = np.empty((n_tests, table.shape[1])), np.empty((n_tests, table.shape[1]))
    for k in range(table.shape[1]):
        total = 0.0
        for i in range(table.shape[0]):
            total += table[i, k]
        running = 0.0
        for i in range(n_tests):
            running += table[i, k]
            below[i, k], above[i, k] = running, total - running
    return below, above


@kernel
def pair_gains(rules, before, weight, one, other, apart):
    """Decrease of impurity by each test with two branches, from their statistics [tests, K].

    `before` is the total impurity of the rows in them, `weight` that of the whole node, `apart` a gain to be added.
    """
    gains = np.empty(one.shape[0])
    for i in range(one.shape[0]):
        if rules.regression:
            left, right = one[i, 0], other[i, 0]
            gain = between_two(left, one[i, 1], right, other[i, 1]) / weight if left * right > 0.0 else 0.0
        else:
            after = node_total_impurity(rules.impurity, one[i], one[i].sum())
            after += node_total_impurity(rules.impurity, other[i], other[i].sum())
            gain = (before - after) / weight
        gains[i] = gain + apart
    return gains


@kernel
def pair_split_information(left, right, missing):
    """Entropy of the two branch weights of each test, and of the weight that takes neither, in bits."""
    infos = np.zeros(left.size)
    for i in range(left.size):
        weight = left[i] + right[i] + missing
        infos[i] = (xlog2x(weight) - xlog2x(left[i]) - xlog2x(right[i]) - xlog2x(missing)) / weight
    return infos


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
    column: TrainingColumn,
    rows: NDArray[np.intp],
    y: NDArray[np.int32] | Floats,
    weights: Floats,
    rules: GrowParameters,
    mean: float,
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
