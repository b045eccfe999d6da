"""Learning curves: the scores of trees grown on more and more rows (DEFINITIONS section 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.evaluation.folds import folds_for
from explorer.evaluation.subset_trees import Rows, with_each_tree
from explorer.formatting import rows
from explorer.growing.constraints import remembered
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.pruning.cost_complexity.path import cost_complexity_path, unpruned
from explorer.ranges import deviation
from explorer.recipe.recipe import Recipe
from explorer.tree.constraints import Choices
from explorer.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """The score of trees grown on more and more rows, on those rows and on held-out ones, one value per size [s].

    `sizes` are numbers of rows, `n_leaves` the mean size of the trees. Each score is the mean over the folds, with its
    standard error (their standard deviation / √folds).
    """

    metric: str
    sizes: NDArray[np.int64]
    n_leaves: NDArray[np.float64] = field(repr=False)
    train: NDArray[np.float64] = field(repr=False)
    train_error: NDArray[np.float64] = field(repr=False)
    valid: NDArray[np.float64] = field(repr=False)
    valid_error: NDArray[np.float64] = field(repr=False)


SHARES = (0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.85, 1.0)
"""Sizes of a learning curve where none are given."""


def learning_curve(
    data: Dataset,
    recipe: Recipe,
    sizes: ArrayLike = SHARES,
    folds: int | ArrayLike = 5,
    seed: int = 0,
    metric: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    choices: Choices | None = None,
) -> LearningCurve:
    """Grow on the first 10 %, 20 %, … of the rows outside each fold, in random order, and score on the fold.

    `sizes` are ascending shares of these rows up to 1, or numbers of rows (whole, at least 2). Trees are not pruned. A
    larger size holds the rows of every smaller one. Groups follow one another whole. `folds`, `seed`, `metric`,
    `choices` and `progress` (trees grown, in all) are those of `cross_validate_path`. Raises InputError for sizes,
    folds or metric that do not suit the rows.

    >>> from explorer import ID3, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> learning_curve(tennis, ID3, sizes=[0.5, 1.0], folds=np.arange(14) % 2).sizes.tolist()
    [4, 7]
    """
    divided = folds_for(data, folds, seed)
    constraints = remembered(grow(data, recipe, choices=choices)) if choices else None
    most = min(int(np.count_nonzero(train)) for train, _ in divided.subsets())
    counts, generator, n_folds = _row_counts(sizes, most), np.random.default_rng(seed), divided.names.size

    def subsets() -> Iterator[tuple[Rows, Rows]]:
        for training, held_out in divided.subsets():
            rest = _in_random_order(data, np.flatnonzero(training), generator)
            for count in counts:
                train = np.zeros(data.n_rows, dtype=np.bool_)
                train[rest[:count]] = True
                yield train, held_out

    def scores(tree: Tree, train: Rows, held_out: Rows) -> tuple[float, float, float]:
        return _measured(tree, data.take(train), data.take(held_out), metric)

    n_trees = n_folds * counts.size
    found = with_each_tree(data, recipe, subsets(), n_trees, scores, progress, choices=constraints)
    by_fold = np.ascontiguousarray(np.array(found).reshape(n_folds, counts.size, 3).transpose(2, 0, 1))
    (leaves, on_train, on_held_out), errors = (
        by_fold.mean(axis=1),
        deviation(by_fold, axis=1) / np.sqrt(n_folds),
    )
    kind = metric or ("mse" if data.is_regression else "accuracy")
    return LearningCurve(kind, counts, leaves, on_train, errors[1], on_held_out, errors[2])


def _in_random_order(data: Dataset, rows: NDArray[np.intp], generator: np.random.Generator) -> NDArray[np.intp]:
    """Rows in random order, group by group where they are in groups."""
    order = generator.permutation(rows)
    if data.n_units == data.n_rows:
        return order
    place = generator.permutation(data.n_units).astype(np.float64)
    return order[np.argsort(data.of_units(place)[order], kind="stable")]


def _measured(tree: Tree, train: Dataset, held_out: Dataset, metric: str | None) -> tuple[float, float, float]:
    """Leaves of a tree, its score on its training set, and on held-out rows."""
    path = cost_complexity_path(tree) if metric == "auc" else unpruned(tree)  # AUC adds up in another order
    return float(path.n_leaves[0]), float(path.curve(train, metric)[0]), float(path.curve(held_out, metric)[0])


def _row_counts(sizes: ArrayLike, most: int) -> NDArray[np.int64]:
    """Sizes as different numbers of rows, ascending."""
    given = np.asarray(sizes)
    if most < 2:
        raise InputError(
            message(
                "A learning curve needs two rows outside the largest fold, but there are {rows}: add rows.",
                rows=rows(most),
            )
        )
    shares = given.dtype.kind == "f"
    low, high = (0.0, 1.0) if shares else (2, most)
    usable = given.ndim == 1 and given.size and given.dtype.kind in "fiu"
    if not usable or not ((given >= low) & (given <= high)).all() or (np.diff(given) <= 0).any():
        raise InputError(
            message(
                "The sizes {sizes:.60} do not make a learning curve: give ascending shares up to 1.0, or whole numbers "
                "of rows from 2 to {most} (the rows outside the largest fold).",
                sizes=repr(sizes),
                most=most,
            )
        )
    counts = np.rint(given * most).astype(np.int64) if shares else given.astype(np.int64)
    return np.unique(np.maximum(counts, 2))
