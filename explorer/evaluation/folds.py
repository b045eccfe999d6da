"""Folds: which rows are held out together, and which a tree is grown on meanwhile (DEFINITIONS section 7)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.data.division import NEVER, TIME, Division
from explorer.errors import InputError
from explorer.evaluation.subset_trees import Rows
from explorer.formatting import rows
from explorer.messages import message
from explorer.ranges import checked_seed, is_whole


def folds_of(data: Dataset, folds: int = 10, seed: int = 0) -> NDArray[np.int64]:
    """The fold of every row, 0 to folds − 1, drawn at random with a seed, [rows].

    Groups stay whole, and folds by time follow each other: see `Dataset.with_groups` and `Dataset.with_time`. Rows
    before the first fold by time are in none, −1.
    For classes the folds are stratified. A class with fewer rows than there are folds is missing from some of them; if
    no class has enough, rows are assigned to folds in turn, class after class. Raises InputError for fewer than 2 folds
    or more than rows.
    """
    if data.n_rows < 2:
        raise InputError(
            message("Cross-validation needs two rows, but the table has {rows}: add rows.", rows=rows(data.n_rows))
        )
    if not is_whole(folds, 2, data.n_rows):
        raise InputError(
            message(
                "The number of folds is {folds!r}, but the table has {rows:,} rows: give a whole number from 2 to "
                "{rows}.",
                folds=folds,
                rows=data.n_rows,
            )
        )
    checked_seed(seed)
    if data.division is not None:
        return data.division.folds(None if data.is_regression else np.asarray(data.y), int(folds), int(seed))
    if not data.is_regression and np.bincount(data.y).max() < folds:
        return _assigned_in_turn(np.asarray(data.y), folds, seed)
    from sklearn.model_selection import KFold, StratifiedKFold

    splitter = (KFold if data.is_regression else StratifiedKFold)(folds, shuffle=True, random_state=seed)
    fold_of_row = np.empty(data.n_rows, dtype=np.int64)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        for number, (_, held_out) in enumerate(splitter.split(np.zeros(data.n_rows), data.y)):
            fold_of_row[held_out] = number
    return fold_of_row


def _assigned_in_turn(y: NDArray[np.int32], folds: int, seed: int) -> NDArray[np.int64]:
    shuffled = np.random.default_rng(seed).permutation(y.size)
    by_class = shuffled[np.argsort(y[shuffled], kind="stable")]
    fold_of_row = np.empty(y.size, dtype=np.int64)
    fold_of_row[by_class] = np.arange(y.size) % folds
    return fold_of_row


@dataclass(frozen=True, eq=False)
class Folds:
    """The fold of every row [n]; where they follow each other in a `time`, a tree grows on earlier rows alone.

    Rows of fold −1 (`NEVER`) are never held out.
    """

    of_row: NDArray[np.int64]
    time: Division | None = None

    @cached_property
    def names(self) -> NDArray[np.int64]:
        """The folds that are held out, in order."""
        return np.unique(self.of_row[self.held_out])

    @property
    def held_out(self) -> Rows:
        """The rows that are held out once, [n]."""
        return self.of_row != NEVER

    def subsets(self) -> Iterator[tuple[Rows, Rows]]:
        """Training rows and held-out rows of every fold, as masks [n]."""
        for name in self.names:
            held_out = self.of_row == name
            yield ~held_out if self.time is None else self.time.trained_before(held_out), held_out


def folds_for(data: Dataset, folds: int | ArrayLike, seed: int) -> Folds:
    """The folds, drawn at random or as given: InputError where those given tear a group or do not follow in time.

    >>> import pandas as pd
    >>> data = Dataset.from_frame(pd.DataFrame({"x": [1, 1, 2], "y": [5.0, 6.0, 7.0]}), "y").with_time([3, 1, 2])
    >>> [(train.tolist(), held.tolist()) for train, held in folds_for(data, 2, 0).subsets()]
    [([False, True, False], [False, False, True]), ([False, True, True], [True, False, False])]
    """
    time = data.division if data.division is not None and data.division.kind == TIME else None
    if np.ndim(folds) == 0:
        return Folds(folds_of(data, folds, seed), time)  # type: ignore[arg-type]
    given = _given_folds(data, folds)
    of_row = np.unique(given, return_inverse=True)[1].astype(np.int64)
    if data.division is not None:
        data.division.check_whole(of_row)
    if time is not None:
        return Folds(of_row - 1, time)
    return Folds(given if given.min() >= 0 else of_row)


def one_left_out(data: Dataset) -> NDArray[np.int64]:
    """Fold numbers that leave out one row at a time: one group where there are groups, by time one time after another.

    >>> import pandas as pd
    >>> data = Dataset.from_frame(pd.DataFrame({"x": [1, 1, 2], "y": [5.0, 6.0, 7.0]}), "y")
    >>> one_left_out(data).tolist(), one_left_out(data.with_groups(["a", "b", "a"])).tolist()
    ([0, 1, 2], [0, 1, 0])
    """
    return np.arange(data.n_rows) if data.division is None else data.division.codes


def left_out_text(division: Division) -> str:
    """Who predicts a group, or a time, that is left out as by `one_left_out`."""
    if division.kind == TIME:
        return message("Rolling: the rows of each time are predicted by a tree grown on earlier rows.")
    return message("Leave-one-group-out: the rows of each group are predicted by a tree grown without them.")


def most_folds(data: Dataset) -> int:
    """The largest number of folds: of rows, of groups, or of times after the first."""
    division = data.division
    return data.n_rows if division is None else len(division.counts) - (division.kind == TIME)


def _given_folds(data: Dataset, folds: ArrayLike) -> NDArray[np.int64]:
    """One number per row, of two folds at least."""
    given = np.asarray(folds)
    if given.shape != (data.n_rows,) or given.dtype.kind not in "iu":
        raise InputError(
            message(
                "The folds are {values:,} values of type {type} for {rows:,} rows: give one whole number per row.",
                values=given.size,
                type=given.dtype,
                rows=data.n_rows,
            )
        )
    if np.unique(given).size < 2:
        raise InputError(message("All rows are in one fold, which leaves none to grow on: give at least two folds."))
    return given.astype(np.int64)
