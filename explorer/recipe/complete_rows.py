"""The rows that growing uses where some have missing cells (DEFINITIONS section 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.missing import POLICIES
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark


def complete_rows(data: Dataset, recipe: Recipe) -> NDArray[np.intp]:
    """Positions of the rows without a missing cell in a feature that the recipe uses.

    A feature in which every cell is missing offers no split, and no row is left out because of it.
    """
    used = [i for i, f in enumerate(data.features) if f.kind == "categorical" or recipe.numeric != "leave_out"]
    missing_codes = np.array([data.features[i].n_values for i in used])[:, None]
    known = data.codes[used] < missing_codes
    return np.flatnonzero(known[known.any(axis=1)].all(axis=0))


def _has_missing(data: Dataset, recipe: Recipe) -> bool:
    return len(complete_rows(data, recipe)) < data.n_rows


def need_rows(data: Dataset) -> None:
    """InputError for a table without rows."""
    if data.n_rows == 0:
        raise InputError(message("The training set has no rows: give at least one."))


def training_rows(data: Dataset, recipe: Recipe) -> tuple[Dataset, tuple[Remark, ...]]:
    """The rows that growing uses, and what was left out: policy "drop" leaves out rows with a missing feature."""
    need_rows(data)
    if POLICIES[recipe.missing].needs_classes and data.is_regression:
        raise InputError(
            message(
                "The target '{target}' is numeric and has no classes for missing='{policy}': use 'most_common', "
                "'fractional' or 'surrogate'.",
                target=data.target.name,
                policy=recipe.missing,
            )
        )
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
