"""The rows that growing uses where some have missing cells (DEFINITIONS section 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark


def complete_rows(data: Dataset, recipe: Recipe) -> NDArray[np.intp]:
    """Positions of the rows without a missing cell in a feature that the recipe uses.

    A feature in which every cell is missing offers no split, and no row is left out because of it.
    """
    used = [i for i, f in enumerate(data.features) if f.type != "numeric" or recipe.numeric != "leave_out"]
    missing_codes = np.array([data.features[i].n_values for i in used])[:, None]
    known = data.codes[used] < missing_codes
    return np.flatnonzero(known[known.any(axis=1)].all(axis=0))


def _has_missing(data: Dataset, recipe: Recipe) -> bool:
    return len(complete_rows(data, recipe)) < data.n_rows


MOST_ROWS = 2**30
"""Rows that a tree is grown on at most: with a leaf for each it has twice as many nodes, numbered by 32 bits."""


def check_row_count(data: Dataset) -> None:
    """InputError for a table without rows, or with more than `MOST_ROWS`."""
    if data.n_rows == 0:
        raise InputError(message("The training set has no rows: give at least one."))
    if data.n_rows > MOST_ROWS:
        raise InputError(
            message(
                "The training set has {rows:,} rows, and a tree grows on at most {most:,}: take a sample, or add up "
                "equal rows as weights.",
                rows=data.n_rows,
                most=MOST_ROWS,
            )
        )


def training_rows(data: Dataset, recipe: Recipe) -> tuple[Dataset, tuple[Remark, ...]]:
    """The rows that growing uses, and what was left out: policy "drop" leaves out rows with a missing feature."""
    check_row_count(data)
    if recipe.missing == "own_branch" and recipe.score == "squared_share_weighting" and _has_missing(data, recipe):
        raise InputError(
            message(
                "Score 'squared_share_weighting' compares two branches and missing='own_branch' makes a third: "
                "use 'most_common', 'fractional' or 'surrogate'."
            )
        )
    if recipe.missing != "drop":
        return data, ()
    complete = complete_rows(data, recipe)
    left_out = data.n_rows - len(complete)
    if not len(complete):
        raise InputError(
            message("Every row has a missing cell and policy 'drop' leaves none: use 'most_common' instead.")
        )
    if not left_out:
        return data, ()
    return data.take(complete), (Remark("rows_with_missing_cells", (left_out, data.n_rows)),)
