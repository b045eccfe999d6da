"""The training rows of a tree, sent down it again: what is needed of them that the tree does not hold."""

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.node_rows import grown_rows, training_ends
from explorer.recipe.class_weights import as_row_weights, predicted_classes_of
from explorer.recipe.columns import TESTS, THRESHOLD
from explorer.tree.tree import Tree


def training_rows_of(tree: Tree, train: Dataset) -> Dataset:
    """The rows of `train` that growing used, with growing weights; InputError if the tree was grown on other rows."""
    if (train.target.name, train.classes) != (tree.target, tree.classes):
        raise InputError(
            f"The tree predicts '{tree.target}' and these rows '{train.target.name}': give its training part."
        )
    used = grown_rows(tree, train)
    if abs(float(used.weight_of_rows().sum()) - tree.weight[0]) > 1e-9 * tree.weight[0]:
        raise InputError("These are not the rows that the tree was grown on: give the training part.")
    return used


def wrong_rows(
    tree: Tree, stats: NDArray[np.float64], ending: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Row weight that leaves with these class weights [m, K] would get wrong, and all their row weight, [m] each.

    With `ending` [m, K], only those of the rows are counted; the answers stay those that suit all.
    """
    rows = as_row_weights(stats if ending is None else ending, tree.class_factors)
    weight = rows.sum(axis=1)
    return weight - rows[np.arange(len(rows)), predicted_classes_of(stats, tree.class_factors, tree.costs)], weight


def values_at_nodes(tree: Tree, train: Dataset) -> NDArray[np.float64]:
    """How many different values the rows of each node have of the number that it asks about, [n]; 0 for other nodes."""
    used = training_rows_of(tree, train)
    place = {feature.name: number for number, feature in enumerate(used.features)}
    column = np.array([*(place[usage.name] for usage in tree.features), 0])[tree.feature]
    numeric = np.array([*(TESTS[usage.test] == THRESHOLD for usage in tree.features), False])[tree.feature]
    unknown = np.array([feature.n_values for feature in used.features])
    rows, at = training_ends(tree, used)
    found = np.zeros(tree.n_nodes_grown)
    for depth in range(int(tree.depth.max()), -1, -1):
        node, row = (ends[(tree.depth[at] == depth) & numeric[at]] for ends in (at, rows))
        codes = used.codes[column[node], row].astype(np.int64)
        known = codes < unknown[column[node]]
        pairs = np.unique(node[known] * int(unknown.max() + 1) + codes[known])
        found += np.bincount(pairs // int(unknown.max() + 1), minlength=tree.n_nodes_grown)
        at = np.where(tree.depth[at] == depth, np.maximum(tree.parent[at], 0), at)
    return found
