"""How many rows a tree predicts right that is grown without them, one row at a time."""

from __future__ import annotations

import numpy as np

import explorer as ex
from pages.results.cache import kept
from pages.results.lessons import trees
from pages.settings.growing_options import RECIPES


@kept()
def right_rows(sample: str, recipe: str, features: tuple[str, ...] | None = None) -> int:
    """The rows of a built-in table that are predicted right when left out."""
    data = trees.rows(sample, features)
    others = [np.delete(np.arange(data.n_rows), row) for row in range(data.n_rows)]
    grown = [ex.grow(data.take(rows), RECIPES[recipe]) for rows in others]
    return sum(str(tree.predict(data.take([row]))[0]) == _class_of(data, row) for row, tree in enumerate(grown))


def _class_of(data: ex.Dataset, row: int) -> str:
    return str(data.classes[int(data.y[row])])
