"""The tree of a drawn table: grown by the package as of any other table, with the rectangle of every leaf."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.drawing.drawn_table.points import EXTENT, FEATURES, DrawnTable
from explorer.errors import InputError
from explorer.growing.decide import Decision, decide
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.recipe.recipe import C45, CART, Recipe
from explorer.tree.tree import Tree

ALGORITHMS = {"CART": CART, "C4.5": C45}
"""Those that split at thresholds. C4.5 needs classes."""


def recipe_of(algorithm: str, max_depth: int | None) -> Recipe:
    """The algorithm with a limit to the depth of the tree, None: no limit."""
    return ALGORITHMS[algorithm].replace(max_depth=max_depth)


@dataclass(frozen=True, eq=False)
class Grown:
    """A drawn table and its tree."""

    table: DrawnTable
    data: Dataset
    tree: Tree

    def decision(self, node: int) -> Decision:
        """The candidate splits of a node."""
        return decide(self.tree, self.data, node)

    def feature_of(self, node: int) -> str | None:
        """The feature that a node splits on; None for a leaf."""
        column = int(self.tree.feature[node])
        return None if column < 0 else self.tree.features[column].name

    @cached_property
    def boxes(self) -> NDArray[np.float64]:
        """The rectangle of every node, [n, 4]: the least and largest x, the least and largest y.

        A rectangle holds its largest x and y, and not its least, but at the border of the canvas.
        """
        boxes = np.empty((self.tree.n_nodes_grown, 4))
        boxes[0] = (0.0, EXTENT, 0.0, EXTENT)
        for node in np.flatnonzero(self.tree.feature >= 0):  # parents come before their children
            child, threshold = self.tree.first_child[node], self.tree.threshold[node]
            side = 2 * FEATURES.index(self.tree.features[self.tree.feature[node]].name)
            boxes[child], boxes[child + 1] = boxes[node], boxes[node]
            boxes[child, side + 1] = boxes[child + 1, side] = threshold
        return boxes

    def accuracy(self) -> float:
        """The share of points that the tree predicts right."""
        leaves = self.tree.is_leaf
        return float(self.tree.stats[leaves].max(axis=1).sum() / self.table.n_points)

    def squared_error(self) -> float:
        """The mean squared error of the tree on the points, for a numeric target."""
        return float(self.tree.stats[self.tree.is_leaf, 2].sum() / self.table.n_points)

    def node_at(self, path: str) -> int:
        """The node that a path of 0 (to the left) and 1 leads to from the root; it ends at a leaf."""
        node = 0
        for step in path:
            if self.tree.feature[node] < 0:
                break
            node = int(self.tree.first_child[node]) + (step == "1")
        return node

    def path_to(self, node: int) -> str:
        """The path from the root to a node."""
        steps = []
        while node:
            above = int(self.tree.parent[node])
            steps.append(str(node - int(self.tree.first_child[above])))
            node = above
        return "".join(reversed(steps))


def grow_drawn(table: DrawnTable, recipe: Recipe) -> Grown:
    """Grow the tree of a drawn table; InputError where there is nothing to predict."""
    if table.n_points == 0:
        raise InputError(message("There are no points: draw some on the canvas."))
    data = table.dataset()
    return Grown(table, data, grow(data, recipe))
