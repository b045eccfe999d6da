"""What each node would add to a score if it were a leaf, so that any pruned form of a tree is scored by one sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.dataset import Dataset
from explorer.kernels import walk
from explorer.kernels.route import routes_of
from explorer.prune.curve import predictions, targets_of
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
    """Squared errors around each node's mean v, by Σw(y−v)² = Σw(y−c)² − 2(v−c)Σw(y−c) + W(v−c)², c the root's mean."""
    centre = predictions(tree)[0]
    off, from_centre = targets - centre, predictions(tree) - centre
    moments = [np.bincount(stops, weights * off**power, minlength=tree.n_grown) for power in range(3)]
    below = [walk.sums_below(tree.parent, moment) for moment in moments]
    found = [m[2] - 2.0 * from_centre * m[1] + m[0] * from_centre**2 for m in (moments, below)]
    return np.maximum(found[0], 0.0), np.maximum(found[1], 0.0)
