"""The training rows that a tree is grown on: its recipe may leave out those with a missing cell."""

from __future__ import annotations

from typing import overload

import explorer as ex
from explorer.growing.from_counts.training_table import training_part
from explorer.recipe.complete_rows import training_rows
from explorer.sources.source import Source


@overload
def grown_on(train: ex.Dataset, recipe: ex.Recipe) -> ex.Dataset: ...
@overload
def grown_on(train: ex.Dataset | Source, recipe: ex.Recipe) -> ex.Dataset | Source: ...
def grown_on(train: ex.Dataset | Source, recipe: ex.Recipe) -> ex.Dataset | Source:
    """The rows of a training set that a tree of the recipe is grown on."""
    if recipe.missing != "drop":
        return train
    return training_rows(train, recipe)[0] if isinstance(train, ex.Dataset) else training_part(train, recipe)


def n_left_out(tree: ex.Tree) -> int:
    """How many training rows with a missing cell a tree was not grown on."""
    return sum(remark.values[0] for remark in tree.remarks if remark.code == "rows_with_missing_cells")
