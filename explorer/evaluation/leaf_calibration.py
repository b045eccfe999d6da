"""Leaves one by one: calibration, size and purity (DEFINITIONS section 8)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.recipe.class_weights import Floats
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class LeafCalibration:
    """For every node where rows end [m]: its prediction and what is observed there, by `weight` of rows.

    For classes `predicted` and `observed` are shares of the tree's classes [m, K], for numbers means [m, 1]. A row that
    ends in several leaves counts in each by its part; a row may also end at an inner node, if its value is unknown
    there. A class that is not in the training set leaves the observed shares of its leaf short of 1. `counts_rows` is
    that of the tree.
    """

    nodes: NDArray[np.intp]
    weight: Floats
    predicted: Floats = field(repr=False)
    observed: Floats = field(repr=False)
    counts_rows: bool = True

    @property
    def gap(self) -> Floats:
        """Mean distance between predicted and observed over all rows, [K] or [1]."""
        return np.asarray(np.average(np.abs(self.observed - self.predicted), axis=0, weights=self.weight))


def leaf_calibration(tree: Tree, data: Dataset | Source) -> LeafCalibration:
    """Predicted against observed, per leaf; InputError where tree and rows do not go together.

    On the training set the two are equal, unless there are class weights or costs.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> calibration = leaf_calibration(grow(tennis.take(range(10)), ID3.replace(max_depth=1)), tennis)
    >>> calibration.nodes.tolist(), calibration.weight.tolist()
    ([1, 2, 3], [5.0, 4.0, 5.0])
    >>> calibration.predicted[:, 1].round(2).tolist(), calibration.observed[:, 1].round(2).tolist()
    ([0.25, 1.0, 0.75], [0.4, 1.0, 0.6])
    """
    used = as_rows(tree, data)
    targets, weights = targets_of(tree, used)
    rows, nodes, parts = tree.routes(used)
    weights, targets = weights[rows] * parts, targets[rows]
    reached = np.unique(nodes)
    total = np.bincount(nodes, weights, minlength=tree.n_nodes_grown)[reached].astype(np.float64)
    amounts = targets[:, None] if tree.is_regression else targets[:, None] == np.arange(len(tree.classes))
    sums = [np.bincount(nodes, weights * column, minlength=tree.n_nodes_grown)[reached] for column in amounts.T]
    predicted = tree.values[:, None] if tree.is_regression else tree.probabilities
    observed = np.column_stack(sums) / total[:, None]
    return LeafCalibration(reached, total, predicted[reached], observed, tree.counts_rows)


@dataclass(frozen=True, eq=False)
class LeafSizes:
    """The leaves [m]: weight of their training rows, its share of all, and how pure they are.

    `purity` is the share of the heaviest class; for numbers `spread` is the standard deviation. The other one is None,
    and both where the tree's loss is not the squared error.
    An empty branch has the purity of its parent.
    """

    nodes: NDArray[np.intp]
    weight: Floats
    share: Floats
    purity: Floats | None = None
    spread: Floats | None = None
    counts_rows: bool = True


def leaf_sizes(tree: Tree) -> LeafSizes:
    """How large and how pure the leaves of a tree are, by its training rows.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> sizes = leaf_sizes(grow(tennis, ID3.replace(max_depth=1)))
    >>> sizes.weight.tolist(), sizes.purity.tolist()
    ([5.0, 4.0, 5.0], [0.6, 1.0, 0.6])
    """
    leaves = tree.leaves()
    weight = tree.row_stats[leaves].sum(axis=1) if not tree.is_regression else tree.weight[leaves]
    share = weight / weight.sum()
    if not tree.is_regression:
        purity = tree.shares[leaves].max(axis=1)
        return LeafSizes(leaves, weight, share, purity=purity, counts_rows=tree.counts_rows)
    if not tree.has_deviations:
        return LeafSizes(leaves, weight, share, counts_rows=tree.counts_rows)
    squares = np.divide(tree.stats[leaves, 2], weight, out=np.zeros_like(weight), where=weight > 0)
    spread = np.sqrt(np.maximum(squares, 0.0))
    return LeafSizes(leaves, weight, share, spread=spread, counts_rows=tree.counts_rows)
