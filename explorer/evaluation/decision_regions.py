"""What a tree answers all over two numeric features, as rectangles (DEFINITIONS section 11).

Between two neighbouring places where the tree asks about a feature its answer cannot change. So the plane of two
features is cut at all these places, and one point of every rectangle is predicted: no border is blurred.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.encode import Feature
from explorer.errors import InputError
from explorer.recipe.columns import FeatureEncoding, quantiles
from explorer.tree.tree import Tree

MOST_CELLS = 400
"""Along a feature with more places than this, steps of equal length stand in for them."""
_MARGIN = 0.04

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Regions:
    """Answers by rectangle: `predictions` [up, across] are class codes or means; edges are one longer than the cells.

    `held` names the other features that the tree asks, with the value they are held at; without any the picture is the
    whole tree. `is_stepped` says that a border may lie within a step.
    """

    across: str
    up: str
    edges_across: Floats = field(repr=False)
    edges_up: Floats = field(repr=False)
    predictions: NDArray[Any] = field(repr=False)
    held: dict[str, object]
    is_stepped: bool = False

    @property
    def is_whole_tree(self) -> bool:
        """Whether the tree asks nothing but the two features."""
        return not self.held


def numeric_features(data: Dataset) -> list[str]:
    """The features that can be an axis."""
    return [feature.name for feature in data.features if feature.kind == "numeric"]


def default_axes(tree: Tree, data: Dataset) -> tuple[str, str] | None:
    """The two numeric features that the open tree asks first, others after them; None if there are no two."""
    asked = tree.feature[tree.is_inner]
    first = [tree.features[i].name for i in dict.fromkeys(asked.tolist())]
    numeric = numeric_features(data)
    ordered = list(dict.fromkeys([*(name for name in first if name in numeric), *numeric]))
    return (ordered[0], ordered[1]) if len(ordered) > 1 else None


def decision_regions(tree: Tree, data: Dataset, across: str, up: str) -> Regions:
    """The answers of an open tree over two numeric features, the others held at their median or commonest value.

    `data` are the rows that range and held values are taken from. Raises InputError for features that are not numeric,
    or twice the same.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("iris").frame, "class")
    >>> found = decision_regions(grow(data, CART.replace(max_depth=2)), data, "petallength", "petalwidth")
    >>> found.predictions.tolist(), found.is_whole_tree
    ([[0, 1], [0, 2]], True)
    """
    for name in (across, up):
        if name not in numeric_features(data):
            raise InputError(f"'{name}' is no numeric feature of this table: choose one of {numeric_features(data)}.")
    if across == up:
        raise InputError(f"Both axes are '{across}': choose two features.")
    held = _held(tree, data, {across, up})
    axes = [_axis(tree, data, name) for name in (across, up)]
    (edges_across, points_across, blurred), (edges_up, points_up, blurred_too) = axes
    grid = {name: [value] for name, value in _typical(data).items()}
    wide, high = len(points_across), len(points_up)
    frame = pd.DataFrame(grid).iloc[np.zeros(wide * high, dtype=np.intp)].reset_index(drop=True)
    frame[across], frame[up] = np.tile(points_across, high), np.repeat(points_up, wide)
    predictions = tree.predict_encoded(frame).reshape(high, wide)
    return Regions(across, up, edges_across, edges_up, predictions, held, blurred or blurred_too)


def _axis(tree: Tree, data: Dataset, name: str) -> tuple[Floats, Floats, bool]:
    """Edges of the cells along a feature, a point in each, and whether they are only steps."""
    feature = next(feature for feature in data.features if feature.name == name)
    low, high = float(feature.values.min()), float(feature.values.max())
    margin = _MARGIN * (high - low) or 1.0
    place = next((i for i, usage in enumerate(tree.features) if usage.name == name), None)
    cuts = np.empty(0) if place is None else _cuts(tree, place, tree.features[place], feature)
    inside = cuts[(cuts > low - margin) & (cuts < high + margin)]
    if len(inside) >= MOST_CELLS:
        edges = np.linspace(low - margin, high + margin, MOST_CELLS + 1)
        return edges, _middles(edges), True
    edges = np.concatenate([[low - margin], inside, [high + margin]])
    if place is not None and tree.features[place].test == "each_value":
        return edges, feature.values.copy(), False
    return edges, _middles(edges), False


def _cuts(tree: Tree, place: int, usage: FeatureEncoding, feature: Feature) -> Floats:
    """Where the answer may change along a feature; between its values where each of them is a category."""
    if usage.test == "each_value":
        return _middles(feature.values)
    if usage.test == "bins":
        return np.asarray(usage.edges)
    is_asked = (tree.feature == place) & tree.is_inner
    return np.unique(tree.threshold[is_asked])


def _middles(edges: Floats) -> Floats:
    return edges[:-1] + np.diff(edges) / 2


def _held(tree: Tree, data: Dataset, axes: set[str]) -> dict[str, object]:
    """The features that the open tree asks beside the two, with what they are held at."""
    asked = {tree.features[i].name for i in np.unique(tree.feature[tree.is_inner])}
    return {name: value for name, value in _typical(data).items() if name in asked - axes}


def _typical(data: Dataset) -> dict[str, object]:
    """The weighted median of every number, the commonest value of every category; in feature order."""
    weights, found = data.weight_of_rows(), dict[str, object]()
    for feature, codes in zip(data.features, data.codes, strict=True):
        counts = np.bincount(codes, weights=weights, minlength=feature.n_values + 1)[: feature.n_values].astype(float)
        if feature.kind == "numeric":
            filled = counts > 0
            found[feature.name] = float(quantiles(feature.values[filled], counts[filled], np.array([0.5]))[0])
        else:
            found[feature.name] = feature.categories[int(counts.argmax())]
    return found
