"""Impurity of a node as a function of its sufficient statistics, and the table of impurities (DEFINITIONS section 2).

Vocabulary: *class weights* are the summed weights of a node's rows per class; the *total impurity* of a node is its
weight times its impurity, which is what adds up over branches. Everything here is written once and called by the
readable layer (`explorer.candidates`) and by the compiled one (`explorer.growing.engine`).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.jit import borrowing, kernel
from explorer.messages import Worded, message

NEGLIGIBLE = 1e-12
"""A gain this small against the node's impurity is rounding noise and counts as zero."""


@dataclass(frozen=True, kw_only=True)
class Impurity:
    """One impurity: everything that the package and the pages know of it but its formula.

    `number` is what compiled code knows it by; `label` is its name for readers. `decrease` is the key of what a split
    gains by it (see `explorer.candidates.measures`), and `decrease_label` the name of that for readers. `symbol` and
    `decrease_symbol` are its signs in formulas, as text and as LaTeX. `in_bits` says that it is counted in bits, and
    in nats where the recipe's logarithm is natural; `needs_classes` that it has no meaning for a numeric target.
    `loss_symbol` is the sign of a numeric target's total loss, weight times impurity, and `loss` the sum that it is.
    """

    name: str
    number: int
    label: Worded = Worded()
    decrease: str
    decrease_label: Worded = Worded()
    symbol: tuple[str, str]
    decrease_symbol: tuple[str, str]
    in_bits: bool = False
    needs_classes: bool = True
    loss_symbol: tuple[str, str] = ("SSE", r"\operatorname{SSE}")
    loss: str = "Σ(y − ȳ)²"
    predicted: str = "ȳ"
    """The sign of what a node of a numeric target predicts."""


ENTROPY, GINI, ERROR, VARIANCE = range(4)
POISSON, ABSOLUTE, QUANTILE = 10, 11, 12
"""Above the variance come the other losses of a numeric target, with room for impurities of classes before them."""
IMPURITIES = {
    impurity.name: impurity
    for impurity in (
        Impurity(
            name="entropy",
            number=ENTROPY,
            label=lambda: message("entropy"),
            decrease="gain",
            decrease_label=lambda: message("gain"),
            symbol=("H", "H"),
            decrease_symbol=("gain", r"\operatorname{gain}"),
            in_bits=True,
        ),
        Impurity(
            name="gini",
            number=GINI,
            label=lambda: message("Gini"),
            decrease="Gini decrease",
            decrease_label=lambda: message("Gini decrease"),
            symbol=("Gini", r"\operatorname{Gini}"),
            decrease_symbol=("ΔGini", r"\Delta\operatorname{Gini}"),
        ),
        Impurity(
            name="error",
            number=ERROR,
            label=lambda: message("error rate"),
            decrease="error decrease",
            decrease_label=lambda: message("error decrease"),
            symbol=("err", r"\operatorname{err}"),
            decrease_symbol=("Δerr", r"\Delta\operatorname{err}"),
        ),
        Impurity(
            name="variance",
            number=VARIANCE,
            label=lambda: message("variance"),
            decrease="variance decrease",
            decrease_label=lambda: message("variance decrease"),
            symbol=("Var", r"\operatorname{Var}"),
            decrease_symbol=("ΔVar", r"\Delta\operatorname{Var}"),
            needs_classes=False,
        ),
        Impurity(
            name="poisson",
            number=POISSON,
            label=lambda: message("Poisson deviance"),
            decrease="Poisson deviance decrease",
            decrease_label=lambda: message("Poisson deviance decrease"),
            symbol=("Dev", r"\operatorname{Dev}"),
            decrease_symbol=("ΔDev", r"\Delta\operatorname{Dev}"),
            needs_classes=False,
            loss_symbol=("L", "L"),
            loss="Σ(y·ln(y/ȳ) − (y − ȳ))",
        ),
        Impurity(
            name="absolute_error",
            number=ABSOLUTE,
            label=lambda: message("absolute error"),
            decrease="absolute error decrease",
            decrease_label=lambda: message("absolute error decrease"),
            symbol=("MAE", r"\operatorname{MAE}"),
            decrease_symbol=("ΔMAE", r"\Delta\operatorname{MAE}"),
            needs_classes=False,
            loss_symbol=("L", "L"),
            loss="Σ|y − ỹ|",
            predicted="ỹ",
        ),
        Impurity(
            name="quantile",
            number=QUANTILE,
            label=lambda: message("quantile loss"),
            decrease="quantile loss decrease",
            decrease_label=lambda: message("quantile loss decrease"),
            symbol=("Q", "Q"),
            decrease_symbol=("ΔQ", r"\Delta Q"),
            needs_classes=False,
            loss_symbol=("L", "L"),
            loss="Σ(q·(y − ỹ)⁺ + (1 − q)·(ỹ − y)⁺)",
            predicted="ỹ",
        ),
    )
}
"""The impurities by the name that a recipe gives them."""
FOR_CLASSES, FOR_NUMBERS = "gini", "variance"
"""What a recipe that names no impurity takes, by the type of target."""


@borrowing
def xlog2x(weight):
    """w·log2 w, with 0·log 0 = 0; by `math`, whose last digit is the same in Python and compiled, unlike NumPy's."""
    return weight * math.log2(weight) if weight > 0.0 else 0.0


@borrowing
def total_entropy(class_weights, weight):
    """W·H = W·log2 W − Σ w·log2 w (Quinlan 1986)."""
    total = xlog2x(weight)
    for class_weight in class_weights:
        total -= xlog2x(class_weight)
    return max(total, 0.0)


@borrowing
def total_gini(class_weights, weight):
    """W·(1 − Σ p²) = (W² − Σ w²)/W (Breiman et al. 1984)."""
    squares = 0.0
    for class_weight in class_weights:
        squares += class_weight * class_weight
    return max((weight * weight - squares) / weight, 0.0)


