"""Where rows end, predictions as classes, and averages over the leaves of a row (DEFINITIONS section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.recipe.class_weights import heaviest_classes, lowest_cost_classes
from explorer.values import Value

Floats = NDArray[np.float64]


class Routes(NamedTuple):
    """Where rows end: `stops` [n] is a node for each, −1 for a row that follows several branches.

    Those rows have entries in `rows`, `nodes` and `parts`: a row's parts add up to 1, its entries follow each other.
    """

    stops: NDArray[np.int64]
    rows: NDArray[np.int64]
    nodes: NDArray[np.int64]
    parts: NDArray[np.float64]

    def all_parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """(row, node, part) of all rows, those with a single end included, in the order of the rows."""
        if not self.rows.size:
            return np.arange(self.stops.size), self.stops, np.ones(self.stops.size)
        single = np.flatnonzero(self.stops >= 0)
        rows = np.concatenate([single, self.rows])
        order = np.argsort(rows, kind="stable")
        nodes, parts = (
            np.concatenate([self.stops[single], self.nodes]),
            np.concatenate([np.ones(single.size), self.parts]),
        )
        return rows[order], nodes[order], parts[order]


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
