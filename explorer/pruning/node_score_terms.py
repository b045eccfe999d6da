"""The term that each node adds to a score if it is a leaf: any pruned subtree is scored by one sum of these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.pruning import bottom_up_loops
from explorer.pruning.cost_complexity import score_loops
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.metrics import checked_metric, costs_by_class, nats_of, node_predictions, targets_of
from explorer.tree.routing import routes_of
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class NodeScoreTerms:
    """Each node's terms of a score, such as the weight of its right rows; `total` is the weight of all rows.

    The score of a pruned subtree is (Σ over its leaves of `as_leaf` + Σ over its inner nodes of `at_node`) / `total`:
    a row may stop at an inner node, when its value is unknown there.
    """

    as_leaf: NDArray[np.float64]
    at_node: NDArray[np.float64]
    total: float


def node_score_terms(tree: Tree, data: Dataset | Source, metric: str | None = None) -> NodeScoreTerms | None:
    """A score on `data` as one term per node [n]; `metric` as in `Path.curve`.

    None for AUC, which is no sum over nodes, and where rows go down several branches: such a prediction averages over
    leaves, so it changes wherever one of them does. Raises InputError when rows do not suit the tree.

    >>> from explorer import C45, Dataset, grow, load_sample
    >>> whole, holed = (Dataset.from_frame(load_sample(name).frame, "class") for name in ("golf", "golf_missing"))
    >>> float(node_score_terms(grow(whole, C45), whole).as_leaf[0])        # the root would get 9 of 14 days right
    9.0
    >>> node_score_terms(grow(holed, C45), holed) is None
    True
    """
    metric = checked_metric(tree, metric)
    rows = as_rows(tree, data)
    targets, weights = targets_of(tree, rows)
    routes = routes_of(tree, rows)
    if metric == "auc" or routes.rows.size:
        return None
    if tree.is_regression:
        at_node, below = _squared(tree, routes.stops, targets, weights)
    else:
        at_node, below = _by_class(tree, routes.stops, targets, weights, _terms_of_classes(tree, metric, targets))
    return NodeScoreTerms(at_node + below, at_node, float(weights.sum()))


def _terms_of_classes(tree: Tree, metric: str, targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The term of every node's prediction for a row of each class, [n, K + 1]; the last is a class not in training."""
    if metric == "expected_cost":
        term_of_class = costs_by_class(tree, targets).T[tree.labels]
    elif metric == "log_loss":
        new_class = np.zeros((tree.n_nodes_grown, 1))
        return nats_of(np.hstack([tree.shares, new_class]))
    else:
        term_of_class = (tree.labels[:, None] == np.arange(len(tree.classes))) == (metric == "accuracy")
    new_class = np.full((tree.n_nodes_grown, 1), float(metric == "error"))
    return np.hstack([term_of_class.astype(np.float64), new_class])


def _by_class(
    tree: Tree,
    stops: NDArray[np.int64],
    targets: NDArray[np.float64],
    weights: NDArray[np.float64],
    term_of_class: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of `term_of_class` over the rows that stop at each node, and over those that go on."""
    at_node, below = np.zeros(tree.n_nodes_grown), np.zeros(tree.n_nodes_grown)
    for code in range(term_of_class.shape[1]):
        is_own = targets == code if code < len(tree.classes) else targets < 0
        own = np.bincount(stops, np.where(is_own, weights, 0.0), minlength=tree.n_nodes_grown)
        at_node += own * term_of_class[:, code]
        below += score_loops.sums_below(tree.parent, own) * term_of_class[:, code]
    return at_node, below


def _squared(
    tree: Tree, stops: NDArray[np.int64], targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Squared errors of the rows that stop at each node, around its mean, and of those that go on."""
    at_node, below, _ = bottom_up_loops.losses_on_paths(
        True, stops, targets, weights, tree.parent, node_predictions(tree)
    )
    return at_node, below