@borrowing
def total_error(class_weights, weight):
    """Weight of the rows outside the heaviest class."""
    heaviest = 0.0
    for class_weight in class_weights:
        heaviest = max(heaviest, class_weight)
    return weight - heaviest


@borrowing
def node_total_impurity(kind, class_weights, weight):
    """Weight times impurity of a node with these class weights, summing to `weight`: the dispatch by number."""
    if weight <= 0.0:
        return 0.0
    if kind == ENTROPY:
        return total_entropy(class_weights, weight)
    if kind == GINI:
        return total_gini(class_weights, weight)
    return total_error(class_weights, weight)


@borrowing
def total_impurity_two(kind, first, second):
    """`node_total_impurity` for two classes: without a loop where there is a shorter form."""
    if kind == GINI:
        weight = first + second
        return 2.0 * first * second / weight if weight > 0.0 else 0.0
    if kind == ENTROPY:
        return max(xlog2x(first + second) - xlog2x(first) - xlog2x(second), 0.0)
    if kind == ERROR:
        return min(first, second)
    first, second = max(first, 0.0), max(second, 0.0)  # subtraction can leave a hair below zero
    return node_total_impurity(kind, (first, second), first + second)


@borrowing
def gain_of_two_classes(kind, before, first_all, second_all, left, b):
    """Decrease of the impurity if `left` rows go left, `b` of them of the second class; `before` is its total.

    By Gini with one division for both branches.
    """
    weight = first_all + second_all
    right = weight - left
    a, d = left - b, second_all - b
    c = first_all - a
    if kind == GINI:
        after = 2.0 * (a * b * right + c * d * left) / (left * right)
    else:
        after = total_impurity_two(kind, a, b) + total_impurity_two(kind, c, d)
    return (before - after) / weight


@borrowing
def gain_of_squares(before, left, right, left_squares, right_squares):
    """The same by Gini from the sums of squared class weights of both branches."""
    after = (left * left - left_squares) / left + (right * right - right_squares) / right
    return (before - after) / (left + right)


@kernel
def between_two(weight_left, sum_left, weight_right, sum_right):
    """W times the decrease of variance by two branches: W_L·W_R/W·(mean_L − mean_R)²."""
    distance = sum_left * weight_right - sum_right * weight_left
    return distance * distance / (weight_left * weight_right * (weight_left + weight_right))


@borrowing
def deviance_from(number, mean):
    """Half the Poisson deviance of a number from a mean, y·ln(y/m) − (y − m) (McCullagh and Nelder 1989)."""
    return number * math.log(number / mean) - (number - mean) if number > 0.0 else mean


@borrowing
def between_mean(kind, mean, weight, total):
    """What the loss of rows around `mean` exceeds that around their own mean by; `total` is Σw·(y − mean).

    W·(their mean − mean)² for the variance; for the Poisson deviance W·m·((1 + r)·ln(1 + r) − r), r = total/(W·m).
    """
    if weight <= 0.0:
        return 0.0
    if kind != POISSON:
        return total * total / weight
    if mean <= 0.0:
        return 0.0
    r = total / (weight * mean)
    return weight * mean * ((1.0 + r) * math.log1p(r) - r if r > -1.0 else 1.0)


@kernel
def between_branches(kind, mean, weight_left, sum_left, weight_right, sum_right):
    """W times the decrease of a numeric target's impurity by two branches; sums of deviations are around any `mean`."""
    if kind != POISSON:
        return between_two(weight_left, sum_left, weight_right, sum_right)
    of_branches = between_mean(kind, mean, weight_left, sum_left) + between_mean(kind, mean, weight_right, sum_right)
    return of_branches - between_mean(kind, mean, weight_left + weight_right, sum_left + sum_right)


@kernel
def newton_pair_gain(weight_left, sum_left, weight_right, sum_right, reg_lambda):
    """S_L²/(H_L + λ) + S_R²/(H_R + λ) − S²/(H + λ) of two branches, S = −G (section 22 of the ensembles' definitions).

    Written as what divides the branches less what shrinking costs, so that λ = 0 is `between_two` to the last digit.
    """
    left, right = weight_left + reg_lambda, weight_right + reg_lambda
    distance, total = sum_left * right - sum_right * left, sum_left + sum_right
    between = distance * distance / (left * right * (left + right))
    return between - reg_lambda * total * total / ((left + right) * (left + right - reg_lambda))


@kernel
def weight_times_error(weight, total, squares):
    """W·SSE of a branch from W, Σw·d and Σw·d² of its deviations d from any one number."""
    return max(weight * squares - total * total, 0.0)


@kernel
def rounded_to_zero(gain, impurity):
    """The gain, with rounding noise around zero (and −0.0) made exactly zero."""
    return gain if abs(gain) > NEGLIGIBLE * impurity else 0.0


def impurity_of(kind: str, stats: ArrayLike) -> float:
    """Impurity of a node from its statistics: class weights, or (W, mean, total loss) of a numeric target.

    Entropy is in bits.

    >>> round(impurity_of("entropy", [9, 5]), 3)
    0.94
    >>> impurity_of("gini", [2, 2])
    0.5
    >>> impurity_of("variance", [4, 2.0, 8.0])
    2.0
    """
    numbers: NDArray[np.float64] = np.asarray(stats, dtype=np.float64)
    if not IMPURITIES[kind].needs_classes:
        return float(numbers[2] / numbers[0]) if numbers[0] > 0 else 0.0
    weight = float(numbers.sum())
    return float(node_total_impurity(IMPURITIES[kind].number, numbers, weight) / weight) if weight > 0 else 0.0


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
