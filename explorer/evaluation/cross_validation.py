"""Cross-validation of a pruning sequence: the score of each subtree on held-out rows (DEFINITIONS section 7).

Breiman, Friedman, Olshen and Stone (1984), section 3.4. The trees of two folds have no nodes in common, so subtrees are
matched by α: entry k of the sequence stands for all α from α_k to α_{k+1}, and each fold's own sequence is evaluated at
the geometric midpoint √(α_k·α_{k+1}) of that interval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.data.division import NEVER
from explorer.errors import InputError
from explorer.evaluation.folds import Folds, folds_for
from explorer.evaluation.subset_trees import Rows, with_each_tree
from explorer.growing.constraints import remembered
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.pruning.cost_complexity.choose_size import one_se_position
from explorer.pruning.cost_complexity.path import Path, cost_complexity_path
from explorer.pruning.cost_complexity.path_scores import SQUARES, SUMMANDS, added_up, oriented
from explorer.ranges import unit_of
from explorer.recipe.recipe import Recipe
from explorer.sources.source import Source
from explorer.tree.constraints import Choices
from explorer.tree.metrics import METRICS, checked_metric, targets_of
from explorer.tree.routing import routes_of
from explorer.tree.tree import Tree

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """The score of every subtree of `path` on held-out rows, with its standard error, one value per position.

    `path` belongs to the tree on all rows. `mean` is in the metric's own sense (accuracy: share of right rows). `best`
    is the position of the best mean (ties: the simpler tree), `one_se` that of the fewest leaves within one standard
    error of it. `fold_of_row` [rows] is the fold that each row was held out in, −1 if it never was.
    """

    path: Path
    metric: str
    mean: NDArray[np.float64] = field(repr=False)
    standard_error: NDArray[np.float64] = field(repr=False)
    best: int
    one_se: int
    fold_of_row: NDArray[np.int64] = field(repr=False)

    @property
    def alphas(self) -> NDArray[np.float64]:
        """Where each subtree begins."""
        return self.path.alphas

    @property
    def n_leaves(self) -> NDArray[np.int64]:
        """The leaves of each subtree."""
        return self.path.n_leaves

    @property
    def n_folds(self) -> int:
        """How many folds there were."""
        return int(np.unique(self.fold_of_row[self.fold_of_row != NEVER]).size)


def cross_validate_path(
    data: Dataset,
    recipe: Recipe,
    folds: int | ArrayLike = 10,
    seed: int = 0,
    risk: str = "impurity",
    metric: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    choices: Choices | None = None,
    validation: Dataset | Source | None = None,
) -> CrossValidation:
    """Score every entry of the pruning sequence on rows that its trees were not grown on.

    `folds` is their number, or a fold number per row; `np.arange(data.n_rows)` leaves out one row at a time. Every
    fold grows its own tree on all other rows (with a time: all earlier ones), bins and imputed categories included.
    Groups are held out whole. `metric` as in `Path.curve`.
    `progress(folds done, folds in all)` is called after every fold and may raise `Stopped`. Constraints (`choices`)
    hold in every fold whose tree has the same tests above; a person chose them knowing all rows, so the scores are
    optimistic. `validation` are rows beside `data` for a recipe with `prepruning`: they decide on the splits of every
    tree, and none is held out.

    Mean and standard error are over all held-out rows, weighted (SE = √(Σw(l − m)²)/W for losses l, rpart's xstd); for
    AUC, which no row has by itself, over the folds (their standard deviation / √folds). A row of a class that is not in
    the fold's training set counts as wrong. Raises InputError for folds, risk or metric that do not suit the rows.

    >>> from explorer import CART, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> folded = cross_validate_path(tennis, CART, folds=np.arange(14))
    >>> folded.n_leaves.tolist(), (14 * folded.mean).round(9).tolist()
    ([7, 3, 1], [7.0, 8.0, 9.0])
    """
    divided = folds_for(data, folds, seed)
    n_folds = divided.names.size

    def report(*_: int) -> None:
        """Before the first fold, too, whoever waits may stop the work."""
        if progress is not None:
            progress(0, n_folds)

    report()
    path = cost_complexity_path(grow(data, recipe, validation, report, choices=choices), risk)
    report()
    metric, constraints = checked_metric(path.tree, metric), remembered(path.tree)
    if metric == "auc":
        _check_classes(data, divided)

    unit = unit_of(np.asarray(data.y, np.float64)) if data.is_regression else 1.0

    def sums_of(tree: Tree, _: Rows, held_out: Rows) -> NDArray[np.float64]:
        return _held_out_sums(path, cost_complexity_path(tree, risk), data.take(held_out), metric, unit)

    sums = with_each_fold(data, recipe, divided, sums_of, progress, validation, constraints)
    mean, error = (
        _over_folds(sums)
        if metric == "auc"
        else _over_rows(sums, data.weight_of_rows()[divided.held_out], metric, unit)
    )
    best = path.best(mean, metric)
    one_se = one_se_position(path.n_leaves, mean, error, METRICS[metric] == "largest")
    return CrossValidation(path, metric, mean, error, best, one_se, divided.of_row)


def with_each_fold(
    data: Dataset,
    recipe: Recipe,
    folds: Folds,
    use: Callable[[Tree, Rows, Rows], Result],
    progress: Callable[[int, int], None] | None,
    validation: Dataset | Source | None,
    choices: Choices | None,
) -> list[Result]:
    """`use(tree, training rows, held-out rows)` for every fold, as `with_each_tree`."""
    return with_each_tree(data, recipe, folds.subsets(), folds.names.size, use, progress, validation, choices)


def _check_classes(data: Dataset, folds: Folds) -> None:
    """AUC needs two classes in every fold."""
    for name in folds.names:
        if np.unique(data.y[folds.of_row == name]).size < 2:
            raise InputError(
                message(
                    "AUC compares rows of different classes, but fold {fold} has one class only: use fewer folds or "
                    "another metric.",
                    fold=name,
                )
            )


def _held_out_sums(path: Path, fold: Path, held_out: Dataset, metric: str, unit: float) -> NDArray[np.float64]:
    """AUC of the held-out rows, [1, positions]; else sums of their terms of the metric and of the squares, [2, …].

    `fold` is the sequence of the fold's tree. Numbers are measured in `unit`, so that their fourth powers are finite.
    """
    positions = positions_in_fold(path, fold)
    if metric == "auc":
        return fold.curve(held_out, metric)[None, positions]
    targets, weights = targets_of(fold.tree, held_out)
    routes = routes_of(fold.tree, held_out)
    if unit != 1.0:
        fold, targets = replace(fold, tree=fold.tree.with_predictions(fold.tree.values / unit)), targets / unit
    terms = SUMMANDS[metric], SQUARES[metric]
    return np.stack([added_up(fold, routes, targets, weights, term)[positions] for term in terms])


def positions_in_fold(path: Path, fold: Path) -> NDArray[np.intp]:
    """The position in a fold's sequence for every entry of the full one: at √(α_k·α_{k+1}), the full tree at 0.

    The last entry is at ∞, the root alone. An α of "unnormalised" risk is a sum over rows and scales with their weight.
    """
    alphas = path.midpoints
    if path.risk == "unnormalised":
        alphas = alphas * (fold.tree.weight[0] / path.tree.weight[0])
    positions = fold.positions(alphas)
    positions[0] = 0
    return positions


def _over_folds(areas: list[NDArray[np.float64]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean over the folds, and its standard error."""
    values = np.concatenate(areas)
    return values.mean(axis=0), values.std(axis=0) / np.sqrt(len(areas))


def _over_rows(
    sums: list[NDArray[np.float64]], weights: NDArray[np.float64], metric: str, unit: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weighted mean over all held-out rows, which have these weights, and its standard error."""
    total = weights.sum()
    mean, mean_of_squares = np.sum(sums, axis=0) / total
    variance = np.maximum(mean_of_squares - mean**2, 0.0)
    return oriented(mean, metric) * unit**2, np.sqrt(variance / total) * unit**2
