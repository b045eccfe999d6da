"""What each node would add to a score if it were a leaf, so that any pruned form of a tree is scored by one sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.pruning import bottom_up_loops
from explorer.pruning.cost_complexity import score_loops
from explorer.tree.metrics import checked_metric, costs_by_class, nats_of, node_predictions, targets_of
from explorer.tree.routing import routes_of
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class Contributions:
    """What each node adds to a score, such as the weight of its right rows; `total` is the weight of all rows.

    The score of a pruned form is (Σ over its leaves of `as_leaf` + Σ over its split nodes of `stopping`) / `total`:
    a row may stop at a split node, when its value is unknown there.
    """

    as_leaf: NDArray[np.float64]
    stopping: NDArray[np.float64]
    total: float


def contributions(tree: Tree, data: Dataset, metric: str | None = None) -> Contributions | None:
    """A score of `data`, shared out over the tree's nodes [n]; `metric` as in `Path.curve`.

    None for AUC, which is no sum over nodes, and where rows go down several branches: each is answered by the mixture
    of its leaves, so its answer can change wherever one of them does. Raises InputError when rows do not suit the tree.

    >>> from explorer import C45, Dataset, grow, load_sample
    >>> whole, holed = (Dataset.from_frame(load_sample(name).frame, "class") for name in ("golf", "golf_missing"))
    >>> float(contributions(grow(whole, C45), whole).as_leaf[0])        # the root would get 9 of 14 days right
    9.0
    >>> contributions(grow(holed, C45), holed) is None
    True
    """
    metric = checked_metric(tree, metric)
    targets, weights = targets_of(tree, data)
    routes = routes_of(tree, data)
    if metric == "auc" or routes.rows.size:
        return None
    if tree.is_regression:
        stopping, passing = _squared(tree, routes.stops, targets, weights)
    else:
        stopping, passing = _by_class(tree, routes.stops, targets, weights, _added(tree, metric, targets))
    return Contributions(stopping + passing, stopping, float(weights.sum()))


def _added(tree: Tree, metric: str, targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """What every node's answer adds for a row of each class, [n, K + 1]; the last is a class that it never met."""
    if metric == "expected_cost":
        added = costs_by_class(tree, targets).T[tree.labels]
    elif metric == "log_loss":
        unmet = np.zeros((tree.n_nodes_grown, 1))
        return nats_of(np.hstack([tree.shares, unmet]))
    else:
        added = (tree.labels[:, None] == np.arange(len(tree.classes))) == (metric == "accuracy")
    unmet = np.full((tree.n_nodes_grown, 1), float(metric == "error"))
    return np.hstack([added.astype(np.float64), unmet])


def _by_class(
    tree: Tree,
    stops: NDArray[np.int64],
    targets: NDArray[np.float64],
    weights: NDArray[np.float64],
    added: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of `added` over the rows that stop at each node, and over those that go on."""
    stopping, passing = np.zeros(tree.n_nodes_grown), np.zeros(tree.n_nodes_grown)
    for code in range(added.shape[1]):
        is_own = targets == code if code < len(tree.classes) else targets < 0
        own = np.bincount(stops, np.where(is_own, weights, 0.0), minlength=tree.n_nodes_grown)
        stopping += own * added[:, code]
        passing += score_loops.sums_below(tree.parent, own) * added[:, code]
    return stopping, passing


def _squared(
    tree: Tree, stops: NDArray[np.int64], targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Squared errors of the rows that stop at each node, around its mean, and of those that go on."""
    stopping, passing, _ = bottom_up_loops.losses_on_paths(
        True, stops, targets, weights, tree.parent, node_predictions(tree)
    )
    return stopping, passing
