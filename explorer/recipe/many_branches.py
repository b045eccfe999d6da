"""Columns with a branch for each of many values: how often a row may be copied into them, and what helps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from explorer.data.dataset import Dataset
from explorer.errors import TreeTooLargeError
from explorer.messages import message
from explorer.recipe.columns import EACH_VALUE, TrainingColumn, columns_for
from explorer.recipe.recipe import Recipe


class Branches(NamedTuple):
    """A column's name, the branches that its test has, and the share of rows without a value."""

    column: str
    n: int
    missing: float

    @property
    def copies(self) -> float:
        """How many rows a row becomes, on average, where rows without a value go down every branch."""
        return 1 + self.missing * (self.n - 1)


def branches_of(columns: Sequence[TrainingColumn]) -> list[Branches]:
    """The columns with a branch for each value, the one that makes most of a row first."""
    listed = [
        Branches(column.encoding.name, column.n_values, float((column.codes >= column.missing_code).mean()))
        for column in columns
        if column.test == EACH_VALUE and column.codes.size
    ]
    return sorted(listed, key=lambda branches: (-branches.copies, -branches.n))


def possible_cells(data: Dataset, recipe: Recipe) -> float:
    """What a level of the tree may hold: rows × features × possible copies of a row, and a node for every branch.

    The tests of a path make copies of copies, one column each. InputError where recipe and data do not go together.

    >>> from explorer import C45, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> possible_cells(data, C45)  # 14 rows of 4 features, and 3 branches for each row
    98.0
    """
    branches, deepest = branches_of(columns_for(data, recipe)), len(data.features)
    if recipe.max_depth is not None:
        deepest = min(deepest, recipe.max_depth)
    copies = math.prod(each.copies for each in branches[:deepest]) if recipe.missing == "fractional" else 1.0
    return data.n_rows * (len(data.features) * copies + max((each.n for each in branches), default=0))


@contextmanager
def column_named(columns: Sequence[TrainingColumn], recipe: Recipe) -> Iterator[None]:
    """Where a tree becomes too large within the block, say which column makes it so and what helps."""
    try:
        yield
    except TreeTooLargeError as error:
        most = error.most
        is_copied = recipe.missing == "fractional"
        worst = max(branches_of(columns), key=lambda branches: (branches.copies if is_copied else 1.0, branches.n))
        is_copied &= worst.missing > 0
        raise TreeTooLargeError(most, worst.column, partial(_words, most, worst, is_copied)) from error


def _words(most: int, worst: Branches, is_copied: bool) -> str:
    fields = {"most": most, "column": worst.column, "n": worst.n}
    if is_copied:
        return message(
            "The tree would have more than {most:,} nodes. Column '{column}' has a branch for each of {n:,} values, "
            "and a row with a missing cell goes down all of them. Leave the column out, treat missing cells another "
            "way, or limit the depth.",
            **fields,
        )
    return message(
        "The tree would have more than {most:,} nodes. Column '{column}' has a branch for each of {n:,} values. Leave "
        "the column out, split categories in two groups, or limit the depth.",
        **fields,
    )
