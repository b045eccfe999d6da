"""Rows in a table with their features: one of them chosen, and its decision path in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.data.codes.scale import Dates
from explorer.evaluation.evaluation import Positions
from explorer.explaining import path_words
from explorer.explaining.row_form import free_name
from explorer.messages import message
from pages.text import ALL_DIGITS, escape_markdown, prediction_text
from pages.widgets import tables

SHOWN_ROWS = 1000
"""So many rows a table shows at most."""
HEIGHT = 282
"""Pixels for a table of rows at most."""


def frame_of(
    rows: ex.Dataset, shown: Positions, facts: Mapping[str, object], first: Container[str] = ()
) -> pd.DataFrame:
    """Row number and facts (a value per row shown), then the features, the `first` of them before all others.

    One whose name is taken is marked.
    """
    frame = pd.DataFrame({message("row"): rows.row_numbers[shown] + 1, **facts})
    for feature in sorted(rows.features, key=lambda feature: feature.name not in first):
        taken = feature.name in frame.columns
        marked = message("{name} (feature)", name=feature.name)
        name = free_name(marked, frame.columns) if taken else feature.name
        cells = rows.frame[feature.name].iloc[shown]
        frame[name] = _dates(cells, feature.scale) if isinstance(feature.scale, Dates) else cells.to_numpy()
    return frame


def _dates(cells: pd.Series, scale: Dates) -> Any:
    """Days since a date as dates; what is a date already stays."""
    if cells.dtype.kind not in "iuf":
        return cells.to_numpy()
    return [None if math.isnan(days) else scale.text(days) for days in cells.to_numpy(float).tolist()]


def choose(
    frame: pd.DataFrame,
    key: str,
    row: int | None,
    on_row: Callable[[int | None], None] | None,
    columns: Mapping[str, Any],
) -> int | None:
    """The table with the row of this number chosen; gives its line. `on_row` receives another row, or None."""
    numbers: list[int] = (frame.iloc[:, 0] - 1).tolist()
    chosen = numbers.index(row) if row in numbers else None

    def line_selected(line: int | None) -> None:
        if on_row is not None:
            on_row(None if line is None else numbers[line])

    tables.choosable(frame, key, chosen, line_selected if on_row else None, HEIGHT, columns)
    return chosen


def numbers_of(truth: str, rounded: Iterable[str]) -> dict[str, Any]:
    """How the columns of truth, predictions and errors are written where they are numbers; the truth has all digits."""
    columns = dict.fromkeys(rounded, st.column_config.NumberColumn(format="%.4g"))
    return {**columns, truth: st.column_config.NumberColumn(format=ALL_DIGITS)}


def numbered(rows: ex.Dataset, number: int) -> ex.Dataset:
    """The row of this number alone."""
    return rows.take(np.flatnonzero(rows.row_numbers == number))


def decision_path(tree: ex.Tree, row: ex.Dataset) -> tuple[int, str]:
    """The leaf of a row, and its decision path in words that are safe for Markdown."""
    node = int(tree.apply(row)[0])
    words = " → ".join(escape_markdown(word) for word in path_words(tree, node)) or message("the root")
    predicted = escape_markdown(prediction_text(tree.node(node), tree.is_regression))
    fields = {"path": words, "prediction": predicted, "node": node}
    several = len(tree.routes(row)[0])
    if several > 1:
        return node, message(
            "{path} → **{prediction}** (node {node}) (the largest of {n} parts: a value is missing)",
            n=several,
            **fields,
        )
    return node, message("{path} → **{prediction}** (node {node})", **fields)
