"""How predictions depend on one feature, the others as they are in the rows: exact, since a tree is a step function.

DEFINITIONS section 8 defines it (Friedman 2001).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.scale import Ordered
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.recipe.class_weights import Floats
from explorer.recipe.condition import ABOVE_ALL
from explorer.tree.routing import Plan, plan_of, route, routes_to, row_values
from explorer.tree.tree import Tree
from explorer.values import Value

Positions = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PartialDependence:
    """The mean prediction of all rows with one feature set to each of its values, one line of `means` [s, K] a step.

    For numbers compared with thresholds, step i is all values above `cuts`[i − 1] and up to `cuts`[i]; else it is
    `values`[i]. `means` are class probabilities, or the mean of a numeric target, [s, 1].
    """

    feature: str
    cuts: Floats
    values: tuple[Value | None, ...]
    means: Floats


def partial_dependence(tree: Tree, feature: str, data: Dataset | pd.DataFrame) -> PartialDependence:
    """Predict all rows for each step of a feature: the intervals between its thresholds in the tree, or its values.

    Rows of a `Dataset` count by their weights. One step if the tree does not test it. Raises InputError for
    a column that is no feature of the tree, and for rows without a column that it tests.

    >>> from explorer import CART, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis, CART.replace(max_depth=1))     # Overcast: 4 of 4 are Yes, else 5 of 10
    >>> found = partial_dependence(tree, "Outlook", tennis)
    >>> dict(zip(found.values, found.means[:, 1].tolist()))
    {'Sunny': 0.5, 'Overcast': 1.0, 'Rain': 0.5}
    """
    names = [encoding.name for encoding in tree.features]
    if feature not in names:
        raise InputError(
            message(
                "The tree has no feature '{column}': choose one of {columns}.",
                column=feature,
                columns=listing(f"'{name}'" for name in names),
            )
        )
    position = names.index(feature)
    rows = row_values(tree.features, tree.tested_features(), data)
    weights = data.weight_of_rows() if isinstance(data, Dataset) else np.ones(len(rows))
    leaves = tree.values[:, None] if tree.is_regression else tree.probabilities

    def mean(stops: Positions) -> Floats:
        found = routes_to(plan, stops.copy())
        of_row, node, part = found.all_parts()
        ends = np.bincount(node, weights[of_row] * part, minlength=tree.n_nodes_grown)
        return np.asarray(ends @ leaves / weights.sum())

    plan, encoding = plan_of(tree, rows.numbers, rows.codes, rows.slot), tree.features[position]
    if position not in tree.tested_features():
        return PartialDependence(feature, np.empty(0), (), mean(_stops_of(plan))[None])
    slot, means = int(rows.slot[position]), []
    if encoding.test == "threshold":
        levels = encoding.scale.levels if isinstance(encoding.scale, Ordered) else ()
        cuts = np.empty(0) if levels else _cuts(tree, position)
        steps = list(range(1, len(levels) + 1)) if levels else [*cuts.tolist(), ABOVE_ALL]
        plan.numbers[:, slot] = steps[0]
        stops = _stops_of(plan)
        means.append(mean(stops))
        for before, value in pairwise(steps):
            plan.numbers[:, slot] = value
            is_passed = _passed(tree, position, before, value)
            moving = np.flatnonzero((stops < 0) | is_passed[stops])  # a row below 0 follows several branches
            stops[moving] = _stops_of(plan._replace(numbers=plan.numbers[moving], codes=plan.codes[moving]))
            means.append(mean(stops))
        return PartialDependence(feature, cuts, levels, np.array(means))
    n_values = len(encoding.edges) + 1 if encoding.test == "bins" else len(encoding.labels)
    for code in range(n_values):
        plan.codes[:, -slot - 1] = code
        means.append(mean(_stops_of(plan)))
    return PartialDependence(feature, np.empty(0), encoding.labels[:n_values], np.array(means))


def _stops_of(plan: Plan) -> Positions:
    """Where the rows of a plan stop, as `route` says it."""
    return np.asarray(route(plan, len(plan.numbers)))


def _passed(tree: Tree, position: int, low: float, high: float) -> NDArray[np.bool_]:
    """The nodes at and below those whose test, or a surrogate's, parts two values of a feature: others keep rows."""
    reached = tree.is_inner & (tree.feature == position) & (tree.threshold >= low) & (tree.threshold <= high)
    surrogates = tree.surrogates
    if surrogates is not None:
        parts = (surrogates.feature == position) & (surrogates.cut >= low) & (surrogates.cut <= high)
        reached[surrogates.node[parts]] = True
    for level in tree.levels[1:]:
        reached[level] |= reached[tree.parent[level]]
    return np.asarray(reached)


def _cuts(tree: Tree, position: int) -> Floats:
    """The thresholds of a feature in splits and surrogates, ascending; not those that only part missing cells off."""
    cuts = tree.threshold[tree.is_inner & (tree.feature == position)]
    if tree.surrogates is not None:
        of_feature = tree.is_inner[tree.surrogates.node] & (tree.surrogates.feature == position)
        cuts = np.append(cuts, tree.surrogates.cut[of_feature])
    return np.unique(cuts[np.isfinite(cuts)])
