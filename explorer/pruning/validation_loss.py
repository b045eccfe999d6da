"""What each node would lose on some rows as a leaf, and what rows lose that stop there (DEFINITIONS section 7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.pruning import bottom_up_loops as kernels
from explorer.tree.metrics import node_predictions, targets_of
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class ValidationLoss:
    """Weight of wrong rows, or squared error, per grown node [n]; `weight` [n] of the rows that come there.

    `stopping` is lost by rows that go no further, `passing` would be by those that do (none at a leaf). A row that
    goes down several branches counts in each by its part, judged by that node alone; `in_parts` says if any does.
    """

    stopping: NDArray[np.float64]
    passing: NDArray[np.float64]
    weight: NDArray[np.float64]
    in_parts: bool = False

    @property
    def as_leaf(self) -> NDArray[np.float64]:
        """What the node would lose as a leaf, on all rows that come there."""
        return self.stopping + self.passing

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.weight[0])

    @property
    def of_tree(self) -> float:
        """Error rate, or mean squared error, of the open tree; that of the parts where rows are `in_parts`."""
        return float(self.stopping.sum()) / self.total


def node_validation_losses(tree: Tree, data: Dataset) -> ValidationLoss:
    """The losses of the rows of `data` under the open part of a tree; InputError when they do not suit the tree."""
    targets, weights = targets_of(tree, data)
    rows, stops, parts = tree.routes(data)
    stopping, passing, weight = kernels.losses_on_paths(
        tree.is_regression, stops, targets[rows], weights[rows] * parts, tree.parent, node_predictions(tree)
    )
    return ValidationLoss(stopping, passing, weight, bool((parts < 1.0).any()))
