"""Weights, gains and split information of many tests at once, from their statistics (DEFINITIONS sections 2 and 4)."""

import numpy as np

from explorer.contingency import Floats
from explorer.impurity import between_two, total_impurity, xlog2x
from explorer.jit import kernel
from explorer.limits import Rules


def weights_of(table: Floats, rules: Rules) -> Floats:
    """Weights [v] of the rows of a table [v, K]."""
    if rules.regression:
        return np.ascontiguousarray(table[..., 0])
    return np.asarray(row_sums(table))


def row_weights(table: Floats, rules: Rules) -> Floats:
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
            after = total_impurity(rules.impurity, one[i], one[i].sum())
            after += total_impurity(rules.impurity, other[i], other[i].sum())
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
