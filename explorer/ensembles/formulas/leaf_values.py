"""The numbers of a round of gradient boosting with their arithmetic: a leaf's value and a row's score (section 21)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.boosting.node_values import NodeRows, quantile
from explorer.ensembles.members import Ensemble
from explorer.errors import InputError
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Expression, Number, Quantity, Sum, ratio
from explorer.explaining.formulas.impurity import below
from explorer.explaining.formulas.symbols import Pair
from explorer.messages import message, plural

Floats = NDArray[np.float64]
MOST_ROWS = 12
"""The terms of more rows are shown as their sum."""
MOST_DIFFERENT = 1e-9


@dataclass(frozen=True, eq=False)
class LeafRows:
    """The rows [m] that a leaf's value comes from: their weights, negative gradients g and residuals r = y − F."""

    options: dict[str, Any]
    n_classes: int
    weights: Floats
    gradient: Floats
    residual: Floats
    indicator: Floats
    """1 for rows of the class (the second of two) that the tree is about, else 0."""
    delta: float = 0.0


def step_formula(ensemble: Ensemble, member: Member, row: Dataset) -> Derivation:
    """The score of one row before and after a round: F_m = F_(m−1) + ν·γ, with γ of the leaf that the row reaches.

    >>> from explorer import CART, gradient_boost, load_sample
    >>> data = Dataset.from_frame(load_sample("lihang_8_2_regression").frame, "y")
    >>> boosted = gradient_boost(data, CART.replace(max_depth=1), None, 2, 1.0, base_score=0.0)
    >>> print(*step_formula(boosted, boosted.members[1], data.take([0])).text.splitlines()[:2], sep="\\n")
    γ = (−203/300 − 161/300 − 49/150)/3 = −77/150 ≈ -0.513
    F₂ = F₁ + γ = 1871/300 + (−203/300 − 161/300 − 49/150)/3 = 1717/300 ≈ 5.723
    """
    leaf = int(member.tree.apply(row)[0])
    value, formulas, legend, remarks = _leaf(ensemble, member, leaf)
    code, stage = member.of_class or 0, member.stage
    before = float(ensemble.raw(row, stage - 1)[0, code])
    earlier = Quantity(f"F{below(str(stage - 1))}", f"F_{{{stage - 1}}}", Number(before))
    step = value if member.vote == 1.0 else Quantity("ν", r"\nu", Number(member.vote)) * value
    after = Quantity(f"F{below(str(stage))}", f"F_{{{stage}}}", Sum(((1, earlier), (1, step))))
    result = Formula(after, before + member.vote * float(member.tree.predict_encoded(row)[0]))
    if member.vote != 1.0:
        legend = (*legend, ("ν", message("learning rate")))
    of_class = "" if member.of_class is None else str(ensemble.classes[member.of_class])
    score = message("the row’s score for class {label}", label=of_class) if of_class else message("the row’s score")
    return Derivation((*formulas, result), (*legend, ("F", score)), remarks)


def leaf_formula(ensemble: Ensemble, member: Member, leaf: int) -> Derivation:
    """How the value of a node of a member comes about from the rows in it.

    Raises InputError for other ensembles than gradient boosting, and for one without its training rows.
    """
    _, formulas, legend, remarks = _leaf(ensemble, member, leaf)
    return Derivation(formulas, legend, remarks)


def _leaf(
    ensemble: Ensemble, member: Member, leaf: int
) -> tuple[Quantity, tuple[Formula, ...], tuple[Pair, ...], tuple[str, ...]]:
    """The leaf's value as a quantity, the formulas that lead to it, their legend, and remarks."""
    rows = _rows_of(ensemble, member, leaf)
    recorded = float(member.tree.values[leaf])
    meaning: Expression = Number(recorded)
    legend: tuple[Pair, ...] = ()
    remarks = [message("Every row counts with its weight.")] if (rows.weights != 1).any() else []
    if len(rows.weights):
        meaning, legend = LEAF_FORMULAS[str(ensemble.options["loss"])](rows, recorded)
        if abs(meaning.value - recorded) > MOST_DIFFERENT * max(1.0, abs(recorded)):
            meaning, legend = Number(recorded), ()
            remarks = [message("No formula: some rows of this leaf were left out when its tree was grown.")]
    value = Quantity("γ", r"\gamma", meaning)
    n_rows = plural(len(rows.weights), "value of the leaf with {n:,} row", "value of the leaf with {n:,} rows")
    return value, (Formula(value, recorded),), (("γ", n_rows), *legend), tuple(remarks)


def _rows_of(ensemble: Ensemble, member: Member, leaf: int) -> LeafRows:
    """The rows in a node that its value comes from."""
    train = ensemble.train
    if ensemble.method != "gradient_boosting" or train is None or member.target is None:
        raise InputError(
            message("This leaf has no formula: it needs gradient boosting that was grown here, and its training rows.")
        )
    parts = NodeRows.of(member.tree, train).parts_at(leaf)
    weights = parts * (train.weight_of_rows() if member.weights is None else member.weights)
    numbers = np.flatnonzero(weights > 0)
    rows = train.take(numbers)
    raw = ensemble.raw(rows, member.stage - 1)
    code = member.of_class if member.of_class is not None else 1
    return LeafRows(
        options=dict(ensemble.options),
        n_classes=len(ensemble.classes),
        weights=weights[numbers],
        gradient=np.asarray(member.target)[numbers],
        residual=rows.y - raw[:, 0] if ensemble.is_regression else np.zeros(len(numbers)),
        indicator=np.zeros(len(numbers)) if ensemble.is_regression else (rows.y == code).astype(np.float64),
        delta=float(member.facts.get("delta", 0.0)),
    )


