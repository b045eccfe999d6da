"""Every node of a tree on rows that it was not grown on: their classes, its score there, and what its split is worth.

DEFINITIONS section 8 defines the held-out decrease.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.recipe.class_weights import Floats
from explorer.tree.metrics import targets_of
from explorer.tree.node_loops import added_up
from explorer.tree.tree import Tree

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class HeldOutNodes:
    """Facts of all n nodes: the rows' `weight`, and of numbers their mean in `stats` [n, 1].

    For classes `stats` [n, K + 1] has the weight of each class, last those that no training row had. `score` is the
    share that the node's own prediction has right, for numbers its mean squared error; `decrease` is what its split
    takes off the squared error. Both are NaN without rows, and `decrease` at leaves.
    """

    weight: Floats
    stats: Floats
    score: Floats
    decrease: Floats
    differs: NDArray[np.bool_]
    """Whether another class than the predicted one has the most rows there."""

    @property
    def gains_nothing(self) -> NDArray[np.bool_]:
        """The splits that make predictions no better there."""
        return np.asarray(self.decrease <= _ROUNDING)


def held_out_nodes(tree: Tree, held_out: Dataset) -> HeldOutNodes:
    """The nodes on these rows; InputError where tree and rows do not go together.

    On the training rows of a tree without class weights, `score` and `decrease` are accuracy and Gini decrease.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis.take(range(10)), ID3.replace(max_depth=1))
    >>> nodes = held_out_nodes(tree, tennis.take(range(10, 14)))    # days 11 to 14: Sunny, Overcast twice, Rain
    >>> nodes.stats[0].tolist(), nodes.score.tolist(), nodes.differs.tolist()
    ([1.0, 3.0, 0.0], [0.75, 0.0, 1.0, 0.0], [False, True, False, True])
    """
    targets, weights = targets_of(tree, held_out)
    rows, ends, parts = tree.routes(held_out)
    n, own = tree.n_nodes_grown, _sums(tree, ends, targets[rows], weights[rows] * parts)
    below = added_up(tree.parent, tree.levels, own)
    weight = below[:, 0] if tree.is_regression else below.sum(axis=1)
    own_loss, below_loss = _squared_error(tree, own), _squared_error(tree, below)
    branches = np.bincount(tree.parent[1:], below_loss[1:], minlength=n) + own_loss  # rows that stop at it have its own
    with np.errstate(divide="ignore", invalid="ignore"):
        decrease = np.where(tree.is_inner, (below_loss - branches) / weight, np.nan)
        if tree.is_regression:
            means = below[:, 1:2] / weight[:, None] + tree.values[0]
            return HeldOutNodes(weight, means, below_loss / weight, decrease, np.zeros(n, dtype=bool))
        right = below[np.arange(n), tree.labels]
        return HeldOutNodes(weight, below, right / weight, decrease, below.max(axis=1) > right + _ROUNDING * weight)


def _sums(tree: Tree, nodes: NDArray[np.int64], targets: Floats, weights: Floats) -> Floats:
    """Sums over the rows that end in each node: of classes their weights, of numbers those of 1, y − ȳ, (y − ȳ)²."""
    n, n_classes = tree.n_nodes_grown, len(tree.classes) + 1
    if tree.is_regression:
        around = targets - tree.values[0]  # the mean of all, so that no digits are lost
        return np.column_stack([np.bincount(nodes, weights * around**power, minlength=n) for power in range(3)])
    codes = np.where(targets < 0, n_classes - 1, targets).astype(np.int64)
    sums = np.bincount(nodes * n_classes + codes, weights, minlength=n * n_classes)
    return sums.reshape(n, n_classes).astype(np.float64)


def _squared_error(tree: Tree, sums: Floats) -> Floats:
    """Sum over rows of the squared error of a node's prediction; of classes that of its class shares, over 1 … K."""
    if tree.is_regression:
        (weight, total, squares), values = sums.T, tree.values - tree.values[0]
        return np.asarray(squares - 2.0 * values * total + values**2 * weight)
    shares = np.column_stack([tree.shares, np.zeros(tree.n_nodes_grown)])
    length = (shares**2).sum(axis=1)
    return np.asarray((sums * (1.0 - 2.0 * shares + length[:, None])).sum(axis=1))
