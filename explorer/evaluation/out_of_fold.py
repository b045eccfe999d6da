"""Every row answered by a tree that was grown and pruned without it (DEFINITIONS section 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.evaluation.cross_validation import fold_numbers, positions_in_fold
from explorer.evaluation.evaluation import (
    Evaluation,
    Judged,
    RowPredictions,
    class_evaluation,
    judged,
    number_evaluation,
    predicted_classes,
)
from explorer.growing.constraints import remembered
from explorer.growing.grow import grow
from explorer.pruning.cost_complexity.path import Path, cost_complexity_path
from explorer.recipe.recipe import Recipe
from explorer.tree.constraints import Choices
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """The scores of all rows together, each answered by its fold's tree; `fold_of_row` [n] names the fold.

    Baselines are the roots of the same trees. There is no AUC: shares that come from different trees rank no rows.
    """

    evaluation: Evaluation
    answered: RowPredictions
    fold_of_row: NDArray[np.int64]


def held_out(
    data: Dataset,
    recipe: Recipe,
    position: int = 0,
    folds: int | ArrayLike = 10,
    seed: int = 0,
    risk: str = "impurity",
    progress: Callable[[int, int], None] | None = None,
    choices: Choices | None = None,
    validation: Dataset | None = None,
) -> OutOfFold:
    """Answer every row by the tree of its fold, pruned as an entry of the sequence of the tree on all rows is.

    `position` is that entry; the other arguments are those of `cross_validate_path`, whose mean at the position is the
    accuracy (or mean squared error) found here.

    >>> from explorer import ID3, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> found = held_out(tennis, ID3, position=-1, folds=np.arange(14))
    >>> found.evaluation.labels, found.evaluation.confusion.tolist()     # of any thirteen days most are Yes
    (('No', 'Yes'), [[0.0, 5.0], [0.0, 9.0]])
    """
    path = cost_complexity_path(grow(data, recipe, validation, choices=choices), risk)
    fold_of_row = fold_numbers(data, folds, seed)
    names, found, kept = np.unique(fold_of_row), _Gathered(path.tree, data), remembered(path.tree)
    for done, name in enumerate(names, 1):
        out = fold_of_row == name
        own = cost_complexity_path(grow(data.take(~out), recipe, validation, choices=kept), risk)
        found.take(_alike(path, own, position), data.take(out), np.flatnonzero(out))
        if progress is not None:
            progress(done, names.size)
    return OutOfFold(found.evaluation(), found.answered(), fold_of_row)


def _alike(path: Path, own: Path, position: int) -> Tree:
    """The fold's tree, pruned as that entry of the whole sequence."""
    return own.subtree(position=int(positions_in_fold(path, own)[position]))


class _Gathered:
    """The answers to all rows, fold after fold, in the terms of the tree on all rows."""

    def __init__(self, tree: Tree, data: Dataset) -> None:
        self.tree = tree
        self.targets, self.weights = targets_of(tree, data)
        self.values, self.means = np.zeros(data.n_rows), np.zeros(data.n_rows)
        self.rows = None if tree.is_regression else _blank(judged(tree, data))

    def take(self, tree: Tree, out: Dataset, places: NDArray[np.intp]) -> None:
        """Note what a fold's tree answers to the rows at these places."""
        if self.rows is None:
            self.values[places], self.means[places] = tree.predict_encoded(out), tree.values[0]
            return
        found, rows = judged(tree, out), self.rows
        codes = np.array([rows.labels.index(name) for name in found.labels], dtype=np.intp)
        rows.prediction[places], rows.majority[places] = codes[found.prediction], codes[found.majority]
        rows.cheapest[places] = codes[found.cheapest]
        rows.shares[np.ix_(places, codes)], rows.alike[np.ix_(places, codes)] = found.shares, found.alike

    def evaluation(self) -> Evaluation:
        """The scores of all rows."""
        if self.rows is None:
            return number_evaluation(self.targets, self.weights, self.values, self.means)
        return class_evaluation(self.rows, self.tree.costs, {})

    def answered(self) -> RowPredictions:
        """All rows with their answers."""
        if self.rows is None:
            return RowPredictions((), self.targets, self.values)
        return predicted_classes(self.rows)


def _blank(rows: Judged) -> Judged:
    """The same rows before anything is answered."""
    nothing = np.zeros(rows.shares.shape)
    none = np.zeros_like(rows.prediction)
    return replace(
        rows,
        prediction=none,
        majority=none.copy(),
        cheapest=none.copy(),
        shares=nothing,
        alike=nothing.copy(),
    )
