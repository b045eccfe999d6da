"""How two trees of the same splits differ even so: in rows with missing values, in leaves (DEFINITIONS section 11)."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.recipe.complete_rows import complete_rows
from explorer.tree.routing import routes_of
from explorer.tree.tree import Tree

_ROUNDING = 1e-9
"""Parts of a row that differ by less are the same."""
_DIGITS_OF_FILES = 1e-6
"""Predictions that differ by less, relative to their size, are the same: a file may round them."""


def shared_out_differently(tree_a: Tree, tree_b: Tree, data: Dataset, nodes: Collection[tuple[int, int]]) -> int:
    """The number of rows of `data` that the trees share out differently, given which nodes (in a, in b) correspond.

    A row counts where it ends in other leaves, or in the same ones by other parts, and where one tree was grown without
    it ("drop"). A leaf without counterpart, as a branch for missing values, is like no leaf of the other tree.
    """
    counterparts = np.arange(-1, -1 - tree_a.n_nodes_grown, -1)
    for a, b in nodes:
        counterparts[a] = b
    rows_a, nodes_a, parts_a = routes_of(tree_a, data).all_parts()
    rows_b, nodes_b, parts_b = routes_of(tree_b, data).all_parts()
    ends = np.stack([np.append(rows_a, rows_b), np.append(counterparts[nodes_a], nodes_b)])
    distinct, place = np.unique(ends, axis=1, return_inverse=True)
    surplus = np.bincount(place.ravel(), weights=np.append(parts_a, -parts_b))
    differ = np.zeros(data.n_rows, dtype=bool)
    differ[distinct[0, np.abs(surplus) > _ROUNDING]] = True
    used_a, used_b = (_used(tree, data) for tree in (tree_a, tree_b))
    return int(np.count_nonzero((used_a & used_b & differ) | (used_a != used_b)))


def _used(tree: Tree, data: Dataset) -> NDArray[np.bool_]:
    """Whether the tree was grown with each row, [n]."""
    used = np.full(data.n_rows, tree.recipe.missing != "drop")
    if tree.recipe.missing == "drop":
        used[complete_rows(data, tree.recipe)] = True
    return used


def leaves_with_other_predictions(tree_a: Tree, tree_b: Tree, nodes: Collection[tuple[int, int]]) -> int:
    """In how many of the leaves that correspond the trees predict another class or number, or other probabilities."""
    pairs = [pair for pair in nodes if tree_a.is_leaf[pair[0]]]
    own, other = (list(side) for side in zip(*pairs, strict=True))
    if tree_a.is_regression:
        differ = ~np.isclose(tree_a.values[own], tree_b.values[other], rtol=_DIGITS_OF_FILES)
    else:
        close = np.isclose(tree_a.probabilities[own], tree_b.probabilities[other], rtol=0, atol=_DIGITS_OF_FILES)
        differ = ~close.all(axis=1) | (tree_a.labels[own] != tree_b.labels[other])
    return int(np.count_nonzero(differ))
