"""Which feature a node's rows are split by without each one of them: a tree is grown anew every time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

import explorer as ex


def winners_without_each_row(
    data: ex.Dataset, recipe: ex.Recipe, rows: Sequence[int], in_ties: str = ""
) -> dict[int, str | None]:
    """The root's feature of a tree on the other rows, by the row that is left out; None where there is no split.

    Ties go to the feature named `in_ties`, else to the first column.
    """
    order = sorted(range(len(data.features)), key=lambda i: data.features[i].name != in_ties)
    data = replace(data, features=tuple(data.features[i] for i in order), codes=data.codes[order])
    winners: dict[int, str | None] = {}
    for row in rows:
        others = np.setdiff1d(rows, [row])
        if not len(others):
            winners[int(row)] = None
            continue
        root = ex.grow(data.take(others), recipe.replace(max_depth=1)).node(0)
        winners[int(row)] = None if root.condition is None else root.condition.feature
    return winners
