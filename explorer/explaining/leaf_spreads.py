"""How a numeric column is spread in every leaf below a node: box plots of weighted rows (DEFINITIONS section 8)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.node_profile import below
from explorer.messages import listing, message
from explorer.recipe.class_weights import Floats
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class LeafSpread:
    """A node where rows end, the `weight` of those with a known value, and their box: quartiles and whiskers.

    The whiskers `low` and `high` are the outermost values within 1.5 times the distance of the quartiles `first` and
    `third` beside them (Tukey 1977).
    """

    node: int
    weight: float
    low: float
    first: float
    median: float
    third: float
    high: float


def numeric_columns(data: Dataset) -> list[str]:
    """The columns that have numbers: a numeric target, then the numeric features."""
    target = [data.target.name] if data.is_regression else []
    return target + [feature.name for feature in data.features if feature.type == "numeric"]


def numbers_of(data: Dataset, column: str) -> Floats:
    """The numbers of a column [n], NaN where they are missing; InputError where it has none."""
    if column not in (known := numeric_columns(data)):
        listed = listing(map(repr, known[:8])) or message("no column")
        raise InputError(
            message(
                "Column {column!r} has no numbers to draw. Those that have: {columns}.", column=column, columns=listed
            )
        )
    if data.is_regression and column == data.target.name:
        return np.asarray(data.y, dtype=np.float64)
    position = [feature.name for feature in data.features].index(column)
    return np.append(data.features[position].values, np.nan)[data.codes[position]]


def leaf_spreads(tree: Tree, data: Dataset, column: str, node: int = 0) -> list[LeafSpread]:
    """The boxes of a numeric target or feature in every node where rows of `data` end at or below `node`, by number.

    Rows count by their weights, in parts where they divide; those without a value are left out.

    >>> import pandas as pd
    >>> from explorer import CART, grow
    >>> data = Dataset.from_frame(pd.DataFrame({"x": [1.0, 1.0, 2.0, 2.0, 2.0], "y": [0.0, 1.0, 6.0, 7.0, 9.0]}), "y")
    >>> [(each.node, each.first, each.median, each.third) for each in leaf_spreads(grow(data, CART), data, "y")]
    [(1, 0.0, 0.0, 1.0), (2, 6.0, 7.0, 9.0)]
    """
    numbers = numbers_of(data, column)
    rows, ends, parts = tree.routes(data)
    weights = data.weight_of_rows()[rows] * parts
    kept = below(tree, node)[ends] & ~np.isnan(numbers[rows]) & (weights > 0)
    ends, weights, values = ends[kept], weights[kept], numbers[rows[kept]]
    order = np.lexsort((values, ends))
    nodes, begins = np.unique(ends[order], return_index=True)
    bounds = [*begins[1:].tolist(), len(order)]
    return [
        _box(int(leaf), values[order[first:last]], weights[order[first:last]])
        for leaf, first, last in zip(nodes, begins.tolist(), bounds, strict=True)
    ]


def _box(node: int, values: Floats, weights: Floats) -> LeafSpread:
    """The box of ascending values: a quantile is the first value with that share of the weight at or below it."""
    sums = np.cumsum(weights)
    at = np.searchsorted(sums, sums[-1] * (np.array([0.25, 0.5, 0.75]) - 1e-12))
    first, median, third = map(float, values[at])
    reach = 1.5 * (third - first)
    within = values[(values >= first - reach) & (values <= third + reach)]
    return LeafSpread(node, float(sums[-1]), float(within[0]), first, median, third, float(within[-1]))
