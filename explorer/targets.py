"""What rows are to be judged by: their target in a tree's own terms, and their weight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.dataset import Dataset
from explorer.errors import InputError
from explorer.tree import Tree


def targets_of(tree: Tree, valid: Dataset) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Target and weight of every validation row, in the tree's terms: a class that it never met has code -1."""
    if valid.is_regression != tree.is_regression:
        raise InputError(
            f"The validation rows and the tree disagree on whether '{tree.target}' is numeric: encode both alike."
        )
    if valid.n_rows == 0:
        raise InputError("There are no validation rows: give the validation part at least one.")
    weights = valid.weight_of_rows()
    if tree.is_regression:
        return np.asarray(valid.y, dtype=np.float64), weights
    code = {name: number for number, name in enumerate(tree.classes)}
    recode = np.array([code.get(name, -1) for name in valid.classes], dtype=np.float64)
    return recode[valid.y], weights


def predictions(tree: Tree) -> NDArray[np.float64]:
    """What every grown node predicts as a leaf: its mean, or the code of its label."""
    return np.asarray(tree.values if tree.is_regression else tree.labels, dtype=np.float64)
