"""Cross-validated error of every pruned subtree of a tree grown on a built-in table, by several draws of the folds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import explorer as ex
from explorer.evaluation.cross_validation import cross_validate_path
from pages.results.cache import kept
from pages.results.lessons import trees

N_FOLDS, SEEDS = 10, 5


@dataclass(frozen=True)
class TreeSizes:
    """The subtree sequence with its training errors, and a cross-validation by error rate for each seed from 0."""

    path: ex.Path
    training: NDArray[np.float64]
    folded: tuple[ex.CrossValidation, ...]


@kept()
def tree_sizes(sample: str) -> TreeSizes:
    """The sizes of the CART tree that is grown on all rows of a built-in table."""
    data = trees.rows(sample)
    folded = tuple(
        cross_validate_path(data, ex.CART, folds=N_FOLDS, seed=seed, metric="error") for seed in range(SEEDS)
    )
    path = folded[0].path
    return TreeSizes(path, path.curve(data, "error"), folded)
