"""The validation loss of each node: as a leaf, and of the rows that stop there (DEFINITIONS section 7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.pruning import bottom_up_loops as kernels
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.metrics import node_predictions, targets_of
from explorer.tree.tree import Tree

EXACT = 2.0**53
"""Whole numbers up to here are exact."""
MOST_COUNTS = 16
"""Numbers per row from which walking up each row's path is quicker than counting classes at every node."""


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
    rows, stops, parts = tree.routes(used)
    in_parts = bool((parts < 1.0).any())
    if not in_parts and _are_counted(tree, targets, weights):
        codes, n_classes = node_predictions(tree), len(tree.classes)
        losses = kernels.losses_by_class(stops, targets, weights, tree.parent, codes, n_classes)
        return ValidationLoss(*losses)
    at_node, below, weight = kernels.losses_on_paths(
        tree.is_regression, stops, targets[rows], weights[rows] * parts, tree.parent, node_predictions(tree)
    )
    return ValidationLoss(at_node, below, weight, in_parts)


def _are_counted(tree: Tree, targets: NDArray[np.float64], weights: NDArray[np.float64]) -> bool:
    """Whether rows can be counted by class: their weights are whole numbers, and the table of counts is not larger."""
    if tree.is_regression or tree.n_nodes_grown * (len(tree.classes) + 1) > MOST_COUNTS * targets.size:
        return False
    return bool((weights == np.floor(weights)).all()) and float(weights.sum()) < EXACT
