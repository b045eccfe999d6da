"""The validation loss of each node: as a leaf, and of the rows that stop there (DEFINITIONS section 7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.pruning import bottom_up_loops as kernels
from explorer.pruning.loss_loops import PREDICTED, WEIGHT, losses_below
from explorer.pruning.raising.row_division import in_order, plan_by_column
from explorer.sources.source import Source
from explorer.threads import ROWS_OF_A_BLOCK, shared_pool
from explorer.tree.grouped_rows import as_rows
from explorer.tree.metrics import node_predictions, targets_of
from explorer.tree.tree import Tree

PARTS = 8
"""Nodes with a smaller part of the rows are worked on side by side."""


@dataclass(frozen=True)
class ValidationLoss:
    """Loss of each grown node's own prediction [n]: weight of wrong rows, or squared error; `weight` [n] of its rows.

    `at_node` is the loss of the rows that stop at the node, `below` that of the rows that go on to a branch (0 at a
    leaf). A row that goes down several branches counts in each by its part, evaluated by that node alone; `in_parts`
    says if any does.
    """

    at_node: NDArray[np.float64]
    below: NDArray[np.float64]
    weight: NDArray[np.float64]
    in_parts: bool = False

    @property
    def as_leaf(self) -> NDArray[np.float64]:
        """The node's loss as a leaf, on all rows that reach it."""
        return self.at_node + self.below

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.weight[0])

    @property
    def of_tree(self) -> float:
        """Error rate, or mean squared error, of the pruned tree; where rows are `in_parts`, that of the parts."""
        return float(self.at_node.sum()) / self.total


def node_validation_losses(tree: Tree, data: Dataset | Source) -> ValidationLoss:
    """The losses of the rows of `data` under a pruned tree; InputError when they do not suit the tree."""
    used = as_rows(tree, data)
    targets, weights = targets_of(tree, used)
    losses = _losses_of_whole_rows(tree, used, targets, weights)
    if losses is not None:
        return losses
    rows, stops, parts = tree.routes(used)
    at_node, below, weight = kernels.losses_on_paths(
        tree.is_regression, stops, targets[rows], weights[rows] * parts, tree.parent, node_predictions(tree)
    )
    return ValidationLoss(at_node, below, weight, bool((parts < 1.0).any()))


def _losses_of_whole_rows(
    tree: Tree, data: Dataset, targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> ValidationLoss | None:
    """The losses, if no row goes down several branches."""
    losses, rows = np.zeros((tree.n_nodes_grown, 4)), np.arange(data.n_rows, dtype=np.uint32)
    losses[:, PREDICTED] = node_predictions(tree)
    plan, least = plan_by_column(tree, data, by_rank=False), max(ROWS_OF_A_BLOCK, rows.size // PARTS)
    given = tree.is_regression, rows, losses
    parts = losses_below(plan, targets, weights, *given, np.array([0, 0, rows.size]), min(rows.size, least))
    if np.isnan(losses[:, WEIGHT]).any():
        return None
    _, (targets, weights) = in_order(plan, rows, targets, weights)
    list(shared_pool().map(lambda part: losses_below(plan, targets, weights, *given, part, 0), parts))
    if np.isnan(losses[:, WEIGHT]).any():
        return None
    return ValidationLoss(*losses[:, :PREDICTED].T.copy())
