"""The training rows of a tree, sent down it again to learn what the tree does not hold."""

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.node_rows import ending_nodes, grown_rows
from explorer.messages import message
from explorer.recipe.class_weights import as_row_weights, predicted_classes_of
from explorer.recipe.columns import TESTS, THRESHOLD
from explorer.tree.tree import Tree


def training_rows_of(tree: Tree, train: Dataset) -> Dataset:
    """The rows of `train` that growing used, with growing weights; InputError if the tree was grown on other rows."""
    if (train.target.name, train.classes) != (tree.target, tree.classes):
        raise InputError(
            message(
                "The tree predicts '{target}', but the target of these rows is '{other}' or has other classes: give "
                "the tree's training set.",
                target=tree.target,
                other=train.target.name,
            )
        )
    used = grown_rows(tree, train)
    if abs(float(used.weight_of_rows().sum()) - tree.weight[0]) > 1e-9 * tree.weight[0]:
        raise InputError(message("The tree was not grown on these rows: give its training set."))
    return used


def wrong_rows(
    tree: Tree, stats: NDArray[np.float64], stats_to_count: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Row weight that leaves with these class weights [m, K] would predict wrongly, and all their row weight, [m] each.

    With `stats_to_count` [m, K], only these class weights are counted; the predictions stay those of `stats`.
    """
    rows = as_row_weights(stats if stats_to_count is None else stats_to_count, tree.class_factors)
    weight = rows.sum(axis=1)
    return weight - rows[np.arange(len(rows)), predicted_classes_of(stats, tree.costs)], weight


def values_at_nodes(tree: Tree, train: Dataset) -> NDArray[np.float64]:
    """How many different values each node's rows have of the numeric feature that it tests, [n]; 0 for other nodes."""
    used = training_rows_of(tree, train)
    index_of = {feature.name: index for index, feature in enumerate(used.features)}
    column = np.array([*(index_of[usage.name] for usage in tree.features), 0])[tree.feature]
    is_numeric = np.array([*(TESTS[usage.test] == THRESHOLD for usage in tree.features), False])[tree.feature]
    missing_code = np.array([feature.n_values for feature in used.features])
    rows, node_of_row = ending_nodes(tree, used)
    n_values = np.zeros(tree.n_nodes_grown)
    # From the deepest nodes up: a row counts at the node where its path ended, then at every node above.
    for depth in range(int(tree.depth.max()), -1, -1):
        node, row = (
            array[(tree.depth[node_of_row] == depth) & is_numeric[node_of_row]] for array in (node_of_row, rows)
        )
        codes = used.codes[column[node], row].astype(np.int64)
        is_known = codes < missing_code[column[node]]
        node_and_code = np.unique(node[is_known] * int(missing_code.max() + 1) + codes[is_known])
        n_values += np.bincount(node_and_code // int(missing_code.max() + 1), minlength=tree.n_nodes_grown)
        node_of_row = np.where(tree.depth[node_of_row] == depth, np.maximum(tree.parent[node_of_row], 0), node_of_row)
    return n_values
