"""The order in which the internal nodes of a tree are split, so that growing can be shown step by step."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.tree.tree import Tree

ROUNDING = 1e-12
"""Decreases this close, relative to the root's impurity, are equal: equal subtrees then go by id."""


@dataclass(frozen=True, eq=False)
class GrowingSteps:
    """The internal nodes of a tree in the order in which they are split: step 1 splits `nodes[0]`, the root.

    `step_of` [n] is the step that splits each grown node, 0 for a leaf. Before step 1 the tree is its root alone.
    """

    nodes: tuple[int, ...]
    step_of: NDArray[np.int32]
    _step_above: NDArray[np.int32] = field(repr=False)
    """The step that makes each node: that of its parent, 0 for the root."""

    def leaves(self, step: int) -> NDArray[np.intp]:
        """Ids of the leaves of the tree after this many steps, ascending."""
        is_split = (self.step_of > 0) & (self.step_of <= step)
        return np.flatnonzero((self._step_above <= step) & ~is_split)

    def open_leaves(self, step: int) -> NDArray[np.intp]:
        """Those leaves after this many steps that a later step splits, ascending."""
        return np.flatnonzero((self._step_above <= step) & (self.step_of > step))


def growing_steps(tree: Tree, order: str = "depth_first", first: Sequence[int] = ()) -> GrowingSteps:
    """The steps that grow the tree, pruned subtrees included; none for a tree that is a single leaf.

    "depth_first" finishes a branch before it begins the next, first branches first, as the books' recursive algorithms
    do; "breadth_first" goes level by level; "best_first" splits the open leaf whose test decreases the impurity most,
    W_t·(impurity_t − Σ W_m/W_t·impurity_m), equal ones by id. This is the order of scikit-learn's
    `max_leaf_nodes` (Shi 2007, Best-first decision tree learning). Nodes of `first` are split before all others.
    Raises InputError for another order, and for a node of `first` that is no open leaf at its turn.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> steps = growing_steps(tree)
    >>> [tree.condition(node).feature for node in steps.nodes]
    ['Outlook', 'Humidity', 'Wind']
    >>> steps.leaves(1).tolist(), steps.open_leaves(1).tolist()        # Overcast, 2, is pure
    ([1, 2, 3], [1, 3])
    """
    if order not in ORDERS:
        raise InputError(
            message("There is no order '{order}': choose one of {orders}.", order=order, orders=listing(ORDERS))
        )
    chosen = _checked(tree, first)
    nodes = [*chosen, *ORDERS[order](tree, chosen)]
    step_of = np.zeros(tree.n_nodes_grown, dtype=np.int32)
    step_of[nodes] = np.arange(1, len(nodes) + 1)
    step_above = np.where(tree.parent >= 0, step_of[tree.parent], 0).astype(np.int32)
    return GrowingSteps(tuple(nodes), step_of, step_above)


def _checked(tree: Tree, first: Sequence[int]) -> list[int]:
    """The nodes to be split first, each of which must be an open leaf at its turn."""
    done: dict[int, None] = {}
    for number in first:
        node = tree.node(int(number)).id
        if node in done:
            raise InputError(message("Node {node} is named twice: leave one out.", node=node))
        if tree.feature[node] < 0:
            raise InputError(message("Node {node} is a leaf and has no split: leave it out.", node=node))
        above = int(tree.parent[node])
        if above >= 0 and above not in done:
            raise InputError(
                message(
                    "Node {node} does not exist until node {parent} is split: name node {parent} before it.",
                    node=node,
                    parent=above,
                )
            )
        done[node] = None
    return list(done)


def _depth_first(tree: Tree, done: Sequence[int]) -> Iterator[int]:
    """The other internal nodes in preorder."""
    skipped = set(done)
    whole = replace(tree, is_pruned=np.zeros(tree.n_nodes_grown, dtype=bool))
    return (node for node in whole.preorder() if tree.feature[node] >= 0 and node not in skipped)


def _breadth_first(tree: Tree, done: Sequence[int]) -> Iterator[int]:
    """The other internal nodes by id, which is by level."""
    is_left = tree.feature >= 0
    is_left[list(done)] = False
    return iter(np.flatnonzero(is_left).tolist())


def _best_first(tree: Tree, done: Sequence[int]) -> Iterator[int]:
    """The other internal nodes, at each step the open one with the largest weighted decrease of impurity."""
    keys = (-weighted_decreases(tree)).tolist()
    skipped = set(done)
    split_above = [int(tree.parent[node]) in skipped for node in range(tree.n_nodes_grown)]
    split_above[0] = True
    inner = np.flatnonzero(tree.feature >= 0).tolist()
    waiting = [(keys[node], node) for node in inner if split_above[node] and node not in skipped]
    heapq.heapify(waiting)
    while waiting:
        _, node = heapq.heappop(waiting)
        yield node
        for child in tree.children_of(node):
            if tree.feature[child] >= 0:
                heapq.heappush(waiting, (keys[child], child))


def weighted_decreases(tree: Tree) -> NDArray[np.float64]:
    """W_t·impurity_t − Σ W_m·impurity_m of every node, [n], rounded so that equal splits compare as equal."""
    total = tree.weight * tree.impurity
    below = np.bincount(tree.parent[1:], total[1:], minlength=tree.n_nodes_grown)
    scale = ROUNDING * (total[0] or 1.0)
    decreases: NDArray[np.float64] = np.where(tree.feature >= 0, np.round((total - below) / scale) * scale, 0.0)
    return decreases


ORDERS: dict[str, Callable[[Tree, Sequence[int]], Iterator[int]]] = {
    "depth_first": _depth_first,
    "breadth_first": _breadth_first,
    "best_first": _best_first,
}
"""The orders by name, each a function of the tree and the nodes split before."""
