"""Out-of-fold predictions: every row predicted by a tree grown and pruned without it (DEFINITIONS section 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.evaluation.cross_validation import positions_in_fold, with_each_fold
from explorer.evaluation.evaluation import (
    EvaluatedRows,
    Evaluation,
    RowPredictions,
    class_evaluation,
    evaluated_rows,
    number_evaluation,
    number_scores,
    predicted_classes,
)
from explorer.evaluation.folds import folds_for
from explorer.evaluation.subset_trees import Rows
from explorer.growing.constraints import remembered
from explorer.growing.grow import grow
from explorer.pruning.cost_complexity.path import Path, cost_complexity_path
from explorer.recipe.recipe import Recipe
from explorer.sources.source import Source
from explorer.tree.constraints import Choices
from explorer.tree.leaf_mixture import Cutoffs, Decision
from explorer.tree.metrics import targets_of
from explorer.tree.smoothing import Smoothing
from explorer.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """The scores of all held-out rows together, each predicted by its fold's tree; `fold_of_row` [n] is the fold.

    `rows` are the positions of the rows predicted: all, but for the first ones in time, which are never held out.
    Baselines are the roots of the same trees. There is no AUC: shares of different trees cannot rank rows.
    """

    evaluation: Evaluation
    predictions: RowPredictions
    fold_of_row: NDArray[np.int64]
    rows: NDArray[np.intp]


def out_of_fold(
    data: Dataset,
    recipe: Recipe,
    position: int = 0,
    folds: int | ArrayLike = 10,
    seed: int = 0,
    risk: str = "impurity",
    progress: Callable[[int, int], None] | None = None,
    choices: Choices | None = None,
    validation: Dataset | Source | None = None,
    smoothing: Smoothing | str | None = None,
    decision: Decision | Cutoffs | None = None,
) -> OutOfFold:
    """Predict every row by the tree of its fold, pruned to the same α as the tree on all rows.

    `position` is that entry of its sequence, `smoothing` the rule for the probabilities, and `decision` from which of
    them on a class is predicted; the other arguments are those of `cross_validate_path`, whose mean at the position is
    the accuracy (or mean squared error) of predictions without such a decision.

    >>> from explorer import ID3, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> evaluation = out_of_fold(tennis, ID3, position=-1, folds=np.arange(14)).evaluation
    >>> evaluation.labels, evaluation.confusion.tolist()     # of any thirteen days most are Yes
    (('No', 'Yes'), [[0.0, 5.0], [0.0, 9.0]])
    """
    path = cost_complexity_path(grow(data, recipe, validation, choices=choices), risk)
    divided = folds_for(data, folds, seed)
    rows = np.flatnonzero(divided.held_out)
    collected, place = _Collected(path.tree, data.take(rows)), np.cumsum(divided.held_out) - 1

    def collect(tree: Tree, _: Rows, held_out: Rows) -> None:
        fold = _pruned_like(path, cost_complexity_path(tree, risk), position)
        if decision is not None and decision.fits(fold.classes):
            fold = replace(fold, decision=decision)
        collected.add(fold.with_smoothing(smoothing), data.take(held_out), place[held_out])

    with_each_fold(data, recipe, divided, collect, progress, validation, remembered(path.tree))
    return OutOfFold(collected.evaluation(), collected.predictions(), divided.of_row, rows)


def _pruned_like(path: Path, fold: Path, position: int) -> Tree:
    """The fold's tree, pruned to that entry of the full sequence."""
    return fold.subtree(position=int(positions_in_fold(path, fold)[position]))


class _Collected:
    """The predictions for all rows, fold by fold, by the class codes of the tree on all rows.

    Threads may add folds at the same time, as no two have a row in common.
    """

    def __init__(self, tree: Tree, data: Dataset) -> None:
        self.tree = tree
        self.targets, self.weights = targets_of(tree, data)
        self.values, self.means = np.zeros(data.n_rows), np.zeros(data.n_rows)
        self.names = number_scores(tree, data, self.targets) if tree.is_regression else ()
        self.rows = None if tree.is_regression else _blank(evaluated_rows(tree, data))

    def add(self, tree: Tree, held_out: Dataset, positions: NDArray[np.intp]) -> None:
        """Record the predictions of a fold's tree for the rows at these positions."""
        if self.rows is None:
            self.values[positions], self.means[positions] = tree.predict_encoded(held_out), tree.values[0]
            return
        fold_rows, rows = evaluated_rows(tree, held_out), self.rows
        codes = np.array([rows.labels.index(name) for name in fold_rows.labels], dtype=np.intp)
        rows.prediction[positions], rows.majority[positions] = codes[fold_rows.prediction], codes[fold_rows.majority]
        rows.least_cost[positions] = codes[fold_rows.least_cost]
        cells = np.ix_(positions, codes)
        rows.shares[cells], rows.base_shares[cells] = fold_rows.shares, fold_rows.base_shares

    def evaluation(self) -> Evaluation:
        """The scores of all rows."""
        if self.rows is None:
            return number_evaluation(
                self.targets, self.weights, self.values, self.means, self.names, self.tree.recipe.quantile
            )
        return class_evaluation(self.rows, self.tree.costs, {})

    def predictions(self) -> RowPredictions:
        """All rows with their predictions."""
        if self.rows is None:
            return RowPredictions((), self.targets, self.values)
        return predicted_classes(self.rows)


def _blank(rows: EvaluatedRows) -> EvaluatedRows:
    """The same rows without predictions."""
    shares = np.zeros(rows.shares.shape)
    codes = np.zeros_like(rows.prediction)
    return replace(
        rows,
        prediction=codes,
        majority=codes.copy(),
        least_cost=codes.copy(),
        shares=shares,
        base_shares=shares.copy(),
    )
