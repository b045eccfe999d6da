"""The layout of a tree along one axis: every subtree has a stretch of its own.

Leaves follow each other in preorder, and a parent is centred over its first and its last child. Levels
are handled as whole arrays, so a large tree costs little more than a small one of the same depth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.tree.tree import Tree


def node_centres(tree: Tree, room: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The centre of every node [n_grown] and the total width, when each node needs `room` [n_grown] for itself.

    A node wider than the subtree below it has its children centred under it; pruned nodes have nan. With room 1 for
    every leaf and 0 for the rest, leaves are in consecutive slots, the first at 0.5.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> node_centres(tree, tree.is_leaf.astype(float))
    (array([2.5, 1. , 2.5, 4. , 0.5, 1.5, 3.5, 4.5]), 5.0)
    """
    widths = _widths(tree, np.where(tree.is_kept, room, 0.0))
    starts = _starts(tree, widths)
    x = np.where(tree.is_kept, starts + widths / 2.0, np.nan)
    inner = tree.is_inner
    for level in reversed(tree.levels):
        nodes = np.flatnonzero(inner[level]) + level.start
        first = tree.first_child[nodes]
        middle = (x[first] + x[first + tree.child_count[nodes] - 1]) / 2.0
        half = room[nodes] / 2.0
        x[nodes] = np.clip(middle, starts[nodes] + half, starts[nodes] + widths[nodes] - half)
    return x, float(widths[0])


def _widths(tree: Tree, room: NDArray[np.float64]) -> NDArray[np.float64]:
    """The width of every subtree: its root's room, or the sum of its children's widths where that is larger."""
    widths = room.copy()
    below = np.zeros(tree.n_nodes_grown)
    for level in reversed(tree.levels):
        widths[level] = np.maximum(room[level], below[level])
        if level.start:
            np.add.at(below, tree.parent[level], widths[level])
    return widths


def _starts(tree: Tree, widths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The start of every subtree's stretch; siblings follow each other, centred in their parent's stretch."""
    starts = np.zeros(tree.n_nodes_grown)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        first = tree.first_child[above] - level.start
        before = np.concatenate([[0.0], np.cumsum(widths[level])])
        children_width = before[first + tree.child_count[above]] - before[first]
        starts[level] = starts[above] + (widths[above] - children_width) / 2.0 + before[:-1] - before[first]
    return starts
