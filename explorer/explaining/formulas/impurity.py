"""Impurities as arithmetic on a node's own counts (DEFINITIONS section 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from explorer.explaining.formulas.expression import (
    Call,
    Expression,
    Number,
    Power,
    Quantity,
    Quotient,
    Sum,
    difference,
    ratio,
    total,
)
from explorer.recipe.impurity import IMPURITIES

_SUBSCRIPTS = str.maketrans("0123456789,", "₀₁₂₃₄₅₆₇₈₉,")


def below(text: str) -> str:
    """Digits lowered, as in D₁.

    >>> "D" + below("12")
    'D₁₂'
    """
    return text.translate(_SUBSCRIPTS)


def logarithm(base: int | str, argument: Expression) -> Call:
    """The logarithm of a recipe: to base 2, or natural."""
    return Call("ln" if base == "e" else "log2", (argument,))


def impurity(kind: str, stats: Sequence[float], base: int | str = 2) -> Expression:
    """The impurity of a node with these class weights [K], or (W, mean, total loss) of a numeric target.

    >>> impurity("entropy", [9, 5]).written(False, True), impurity("gini", [2, 2]).written(False, True)
    ('−9/14·log2(9/14) − 5/14·log2(5/14)', '1 − (2/4)^2 − (2/4)^2')
    >>> impurity("error", [9, 5]).exact, impurity("variance", [4, 2.0, 8.0]).value
    (Fraction(5, 14), 2.0)
    """
    if not IMPURITIES[kind].needs_classes:
        return ratio(stats[2], stats[0]) if stats[0] > 0 else Number(0)
    weight = float(sum(stats))
    if weight <= 0:
        return Number(0)
    return FORMULAS[kind]([ratio(class_weight, weight) for class_weight in stats if class_weight > 0], base)


def entropy_of(shares: Sequence[Quotient], base: int | str = 2) -> Sum:
    """−Σ p·log p of some shares."""
    return total([share * logarithm(base, share) for share in shares], sign=-1)


def gini_of(shares: Sequence[Quotient], base: int | str = 2) -> Expression:
    """1 − Σ p² of the classes' shares."""
    return difference(Number(1), *(share ** Number(2) for share in shares))


def error_of(shares: Sequence[Quotient], base: int | str = 2) -> Expression:
    """1 − the largest share."""
    return Number(1) - max(shares, key=lambda share: share.value)


FORMULAS: dict[str, Callable[[Sequence[Quotient], int | str], Expression]] = {
    "entropy": entropy_of,
    "gini": gini_of,
    "error": error_of,
}
"""The formula of every impurity of classes from the shares of the classes present, and the base of its logarithm."""


def split_information(weights: Sequence[float], base: int | str = 2) -> Expression:
    """The entropy of the branch sizes.

    >>> split_information([5, 4, 5]).written(False, True)
    '−5/14·log2(5/14) − 4/14·log2(4/14) − 5/14·log2(5/14)'
    """
    whole = float(sum(weights))
    return entropy_of([ratio(weight, whole) for weight in weights if weight > 0], base)


def of_rows(kind: str, rows: str, latex_rows: str, stats: Sequence[float], base: int | str = 2) -> Quantity:
    """The impurity of some rows under a symbol such as H(D)."""
    text, latex = IMPURITIES[kind].symbol
    meaning = impurity(kind, stats, base)
    if not IMPURITIES[kind].needs_classes and stats[0] > 0:
        sign, latex_sign = IMPURITIES[kind].loss_symbol
        loss = Quantity(f"{sign}({rows})", f"{latex_sign}({latex_rows})", Number(stats[2]))
        meaning = loss / Number(stats[0])
    return Quantity(f"{text}({rows})", f"{latex}({latex_rows})", meaning)


def squared(of: Expression) -> Power:
    """The square."""
    return of ** Number(2)
