"""What every scan does with a row and with a gain: add it up, and keep the best by the tie rule.

The tie rule takes up to two scans of the candidates. The first looks for the largest gain. Where it leaves doubt which
candidate is the first that equals it, a second scan ends at the first gain that is at least a *floor*:

    start_scans(best, scale)
    while needs_scan(best):
        scan_something(…, best)  # ends where `ends_scan(best, gain, position)` says so
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.scans.buffers import (
    ADMISSIBLE,
    DOUBT,
    FIRST,
    FIRST_EQUAL,
    FLOOR,
    GAIN,
    LARGEST,
    MARGIN,
    N_ADMISSIBLE,
    POSITION,
    SECOND,
    SPLIT_INFO,
)
from explorer.growing.scans.problem import code_of, row_of, weight_of
from explorer.jit import borrowing, inlined
from explorer.recipe.feature_constraints import KEPT, violation
from explorer.recipe.impurity import rounded_to_zero, xlog2x
from explorer.recipe.split_score import tie_margin


class Criterion(NamedTuple):
    """What the candidates of a feature are measured by at a node.

    `kind` is the impurity, `stats` are the node's. Gains are rounding noise, or ties, in comparison with `scale`: the
    node's impurity. `minimum` is the row weight that every branch needs; `row_factor` turns class weights back into row
    weights, empty where they are the same. `with_info` asks for split information.
    """

    kind: int
    regression: bool
    stats: NDArray[np.float64]
    scale: float
    minimum: float
    row_factor: NDArray[np.float64]
    with_info: bool


@inlined
def criterion_of(parameters, stats, scale, minimum):
    """What candidates are measured by at a node with these statistics, where every branch needs a minimum."""
    return Criterion(
        parameters.impurity, parameters.regression, stats, scale, minimum, parameters.row_factor, parameters.with_info
    )


@borrowing
def add_row(segment, key, mean, counts):
    """Add a row to class weights, or its target less the node's mean to a sum (the last place); return its weight."""
    row = row_of(key)
    weight = weight_of(segment.weights, row)
    if segment.numbers.size:
        deviation = segment.numbers[row] - mean
        counts[counts.size - 1] += weight * deviation
        if counts.size > 1:
            counts[0] += weight * deviation * deviation
    else:
        counts[segment.classes[row]] += weight
    return weight


@borrowing
def clear(result):
    """No candidate yet in this row of results."""
    result[GAIN], result[SPLIT_INFO], result[N_ADMISSIBLE] = np.nan, 0.0, 0.0
    result[FIRST] = result[SECOND] = -1.0


@borrowing
def weight_of_rows(keys, weights, start, end):
    """Weight of the rows [start, end) of a column."""
    if weights.size == 0:
        return float(end - start)
    weight = 0.0
    for i in range(start, end):
        weight += weight_of(weights, row_of(keys[i]))
    return weight


@borrowing
def split_information_two(left, right):
    """Entropy of two branch weights in bits."""
    weight = left + right
    return (xlog2x(weight) - xlog2x(left) - xlog2x(right)) / weight


@borrowing
def violates(sign, first, first_weight, second, second_weight, bounds):
    """Whether two branches violate a monotone constraint: what it compares is the last place of their statistics."""
    last = first.size - 1
    values = first[last] / first_weight, second[last] / second_weight
    return violation(sign, values[0], values[1], bounds[0], bounds[1], bounds[2]) != KEPT


@borrowing
def start_scans(best, scale):
    """No gain so far; gains are rounding noise, or ties, in comparison with `scale`: the node's impurity."""
    best[LARGEST], best[DOUBT], best[MARGIN], best[ADMISSIBLE] = -np.inf, 1.0, tie_margin(0.0, scale), 0.0


@borrowing
def needs_scan(best):
    """Whether the candidates are to be scanned: the first time, and again from the floor on where doubt is left."""
    if best[DOUBT] == 0.0:
        return False
    best[FLOOR] = best[LARGEST] - best[MARGIN]
    best[LARGEST] = best[FIRST_EQUAL] = -np.inf
    best[POSITION], best[DOUBT] = -1.0, 0.0
    return True


@borrowing
def ends_scan(best, gain, position):
    """Take note of a gain; whether the scan may end here, as a second one does at the first gain from the floor on.

    A gain that rises by less than the margin could make a candidate in between the first equal one: that is doubt.
    """
    if not (gain > best[LARGEST] and gain >= best[FLOOR]):
        return False
    if gain - best[MARGIN] > best[LARGEST]:
        best[FIRST_EQUAL], best[POSITION], best[DOUBT] = gain, position, 0.0
    elif best[FIRST_EQUAL] < gain - best[MARGIN]:
        best[DOUBT] = 1.0
    best[LARGEST] = gain
    return best[FLOOR] > -np.inf


@borrowing
def write_best(result, best, scale):
    """Write the gain of the best candidate into its row of results.

    Returns its position: −1 where none is admissible, and where numbers too large or small for products leave no gain.
    """
    if best[POSITION] >= 0.0:
        result[GAIN], result[N_ADMISSIBLE] = rounded_to_zero(best[FIRST_EQUAL], scale), best[ADMISSIBLE]
    return int(best[POSITION])


@borrowing
def write_threshold(result, keys, position):
    """Write the codes on either side of a threshold into its row of results."""
    result[FIRST], result[SECOND] = code_of(keys[position - 1]), code_of(keys[position])
