"""What is special about the rows of a node: every feature there against all other rows, and which cells are missing.

DEFINITIONS section 8 defines it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.class_weights import Floats
from explorer.tree.tree import Tree
from explorer.values import Value


@dataclass(frozen=True, eq=False)
class FeatureProfile:
    """One feature: its `effect`, what is typical `inside` and `outside`, and the shares of missing cells there.

    Of a number `effect` is Cliff's δ, −1 to 1, above 0 where it is larger inside; typical is the weighted median. Of
    categories it is Cramér's V, 0 to 1, and typical is the category whose share differs most, with its two `shares`.
    NaN and None where one side has no known value.
    """

    feature: Feature
    effect: float
    inside: Value | None
    outside: Value | None
    shares: tuple[float, float] | None
    missing: tuple[float, float]


def node_profile(tree: Tree, data: Dataset, node: int) -> list[FeatureProfile]:
    """The features of `data`, the largest effect first; rows count by their weights, in parts where they divide.

    Raises InputError where all rows of `data` pass the node, or none does.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> first, *_ = node_profile(grow(tennis, ID3), tennis, 1)    # the five sunny days
    >>> first.feature.name, first.inside, first.shares, first.effect
    ('Outlook', 'Sunny', (1.0, 0.0), 1.0)
    """
    weights, sides = data.weight_of_rows(), _sides(tree, data, node)
    if not (sides.sum(axis=1) > 1e-9 * weights.sum()).all():
        raise InputError(
            message("Node {node} has all of these rows, or none: choose one that has a part of them.", node=node)
        )
    profiles = [_profile(feature, codes, sides) for feature, codes in zip(data.features, data.codes, strict=True)]
    return sorted(profiles, key=lambda each: -abs(each.effect) if np.isfinite(each.effect) else 1.0)


@dataclass(frozen=True)
class MissingPattern:
    """Columns that are missing together, and the shares of the rows in the node and of all others with just these.

    `outside` is NaN at a node that has all rows.
    """

    columns: tuple[str, ...]
    inside: float
    outside: float


def missing_patterns(tree: Tree, data: Dataset, node: int = 0) -> list[MissingPattern]:
    """The features missing together in rows of a node, the most frequent first; rows count as in `node_profile`.

    Raises InputError where no row of `data` passes the node.

    >>> import pandas as pd
    >>> from explorer import CART, grow
    >>> table = pd.DataFrame({"x": [1.0, None, 3.0, None], "z": ["a", None, "b", "b"], "y": ["p", "p", "q", "q"]})
    >>> data = Dataset.from_frame(table, "y")
    >>> [(each.columns, each.inside) for each in missing_patterns(grow(data, CART), data)]
    [((), 0.5), (('x', 'z'), 0.25), (('x',), 0.25)]
    """
    inside, outside = sides = _sides(tree, data, node)
    if not inside.sum() > 0:
        raise InputError(message("No row of these passes node {node}: choose another node or more rows.", node=node))
    counts = np.array([feature.n_values for feature in data.features])
    packed = np.packbits(data.codes == counts[:, None], axis=0)
    by_column = np.lexsort(packed)
    begins = np.flatnonzero(np.append(True, (np.diff(packed[:, by_column], axis=1) != 0).any(axis=0)))
    amounts = np.add.reduceat(sides[:, by_column], begins, axis=1)
    others = outside.sum()
    shares = amounts[1] / others if others > 1e-9 * sides.sum() else np.full(len(begins), np.nan)
    patterns = [
        MissingPattern(_columns(data, int(by_column[first])), float(amount / inside.sum()), float(share))
        for first, amount, share in zip(begins, amounts[0], shares, strict=True)
        if amount > 0
    ]
    return sorted(patterns, key=lambda each: (-each.inside, -len(each.columns), each.columns))


def _columns(data: Dataset, row: int) -> tuple[str, ...]:
    """The features missing in a row."""
    pairs = zip(data.features, data.codes[:, row], strict=True)
    return tuple(feature.name for feature, code in pairs if code == feature.n_values)


def _sides(tree: Tree, data: Dataset, node: int) -> Floats:
    """The weight of every row that passes a node, and the rest of it, [2, n]."""
    weights = data.weight_of_rows()
    rows, ends, parts = tree.routes(data)
    within = np.bincount(rows, parts * below(tree, node)[ends], minlength=data.n_rows) * weights
    return np.stack([within, weights - within])


def below(tree: Tree, node: int) -> NDArray[np.bool_]:
    """Which nodes a row has passed `node` to reach: itself, and all below it."""
    reached = np.zeros(tree.n_nodes_grown, dtype=np.bool_)
    reached[node] = True
    for level in tree.levels[1:]:
        reached[level] |= reached[tree.parent[level]]
    return reached


def _profile(feature: Feature, codes: NDArray[np.int32], sides: Floats) -> FeatureProfile:
    """A feature's amounts by value on both sides, and what follows from them."""
    n = feature.n_values
    amounts = np.stack([np.bincount(codes, side, minlength=n + 1) for side in sides]).astype(np.float64)
    totals = amounts.sum(axis=1)
    missing = (float(amounts[0, n] / totals[0]), float(amounts[1, n] / totals[1]))
    known = amounts[:, :n].sum(axis=1)
    if (known <= 0).any():
        return FeatureProfile(feature, np.nan, None, None, None, missing)
    shares = amounts[:, :n] / known[:, None]
    if feature.kind == "numeric":
        inside, outside = (feature.value(_median(side)) for side in shares)
        return FeatureProfile(feature, _cliffs_delta(shares), inside, outside, None, missing)
    largest = int(np.argmax(np.abs(shares[0] - shares[1])))
    value, pair = feature.categories[largest], (float(shares[0, largest]), float(shares[1, largest]))
    return FeatureProfile(feature, _cramers_v(amounts[:, :n]), value, value, pair, missing)


def _median(shares: Floats) -> int:
    """The first value with half the weight at or below it."""
    return int(np.searchsorted(np.cumsum(shares), 0.5 - 1e-12))


def _cliffs_delta(shares: Floats) -> float:
    """P(inside > outside) − P(inside < outside), of values in ascending order."""
    below = np.cumsum(shares[1]) - shares[1]
    above = 1.0 - below - shares[1]
    return float((shares[0] * (below - above)).sum())


def _cramers_v(amounts: Floats) -> float:
    """√(χ²/W) of the two sides and the categories."""
    columns = amounts.sum(axis=0)
    amounts = amounts[:, columns > 0]
    expected = np.outer(amounts.sum(axis=1), columns[columns > 0]) / amounts.sum()
    return float(np.sqrt(((amounts - expected) ** 2 / expected).sum() / amounts.sum()))
