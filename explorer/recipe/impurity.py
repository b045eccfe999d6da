"""Impurity of a node as a function of its sufficient statistics (DEFINITIONS section 2).

Vocabulary: *class weights* are the summed weights of a node's rows per class; the *total impurity* of a node is its
weight times its impurity, which is what adds up over branches. Everything here is written once and called by the
readable layer (`candidates`) and by the fast one (`kernels`).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.jit import borrowing, kernel

ENTROPY, GINI, ERROR, VARIANCE = 0, 1, 2, 3
IMPURITIES = {"entropy": ENTROPY, "gini": GINI, "error": ERROR, "variance": VARIANCE}

NEGLIGIBLE = 1e-12
"""A gain this small against the node's impurity is rounding noise and counts as zero."""


@borrowing
def xlog2x(weight):
    """w·log2 w, with 0·log 0 = 0."""
    return weight * np.log2(weight) if weight > 0.0 else 0.0


@borrowing
def node_total_impurity(kind, class_weights, weight):
    """Weight times impurity of a node with these class weights, summing to `weight`."""
    if weight <= 0.0:
        return 0.0
    if kind == ENTROPY:
        total = xlog2x(weight)
        for one in class_weights:
            total -= xlog2x(one)
        return max(total, 0.0)
    if kind == GINI:
        squares = 0.0
        for one in class_weights:
            squares += one * one
        return max((weight * weight - squares) / weight, 0.0)
    heaviest = 0.0
    for one in class_weights:
        heaviest = max(heaviest, one)
    return weight - heaviest


@borrowing
def total_impurity_two(kind, first, second):
    """`node_total_impurity` for two classes, without a loop."""
    if kind == GINI:
        weight = first + second
        return 2.0 * first * second / weight if weight > 0.0 else 0.0
    if kind == ENTROPY:
        return max(xlog2x(first + second) - xlog2x(first) - xlog2x(second), 0.0)
    return min(first, second)


@kernel
def between_two(weight_left, sum_left, weight_right, sum_right):
    """W times the decrease of variance by two branches: W_L·W_R/W·(mean_L − mean_R)²."""
    apart = sum_left * weight_right - sum_right * weight_left
    return apart * apart / (weight_left * weight_right * (weight_left + weight_right))


@kernel
def weight_times_error(weight, total, squares):
    """W·SSE of a branch from W, Σw·d and Σw·d² of its deviations d from any one number."""
    return max(weight * squares - total * total, 0.0)


@kernel
def rounded_to_zero(gain, impurity):
    """The gain, with rounding noise around zero (and −0.0) made exactly zero."""
    return gain if abs(gain) > NEGLIGIBLE * impurity else 0.0


def impurity_of(kind: str, stats: ArrayLike) -> float:
    """Impurity of a node from its statistics: class weights, or (W, mean, M2) for "variance".

    Entropy is in bits.

    >>> round(impurity_of("entropy", [9, 5]), 3)
    0.94
    >>> impurity_of("gini", [2, 2])
    0.5
    >>> impurity_of("variance", [4, 2.0, 8.0])
    2.0
    """
    numbers: NDArray[np.float64] = np.asarray(stats, dtype=np.float64)
    if kind == "variance":
        return float(numbers[2] / numbers[0]) if numbers[0] > 0 else 0.0
    weight = float(numbers.sum())
    return float(node_total_impurity(IMPURITIES[kind], numbers, weight) / weight) if weight > 0 else 0.0


def entropy(class_weights: ArrayLike) -> float:
    """Entropy −Σ p·log2 p in bits (Shannon; Quinlan 1986).

    >>> entropy([1, 1])
    1.0
    """
    return impurity_of("entropy", class_weights)


def gini(class_weights: ArrayLike) -> float:
    """Gini index 1 − Σ p² (Breiman et al. 1984).

    >>> gini([5, 5])
    0.5
    """
    return impurity_of("gini", class_weights)


def split_information(branch_weights: ArrayLike) -> float:
    """Entropy of the branch sizes in bits, the denominator of the gain ratio (Quinlan 1993).

    >>> round(split_information([5, 4, 5]), 3)
    1.577
    """
    return impurity_of("entropy", branch_weights)