LeafMeaning = Callable[[LeafRows, float], tuple[Expression, tuple[Pair, ...]]]


def _sum_of(numbers: Floats, weights: Floats) -> Expression:
    """Σ w·number, each row a term; one number where there are many rows."""
    if len(numbers) > MOST_ROWS:
        return Number(float((weights * numbers).sum()))
    terms = list[tuple[int, Expression]]()
    for number, weight in zip(numbers.tolist(), weights.tolist(), strict=True):
        size: Expression = Number(abs(number))
        sign = -1 if number < 0 else 1
        terms.append((sign, size if weight == 1.0 else Number(weight) * size))
    return Sum(tuple(terms))


def _mean(rows: LeafRows, recorded: float) -> tuple[Expression, tuple[Pair, ...]]:
    """Mean of the residuals, which are the negative gradients."""
    meaning = _sum_of(rows.gradient, rows.weights) / Number(float(rows.weights.sum()))
    return meaning, ((message("terms"), message("residuals y − F of the rows")),)


def middle_of(numbers: Floats, weights: Floats, value: float) -> Expression:
    """A median or quantile: one of the numbers, or the middle of the two on either side of it."""
    lower, upper = numbers[numbers < value], numbers[numbers > value]
    if (np.abs(numbers - value) <= 1e-12 * max(1.0, abs(value))).any() or not len(lower) or not len(upper):
        return Number(value)
    return _sum_of(np.array([lower.max(), upper.min()]), np.ones(2)) / Number(2)


def _median(rows: LeafRows, recorded: float) -> tuple[Expression, tuple[Pair, ...]]:
    meaning = middle_of(rows.residual, rows.weights, recorded)
    return meaning, ((message("terms"), message("residuals y − F in the middle: the value is their median")),)


def _quantile(rows: LeafRows, recorded: float) -> tuple[Expression, tuple[Pair, ...]]:
    meaning = middle_of(rows.residual, rows.weights, recorded)
    share = float(rows.options["alpha"])
    return meaning, (
        (message("terms"), message("the value is the {share:g}-quantile of the residuals y − F", share=share)),
    )


def _huber(rows: LeafRows, recorded: float) -> tuple[Expression, tuple[Pair, ...]]:
    """Median + mean of the distances from it, cut at δ."""
    median = quantile(rows.residual, rows.weights, 0.5, str(rows.options["quantiles"]))
    distances = np.clip(rows.residual - median, -rows.delta, rows.delta)
    mean = _sum_of(distances, rows.weights) / Number(float(rows.weights.sum()))
    middle = Quantity("m", "m", middle_of(rows.residual, rows.weights, median))
    legend = (
        ("m", message("median of the residuals y − F")),
        (message("terms"), message("distances from m, cut at δ = {delta:.6g}", delta=rows.delta)),
    )
    return Sum(((1, middle), (1, mean))), legend


def _newton(rows: LeafRows, recorded: float, curvature: Floats, words: str) -> tuple[Expression, tuple[Pair, ...]]:
    """Σ g over the sum of second derivatives."""
    if recorded == 0.0 and not curvature.any():
        return Number(0), ((message("0"), message("no row of the leaf has curvature left")),)
    meaning = _sum_of(rows.gradient, rows.weights) / _sum_of(curvature, rows.weights)
    return meaning, ((message("terms"), words),)


def _log_loss(rows: LeafRows, recorded: float) -> tuple[Expression, tuple[Pair, ...]]:
    """Σ(y − p)/Σp(1 − p), and Friedman's (K − 1)/K before it where there are more than two classes."""
    share = rows.indicator - rows.gradient
    words = message("above y − p of the rows, below p(1 − p): one Newton step")
    meaning, legend = _newton(rows, recorded, share * (1.0 - share), words)
    if rows.n_classes > 2:
        factor = Quantity("(K − 1)/K", r"\frac{K-1}{K}", ratio(rows.n_classes - 1, rows.n_classes))
        return factor * meaning, legend
    return meaning, legend


def _exponential(rows: LeafRows, recorded: float) -> tuple[Expression, tuple[Pair, ...]]:
    words = message("above the negative gradients of the rows, below their sizes: one Newton step")
    return _newton(rows, recorded, np.abs(rows.gradient), words)


LEAF_FORMULAS: dict[str, LeafMeaning] = {
    "squared_error": _mean,
    "absolute_error": _median,
    "huber": _huber,
    "quantile": _quantile,
    "log_loss": _log_loss,
    "exponential": _exponential,
}
"""The arithmetic of a leaf's value by the name of the loss."""
