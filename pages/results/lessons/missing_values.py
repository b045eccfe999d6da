"""How a row without a value is divided over the branches of a split."""

from __future__ import annotations

import pandas as pd

import explorer as ex
from pages.results.cache import kept


@kept()
def parts_of_a_row(known: tuple[int, ...]) -> tuple[float, ...]:
    """The parts in which a row without a value goes down branches with so many known rows each."""
    values = [f"A{branch}" for branch, rows in enumerate(known, 1) for _ in range(rows)]
    frame = pd.DataFrame({"A": [*values, None], "y": [row % 2 for row in range(len(values) + 1)]})
    data = ex.Dataset.from_frame(frame, "y", kinds={"y": "categorical"})
    return ex.missing_row_branches(ex.grow(data, ex.C45.replace(max_depth=1)), data, 0)
