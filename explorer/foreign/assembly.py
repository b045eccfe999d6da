"""Trees from the nodes that a reader found: all trees of a model at once, level by level.

Many small trees, and deep ones, then take no longer than their nodes ask for. Nothing here trusts the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.foreign.record import Model, ModelNodes
from explorer.messages import message
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.parameters import SPLIT
from explorer.recipe.recipe import CART
from explorer.tree.tree import Tree

Array = NDArray[Any]
Refuse = Callable[[str], NoReturn]
DEEPEST = 1_000
RECIPE = CART.replace(missing="default_direction")
"""What is known of how another library has grown a tree: each split names the side of rows without a value."""


@dataclass(frozen=True, eq=False)
class Joined:
    """The nodes of all trees behind each other: `begin` [n] is where the children of a node start in `children`."""

    tree: Array
    count: Array
    begin: Array
    children: Array

    @classmethod
    def of(cls, nodes: Sequence[ModelNodes], refuse: Refuse) -> Joined:
        """InputError where children are not nodes of the same tree."""
        sizes = np.array([len(tree.child_count) for tree in nodes], dtype=np.int64)
        starts = np.cumsum([0, *sizes])[:-1]
        count = np.concatenate([tree.child_count for tree in nodes]).astype(np.int64)
        tree = np.repeat(np.arange(len(nodes)), sizes)
        children = np.concatenate([each.children for each in nodes]).astype(np.int64)
        if count.size == 0 or (count < 0).any() or count.sum() != children.size or not sizes.all():
            refuse(message("the children of a tree do not form a tree"))
        if (count == 1).any():
            refuse(message("a node has one child"))
        tree_of_child = np.repeat(tree, count)
        if ((children < 0) | (children >= sizes[tree_of_child])).any():
            refuse(message("the children of a tree do not form a tree"))
        return cls(tree, count, np.cumsum(count) - count, children + starts[tree_of_child])

    @property
    def roots(self) -> Array:
        """The first node of every tree."""
        return np.flatnonzero(np.diff(self.tree, prepend=-1))

    def below(self, inner: Array) -> Array:
        """The children of these nodes with children, node after node."""
        counts = self.count[inner]
        places = np.repeat(self.begin[inner] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        return self.children[places]

    def levels(self, refuse: Refuse) -> list[Array]:
        """The nodes that the roots reach by depth, trees in order, siblings in order; InputError for no tree."""
        reached, level, levels = np.zeros(len(self.count), dtype=bool), self.roots, list[Array]()
        while level.size:
            if len(levels) > DEEPEST or reached[level].any() or len(np.unique(level)) < len(level):
                refuse(message("the children of a tree do not form a tree"))
            reached[level] = True
            levels.append(level)
            level = self.below(level[self.count[level] > 0])
        return levels


def trees_of(nodes: Sequence[ModelNodes], model: Model, refuse: Refuse) -> list[Tree]:
    """The trees of these nodes: rows take the same branches, and leaves predict the same.

    `refuse` raises the InputError of the format for a reason. A node above leaves predicts their mean by weight; leaves
    weigh alike in a tree where no weight is known.
    """
    joined = Joined.of(nodes, refuse)
    levels = joined.levels(refuse)
    weight, value = _weights_and_values(nodes, joined, levels, refuse)
    if nodes[0].impurity is None:
        _add_up(joined, levels, weight, value)

    # Breadth-first within each tree: the levels in order, each with its trees in order.
    reached = np.concatenate(levels)
    depth = np.repeat(np.arange(len(levels)), [len(level) for level in levels]).astype(np.int32)
    order = np.argsort(joined.tree[reached], kind="stable")
    ids, depth = reached[order], depth[order]
    split = joined.count[ids] > 0
    feature = _all(nodes, "feature")[ids]
    if (wrong := feature[split & ((feature < 0) | (feature >= len(model.features)))]).size:
        refuse(message("a split names feature {number}, which is not there", number=int(wrong[0])))
    threshold = np.where(split, _all(nodes, "threshold")[ids], np.nan)
    by_threshold = np.array([each.test == "threshold" for each in model.features] or [False])
    if (split & (np.isnan(threshold) == by_threshold[np.where(split, feature, 0)])).any():
        refuse(message("a split has no threshold, or one on categories"))
    of_all = {
        "child_count": joined.count[ids].astype(np.int32),
        "depth": depth,
        "feature": np.where(split, feature, -1).astype(np.int32),
        "threshold": threshold,
        "missing_branch": _branches(nodes, "missing_branch", joined, ids),
        "weight": weight[ids],
    }
    if any(tree.unseen_branch is not None for tree in nodes):
        of_all["unseen_branch"] = _branches(nodes, "unseen_branch", joined, ids)
    of_all |= _answers(nodes, model, weight[ids], value[ids], ids)
    pairs = _pairs(nodes, model, joined, ids, refuse)
    common: dict[str, Any] = {
        "features": model.features,
        "target": model.target,
        "classes": model.classes,
        "recipe": RECIPE.replace(name=model.library.split(" ")[0]),
        "remarks": model.remarks,
    }
    cuts = np.cumsum([0, *np.bincount(joined.tree[ids], minlength=len(nodes))]).tolist()
    return [
        Tree(**common, **_one({name: array[begin:end] for name, array in of_all.items()}, pairs, begin))
        for begin, end in pairwise(cuts)
    ]


def _all(nodes: Sequence[ModelNodes], name: str) -> Array:
    return np.concatenate([np.asarray(getattr(tree, name)) for tree in nodes])


def _weights_and_values(
    nodes: Sequence[ModelNodes], joined: Joined, levels: Sequence[Array], refuse: Refuse
) -> tuple[Array, Array]:
    """Weight [n] and value [n] or [n, K] of every node as the files tell them, class weights as shares."""
    weight, value = _all(nodes, "weight").astype(np.float64), _all(nodes, "value").astype(np.float64)
    leaves = np.concatenate(levels)
    leaves = leaves[joined.count[leaves] == 0]
    if not (np.abs(value[leaves]) <= LARGEST_SUMMED).all() or not (np.abs(weight[leaves]) <= LARGEST_SUMMED).all():
        refuse(message("the value of a leaf is no finite number"))
    has_weight = np.ones(len(nodes), dtype=bool)
    has_weight[joined.tree[leaves[weight[leaves] <= 0]]] = False
    weight = np.where(has_weight[joined.tree], weight, 1.0)
    if value.ndim == 2:
        totals = value.sum(axis=1)
        if (value[leaves] < 0).any() or (totals[leaves] <= 0).any():
            refuse(message("the class shares of a leaf are not shares"))
        value = value / np.where(totals > 0, totals, 1.0)[:, None]
    return weight, value


def _add_up(joined: Joined, levels: Sequence[Array], weight: Array, value: Array) -> None:
    """Weight and value of every node with children from those of its leaves, in place."""
    for level in reversed(levels):
        inner = level[joined.count[level] > 0]
        if not inner.size:
            continue
        below, starts = joined.below(inner), np.cumsum(joined.count[inner]) - joined.count[inner]
        weight[inner] = np.add.reduceat(weight[below], starts)
        parts = (weight[below] * value[below].T).T
        value[inner] = (np.add.reduceat(parts, starts, axis=0).T / weight[inner]).T


def _branches(nodes: Sequence[ModelNodes], name: str, joined: Joined, ids: Array) -> Array:
    """The branch of missing or of unseen values at every node; of unseen ones that of missing where none is told."""
    told = [tree.missing_branch if (found := getattr(tree, name)) is None else found for tree in nodes]
    branches = np.concatenate(told)[ids]
    return np.where((branches >= 0) & (branches < joined.count[ids]), branches, -1).astype(np.int32)


def _answers(nodes: Sequence[ModelNodes], model: Model, weight: Array, value: Array, ids: Array) -> dict[str, Array]:
    """Statistics and impurity of every node, and what it predicts where that is no mean of training rows."""
    told = None if nodes[0].impurity is None else _all(nodes, "impurity")[ids]
    impurity = np.zeros(len(ids)) if told is None else told
    if not model.classes:
        stats = np.column_stack([weight, value, weight * impurity])
        return {"stats": stats, "impurity": impurity} | ({} if told is not None else {"predictions": value})
    stats = value * weight[:, None]
    if model.counts_rows:
        whole = np.rint(stats)
        stats = np.where(np.abs(stats - whole) <= 1e-9 * weight[:, None], whole, stats)
        impurity = 1.0 - np.square(value).sum(axis=1) if told is None else told
    return {"stats": stats, "impurity": impurity}


def _pairs(nodes: Sequence[ModelNodes], model: Model, joined: Joined, ids: Array, refuse: Refuse) -> Array:
    """Position among `ids`, code and branch of every category with a branch, ascending, [m, 3]."""
    sizes = np.cumsum([0, *(len(tree.child_count) for tree in nodes)])
    tables = [
        np.add(tree.pairs, (start, 0, 0)) for tree, start in zip(nodes, sizes, strict=False) if tree.pairs is not None
    ]
    pairs = np.concatenate(tables) if tables else np.empty((0, 3), dtype=np.int64)
    place = np.full(len(joined.count) + 1, -1)
    place[ids] = np.arange(len(ids))
    pairs = pairs[place[pairs[:, 0]] >= 0]
    feature = _all(nodes, "feature")[pairs[:, 0]]
    if (pairs[:, 2] >= joined.count[pairs[:, 0]]).any() or (pairs < 0).any() or (feature < 0).any():
        refuse(message("its categories do not belong to its nodes"))
    n_labels = np.array([len(each.labels) for each in model.features] or [0])
    if (pairs[:, 1] >= n_labels[feature]).any():
        refuse(message("its categories do not belong to its nodes"))
    pairs = np.column_stack([place[pairs[:, 0]], pairs[:, 1:]])
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    if (np.diff(pairs[:, :2], axis=0) == 0).all(axis=1).any():
        refuse(message("its categories do not belong to its nodes"))
    return pairs


def _one(arrays: dict[str, Array], pairs: Array, begin: int) -> dict[str, Any]:
    """The fields of one tree, from those of its nodes that differ; `begin` is the place of its root among all."""
    n, counts = len(arrays["depth"]), arrays["child_count"]
    split = np.flatnonzero(counts)
    first_child, parent = np.full(n, -1, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    first_child[split] = 1 + np.cumsum(counts[split]) - counts[split]
    parent[1:] = np.repeat(split, counts[split])
    start, end = np.searchsorted(pairs[:, 0], [begin, begin + n])
    own = pairs[start:end]
    return {
        **arrays,
        "parent": parent,
        "first_child": first_child,
        "cat_offset": np.searchsorted(own[:, 0], begin + np.arange(n + 1)).astype(np.int64),
        "cat_code": own[:, 1].astype(np.int32),
        "cat_branch": own[:, 2].astype(np.int32),
        "stop": np.full(n, SPLIT, dtype=np.int8),
        "missing_weight": np.zeros(n),
        "is_pruned": np.zeros(n, dtype=bool),
    }
