"""Scores of all subtrees of a sequence on validation rows (DEFINITIONS sections 7 and 8)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.pruning.cost_complexity import score_loops
from explorer.pruning.cost_complexity.base_path import BasePath
from explorer.pruning.cost_complexity.path_scores_fractional import added_up_of_mixtures, mixtures
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.leaf_mixture import Routes
from explorer.tree.metrics import checked_metric, costs_by_class, node_predictions, targets_of
from explorer.tree.routing import routes_of
from explorer.tree.tree import Tree


def curve(path: BasePath, valid: Dataset | Source, metric: str | None) -> NDArray[np.float64]:
    """One value per subtree; raises InputError when the rows or the metric do not suit the tree."""
    metric = checked_metric(path.tree, metric)
    rows = as_rows(path.tree, valid)
    targets, weights = targets_of(path.tree, rows)
    routes = routes_of(path.tree, rows)
    if metric == "auc":
        return auc_curve(path, routes, targets, weights)
    return oriented(added_up(path, routes, targets, weights, SUMMANDS[metric]) / weights.sum(), metric)


SUMMANDS = {
    "accuracy": score_loops.RIGHT,
    "error": score_loops.RIGHT,
    "mse": score_loops.SQUARED,
    "log_loss": score_loops.LOG,
    "expected_cost": score_loops.COST,
}
"""The term of a row in each score that is a mean over rows."""

SQUARES = {
    "accuracy": score_loops.RIGHT,
    "error": score_loops.RIGHT,
    "mse": score_loops.FOURTH,
    "log_loss": score_loops.LOG_SQUARED,
    "expected_cost": score_loops.COST_SQUARED,
}
"""The squares of these numbers; those of 0 and 1 are the numbers themselves."""


def oriented(means: NDArray[np.float64], metric: str) -> NDArray[np.float64]:
    """Means of `SUMMANDS` as values of the metric: the error is what is not right."""
    return 1.0 - means if metric == "error" else means


def added_up(
    path: BasePath, routes: Routes, targets: NDArray[np.float64], weights: NDArray[np.float64], what: int
) -> NDArray[np.float64]:
    """Weighted sum of the rows' terms under every subtree, one value per position."""
    tree, has_one_path = path.tree, routes.stops >= 0
    shares = tree.shares if what in (score_loops.LOG, score_loops.LOG_SQUARED) else np.empty((0, 0))
    if what in (score_loops.COST, score_loops.COST_SQUARED):
        shares = costs_of_predictions(tree, targets)
    rows = routes.stops[has_one_path], targets[has_one_path], weights[has_one_path]
    sums = score_loops.curve_sums(what, *rows, tree.parent, path.leaf_from, len(path), node_predictions(tree), shares)
    return np.asarray(sums) + added_up_of_mixtures(path, routes, targets, weights, what)


def costs_of_predictions(tree: Tree, targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cost of predicting the label of every node for a row of each class, [n, K]."""
    return np.ascontiguousarray(costs_by_class(tree, targets).T[tree.labels])


def auc_curve(
    path: BasePath, routes: Routes, targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Area under the ROC curve of every subtree; the predicted probability of a class is the score.

    AUC ranks rows against each other and does not add up over leaves, so it takes a pass of its own for each class.
    """
    areas = [
        one_against_the_rest(path, routes, np.where(targets == code, weights, 0.0), weights, code)
        for code in evaluated_classes(path.tree, targets)
    ]
    return np.asarray(np.mean(areas, axis=0))


def one_against_the_rest(
    path: BasePath, routes: Routes, positive: NDArray[np.float64], weights: NDArray[np.float64], code: int
) -> NDArray[np.float64]:
    """AUC of one class for every subtree, [subtrees]; `positive` [rows] is the weight of that class's rows.

    A node predicts for the rows that stop at it as long as nothing above has collapsed, and for those that go on below
    once it has collapsed itself: two *pieces* of rows per node, each with one score and an interval of positions. A row
    with several decision paths has pieces of its own, one for every average over leaves that predicts it in turn.
    """
    shares = path.tree.shares[:, code]
    inside = [at_node_and_below(path, routes, of_class) for of_class in (positive, weights - positive)]
    node = np.tile(np.arange(shares.size), 2)
    begin, end = np.concatenate([np.zeros_like(path.leaf_from), path.leaf_from]), path.leaf_until[node]
    used = (begin < end) & (inside[0] + inside[1] > 0)
    own = list(mixtures(path, routes, shares[:, None]))
    row = np.concatenate([np.empty(0, np.int64), *(piece.row for piece in own)])
    begin = np.concatenate([begin[used], *(piece.begin for piece in own)])
    end = np.concatenate([end[used], *(piece.end for piece in own)])
    score = np.concatenate([shares[node[used]], *(piece.value[:, 0] for piece in own)])
    ranks = np.unique(np.round(score, 12), return_inverse=True)[1]  # mixtures of equal shares differ by rounding
    weight = [np.concatenate([i[used], w[row]]) for i, w in zip(inside, (positive, weights - positive), strict=True)]
    pairs = score_loops.ordered_pairs(begin, end, ranks, *weight, len(path))
    return np.asarray(pairs / (positive.sum() * (weights - positive).sum()))


def at_node_and_below(path: BasePath, routes: Routes, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight of the rows that stop at each node, then of those that go on below it, [2 · nodes].

    Rows with several decision paths are left out.
    """
    has_one_path = routes.stops >= 0
    own = np.bincount(routes.stops[has_one_path], weights[has_one_path], minlength=path.leaf_from.size)
    return np.concatenate([own, score_loops.sums_below(path.tree.parent, own)])


def evaluated_classes(tree: Tree, targets: NDArray[np.float64]) -> list[int]:
    """Classes that some validation rows have and others have not; of two classes only the second, as both agree."""
    codes = [code for code in range(len(tree.classes)) if 0 < np.count_nonzero(targets == code) < targets.size]
    if not codes:
        raise InputError(
            message("AUC compares rows of different classes, but all rows have one class: use another metric.")
        )
    return codes[-1:] if len(tree.classes) == 2 else codes
