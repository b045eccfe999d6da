"""What the rows of a second table turned out to be in each leaf, beside the training rows there.

DEFINITIONS section 8 defines it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.evaluation.drift import LEAST_EXPECTED, LEVEL
from explorer.growing.stopping import upper_tail
from explorer.recipe.class_weights import Floats
from explorer.tree import metrics
from explorer.tree.tree import Tree

_ENOUGH = 30.0
"""Of fewer rows than this the mean of a number is not tested: it need not be normally distributed."""


@dataclass(frozen=True, eq=False)
class LeafOutcomes:
    """Facts of the m `nodes` where rows of the second table with a known target end, ascending.

    `rows` [m] is how many. `training` and `observed` [m] are the shares of the class that the node predicts among the
    training rows and among these, or their means. `p_value` [m] is that of the difference, NaN where rows are too few.
    """

    nodes: NDArray[np.intp]
    rows: Floats
    training: Floats
    observed: Floats
    p_value: Floats

    @property
    def is_marked(self) -> NDArray[np.bool_]:
        """The nodes whose rows differ from the training rows beyond chance [m]: p ≤ 0.05 divided by how many tested."""
        return np.asarray(self.p_value * np.count_nonzero(np.isfinite(self.p_value)) <= LEVEL)


def leaf_outcomes(tree: Tree, train: Dataset, rows: pd.DataFrame, truth: Floats) -> LeafOutcomes:
    """Compare the targets where rows of two tables end in a tree.

    `truth` [n] has the code of every row's class, −1 for one that the tree does not know, or its number; NaN where it
    is not known.
    """
    known = np.flatnonzero(np.isfinite(truth))
    targets, weights = metrics.targets_of(tree, train)
    before = _sums(tree, tree.routes(train), targets, weights)
    now = _sums(tree, tree.routes(rows.iloc[known]), truth[known], np.ones(len(known)))
    nodes = np.flatnonzero(now[0] > 0)
    before, now = before[:, nodes], now[:, nodes]
    means = [_means(each) for each in (before, now)]
    p_values = p_values_of_means(before, now, is_share=not tree.is_regression)
    return LeafOutcomes(nodes, now[0], means[0], means[1], p_values)


def _sums(tree: Tree, routes: tuple[NDArray[Any], NDArray[Any], NDArray[Any]], y: Floats, weights: Floats) -> Floats:
    """Of each node where rows end: Σw, Σw², Σwv and Σwv² [4, n], v being 1 for the node's class, or the number."""
    row, node, part = routes
    w = weights[row] * part
    value = y[row] if tree.is_regression else (y[row] == tree.labels[node]).astype(np.float64)
    return np.stack([np.bincount(node, each, tree.n_nodes_grown) for each in (w, w**2, w * value, w * value**2)])


def _means(sums: Floats) -> Floats:
    return np.divide(sums[2], sums[0], out=np.full(sums.shape[1], np.nan), where=sums[0] > 0)


def p_values_of_means(before: Floats, now: Floats, is_share: bool) -> Floats:
    """χ² with one degree of freedom of the difference of two shares, pooled, or of two means, [m].

    Both have Σw, Σw², Σwv and Σwv² [4, m]. NaN where rows are too few.
    """
    means = [_means(each) for each in (before, now)]
    n = [np.divide(each[0] ** 2, each[1], out=np.zeros_like(each[0]), where=each[1] > 0) for each in (before, now)]
    with np.errstate(divide="ignore", invalid="ignore"):
        if not is_share:
            spread = sum(
                (each[3] / each[0] - mean**2).clip(0) / (size - 1)
                for each, mean, size in zip((before, now), means, n, strict=True)
            )
            is_tested = (np.minimum(*n) >= _ENOUGH) & (spread > 0)
        else:
            share = (means[0] * n[0] + means[1] * n[1]) / (n[0] + n[1])
            spread = share * (1 - share) * (1 / n[0] + 1 / n[1])
            is_tested = np.minimum(share, 1 - share) * np.minimum(*n) >= LEAST_EXPECTED
        statistic = (means[1] - means[0]) ** 2 / spread
    p_values = np.full(len(statistic), np.nan)
    p_values[is_tested] = [upper_tail(float(each), 1) for each in statistic[is_tested]]
    return p_values
