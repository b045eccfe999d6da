"""Recipes compared on the same folds, or trees on the same rows, row by row (DEFINITIONS section 11).

Each fold is held out once while every recipe grows a tree on all other rows. Every row then has one loss per recipe,
and two recipes are compared by the differences of these losses: the difficulty that a row has for both cancels. Trees
that are grown already are compared in the same way on rows of your choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.evaluation.cross_validation import positions_in_fold
from explorer.evaluation.folds import folds_for
from explorer.growing.constraints import remembered
from explorer.growing.grow import grow
from explorer.messages import message, plural
from explorer.pruning.cost_complexity.path import Path, cost_complexity_path
from explorer.ranges import unit_of
from explorer.recipe.recipe import Recipe
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairedScores:
    """The loss of every held-out row under every recipe, [recipes, rows]: 1 where it is wrong, or its squared error."""

    recipes: tuple[Recipe, ...]
    losses: Floats = field(repr=False)
    weights: Floats = field(repr=False)
    fold_of_row: NDArray[np.int64] = field(repr=False)

    def loss(self, recipe: int) -> tuple[float, float]:
        """Mean loss of one recipe and its standard error."""
        return mean_and_error(self.losses[recipe], self.weights)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of recipes, by their positions."""
        return list(combinations(range(len(self.recipes)), 2))

    def is_clear(self, first: int, second: int) -> bool:
        """Whether the difference is at least two of its standard errors."""
        mean, error = self.difference(first, second)
        return abs(mean) >= 2.0 * error and mean != 0.0

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """Mean of loss(first) − loss(second) over the rows, and its standard error; below 0 the first is better."""
        return mean_and_error(self.losses[first] - self.losses[second], self.weights)

    def interval(self, first: int, second: int) -> tuple[float, float]:
        """The difference less and plus two of its standard errors: an interval of about 95 %."""
        mean, error = self.difference(first, second)
        return mean - 2.0 * error, mean + 2.0 * error


def paired_scores(
    data: Dataset,
    recipes: Sequence[Recipe],
    folds: int = 10,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    pruned: Sequence[tuple[Path, int]] | None = None,
) -> PairedScores:
    """Grow a tree by every recipe for every fold, and compute the loss of each held-out row under each.

    The folds keep to the groups or the time of `data`, as in `cross_validate_path`. With `pruned`, a recipe's trees are
    pruned to the same α as its tree on all rows, which is the entry (sequence, position), and keep to its constraints.
    `progress(trees done, trees in all)` may raise `Stopped`. Raises InputError for fewer than two recipes, for folds
    that do not suit the rows, or for a recipe that needs validation rows of its own.

    >>> from explorer import C45, CART, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> paired = paired_scores(tennis, [C45, CART], folds=14)
    >>> [round(14 * paired.loss(i)[0]) for i in (0, 1)], round(14 * paired.difference(0, 1)[0])
    ([2, 7], -5)
    """
    if len(recipes) < 2:
        raise InputError(
            plural(
                len(recipes),
                "There is {n} recipe to compare: give at least two.",
                "There are {n} recipes to compare: give at least two.",
            )
        )
    divided = folds_for(data, folds, seed)
    losses = np.empty((len(recipes), data.n_rows))
    total = folds * len(recipes)
    for fold, (is_training, is_held_out) in enumerate(divided.subsets()):
        train, held_out = data.take(is_training), data.take(is_held_out)
        for position, recipe in enumerate(recipes):
            done = fold * len(recipes) + position

            def report(*_: int, done: int = done) -> None:
                if progress is not None:
                    progress(done, total)

            report()
            tree = _tree_of_fold(train, recipe, report, None if pruned is None else pruned[position])
            losses[position, is_held_out] = losses_of(tree, held_out)
            report(done=done + 1)
    rows = divided.held_out
    return PairedScores(tuple(recipes), losses[:, rows], data.weight_of_rows()[rows], divided.of_row[rows])


def _tree_of_fold(train: Dataset, recipe: Recipe, report: Callable[..., None], pruned: tuple[Path, int] | None) -> Tree:
    """The tree of a fold, pruned like an entry of the sequence of the tree on all rows."""
    if pruned is None:
        return grow(train, recipe, progress=report)
    whole, position = pruned
    tree = grow(train, recipe, progress=report, choices=remembered(whole.tree))
    path = cost_complexity_path(tree, whole.risk)
    return path.subtree(position=int(positions_in_fold(whole, path)[position]))


def scores_on(trees: Sequence[Tree], data: Dataset) -> PairedScores:
    """The loss of each row of `data` under each of several grown trees; all rows count as one fold.

    Raises InputError for fewer than two trees, or for rows with another kind of target.

    >>> from explorer import CART, ID3, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> compared = scores_on([grow(tennis, ID3), grow(tennis, CART.replace(max_depth=1))], tennis)
    >>> [round(14 * compared.loss(i)[0]) for i in (0, 1)]
    [0, 5]
    """
    if len(trees) < 2:
        raise InputError(message("A comparison needs at least two trees, not {n}.", n=len(trees)))
    losses = np.array([losses_of(tree, data) for tree in trees])
    fold_of_row = np.zeros(data.n_rows, dtype=np.int64)
    return PairedScores(tuple(tree.recipe for tree in trees), losses, data.weight_of_rows(), fold_of_row)


def losses_of(tree: Tree, data: Dataset) -> Floats:
    """1 for every misclassified row and 0 for others; for a numeric target the squared error."""
    truth, predictions = targets_of(tree, data)[0], tree.predict_encoded(data)
    return np.square(truth - predictions) if tree.is_regression else (truth != predictions).astype(np.float64)


def mean_and_error(values: Floats, weights: Floats) -> tuple[float, float]:
    """Weighted mean m, and √(Σ w·(v − m)²) / W."""
    mean = float(np.average(values, weights=weights))
    unit = unit_of(values)
    return mean, float(np.sqrt(np.sum(weights * np.square((values - mean) / unit))) * unit / weights.sum())
