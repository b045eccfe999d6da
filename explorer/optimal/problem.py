"""What an optimal tree is searched among: rows, their losses, and the tests of every column (section 27)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.class_weights import (
    class_factors,
    cost_matrix,
    importance_of,
    rows_that_count,
    with_growing_weights,
)
from explorer.recipe.columns import EACH_VALUE, SUBSET, THRESHOLD, TrainingColumn, columns_for
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.recipe import Recipe, has_loss_of_its_own

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

MOST_LEVELS = 10
"""Categories up to which all groupings of a column are tried: 511 of 10."""


class Limits(NamedTuple):
    """The smallest leaves and nodes that a recipe allows, in row weight: fields of `GrowParameters`."""

    min_leaf: float = 0.0
    two_branches: bool = False
    release8_minimum: bool = False
    regression: bool = False
    n_stats: int = 0
    min_split: float = 0.0

    @property
    def is_any(self) -> bool:
        """Whether there is a limit."""
        return self.min_leaf > 0.0 or self.min_split > 0.0 or self.release8_minimum


@dataclass(frozen=True, eq=False)
class Problem:
    """The training rows as arrays; N rows, p columns, of which numeric ones stand first.

    `losses` [N, K] is what row i costs in a leaf that predicts class k; for a numeric target [N, 3] its weight, weight
    times target and weight times squared target, measured from the mean.
    """

    data: Dataset
    recipe: Recipe
    columns: tuple[TrainingColumn, ...]
    codes: Ints
    """[p, N]: ranks of numbers; positions of categories among those that training rows have."""
    n_numeric: int
    kinds: Ints
    """[p]: THRESHOLD, EACH_VALUE, ONE_VS_REST or SUBSET."""
    sizes: Ints
    """[p]: how many values a column has."""
    present: tuple[NDArray[np.intp], ...]
    """By column, the codes of the training column behind the codes here."""
    losses: Floats
    is_squared: bool
    weights: Floats
    limits: Limits
    price: float
    """What each leaf adds, in the unit of the losses."""

    @classmethod
    def of(cls, data: Dataset, recipe: Recipe, price_per_leaf: float) -> Problem:
        """The problem that a table and a recipe state, with a price as a share of the weight of all rows.

        InputError for what an exact search does not cover.
        """
        _check(recipe)
        counted, _ = rows_that_count(data, recipe.class_pairs, recipe.cost_pairs)
        used, _ = training_rows(counted, recipe)
        if not (used.weight_of_rows() > 0.0).all():
            used = used.take(used.weight_of_rows() > 0.0)
        growing = with_growing_weights(used, class_factors(used, recipe.class_pairs, recipe.cost_pairs))
        columns = [column for column in columns_for(growing, recipe) if not column.is_empty]
        columns.sort(key=lambda column: column.test != THRESHOLD)
        for column in columns:
            _check_column(column, recipe)
        present = tuple(column.training_codes for column in columns)
        ranks = [np.searchsorted(codes, column.codes) for codes, column in zip(present, columns, strict=True)]
        return cls(
            data=used,
            recipe=recipe,
            columns=tuple(columns),
            codes=np.array(ranks, dtype=np.int32).reshape(len(columns), used.n_rows),
            n_numeric=sum(column.test == THRESHOLD for column in columns),
            kinds=np.array([column.test for column in columns], dtype=np.int32),
            sizes=np.array([len(codes) for codes in present], dtype=np.int32),
            present=present,
            losses=_losses(used, recipe),
            is_squared=used.is_regression,
            weights=used.weight_of_rows().astype(np.float64),
            limits=_limits(recipe, used),
            price=price_per_leaf * float(used.weight_of_rows().sum()),
        )

    @property
    def n_rows(self) -> int:
        """How many rows are learned from."""
        return self.data.n_rows

    @property
    def is_limited(self) -> bool:
        """Whether minimum sizes forbid some tests."""
        return self.limits.is_any

    @property
    def has_many_branches(self) -> bool:
        """Whether a test can have more than two branches."""
        return bool((self.kinds == EACH_VALUE).any())

    @cached_property
    def orders(self) -> Ints:
        """All rows in the order of every numeric column, [numeric columns, N]."""
        return np.argsort(self.codes[: self.n_numeric], axis=1, kind="stable").astype(np.int32)

    @cached_property
    def most_losses(self) -> Floats:
        """The most that each row adds to the loss of any tree, [N]; infinite for squared errors."""
        return np.full(self.n_rows, np.inf) if self.is_squared else self.losses.max(axis=1)

    @cached_property
    def twins(self) -> NDArray[np.intp]:
        """The group of every row, [N]: rows of a group have the same value in every column, so one leaf holds them."""
        groups = np.zeros(self.n_rows, dtype=np.intp)
        for codes, size in zip(self.codes, self.sizes, strict=True):
            groups = np.unique(groups * int(size) + codes, return_inverse=True)[1]
        return groups

    def leaf_loss(self, rows: NDArray[Any]) -> float:
        """The loss of some rows in one leaf, without its price."""
        return float(loss_of(self.losses[rows].sum(axis=0)[None], self.is_squared)[0])

    def twin_loss(self, rows: NDArray[Any]) -> float:
        """The loss of some rows if every group of twins had a leaf of its own: no tree has less."""
        groups = np.unique(self.twins[rows], return_inverse=True)[1]
        sums = np.column_stack([np.bincount(groups, weights=column) for column in self.losses[rows].T])
        return float(loss_of(sums.astype(np.float64), self.is_squared).sum())


def loss_of(sums: Floats, is_squared: bool) -> Floats:
    """The loss [n] of leaves with these sums of `Problem.losses`, [n, K]."""
    if not is_squared:
        return np.asarray(sums.min(axis=1))
    squares = np.divide(sums[:, 1] ** 2, sums[:, 0], out=np.zeros(len(sums)), where=sums[:, 0] > 0.0)
    return np.maximum(sums[:, 2] - squares, 0.0)


def _losses(data: Dataset, recipe: Recipe) -> Floats:
    """What each row adds to the loss of a leaf (section 9: true priors and costs)."""
    weights = data.weight_of_rows().astype(np.float64)
    if data.is_regression:
        y = data.y - np.average(data.y, weights=weights)
        return np.column_stack([weights, weights * y, weights * y * y])
    costs = cost_matrix(recipe.cost_pairs or (), data.classes)
    if recipe.class_pairs is not None:
        weighted = weights * importance_of(recipe.class_pairs, None, data)[data.y]
        weights = weighted * (weights.sum() / weighted.sum())
    return np.asarray(weights[:, None] * costs[data.y])


def _limits(recipe: Recipe, data: Dataset) -> Limits:
    return Limits(
        min_leaf=float(recipe.min_rows_leaf),
        two_branches=recipe.min_rows_in == "two",
        release8_minimum=recipe.release8_numeric_minimum,
        regression=data.is_regression,
        n_stats=len(data.classes),
        min_split=float(recipe.min_rows_split),
    )


def _check(recipe: Recipe) -> None:
    """InputError for settings that are no property of one tree, or whose loss is another."""
    if recipe.monotone:
        fault = message("monotone constraints")
    elif recipe.feature_sets:
        fault = message("interaction constraints")
    elif recipe.max_features is not None or recipe.random_thresholds:
        fault = message("tests that are drawn at random")
    elif recipe.merge_level is not None:
        fault = message("merged values")
    elif has_loss_of_its_own(recipe):
        fault = message("impurity '{impurity}', whose loss is not the squared error", impurity=recipe.impurity)
    else:
        return
    raise InputError(message("The search for an optimal tree does not cover {fault}: leave it out.", fault=fault))


def _check_column(column: TrainingColumn, recipe: Recipe) -> None:
    name, values = column.encoding.name, len(column.training_codes)
    if column.in_training[column.n_values]:
        raise InputError(
            message(
                "Column '{column}' has missing cells, and with missing='{policy}' their branch depends on other rows: "
                "leave such rows out by missing='drop', or use 'own_branch' where all such columns are categories.",
                column=name,
                policy=recipe.missing,
            )
        )
    if column.test == SUBSET and values > MOST_LEVELS:
        raise InputError(
            message(
                "Column '{column}' has {count} categories, and all groupings are tried of up to {most}: use "
                "categorical='one_vs_rest', or merge categories.",
                column=name,
                count=values,
                most=MOST_LEVELS,
            )
        )
