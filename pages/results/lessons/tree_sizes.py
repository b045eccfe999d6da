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
_TRAINING_SHARE = 0.7


@dataclass(frozen=True)
class TreeSizes:
    """The subtree sequence with its training errors, and a cross-validation by error rate for each seed from 0."""

    path: ex.Path
    training: NDArray[np.float64]
    folded: tuple[ex.CrossValidation, ...]


@dataclass(frozen=True)
class HeldOutSize:
    """A tree grown without a validation set: its leaves, those of its best subtree, the error of that, and the rows."""

    full_leaves: int
    best_leaves: int
    error: float
    n_rows: int


@kept()
def held_out_sizes(sample: str) -> tuple[HeldOutSize, ...]:
    """The CART tree of 70 % of the rows, pruned to its least error on the others, smallest of ties; a draw per seed."""
    return tuple(_held_out(sample, seed) for seed in range(SEEDS))


def _held_out(sample: str, seed: int) -> HeldOutSize:
    train, validation = trees.rows(sample).split(_TRAINING_SHARE, seed=seed)
    path = ex.cost_complexity_path(ex.grow(train, ex.CART))
    errors = path.curve(validation, "error")
    best = int(np.flatnonzero(errors == errors.min())[-1])
    counts = path.n_leaves
    return HeldOutSize(int(counts[0]), int(counts[best]), float(errors[best]), validation.n_rows)


@kept()
def tree_sizes(sample: str) -> TreeSizes:
    """The sizes of the CART tree that is grown on all rows of a built-in table."""
    data = trees.rows(sample)
    folded = tuple(
        cross_validate_path(data, ex.CART, folds=N_FOLDS, seed=seed, metric="error") for seed in range(SEEDS)
    )
    path = folded[0].path
    return TreeSizes(path, path.curve(data, "error"), folded)
