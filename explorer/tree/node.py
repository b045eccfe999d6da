"""One node of a tree: a light view of one position in the tree's arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.data.values import Value
from explorer.messages import message
from explorer.recipe.condition import Condition
from explorer.recipe.parameters import EMPTY, LOCKED, STOP_REASONS

if TYPE_CHECKING:
    from explorer.tree.tree import Tree


@dataclass(frozen=True)
class Node:
    """One node of a tree, read from the tree's arrays."""

    tree: Tree = field(repr=False)
    id: int

    @property
    def is_leaf(self) -> bool:
        """Whether no test follows, by growing or by pruning."""
        return bool(self.tree.feature[self.id] < 0 or self.tree.is_pruned[self.id])

    @property
    def is_empty(self) -> bool:
        """Whether no training row reaches the node."""
        return bool(self.tree.stop[self.id] == EMPTY)

    @property
    def is_forced(self) -> bool:
        """Whether a person chose the node's test; of a leaf made by hand, `stop_reason` says so."""
        return self.tree.forced is not None and bool(self.tree.forced[self.id])

    @property
    def by_hand(self) -> str:
        """The manual decision at the node as text; empty where there is none, or where the split is pruned."""
        if self.is_leaf:
            return message("made a leaf by hand") if self.tree.stop[self.id] == LOCKED else ""
        return message("split by hand") if self.is_forced else ""

    @property
    def condition(self) -> Condition | None:
        """The node's own test; None at a leaf."""
        return None if self.is_leaf else self.tree.condition(self.id)

    @property
    def children(self) -> tuple[int, ...]:
        """Ids in branch order; empty at a leaf."""
        return () if self.is_leaf else tuple(self.tree.children_of(self.id))

    @property
    def parent(self) -> int:
        """Id of the node above; −1 at the root."""
        return int(self.tree.parent[self.id])

    @property
    def depth(self) -> int:
        """Edges from the root."""
        return int(self.tree.depth[self.id])

    @property
    def weight(self) -> float:
        """Weight of the training rows at the node."""
        return float(self.tree.weight[self.id])

    @property
    def row_weight(self) -> float:
        """The same with class weights and costs taken out."""
        return self.weight if self.tree.is_regression else float(self.tree.row_stats[self.id].sum())

    @property
    def stats(self) -> NDArray[np.float64]:
        """Class weights in class order, or (W, mean, M2)."""
        return self.tree.stats[self.id]

    @property
    def impurity(self) -> float:
        """Impurity by the recipe's measure."""
        return float(self.tree.impurity[self.id])

    @property
    def missing_weight(self) -> float:
        """Weight of the rows whose tested value is missing."""
        return float(self.tree.missing_weight[self.id])

    @property
    def stop_reason(self) -> str | None:
        """Why the node was not split; None where it was ("pruned" for a node that pruning made a leaf)."""
        if self.tree.feature[self.id] >= 0:
            return message("pruned") if self.tree.is_pruned[self.id] else None
        return STOP_REASONS[self.tree.stop[self.id]]

    @property
    def label(self) -> Value:
        """The predicted class, or mean."""
        if self.tree.is_regression:
            return float(self.tree.values[self.id])
        return self.tree.classes[self.tree.labels[self.id]]

    @property
    def deviation(self) -> float | None:
        """Standard deviation around the predicted mean; None without rows, for classes and replaced predictions."""
        if not self.tree.is_regression or self.tree.predictions is not None or self.weight == 0:
            return None
        return float(np.sqrt(max(self.stats[2], 0.0) / self.weight))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Class probabilities in class order, [K]."""
        return self.tree.probabilities[self.id]
