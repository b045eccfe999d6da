"""Decision regions: a tree's predictions over two numeric features, as rectangles (DEFINITIONS section 11).

Between two neighbouring thresholds of a feature the prediction cannot change. So the plane of two features is divided
at all thresholds, and one point of every rectangle is predicted: borders are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.codes.scale import NUMBERS, Scale
from explorer.data.dataset import Dataset
from explorer.data.suggestions.apply import RepairedDate
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.ranges import between, middles, widened
from explorer.recipe.columns import FeatureEncoding, quantiles
from explorer.recipe.condition import parts_no_numbers
from explorer.tree.routing import Plan, plan_for, predictions_at, route, routes_to
from explorer.tree.tree import Tree

MOST_CELLS = 400
"""Along a feature with more thresholds than this, cells of equal length replace them."""
_MARGIN = 0.04

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Regions:
    """Predictions by rectangle: `predictions` [up, across] are class codes or means; edges are one more than cells.

    `held` maps the other features that the tree tests to the value they are held at; without any the picture is the
    whole tree. `is_stepped` says that a border may lie within a cell.
    """

    across: str
    up: str
    edges_across: Floats = field(repr=False)
    edges_up: Floats = field(repr=False)
    predictions: NDArray[Any] = field(repr=False)
    held: dict[str, object]
    is_stepped: bool = False
    scales: Mapping[str, Scale] = field(default_factory=dict)
    """What the numbers of each feature stand for: dates and levels are written as such."""

    def scale(self, name: str) -> Scale:
        """What the numbers of a feature stand for."""
        return self.scales.get(name, NUMBERS)

    @property
    def is_whole_tree(self) -> bool:
        """Whether the tree tests no other feature than the two."""
        return not self.held


def numeric_features(data: Dataset) -> list[str]:
    """The features that can be an axis."""
    return [feature.name for feature in data.features if feature.type == "numeric"]


def default_axes(tree: Tree, data: Dataset) -> tuple[str, str] | None:
    """The first two numeric features that the (pruned) tree tests, then any others; None if there are not two."""
    columns = tree.feature[tree.is_inner]
    tested = [tree.features[i].name for i in dict.fromkeys(columns.tolist())]
    numeric = numeric_features(data)
    ordered = list(dict.fromkeys([*(name for name in tested if name in numeric), *numeric]))
    return (ordered[0], ordered[1]) if len(ordered) > 1 else None


def equal_regions(first: Regions, second: Regions) -> bool:
    """Whether two trees predict the same at every point of the same two features of one table.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("iris").frame, "class")
    >>> axes = (data, "petallength", "petalwidth")
    >>> pruned, grown = (decision_regions(grow(data, CART.replace(max_depth=n)), *axes) for n in (1, 2))
    >>> equal_regions(grown, grown), equal_regions(pruned, grown)
    (True, False)
    """
    across, up = (
        middles(np.union1d(*edges))
        for edges in ((first.edges_across, second.edges_across), (first.edges_up, second.edges_up))
    )
    one, other = (
        each.predictions[np.ix_(np.searchsorted(each.edges_up, up) - 1, np.searchsorted(each.edges_across, across) - 1)]
        for each in (first, second)
    )
    return np.array_equal(one, other)


def decision_regions(tree: Tree, data: Dataset, across: str, up: str, dates: Iterable[RepairedDate] = ()) -> Regions:
    """The predictions of a (pruned) tree over two numeric features, others held at their median or commonest value.

    `data` are the rows that give the range and the held values; month, weekday and so on of one of the `dates` are
    those of the day that it is held at. Raises InputError for features that are not numeric, or twice the same.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("iris").frame, "class")
    >>> regions = decision_regions(grow(data, CART.replace(max_depth=2)), data, "petallength", "petalwidth")
    >>> regions.predictions.tolist(), regions.is_whole_tree
    ([[0, 1], [0, 2]], True)
    """
    for name in (across, up):
        if name not in numeric_features(data):
            listed = listing(map(repr, numeric_features(data)))
            raise InputError(
                message(
                    "'{feature}' is not a numeric feature of this table: choose one of {features}.",
                    feature=name,
                    features=listed,
                )
            )
    if across == up:
        raise InputError(message("Both axes are '{feature}': choose two features.", feature=across))
    typical = _typical(data)
    for date in dates:
        typical |= _parts_of_date(date, typical, data)
    axes = [_axis(tree, data, name) for name in (across, up)]
    (edges_across, points_across, is_stepped_across), (edges_up, points_up, is_stepped_up) = axes
    predictions = _predictions(tree, typical, (across, points_across), (up, points_up))
    held = _held(tree, typical, {across, up})
    is_stepped = is_stepped_across or is_stepped_up
    scales = {feature.name: feature.scale for feature in data.features}
    return Regions(across, up, edges_across, edges_up, predictions, held, is_stepped, scales)


def _predictions(
    tree: Tree, typical: dict[str, object], across: tuple[str, Floats], up: tuple[str, Floats]
) -> NDArray[Any]:
    """The predictions for all points of two features (their names and values), others being typical, [up, across]."""
    (across_name, across_values), (up_name, up_values) = across, up
    n_across, n_up = across_values.size, up_values.size
    on_axes = {
        across_name: np.append(across_values, np.repeat(across_values[:1], n_up)),
        up_name: np.append(np.repeat(up_values[:1], n_across), up_values),
    }
    _, plan = plan_for(tree, _frame(typical, n_across + n_up, on_axes))
    positions = {encoding.name: position for position, encoding in enumerate(tree.features)}
    slot = int(plan.slot[positions[up_name]]) if positions.get(up_name) in tree.tested_features() else None
    stops = _stops(plan, slot, (n_up, n_across))
    if (stops >= 0).all():
        return predictions_at(tree, routes_to(plan, stops.reshape(-1))).reshape(stops.shape)
    grid = {across_name: np.tile(across_values, n_up), up_name: np.repeat(up_values, n_across)}
    return tree.predict_encoded(_frame(typical, n_across * n_up, grid)).reshape(stops.shape)


def _stops(plan: Plan, slot: int | None, shape: tuple[int, int]) -> NDArray[np.int64]:
    """Where each point ends, [up, across], −1 − node where it has several paths.

    The first rows of the plan have the values across, the others those of the other axis, whose slot this is (None
    where no test asks for it). The points are sent down line by line, so that no table of all of them is made.
    """
    stops, n_across = np.empty(shape, dtype=np.int64), shape[1]
    numbers, codes = plan.numbers[:n_across].copy(), plan.codes[:n_across].copy()
    of_line = plan._replace(numbers=numbers, codes=codes)
    for line in range(shape[0]):
        if slot is not None and slot >= 0:
            numbers[:, slot] = plan.numbers[n_across + line, slot]
        elif slot is not None:
            codes[:, -slot - 1] = plan.codes[n_across + line, -slot - 1]
        stops[line] = route(of_line, n_across)
    return stops


def _frame(typical: dict[str, object], n_rows: int, columns: dict[str, Floats]) -> pd.DataFrame:
    """Rows that are typical but for some columns."""
    frame = pd.DataFrame({name: [value] for name, value in typical.items()})
    return frame.iloc[np.zeros(n_rows, dtype=np.intp)].reset_index(drop=True).assign(**columns)


def _axis(tree: Tree, data: Dataset, name: str) -> tuple[Floats, Floats, bool]:
    """Edges of the cells along a feature, a point in each, and whether the cells replace the thresholds."""
    feature = next(feature for feature in data.features if feature.name == name)
    low, high = widened(float(feature.values.min()), float(feature.values.max()), _MARGIN)
    column = next((i for i, encoding in enumerate(tree.features) if encoding.name == name), None)
    borders = np.empty(0) if column is None else _borders(tree, column, tree.features[column], feature)
    inside = borders[(borders > low) & (borders < high)]
    if len(inside) >= MOST_CELLS:
        edges = between(low, high, np.linspace(0.0, 1.0, MOST_CELLS + 1))
        return edges, middles(edges), True
    edges = np.concatenate([[low], inside, [high]])
    if column is not None and tree.features[column].test == "each_value":
        return edges, feature.values.copy(), False
    return edges, middles(edges), False


def _borders(tree: Tree, column: int, encoding: FeatureEncoding, feature: Feature) -> Floats:
    """Where the prediction may change along a feature; between its values where each of them is a category."""
    if encoding.test == "each_value":
        return middles(feature.values)
    if encoding.test == "bins":
        return np.asarray(encoding.edges)
    is_tested = (tree.feature == column) & tree.is_inner
    thresholds = np.unique(tree.threshold[is_tested])
    return thresholds[~parts_no_numbers(thresholds)]


def _held(tree: Tree, typical: dict[str, object], axes: set[str]) -> dict[str, object]:
    """The features that the (pruned) tree tests beside the two, with the value they are held at."""
    tested = {tree.features[i].name for i in np.unique(tree.feature[tree.is_inner])}
    return {name: value for name, value in typical.items() if name in tested - axes}


def _parts_of_date(date: RepairedDate, typical: dict[str, object], data: Dataset) -> dict[str, object]:
    """The numbers that are parts of a date, as its typical day has them."""
    days = typical.get(date.column)
    parts = date.part_cells(days) if isinstance(days, float) else {}
    return {name: value for name, value in parts.items() if name in numeric_features(data) and value is not None}


def _typical(data: Dataset) -> dict[str, object]:
    """The weighted median of every number, the commonest category or level; in feature order.

    A feature without any value has none; no tree tests it.
    """
    typical = dict[str, object]()
    for feature, codes in zip(data.features, data.codes, strict=True):
        counts = np.bincount(codes, data.weights, feature.n_values + 1)[: feature.n_values].astype(np.float64)
        if not counts.any():
            continue
        if feature.type == "numeric":
            filled = counts > 0
            typical[feature.name] = float(quantiles(feature.values[filled], counts[filled], np.array([0.5]))[0])
        else:
            typical[feature.name] = feature.value(int(counts.argmax()))
    return typical
