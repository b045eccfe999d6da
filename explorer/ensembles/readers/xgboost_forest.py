"""The trees of a model of XGBoost from the nodes that were read: all of them at once, level by level.

Many small trees, and deep ones, then take no longer than their nodes ask for. Nothing here trusts the nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.ensembles.readers.xgboost_trees import DEEPEST, XgboostNodes, largest_to_the_left, refuse
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.parameters import SPLIT
from explorer.recipe.recipe import CART
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Levels:
    """The nodes that the roots of all trees reach: `ids` of each depth, trees in order, left before right."""

    left: Array
    right: Array
    ids: list[Array]

    @classmethod
    def of(cls, left: Array, right: Array, roots: Array) -> Levels:
        """Walk down; InputError for a child that is not there, or has two parents, or a node with one child."""
        reached, level, ids = np.zeros(len(left), dtype=bool), roots, list[Array]()
        while level.size:
            if len(ids) > DEEPEST or level.max() >= len(left) or reached[level].any():
                refuse(message("the children of a tree do not form a tree"))
            reached[level] = True
            if np.count_nonzero(reached) != sum(map(len, ids)) + len(level):
                refuse(message("the children of a tree do not form a tree"))
            ids.append(level)
            if ((left[level] < 0) != (right[level] < 0)).any():
                refuse(message("a node has one child"))
            inner = level[left[level] >= 0]
            level = np.column_stack([left[inner], right[inner]]).ravel()
        return cls(left, right, ids)

    def weights_and_values(self, cover: Array, condition: Array) -> tuple[Array, Array]:
        """Weight of every node, and the mean of the leaves below it, from those of the leaves."""
        weight, values = cover.copy(), condition.copy()
        for level in reversed(self.ids):
            inner = level[self.left[level] >= 0]
            sides = np.stack([self.left[inner], self.right[inner]])
            weight[inner] = weight[sides].sum(axis=0)
            values[inner] = (weight[sides] * values[sides]).sum(axis=0) / weight[inner]
        return weight, values


def trees_of(nodes: Sequence[XgboostNodes], features: tuple[FeatureEncoding, ...], target: str) -> list[Tree]:
    """The trees of these nodes: rows take the same branches, and leaves predict the same numbers.

    XGBoost sends x < t to the left, both rounded to 32 bits; here x ≤ the largest 64-bit number for which that holds.
    A node above leaves predicts their mean by cover; leaves weigh alike in a tree where no cover is known.
    """
    sizes = [len(tree.left) for tree in nodes]
    starts = np.cumsum([0, *sizes])[:-1]
    tree_of_node = np.repeat(np.arange(len(nodes)), sizes)
    joined = {name: np.concatenate([np.asarray(getattr(tree, name)) for tree in nodes]) for name in _FIELDS}
    sides = [np.where(joined[side] < 0, -1, joined[side] + starts[tree_of_node]) for side in ("left", "right")]
    ends = (starts + sizes)[tree_of_node]
    if any((side >= ends).any() for side in sides):
        refuse(message("the children of a tree do not form a tree"))
    levels = Levels.of(sides[0], sides[1], starts)
    has_cover = np.ones(len(nodes), dtype=bool)
    leaves = np.concatenate(levels.ids)
    leaves = leaves[sides[0][leaves] < 0]
    has_cover[tree_of_node[leaves[joined["cover"][leaves] <= 0]]] = False
    cover = np.where(has_cover[tree_of_node], joined["cover"], 1.0)
    weight, values = levels.weights_and_values(cover, joined["condition"])

    # Breadth-first within each tree: the levels in order, each with its trees in order.
    reached = np.concatenate(levels.ids)
    depth = np.repeat(np.arange(len(levels.ids)), [len(level) for level in levels.ids]).astype(np.int32)
    order = np.argsort(tree_of_node[reached], kind="stable")
    ids, depth = reached[order], depth[order]
    split, feature = sides[0][ids] >= 0, joined["feature"][ids]
    if (wrong := feature[split & ((feature < 0) | (feature >= len(features)))]).size:
        refuse(message("a split names feature {number}, which is not there", number=int(wrong[0])))
    of_all = {
        "child_count": np.where(split, 2, 0).astype(np.int32),
        "depth": depth,
        "feature": np.where(split, feature, -1).astype(np.int32),
        "threshold": np.where(split, largest_to_the_left(joined["condition"][ids]), np.nan),
        "missing_branch": np.where(split, 1 - joined["default_left"][ids].astype(np.int32), -1).astype(np.int32),
        "weight": weight[ids],
        "predictions": values[ids],
    }
    counts = np.bincount(tree_of_node[ids], minlength=len(nodes))
    recipe, remarks = CART.replace(name="XGBoost", missing="default_direction"), (Remark("from_xgboost"),)
    common: dict[str, Any] = {
        "features": features,
        "target": target,
        "classes": (),
        "recipe": recipe,
        "remarks": remarks,
    }
    cuts = np.cumsum([0, *counts]).tolist()
    return [
        Tree(**common, **_one({name: array[begin:end] for name, array in of_all.items()}))
        for begin, end in pairwise(cuts)
    ]


_FIELDS = ("left", "right", "feature", "condition", "default_left", "cover")


def _one(arrays: dict[str, Array]) -> dict[str, Any]:
    """The fields of one tree, from those of its nodes that differ."""
    n, counts = len(arrays["depth"]), arrays["child_count"]
    split = np.flatnonzero(counts)
    first_child, parent = np.full(n, -1, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    first_child[split] = 1 + 2 * np.arange(len(split))
    parent[1:] = np.repeat(split, 2)
    weight, values = arrays["weight"], arrays["predictions"]
    return {
        **arrays,
        "parent": parent,
        "first_child": first_child,
        "cat_offset": np.zeros(n + 1, dtype=np.int64),
        "cat_code": np.empty(0, dtype=np.int32),
        "cat_branch": np.empty(0, dtype=np.int32),
        "stats": np.column_stack([weight, values, np.zeros(n)]),
        "impurity": np.zeros(n),
        "stop": np.full(n, SPLIT, dtype=np.int8),
        "missing_weight": np.zeros(n),
        "is_pruned": np.zeros(n, dtype=bool),
    }
