"""Class weights, costs of errors and costs of features, and the weights that rows grow by (DEFINITIONS section 9).

A row's *growing weight* is its own weight times its class's *factor*. Dividing a node's class weights by the factors
gives row weights back, so that nothing else needs to be kept per row.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.encode import Heading
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.recipe.split_score import TIE
from explorer.values import Value

Floats = NDArray[np.float64]
Pairs = tuple[tuple[Value, float], ...]
"""Names and amounts as pairs: unlike a dict they can be hashed, and JSON keeps the type of a class."""
Costs = tuple[tuple[Value, Pairs], ...]
NONE: Floats = np.empty(0)
FARTHEST = 1e25
"""By how much the weights of rows may differ for their classes: products of them stay within the range of a float."""


def pairs_of(amounts: Any, field: str) -> Pairs | None:
    """A mapping, or pairs, of names to amounts as pairs; InputError for what is no amount.

    >>> pairs_of({"ill": 5}, "class_weights")
    (('ill', 5.0),)
    """
    return tuple((name, _amount(value, field, name)) for name, value in items_of(amounts, field)) or None


def costs_of(named_costs: Any) -> Costs | None:
    """Costs {true class: {predicted class: cost}} as pairs; InputError for a cost below 0 or of being correct."""
    costs = tuple((true, pairs_of(row, f"costs[{true!r}]") or ()) for true, row in items_of(named_costs, "costs"))
    for true, row in costs:
        for predicted, cost in row:
            if predicted == true and cost != 0:
                raise InputError(
                    message(
                        "costs gives the correct prediction {name!r} a cost of {cost:g}: set it to 0.",
                        name=true,
                        cost=cost,
                    )
                )
    return costs or None


def items_of(amounts: Any, field: str) -> list[tuple[Value, Any]]:
    """The entries of a mapping or of a sequence of pairs, names as plain values and each of them once."""
    if amounts is None:
        return []
    if not isinstance(amounts, Mapping) and not (
        isinstance(amounts, Sequence) and all(isinstance(pair, Sequence) and len(pair) == 2 for pair in amounts)
    ):
        raise InputError(
            message(
                "Recipe field '{field}' is {value:.60}: give a mapping such as {{name: number}}.",
                field=field,
                value=repr(amounts),
            )
        )
    entries: Iterable[Any] = amounts.items() if isinstance(amounts, Mapping) else amounts
    plain = [(name.item() if isinstance(name, np.generic) else name, value) for name, value in entries]
    repeated = [name for i, (name, _) in enumerate(plain) if name in [other for other, _ in plain[:i]]]
    if repeated:
        raise InputError(
            message("Recipe field '{field}' names {name!r} twice: leave one out.", field=field, name=repeated[0])
        )
    return plain


def _amount(value: Any, field: str, name: Value) -> float:
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.bool_))
    if not number or not math.isfinite(value) or value < 0:
        raise InputError(
            message(
                "{field} gives {name!r} the value {value:.40}: give a finite number from 0 on.",
                field=field,
                name=name,
                value=repr(value),
            )
        )
    return float(value)


def cost_matrix(costs: Costs, classes: tuple[Value, ...]) -> Floats:
    """Cost of predicting column k for a row of class j, [K, K]; an error that is not named costs 1.

    >>> cost_matrix(costs_of({"bad": {"good": 5}}), ("good", "bad")).tolist()
    [[0.0, 1.0], [5.0, 0.0]]
    """
    matrix = 1.0 - np.eye(len(classes))
    for true, row in costs:
        j = _class_index(true, classes, "costs")
        for predicted, cost in row:
            matrix[j, _class_index(predicted, classes, "costs")] = cost
    return matrix


def _class_index(name: Value, classes: tuple[Value, ...], field: str) -> int:
    if name not in classes:
        listed = listing(repr(value) for value in classes[:8])
        raise InputError(
            message(
                "{field} names the class {name!r}, which the target does not have: it has {classes}.",
                field=field,
                name=name,
                classes=listed,
            )
        )
    return classes.index(name)


def importance_of(class_weights: Pairs | None, costs: Costs | None, data: Heading) -> Floats:
    """Class weight times the sum of the costs of misclassifying it, [K]: altered priors but for the scale."""
    if data.is_regression:
        field = "class_weights" if class_weights else "costs"
        raise InputError(
            message(
                "The target '{target}' is numeric and has no classes: remove {field}.",
                target=data.target.name,
                field=field,
            )
        )
    importance = np.ones(len(data.classes)) if costs is None else cost_matrix(costs, data.classes).sum(axis=1)
    for name, weight in class_weights or ():
        importance[_class_index(name, data.classes, "class_weights")] *= weight
    return importance


def rows_that_count(data: Dataset, class_weights: Pairs | None, costs: Costs | None) -> tuple[Dataset, int]:
    """The rows of classes whose weight and cost of misclassifying are above 0, and how many the others are."""
    if class_weights is None and costs is None:
        return data, 0
    counts = importance_of(class_weights, costs, data)[data.y] > 0
    if counts.all():
        return data, 0
    if not counts.any():
        raise InputError(message("Every row has a class weight or a cost of 0: give at least one class both above 0."))
    return data.take(counts), int((~counts).sum())


def class_factors(data: Dataset, class_weights: Pairs | None, costs: Costs | None) -> Floats:
    """Growing weight per row weight for every class, [K], empty where all are alike; growing weights add up to W.

    Factor j is in proportion to class weight · Σ_k cost(j→k), the altered priors of Breiman et al. (1984), section 4.4.
    """
    if class_weights is None and costs is None:
        return NONE
    importance = importance_of(class_weights, costs, data)
    counts = np.bincount(data.y, weights=data.weight_of_rows(), minlength=importance.size)
    return factors_of(importance, counts.astype(np.float64))


def factors_of(importance: Floats, counts: Floats) -> Floats:
    """The factors of classes with this importance and row weight, [K] both."""
    used = importance[counts > 0]
    _refuse_far_apart(used)
    if (used == used[0]).all():
        return NONE
    return np.asarray(importance * (counts.sum() / (counts * importance).sum()), dtype=np.float64)


def _refuse_far_apart(importance: Floats) -> None:
    """InputError where the least class would vanish beside the greatest one in products of weights."""
    least, most = float(importance[importance > 0].min()), float(importance.max())
    if most > FARTHEST * least:
        raise InputError(
            message(
                "By class weights and costs a row of one class counts {ratio:.3g} times as much as one of another: "
                "give amounts at most {most:.0e} times apart, or 0 to leave a class out.",
                ratio=most / least,
                most=FARTHEST,
            )
        )


def with_growing_weights(data: Dataset, factors: Floats) -> Dataset:
    """The same rows with their growing weights."""
    return replace(data, weights=data.weight_of_rows() * factors[data.y]) if factors.size else data


def without(stats: Floats, factors: Floats) -> Floats:
    """Class weights [n, K] with a factor per class taken out again; 0 where the factor is 0."""
    return np.divide(stats, factors, out=np.zeros_like(stats), where=factors > 0)


def as_row_weights(stats: Floats, factors: Floats | None) -> Floats:
    """Growing class weights [n, K] as row weights; no factors where the two are the same."""
    return stats if factors is None else without(stats, factors)


def with_true_priors(stats: Floats, costs: Floats) -> Floats:
    """Growing class weights [n, K], the root's first, with the costs taken out and the root's total kept."""
    plain = without(stats, np.broadcast_to(costs.sum(axis=1), stats.shape))
    return plain * (stats[0].sum() / plain[0].sum())


def predicted_classes_of(stats: Floats, costs: Floats | None) -> NDArray[np.int32]:
    """Code of the class that leaves with these growing class weights [n, K] predict: the heaviest or the cheapest."""
    if costs is None:
        return heaviest_classes(stats)
    return lowest_cost_classes(without(stats, np.broadcast_to(costs.sum(axis=1), stats.shape)) @ costs)


def heaviest_classes(weights: Floats) -> NDArray[np.int32]:
    """The class with the largest weight, share or vote in every row [n, K] → [n]; of equal ones the first.

    Sums of the same weights differ in their last digits by the order in which they are added up:

    >>> heaviest_classes(np.array([[0.3, 0.1 + 0.2], [0.3, 0.4]])).tolist()
    [0, 1]
    """
    least = weights.max(axis=1, initial=0.0) - TIE * weights.sum(axis=1)
    return (weights >= least[:, None]).argmax(axis=1).astype(np.int32)


def lowest_cost_classes(expected: Floats) -> NDArray[np.int32]:
    """The prediction of least expected cost in every node, [n, K] → [n]; of equal costs the first class."""
    return (expected <= expected.min(axis=1, keepdims=True) * (1.0 + TIE)).argmax(axis=1).astype(np.int32)
