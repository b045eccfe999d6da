"""Rows of a connected table as a Dataset in memory, with the table's own order of classes and categories."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.date_features import with_days_since
from explorer.data.codes.dates import EPOCH
from explorer.data.codes.feature import Feature
from explorer.data.codes.ranks import rank_codes
from explorer.data.dataset import Dataset
from explorer.data.notes import Note
from explorer.data.source_column import FrameRows
from explorer.sources.counting import Layout, RowBlock

_MICROSECONDS = 24 * 60 * 60 * 1e6
"""Of a day."""
Cells = NDArray[np.float64] | NDArray[np.int32]


def dataset_of(
    layout: Layout,
    block: RowBlock,
    weight_column: str | None = None,
    notes: tuple[Note, ...] = (),
    with_dates: bool = False,
) -> Dataset:
    """The rows of a block; `weight_column` names the weights in its frame, `notes` come first among its notes.

    The values of a numeric feature are those of the block; classes and categories are those of the whole table. With
    `with_dates` the frame has dates where the table has, without it days since 1970-01-01.
    """
    codes = np.empty((len(layout.columns), len(block.y)), dtype=np.int32)
    plain = [column.feature for column in layout.columns]
    features = tuple(map(_encoded, plain, block.columns, codes))
    if with_dates:
        features = with_days_since(features, {c.feature.name: EPOCH for c in layout.columns if c.is_date})
    target, is_numeric = layout.target, layout.target.kind == "numeric"
    y = block.y.astype(np.float64) if is_numeric else block.y.astype(np.int32)
    if is_numeric:
        target = replace(target, listed=np.unique(y))
    pairs = zip(layout.columns, block.columns, strict=True)
    cells = {c.feature.name: dates_of(x) if c.is_date and with_dates else _cells(c.feature, x) for c, x in pairs}
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
        return replace(feature, listed=rank_codes(cells.astype(np.float64), codes))
    codes[:] = cells
    return feature


def dates_of(days: NDArray[Any]) -> NDArray[np.datetime64]:
    """Days since 1970-01-01 as dates with a time of day, to the microsecond; NaT where there is none.

    >>> dates_of(np.array([1.5, np.nan])).tolist()
    [datetime.datetime(1970, 1, 2, 12, 0), None]
    """
    dates = np.full(len(days), np.datetime64("NaT", "us"))
    known = ~np.isnan(days)
    dates[known] = np.round(days[known] * _MICROSECONDS).astype(np.int64).view("datetime64[us]")
    return dates


def _cells(feature: Feature, cells: Cells) -> NDArray[Any]:
    """The cells as they would stand in a table: numbers, or categories with None for a missing one."""
    if feature.kind == "numeric":
        return cells
    named = np.empty(feature.n_values + 1, dtype=object)
    named[:-1] = feature.categories
    return np.asarray(named[cells.astype(np.intp)])
