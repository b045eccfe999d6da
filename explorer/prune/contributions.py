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
    a row may stop at a split node, when its value is unknown there.
    """

    as_leaf: NDArray[np.float64]
    stopping: NDArray[np.float64]
    total: float


def contributions(tree: Tree, data: Dataset) -> Contributions | None:
    """The accuracy (or, for a numeric target, the squared error) of `data`, shared out over the tree's nodes [n].

    None where rows go down several branches: each is answered by the mixture of its leaves, so its answer can change
    wherever one of them does, and no sum over nodes is the score. Raises InputError when rows do not suit the tree.

    >>> from explorer import C45, Dataset, grow, load_sample
    >>> whole, holed = (Dataset.from_frame(load_sample(name).frame, "class") for name in ("golf", "golf_missing"))
    >>> float(contributions(grow(whole, C45), whole).as_leaf[0])        # the root would get 9 of 14 days right
    9.0
    >>> contributions(grow(holed, C45), holed) is None
    True
    """
    targets, weights = targets_of(tree, data)
    routes = routes_of(tree, data)
    if routes.rows.size:
        return None
    share = _squared if tree.is_regression else _right
    stopping, passing = share(tree, routes.stops, targets, weights)
    return Contributions(stopping + passing, stopping, float(weights.sum()))


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
