"""One feature's counts at one node, which is all that its tests are made of (DEFINITIONS section 3).

A *contingency* counts the rows per value and class: it may come from rows, or from anywhere else. For a numeric target
its three columns are the moments W, Σ(y − mean) and Σ(y − mean)², around the node's mean. Under the Poisson deviance
the last is that of the rows from the node's mean. A loss around a quantile follows from no sums: there the contingency
has the rows too, in the order of the target.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.quantile_loss import LOSS, POSITION, WEIGHT, group_sums, has_quantiles
from explorer.jit import kernel
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.impurity import (
    POISSON,
    between_branches,
    between_mean,
    deviance_from,
    node_total_impurity,
    xlog2x,
)
from explorer.recipe.parameters import GrowParameters


def weights_of(table: Floats, parameters: GrowParameters) -> Floats:
    """Weights [v] of the rows of a table [v, K]."""
    if parameters.regression:
        return np.ascontiguousarray(table[..., 0])
    return np.asarray(row_sums(table))


def row_weights(table: Floats, parameters: GrowParameters) -> Floats:
    """Weights [v] of the rows of a table [v, K], class weights and costs taken out again."""
    if not parameters.row_factor.size:
        return weights_of(table, parameters)
    return np.ascontiguousarray(table @ parameters.row_factor)


def branch_values(table: Floats, parameters: GrowParameters) -> Floats:
    """What monotone constraints compare, [v]: the mean less the node's, or the share of the second class."""
    weights = weights_of(table, parameters)
    return np.asarray(np.divide(table[:, 1], weights, out=np.zeros(len(table)), where=weights > 0))


def newton_sums(table: Floats, parameters: GrowParameters) -> Floats:
    """The part of a table [v, K] that Newton's gain reads: sums around the mean [v, 1], or class weights."""
    return np.ascontiguousarray(table[..., 1:2] if parameters.regression else table)


@kernel
def row_sums(table):
    """Sum of every row of a table [v, K]."""
    sums = np.zeros(table.shape[0])
    for i in range(table.shape[0]):
        for count in table[i]:
            sums[i] += count
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
def pair_gains(parameters, mean, before, weight, first, second, gain_of_missing_branch):
    """Decrease of impurity by each test with two branches, from their statistics [tests, K].

    `mean` is what those of a numeric target are around, `before` the total impurity of the rows in them, `weight` that
    of the whole node; `gain_of_missing_branch` is added. Of a loss around a quantile the last statistic is the loss.
    """
    gains = np.empty(first.shape[0])
    for i in range(first.shape[0]):
        if has_quantiles(parameters):
            gain = (before - first[i, 2] - second[i, 2]) / weight
        elif parameters.regression:
            left, right = first[i, 0], second[i, 0]
            gain = 0.0
            if left * right > 0.0:
                gain = between_branches(parameters.impurity, mean, left, first[i, 1], right, second[i, 1]) / weight
        else:
            after = node_total_impurity(parameters.impurity, first[i], first[i].sum())
            after += node_total_impurity(parameters.impurity, second[i], second[i].sum())
            gain = (before - after) / weight
        gains[i] = gain + gain_of_missing_branch
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
class RankedRows:
    """The rows of a node in ascending order of a numeric target less what the node predicts.

    `positions` [n] are those of their values among the codes present, −1 where a row has none.
    """

    positions: NDArray[np.intp]
    numbers: Floats
    weights: Floats

    def sums(self, group_of_position: NDArray[np.intp], of_missing: int, parameters: GrowParameters) -> Floats:
        """Weight, quantile and total loss of groups of rows [groups, 3], by the group of each value; −1 is none."""
        groups = np.append(group_of_position, of_missing).astype(np.int64)[self.positions]
        n_groups = max(int(group_of_position.max(initial=-1)), of_missing) + 1
        sums = np.asarray(group_sums(parameters, self.numbers, self.weights, groups, n_groups))
        return sums[:, [WEIGHT, POSITION, LOSS]]


@dataclass(frozen=True)
class Contingency:
    """Counts of one feature at one node: `table` [v, K] for the codes present, `missing` [K], `mean` of the node.

    `ranked` are its rows where the impurity is a loss around a quantile, which the `mean` then is.
    """

    codes: NDArray[np.intp]
    table: Floats
    missing: Floats
    mean: float
    ranked: RankedRows | None = None

    def statistics(self, moments: Floats, parameters: GrowParameters) -> Floats:
        """(W, mean, total loss) [v, 3] from moments [v, 3] around the node's mean."""
        weight, sums = np.maximum(moments[:, 0], 1e-300), moments[:, 1]
        pairs = zip(weight, sums, strict=True)
        between = np.array([between_mean(parameters.impurity, self.mean, *pair) for pair in pairs])
        return np.stack([moments[:, 0], self.mean + sums / weight, np.maximum(moments[:, 2] - between, 0.0)], axis=1)

    def statistics_of_groups(
        self, group_of_position: NDArray[np.intp], of_missing: int, parameters: GrowParameters
    ) -> Floats:
        """(W, quantile, total loss) [groups, 3] of rows grouped by their value, −1 for those left out."""
        assert self.ranked is not None, "a loss around a quantile needs rows"
        return self.ranked.sums(group_of_position, of_missing, parameters) + np.array([0.0, self.mean, 0.0])


def count_rows(
    column: TrainingColumn,
    rows: NDArray[np.intp],
    y: NDArray[np.int32] | Floats,
    weights: Floats,
    parameters: GrowParameters,
    mean: float,
) -> Contingency:
    """Count a node's rows, of these weights, by value and by class (or as moments around the node's mean)."""
    end = column.n_values + 1
    if parameters.regression:
        table, seen = count_moments(column.codes, rows, y, weights, mean, end, parameters.impurity == POISSON)
    else:
        table, seen = count_classes(column.codes, rows, y, weights, end, parameters.n_stats)
    present = np.flatnonzero(seen[:-1])
    ranked = None
    if has_quantiles(parameters):
        order = np.argsort(y[rows], kind="stable")
        positions = np.full(end, -1)
        positions[present] = np.arange(len(present))
        ranked = RankedRows(
            positions[column.codes[rows[order]]], np.asarray(y[rows[order]] - mean, np.float64), weights[order]
        )
    return Contingency(present, table[present], table[-1], mean, ranked)


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
def count_moments(codes, rows, y, weights, mean, n_codes, by_deviance):
    """Weight, sum and sum of squares of the rows by code, around a mean, [n_codes, 3], and whether a row has each.

    `by_deviance` takes half the Poisson deviance of each row in place of its square.
    """
    table, seen = np.zeros((n_codes, 3)), np.zeros(n_codes, np.bool_)
    for i in range(rows.size):
        code, deviation = codes[rows[i]], y[rows[i]] - mean
        table[code, 0] += weights[i]
        table[code, 1] += weights[i] * deviation
        table[code, 2] += weights[i] * (deviance_from(y[rows[i]], mean) if by_deviance else deviation * deviation)
        seen[code] = True
    return table, seen
