"""What each node would add to a score if it were a leaf, so that any pruned form of a tree is scored by one sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.dataset import Dataset
from explorer.kernels import prune, walk
from explorer.kernels.route import routes_of
from explorer.targets import predictions, targets_of
from explorer.tree import Tree


@dataclass(frozen=True)
class Contributions:
    """Weight of right rows, or sum of squared errors, that each node adds to a score; `total` is the rows' weight.

    The score of a pruned form is (Σ over its leaves of `as_leaf` + Σ over its split nodes of `stopping`) / `total`:
    a row may stop at a split node, when its value is unknown there. A row that goes down several branches is counted by
    its parts, each judged by the leaf that it comes to, while the row itself is answered by their mixture: where there
    are such rows (`in_parts`) the sum is what the parts score, and may differ a little from the score of the answers.
    """

    as_leaf: NDArray[np.float64]
    stopping: NDArray[np.float64]
    total: float
    in_parts: bool = False


def contributions(tree: Tree, data: Dataset) -> Contributions:
    """The accuracy (or, for a numeric target, the squared error) of `data`, shared out over the tree's nodes [n].

    Raises InputError when the rows do not suit the tree.
    """
    targets, weights = targets_of(tree, data)
    routes = routes_of(tree, data)
    rows, stops, parts = routes.all_parts()
    share = _squared if tree.is_regression else _right
    stopping, passing = share(tree, stops, targets[rows], weights[rows] * parts)
    return Contributions(stopping + passing, stopping, float(weights.sum()), bool(routes.rows.size))


def _right(
    tree: Tree, stops: NDArray[np.int64], targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weight of the rows of each node's own label: of those that stop there, and of those that go on."""
    stopping, passing = np.zeros(tree.n_grown), np.zeros(tree.n_grown)
    for code in range(len(tree.classes)):
        own = np.bincount(stops, np.where(targets == code, weights, 0.0), minlength=tree.n_grown)
        here = tree.labels == code
        stopping[here], passing[here] = own[here], walk.sums_below(tree.parent, own)[here]
    return stopping, passing


def _squared(
    tree: Tree, stops: NDArray[np.int64], targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Squared errors of the rows that stop at each node, around its mean, and of those that go on."""
    stopping, passing, _ = prune.losses_on_the_way(True, stops, targets, weights, tree.parent, predictions(tree))
    return stopping, passing
