"""Predictions as classes, and averages over the leaves that a row reaches in part (DEFINITIONS section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.values import Value
from explorer.recipe.class_weights import heaviest_classes, lowest_cost_classes

if TYPE_CHECKING:
    from explorer.tree.routing import Routes

Floats = NDArray[np.float64]


def averaged(routes: Routes, values: Floats) -> Floats:
    """Per-node values [nodes, K] averaged for each row, [rows, K]: the values of its ends, weighted by its parts."""
    averages = values[np.maximum(routes.stops, 0)]
    averages[routes.rows] = 0.0
    np.add.at(averages, routes.rows, routes.parts[:, None] * values[routes.nodes])
    return averages


def predictions_of_shares(shares: Floats, costs: Floats | None) -> NDArray[np.int32]:
    """Code of the class with the largest share in each row [n, K], or with `costs` [K, K] of least expected cost.

    >>> predictions_of_shares(np.array([[0.6, 0.4]]), np.array([[0.0, 1.0], [2.0, 0.0]]))
    array([1], dtype=int32)
    """
    return heaviest_classes(shares) if costs is None else lowest_cost_classes(shares @ costs)


def named(codes: NDArray[Any], classes: Sequence[Value]) -> NDArray[Any]:
    """The classes behind their codes, [n], in their own type where all have the same.

    >>> named(np.array([1, 0]), (3, 5))
    array([5, 3])
    """
    kinds = {type(value) for value in classes}
    fit = kinds != {int} or all(abs(int(name)) < 2**63 for name in classes)
    names = np.array(classes, dtype=kinds.pop() if fit and kinds in ({int}, {float}, {bool}) else object)
    return names[codes]
