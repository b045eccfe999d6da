"""Rows of a connected table as a Dataset in memory, with the table's own order of classes and categories."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset, FrameRows
from explorer.data.encode import Feature, rank_codes
from explorer.data.notes import Note
from explorer.sources.counting import Layout, RowBlock

Cells = NDArray[np.float64] | NDArray[np.int32]


def dataset_of(
    layout: Layout, block: RowBlock, weight_column: str | None = None, notes: tuple[Note, ...] = ()
) -> Dataset:
    """The rows of a block; `weight_column` names the weights in its frame, `notes` come first among its notes.

    The values of a numeric feature are those of the block; classes and categories are those of the whole table.
    """
    codes = np.empty((len(layout.columns), len(block.y)), dtype=np.int32)
    plain = [column.feature for column in layout.columns]
    features = tuple(map(_encoded, plain, block.columns, codes))
    target, is_numeric = layout.target, layout.target.kind == "numeric"
    y = block.y.astype(np.float64) if is_numeric else block.y.astype(np.int32)
    if is_numeric:
        target = replace(target, values=np.unique(y))
    cells = {feature.name: _cells(feature, column) for feature, column in zip(plain, block.columns, strict=True)}
    cells[target.name] = _cells(layout.target, block.y)
    if weight_column is not None and block.weights is not None:
        cells[weight_column] = block.weights
    return Dataset(
        target=target,
        features=features,
        codes=codes,
        y=y,
        weights=block.weights,
        cells=FrameRows(pd.DataFrame(cells, index=pd.RangeIndex(len(y)))),
        row_numbers=np.arange(len(y)),
        encoded=(features, codes),
        weight_column=weight_column,
        dropped=notes,
    )


def _encoded(feature: Feature, cells: Cells, codes: NDArray[np.int32]) -> Feature:
    """The feature with its values in the block, whose codes are written into `codes`."""
    if feature.kind == "numeric":
        return replace(feature, values=rank_codes(cells.astype(np.float64), codes))
    codes[:] = cells
    return feature


def _cells(feature: Feature, cells: Cells) -> NDArray[Any]:
    """The cells as they would stand in a table: numbers, or categories with None for a missing one."""
    if feature.kind == "numeric":
        return cells
    named = np.empty(feature.n_values + 1, dtype=object)
    named[:-1] = feature.categories
    return np.asarray(named[cells.astype(np.intp)])
