"""The nodes where rows end, by row weight: those of a cell of the confusion matrix, or at a threshold of a class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.evaluation.evaluation import SAME_DIGITS
from explorer.evaluation.leaf_calibration import LeafCalibration
from explorer.recipe.class_weights import Floats
from explorer.tree.tree import Tree

Ends = dict[int, float]
"""Nodes and the weight of the rows that end there, the heaviest first, of equal ones the lowest node."""


def row_ends(tree: Tree, data: Dataset, positions: Sequence[int] | NDArray[np.intp]) -> Ends:
    """Where the rows at these positions end; a row that ends in several leaves counts in each by its part.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> row_ends(grow(tennis, ID3.replace(max_depth=1)), tennis, [2, 0, 1])     # overcast, and two sunny days
    {1: 2.0, 2: 1.0}
    """
    rows, nodes, parts = tree.routes(data)
    is_asked = np.isin(rows, np.asarray(positions, dtype=np.intp))
    weights = data.weight_of_rows()[rows[is_asked]] * parts[is_asked]
    total = np.bincount(nodes[is_asked], weights, minlength=tree.n_nodes_grown).astype(np.float64)
    reached = np.unique(nodes[is_asked])
    return _heaviest_first(reached, total[reached])


def ends_at_threshold(calibration: LeafCalibration, code: int, threshold: float) -> Ends:
    """Where the rows end that are predicted a class (by its code) at a threshold of its predicted probability.

    >>> from explorer import ID3, grow, leaf_calibration, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> calibration = leaf_calibration(grow(tennis, ID3.replace(max_depth=1)), tennis)     # 0.4, 1 and 0.6 for Yes
    >>> ends_at_threshold(calibration, 1, 0.6), ends_at_threshold(calibration, 1, float("inf"))
    ({3: 5.0, 2: 4.0}, {})
    """
    is_reached = np.round(calibration.predicted[:, code], SAME_DIGITS) >= threshold
    return _heaviest_first(calibration.nodes[is_reached], calibration.weight[is_reached])


def _heaviest_first(nodes: NDArray[np.intp], weights: Floats) -> Ends:
    order = np.argsort(-weights, kind="stable")
    return dict(zip(nodes[order].tolist(), weights[order].tolist(), strict=True))
