"""How workers are to code each column of a table, and what their facts say of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.errors import ColumnError
from explorer.sources.blocks.worker_counts import Partial
from explorer.sources.counting import ColumnLayout, exact_centre
from explorer.sources.encoding.column_codes import CategoryCoder, NumericCoder, infinite_text

Floats = NDArray[np.float64]


def coding(
    name: str,
    cells: pa.Array | None = None,
    numbers: Floats | None = None,
    edges: Floats | None = None,
    kind: str = "f8",
) -> SimpleNamespace:
    """How a column is coded, as an array of a block of this kind.

    Cells stand for themselves, or for `numbers` [cells + 1] by their position in `cells`, the last for missing ones. Of
    numbers with `edges` the fine codes are written as well.
    """
    return SimpleNamespace(name=name, cells=cells, numbers=numbers, edges=edges, type=kind)


def lookup(name: str, coder: CategoryCoder, kind: str = "u2") -> SimpleNamespace:
    """How categories are coded."""
    codes = np.append(coder.code_of_cell, coder.feature.n_values).astype(np.float64)
    return coding(name, coder.cells, codes, kind=kind)


def centre_of(facts: Sequence[Partial]) -> float:
    """The centre of a numeric target, from the facts of all partitions."""
    least, greatest, total, weight = zip(*(of_part[1] for of_part in facts), strict=True)
    return exact_centre(sum(total) / sum(weight), min(least), max(greatest))


def layout_of_categories(coder: CategoryCoder, n_rows: int) -> ColumnLayout:
    """What is known of a categorical column."""
    return ColumnLayout(coder.feature, n_rows - coder.n_known, n_distinct=coder.feature.n_values)


def layout_of_numbers(coder: NumericCoder, facts: Sequence[Partial], name: str) -> ColumnLayout:
    """What is known of a numeric column by the name of its array. Raises ColumnError for an infinite number."""
    edges, starts = coder.coder.edges, coder.coder.bin_starts
    only, is_several = np.full(len(edges) + 1, np.nan), np.zeros(len(edges) + 1, np.bool_)
    of_column = [columns[name] for *_, columns in facts]
    if any(n_infinite for _, n_infinite, *_ in of_column):
        raise ColumnError(infinite_text(coder.name), coder.name)
    for *_, single, several, values in of_column:
        codes = np.flatnonzero(np.unpackbits(single, count=len(only)))
        is_several |= np.unpackbits(several, count=len(only)).astype(np.bool_)
        is_several[codes] |= ~np.isnan(only[codes]) & (only[codes] != values)
        only[codes] = values
    only[is_several] = np.nan
    n_distinct = None if is_several.any() else int(np.count_nonzero(~np.isnan(only)))
    n_missing = sum(n for n, *_ in of_column)
    return ColumnLayout(Feature(coder.name, "numeric"), n_missing, edges, starts, only, n_distinct, coder.is_date)
