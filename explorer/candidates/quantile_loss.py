"""Loss of numbers around their quantile: absolute error around the median, or the loss of a quantile (section 2).

Rows are given in ascending order of their numbers; their *rank* is the place in that order. Such losses do not follow
from sums of the rows' numbers, so that both layers compute them here.
"""

import numpy as np

from explorer.jit import borrowing, kernel
from explorer.recipe.impurity import ABSOLUTE, QUANTILE

WEIGHT, POSITION, LOSS, SO_FAR, N_SUMS = range(5)
"""What is known of a group of rows: their weight, their quantile, their total loss, and working memory."""
REACHED = 1e-12
"""A sum of weights that misses a quantile's share by this share of the weight is at it but for rounding."""
ABSENT, KNOWN, MISSING = range(3)
"""What a row is to a feature: not compared, or with or without a value."""


@borrowing
def has_quantiles(parameters):
    """Whether the impurity is a loss around a quantile."""
    return parameters.impurity in (ABSOLUTE, QUANTILE)


@borrowing
def slopes_of(parameters):
    """What a row's loss rises by for each unit that its number lies above, or below, what is predicted."""
    scale = 2.0 if parameters.impurity == ABSOLUTE else 1.0
    return scale * parameters.quantile, scale * (1.0 - parameters.quantile)


@borrowing
def sum_groups(parameters, numbers, weights, groups, sums):
    """Weight, quantile and total loss of every group of rows into `sums` [groups, 4].

    `numbers` [n] ascend, beside `weights` and the group of each, −1 for none. Where the weight up to a number is the
    quantile's share exactly, the quantile is halfway to the next one.
    """
    over, under = slopes_of(parameters)
    for g in range(sums.shape[0]):
        for k in range(N_SUMS):
            sums[g, k] = 0.0
    for i in range(numbers.size):
        if groups[i] >= 0:
            sums[groups[i], WEIGHT] += weights[i]
    for i in range(numbers.size):
        g = groups[i]
        if g < 0 or sums[g, SO_FAR] == np.inf:
            continue
        if sums[g, SO_FAR] < 0.0:
            sums[g, POSITION], sums[g, SO_FAR] = 0.5 * (sums[g, POSITION] + numbers[i]), np.inf
            continue
        sums[g, SO_FAR] += weights[i]
        excess, least = sums[g, SO_FAR] - parameters.quantile * sums[g, WEIGHT], REACHED * sums[g, WEIGHT]
        if excess >= -least:
            sums[g, POSITION], sums[g, SO_FAR] = numbers[i], np.inf if excess > least else -1.0
    for i in range(numbers.size):
        if groups[i] >= 0:
            distance = numbers[i] - sums[groups[i], POSITION]
            sums[groups[i], LOSS] += weights[i] * (over * distance if distance > 0.0 else -under * distance)


@borrowing
def link_rows(numbers, weights, kinds, with_missing, before, after):
    """Link each row to the one before and after it, −1 for none; returns the first, their weight, and their sum."""
    first, last, weight, total = -1, -1, 0.0, 0.0
    for i in range(numbers.size):
        if kinds[i] == KNOWN or (with_missing and kinds[i] == MISSING):
            before[i], after[i] = last, -1
            if last >= 0:
                after[last] = i
            else:
                first = i
            last = i
            weight += weights[i]
            total += weights[i] * numbers[i]
    return first, weight, total


@borrowing
def unlink(row, before, after):
    """Take a row out of the list."""
    if before[row] >= 0:
        after[before[row]] = after[row]
    if after[row] >= 0:
        before[after[row]] = before[row]


@borrowing
def find_losses(parameters, numbers, weights, kinds, order, with_missing, forwards, links, losses):
    """Total losses of the first 0, 1, 2, … rows of an `order` [k] of ranks, or of those after them, into `losses`.

    `kinds` [n] says of every rank whether it is KNOWN (then the order has it) or MISSING; rows of that kind are added
    to all `with_missing`. The rows are a list linked by rank (`links` [2, n] is working memory) that one after the
    other leaves, `forwards` from the first. The quantile moves on past as much weight as its share loses by that: one
    step a row where rows weigh the same.
    """
    over, under = slopes_of(parameters)
    level, before, after = parameters.quantile, links[0], links[1]
    at, weight, total = link_rows(numbers, weights, kinds, with_missing, before, after)
    n, below, sum_below, above, sum_above = order.size, 0.0, 0.0, weight, total
    if at >= 0:
        above -= weights[at]
        sum_above -= weights[at] * numbers[at]
    for step in range(n + 1):
        while at >= 0 and below > level * weight and before[at] >= 0:
            above += weights[at]
            sum_above += weights[at] * numbers[at]
            at = before[at]
            below -= weights[at]
            sum_below -= weights[at] * numbers[at]
        while at >= 0 and below + weights[at] < level * weight and after[at] >= 0:
            below += weights[at]
            sum_below += weights[at] * numbers[at]
            at = after[at]
            above -= weights[at]
            sum_above -= weights[at] * numbers[at]
        loss = 0.0
        if at >= 0:
            number = numbers[at]
            loss = over * (sum_above - number * above) + under * (number * below - sum_below)
        losses[step if forwards else n - step] = max(loss, 0.0)
        if step == n:
            break
        leaving = order[step if forwards else n - 1 - step]
        of_row = weights[leaving]
        weight -= of_row
        if leaving != at:
            if leaving < at:
                below -= of_row
                sum_below -= of_row * numbers[leaving]
            else:
                above -= of_row
                sum_above -= of_row * numbers[leaving]
        elif after[at] >= 0:
            at = after[at]
            above -= weights[at]
            sum_above -= weights[at] * numbers[at]
        else:
            at = before[at]
            if at >= 0:
                below -= weights[at]
                sum_below -= weights[at] * numbers[at]
        unlink(leaving, before, after)


@kernel
def group_sums(parameters, numbers, weights, groups, n_groups):
    """Weight, quantile and total loss of groups of rows [n_groups, 4]; see `sum_groups`."""
    sums = np.empty((n_groups, N_SUMS))
    sum_groups(parameters, numbers, weights, groups, sums)
    return sums


@kernel
def side_losses(parameters, numbers, weights, kinds, order):
    """Total losses on both sides of a cut after each row of an order [k], [4, k + 1].

    Of the rows up to the cut, the same with the rows without a value, those after it, and the same with these.
    """
    losses, links = np.zeros((4, order.size + 1)), np.empty((2, numbers.size), np.int64)
    for side in range(4):
        find_losses(parameters, numbers, weights, kinds, order, side % 2 == 1, side >= 2, links, losses[side])
    return losses
