"""The nodes of a tree ensemble: of the operators with lists by tree and node, and of the one with roots and leaves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.foreign.assembly import DEEPEST
from explorer.foreign.limits import MOST_NODES_IN_ALL, MOST_TREES
from explorer.foreign.onnx_files.attributes import Attributes, refuse
from explorer.messages import message

Array = NDArray[Any]
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER", "LEAF")
"""The tests in the order of their codes, each of the row's value against the node's; LEAF is none."""
LEQ, LT, GTE, GT, EQ, NEQ, MEMBER, LEAF = range(8)
AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
POSTS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """The nodes of all trees behind each other, the root of each first, [n]; children by place, −1 for a leaf.

    A row takes `true` where its value stands the test of `mode` against `value`, or is missing and `tracks`. `sets`
    has the values of a MEMBER test by the node that it is a copy of: `source` [n]. Leaves that are copies of
    `leaf_source` [m] add `leaf_weight` [m] to the score `leaf_target` [m]. Nodes with several parents are copied.
    """

    tree: Array
    source: Array
    true: Array
    false: Array
    feature: Array
    value: Array
    mode: Array
    tracks: Array
    leaf_source: Array
    leaf_target: Array
    leaf_weight: Array
    sets: dict[int, Array]


@dataclass(frozen=True, eq=False)
class _Told:
    """The nodes as the file tells them; children by place, of leaves any."""

    true: Array
    false: Array
    feature: Array
    value: Array
    mode: Array
    tracks: Array
    sets: dict[int, Array] = field(default_factory=dict)


def nodes_by_lists(told: Attributes, kind: str) -> TreeNodes:
    """The nodes of TreeEnsembleClassifier (`kind` "class") or TreeEnsembleRegressor ("target")."""
    trees = told.wholes("nodes_treeids")
    n = len(trees)
    _check_size(n, len(np.unique(trees)))
    key = trees << 31 | told.wholes("nodes_nodeids", n)
    by_key = np.argsort(key, kind="stable")
    if (np.diff(key[by_key]) == 0).any():
        refuse(message("two nodes of a tree have the same number"))

    def places(tree: Array, node: Array) -> Array:
        wanted = tree << 31 | node
        at = np.minimum(np.searchsorted(key[by_key], wanted), n - 1)
        if (key[by_key][at] != wanted).any():
            refuse(message("the children of a tree do not form a tree"))
        return by_key[at]

    code_of = {name: code for code, name in enumerate(MODES)}
    mode = np.array([code_of.get(name, -1) for name in told.texts("nodes_modes")], dtype=np.int64)
    if len(mode) != n or (mode < 0).any() or (mode == MEMBER).any():
        refuse(message("a test is of a kind that is not known"))
    inner = np.flatnonzero(mode != LEAF)
    sides = []
    for name in ("nodes_truenodeids", "nodes_falsenodeids"):
        side, told_ids = np.full(n, -1), told.wholes(name, n, least=-(2**63), most=2**63 - 1)
        if ((told_ids[inner] < 0) | (told_ids[inner] >= 2**31)).any():
            refuse(message("the children of a tree do not form a tree"))
        side[inner] = places(trees[inner], told_ids[inner])
        sides.append(side)
    has_tracks = len(told.wholes("nodes_missing_value_tracks_true")) > 0
    tracks = told.wholes("nodes_missing_value_tracks_true", n, 0, 1) if has_tracks else np.zeros(n, dtype=np.int64)
    nodes = _Told(
        sides[0],
        sides[1],
        told.wholes("nodes_featureids", n),
        told.numbers("nodes_values", n),
        mode,
        tracks.astype(bool),
    )
    is_root = np.ones(n, dtype=bool)
    is_root[nodes.true[inner]] = is_root[nodes.false[inner]] = False
    roots = by_key[is_root[by_key]]
    if len(np.unique(trees[roots])) < len(roots) or len(roots) < len(np.unique(trees)):
        refuse(message("the children of a tree do not form a tree"))
    leaf = places(told.wholes(f"{kind}_treeids"), told.wholes(f"{kind}_nodeids"))
    target, weight = told.wholes(f"{kind}_ids", len(leaf)), told.numbers(f"{kind}_weights", len(leaf))
    return _unrolled(_with_sets(nodes), roots, leaf, target, weight)


def _with_sets(nodes: _Told) -> _Told:
    """The same with tests x = a, else x = b, … that lead to one node as a test of x in {a, b, …}.

    Converters write a set of categories as such a chain.
    """
    equal = np.flatnonzero(nodes.mode == EQ)
    if not equal.size:
        return nodes
    parents = np.bincount(nodes.false[nodes.mode != LEAF], minlength=len(nodes.mode))
    parents += np.bincount(nodes.true[nodes.mode != LEAF], minlength=len(nodes.mode))
    following = nodes.false[equal]
    goes_on = (nodes.mode[following] == EQ) & (nodes.feature[following] == nodes.feature[equal])
    goes_on &= (nodes.true[following] == nodes.true[equal]) & (nodes.tracks[following] == nodes.tracks[equal])
    next_of = dict(zip(equal[goes_on].tolist(), following[goes_on].tolist(), strict=True))
    next_of = {node: after for node, after in next_of.items() if parents[after] == 1}
    mode, false, sets = nodes.mode.copy(), nodes.false.copy(), dict(nodes.sets)
    for first in sorted(set(next_of) - set(next_of.values())):
        chain = [first]
        while chain[-1] in next_of:
            chain.append(next_of[chain[-1]])
        mode[first], false[first], sets[first] = MEMBER, nodes.false[chain[-1]], nodes.value[chain]
    return replace(nodes, mode=mode, false=false, sets=sets)


def _unrolled(nodes: _Told, roots: Array, leaf: Array, target: Array, weight: Array) -> TreeNodes:
    """The trees from their roots down, level by level: a node with several parents is copied for each."""
    level, tree = roots, np.arange(len(roots))
    sources, trees, true, false, count = list[Array](), list[Array](), list[Array](), list[Array](), 0
    for _ in range(DEEPEST + 2):
        sources.append(level)
        trees.append(tree)
        inner = nodes.mode[level] != LEAF
        count += len(level)
        below = count + np.arange(inner.sum())
        for side, begin in ((true, 0), (false, len(below))):
            side.append(np.full(len(level), -1))
            side[-1][inner] = below + begin
        level = np.concatenate([nodes.true[level[inner]], nodes.false[level[inner]]])
        tree = np.tile(tree[inner], 2)
        if not level.size:
            break
        _check_size(count + len(level), len(roots))
    else:
        refuse(message("the children of a tree do not form a tree"))
    source, of_tree = np.concatenate(sources), np.concatenate(trees)
    order = np.argsort(of_tree, kind="stable")
    place = np.full(count + 1, -1)
    place[order] = np.arange(count)
    source = source[order]
    return TreeNodes(
        of_tree[order],
        source,
        place[np.concatenate(true)[order]],
        place[np.concatenate(false)[order]],
        nodes.feature[source],
        nodes.value[source],
        nodes.mode[source],
        nodes.tracks[source],
        leaf,
        target,
        weight,
        nodes.sets,
    )


def nodes_by_roots(told: Attributes) -> TreeNodes:
    """The nodes of TreeEnsemble: tests and leaves are numbered apart, and several tests may share a leaf."""
    feature, roots = told.wholes("nodes_featureids"), told.wholes("tree_roots")
    n, weight = len(feature), told.numbers("leaf_weights")
    _check_size(n, len(roots))
    mode = told.numbers("nodes_modes", n).astype(np.int64)
    if ((mode < 0) | (mode > MEMBER)).any() or (roots >= n).any() or (np.bincount(roots) > 1).any():
        refuse(message("a test is of a kind that is not known"))
    has_tracks = len(told.wholes("nodes_missing_value_tracks_true")) > 0
    tracks = told.wholes("nodes_missing_value_tracks_true", n, 0, 1) if has_tracks else np.zeros(n, dtype=np.int64)
    sides = []
    for name in ("true", "false"):
        side, is_leaf = told.wholes(f"nodes_{name}nodeids", n), told.wholes(f"nodes_{name}leafs", n, 0, 1) == 1
        if (side >= np.where(is_leaf, len(weight), n)).any():
            refuse(message("the children of a tree do not form a tree"))
        sides.append(np.concatenate([side + n * is_leaf, np.full(len(weight), -1)]))
    padding = np.full(len(weight), -1)
    nodes = _Told(
        sides[0],
        sides[1],
        np.concatenate([feature, padding]),
        np.concatenate([told.numbers("nodes_splits", n), padding]),
        np.concatenate([mode, np.full(len(weight), LEAF)]),
        np.concatenate([tracks, padding]) == 1,
        _sets(told.numbers("membership_values"), np.flatnonzero(mode == MEMBER)),
    )
    return _unrolled(nodes, roots, n + np.arange(len(weight)), told.wholes("leaf_targetids", len(weight)), weight)


def _sets(values: Array, nodes: Array) -> dict[int, Array]:
    """The values of every set in the order of its nodes; nan ends each, and may be left out behind the last."""
    ends = np.flatnonzero(np.isnan(values))
    parts = [part[~np.isnan(part)] for part in np.split(values, ends + 1)]
    if len(parts) > len(nodes) and not parts[-1].size:
        parts.pop()
    if len(parts) != len(nodes):
        refuse(message("its sets of values do not belong to its tests"))
    return dict(zip(nodes.tolist(), parts, strict=True))


def _check_size(n_nodes: int, n_trees: int) -> None:
    if not 1 <= n_nodes <= MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    if not 1 <= n_trees <= MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=n_trees, most=MOST_TREES))
