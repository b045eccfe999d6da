"""The tree that subtree raising leaves: some of the grown nodes, numbered anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.jit import kernel
from explorer.pruning.cost_complexity import path_loops
from explorer.pruning.raising.pruning_state import PruningState, current_node, segment_of_node
from explorer.recipe.impurity import IMPURITIES, node_total_impurity
from explorer.recipe.parameters import EMPTY, PURE, RAISED
from explorer.tree.tree import Tree

Ids = NDArray[np.int64]


@kernel
def breadth_first(first_child, child_count, raised_to):
    """The current nodes by their grown ids, level by level, and the new ids of parent and first child (−1: none)."""
    most = raised_to.size
    ids, parent = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int32)
    first, depth = np.empty(most, dtype=np.int32), np.zeros(most, dtype=np.int32)
    ids[0], parent[0], n, position = current_node(raised_to, 0), -1, 1, 0
    while position < n:
        node = ids[position]
        first[position] = n if first_child[node] >= 0 else -1
        for child in range(first_child[node], first_child[node] + child_count[node]):
            ids[n], parent[n], depth[n] = current_node(raised_to, child), position, depth[position] + 1
            n += 1
        position += 1
    return ids[:n], parent[:n], first[:n], depth[:n]


@kernel
def impurities(kind, stats, weights, unit):
    """Impurity of nodes with these class weights, [m, K] → [m]."""
    found = np.zeros(weights.size)
    for node in range(weights.size):
        if weights[node] > 0.0:
            found[node] = node_total_impurity(kind, stats[node], weights[node]) / weights[node] * unit
    return found


@kernel
def segments(state, nodes):
    """The segments of `state.rows` that nodes have, [m, 2]."""
    found = np.empty((nodes.size, 2), dtype=np.int64)
    for i in range(nodes.size):
        found[i] = segment_of_node(state, nodes[i])
    return found


def raised_tree(grown: Tree, data: Dataset, order: Ids, state: PruningState) -> Tree:
    """The pruned tree as a new one; `origin` holds the ids of the grown tree.

    `data` has its training rows; `order` [N] is the position there of each row as `state` numbers them.
    """
    ids, parent, first, depth = breadth_first(grown.first_child, grown.child_count, state.raised_to)
    tree = _renumbered(grown, state, ids, parent, first, depth)
    changed = np.flatnonzero(state.has_new_rows[ids])
    tree.weight[changed] = tree.stats[changed].sum(axis=1)
    kind, unit = IMPURITIES[grown.recipe.impurity_for(False)].number, grown.recipe.unit(False)
    tree.impurity[changed] = impurities(kind, tree.stats[changed], tree.weight[changed], unit)
    stop, weight, impurity = tree.stop[changed], tree.weight[changed], tree.impurity[changed]
    brought = ((stop == EMPTY) & (weight > 0)) | ((stop == PURE) & (impurity > 0))
    tree.stop[changed[brought]] = RAISED
    tree.missing_weight[changed] = _missing_weights(grown, data, order, state, ids[changed])
    pruned = path_loops.outermost(parent, state.pruned[ids] & (tree.feature >= 0))
    return replace(tree, is_pruned=pruned)


def _missing_weights(grown: Tree, data: Dataset, order: Ids, state: PruningState, nodes: Ids) -> NDArray[np.float64]:
    """Weight of the rows at nodes whose value for the node's test is missing."""
    weights, tested, found = data.weight_of_rows(), grown.feature[nodes], np.zeros(nodes.size)
    position_of = {usage.name: position for position, usage in enumerate(grown.features)}
    for column, feature in enumerate(data.features):
        position = position_of.get(feature.name, -1)
        if position < 0 or data.codes[column].max() < feature.n_values:
            continue
        here = np.flatnonzero(tested == position)
        for i, (start, end) in zip(here.tolist(), segments(state, nodes[here]).tolist(), strict=True):
            rows = order[state.rows[start:end]]
            found[i] = weights[rows][data.codes[column][rows] == feature.n_values].sum()
    return found


def _renumbered(
    grown: Tree,
    state: PruningState,
    ids: Ids,
    parent: NDArray[np.int32],
    first: NDArray[np.int32],
    depth: NDArray[np.int32],
) -> Tree:
    """The grown nodes `ids` as one tree, with no node pruned, grown weights and copies of all arrays."""
    n_pairs = np.diff(grown.cat_offset).take(ids)
    offsets = np.concatenate([[0], np.cumsum(n_pairs)]).astype(np.int64)
    chosen = np.repeat(grown.cat_offset.take(ids) - offsets[:-1], n_pairs) + np.arange(offsets[-1])
    per_node = ["feature", "threshold", "missing_branch", "weight", "impurity", "stop", "missing_weight"]
    per_node += [name for name in ("validation", "forced", "unseen_branch") if getattr(grown, name) is not None]
    return replace(
        grown,
        parent=parent,
        first_child=first,
        child_count=np.where(first >= 0, grown.child_count.take(ids), 0).astype(np.int32),
        depth=depth,
        cat_offset=offsets,
        cat_code=grown.cat_code.take(chosen),
        cat_branch=grown.cat_branch.take(chosen),
        stats=state.stats.take(ids, axis=0),
        is_pruned=np.zeros(len(ids), dtype=bool),
        evidence=None,
        actions=(),
        origin=ids.astype(np.int32) if grown.origin is None else grown.origin[ids],
        surrogates=None if grown.surrogates is None else grown.surrogates.taken(ids, grown.feature[ids] >= 0),
        **{name: getattr(grown, name).take(ids, axis=0) for name in per_node},
    )
