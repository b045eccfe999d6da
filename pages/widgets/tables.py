"""Tables of numbers, tables whose rows can be selected, and tables as CSV files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

import explorer as ex
from explorer.drawing.figures.number_table import number_table
from explorer.drawing.svg.text_width import fitted, fitted_lines
from explorer.messages import message
from pages.settings import session
from pages.settings.labels import Names
from pages.text import MOST_LETTERS, number, readable
from pages.widgets import page_frame

HEADINGS = Names(
    lambda: {
        "feature": message("feature"),
        "split": message("split"),
        "verdict": message("verdict"),
        "best below": message("best below"),
        "greedy below": message("greedy"),
        "training rows": message("training rows"),
        "held-out rows": message("held-out rows"),
        "branch": message("branch"),
        "branches": message("branches"),
        "rows": message("rows"),
        "mean": message("mean"),
        "quantile": message("quantile"),
        "gain": message("gain"),
        "gain ratio": message("gain ratio"),
        "Gini decrease": message("Gini decrease"),
        "error decrease": message("error decrease"),
        "variance decrease": message("variance decrease"),
        "Poisson deviance decrease": message("Poisson deviance decrease"),
        "absolute error decrease": message("absolute error decrease"),
        "quantile loss decrease": message("quantile loss decrease"),
        "split information": message("split information"),
        "score": message("score"),
        "cost": message("cost"),
        "ways of cutting": message("ways of cutting"),
        "adjusted p": message("adjusted p"),
        "LogWorth": message("LogWorth"),
        "share of known rows": message("share of known rows"),
        "surrogate split": message("surrogate split"),
        "agreement": message("agreement"),
        "adjusted agreement": message("adjusted agreement"),
        "class": message("class"),
        "weight": message("weight"),
        "method": message("method"),
        "tree": message("tree"),
        "leaves": message("leaves"),
        "depth": message("depth"),
        "training": message("training"),
        "validation": message("validation"),
        "expected cost": message("expected cost"),
        "in the book": message("in the book"),
        "node": message("node"),
        "here": message("here"),
        "elsewhere": message("elsewhere"),
        "effect": message("effect"),
        "before": message("before"),
        "now": message("now"),
        "part": message("part"),
        "missing together": message("missing together"),
        "missing": message("missing"),
        "predicted": message("predicted"),
        "splits": message("splits"),
    }
)


def heading(name: object) -> str:
    """What a column is headed by."""
    return HEADINGS.get(str(name), str(name))


def with_headings(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with its headings, for a file."""
    return frame.rename(columns=heading)


_SHOWN_ROWS = 1000
_STYLED, _MOST_PRESENTED = 100_000, 60
_BAR = 106
"""Pixels for a column with bars."""
_BESIDE, _LETTERS, _WRAPPED = 8, 11.9, 12.6
"""Pixels before the text of a cell, and the sizes at which a name and a text of many signs are as wide as a cell's."""
_LINE = 35
"""Pixels for one line of a table."""
_DECIMALS, _NO_SIZE = 3, 1e-12
"""Decimals of a column of bars, and a number that is 0 but for rounding."""
_LEAST_WRAPPED, _TEXT_LINE, _AROUND = 66, 20, 8
"""Pixels of a row so high that Streamlit wraps its texts, of a line in it, and around all lines."""


def numbers_table(
    frame: pd.DataFrame,
    tinted: list[bool],
    key: str,
    styles: Mapping[int, str] = MappingProxyType({}),
    bar: str = "",
    on_row: Callable[[], None] | None = None,
    widths: Mapping[str, int] = MappingProxyType({}),
    right: Sequence[str] = (),
    order: Sequence[str] | None = None,
    lines: int = 1,
    wraps: bool = False,
    by_cell: bool = False,
) -> None:
    """A table with few digits, rows tinted or styled, one column with bars; `on_row` is called when a row is selected.

    With `by_cell` a click on any cell selects its row.
    `widths` are pixels of columns that would else be as wide as their texts; texts in the columns `right` are amounts.
    Columns are shown in this `order`, others not at all. Texts wrap in rows of so many `lines`.
    In presenter mode a small table is HTML, as one that `wraps` always is, and no row of it can be selected.
    """
    numbers = [str(name) for name in frame.columns if pd.api.types.is_numeric_dtype(frame[name])]
    frame = _with_readable_texts(frame)
    formats: dict[Any, str | Callable[[object], str] | None] = {name: _cell for name in numbers if name != bar}
    formats |= {
        name: partial(_fitted, width, lines) for name, width in widths.items() if name not in (*numbers, *right)
    }
    looks = np.full(frame.shape, "", dtype=object)
    looks[tinted] = page_frame.TINT
    for row, style in styles.items():
        looks[row] = style
    if wraps or (session.read().view.presenter and len(frame) <= _MOST_PRESENTED):
        with st.container(key=key):
            st.html(_as_html(frame, looks, bar, right))
        return
    shown = frame.style.format(formats, na_rep="–").apply(lambda _: looks, axis=None) if frame.size < _STYLED else frame
    columns: dict[str, Any] = {
        str(name): st.column_config.Column(
            heading(name), width=widths.get(str(name)), alignment="right" if name in right else None
        )
        for name in frame.columns
    }
    if bar:
        columns[bar] = _bars(heading(bar), frame[bar], widths.get(bar, _BAR))
    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        column_config=columns,
        column_order=order,
        row_height=None if lines == 1 else max(_LEAST_WRAPPED, lines * _TEXT_LINE + _AROUND),
        placeholder="",
        on_select=on_row or "ignore",
        selection_mode="single-cell" if by_cell else "single-row",
    )


def _as_html(frame: pd.DataFrame, looks: NDArray[np.object_], bar: str, right: Sequence[str]) -> str:
    """The table in the letters of the page."""
    cells = [["–" if pd.isna(cell) else _cell(cell) for cell in row] for row in frame.itertuples(index=False)]
    headings = [heading(name) for name in frame.columns]
    faded = [str(row[0]).replace(page_frame.GREY, page_frame.FADED) for row in looks]
    return number_table(frame, headings, cells, faded, bar, right)


def choosable(
    frame: pd.DataFrame,
    key: str,
    chosen: int | None,
    on_line: Callable[[int | None], None] | None,
    most: int,
    columns: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """A table, at most so many pixels high, of which one line is `chosen`; `on_line` receives the position of another.

    What is chosen has to be part of the key, since a table once shown keeps its own choice.
    """
    select: Any = "ignore" if on_line is None else lambda: on_line(_line_chosen(key, len(frame)))
    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        height=min(_LINE * (len(frame) + 1) + 2, most),
        placeholder="",
        column_config=dict(columns),
        on_select=select,
        selection_mode="single-row",
        selection_default=None if chosen is None else {"selection": {"rows": [chosen]}},
    )


def _line_chosen(key: str, n_lines: int) -> int | None:
    lines = st.session_state[key].selection.rows
    return lines[0] if lines and lines[0] < n_lines else None


def _bars(label: str, values: pd.Series, width: int) -> Any:
    """A column with a bar behind every number, as long as the number is large."""
    most = float(values.max())
    return st.column_config.ProgressColumn(
        label,
        width=width,
        format=f"%.{decimals(values)}f",
        min_value=0.0,
        max_value=most if most > 0 else 1.0,
        color="primary",
    )


def decimals(values: pd.Series) -> int:
    """How many decimals all numbers of a column have: three, or as many as show three digits of a smaller one.

    Of numbers much smaller than the largest it is one digit or none.

    >>> decimals(pd.Series([0.247, 0.152, 0.0481, 0.02])), decimals(pd.Series([0.5, 0.333]))
    (4, 3)
    >>> decimals(pd.Series([3e-5])), decimals(pd.Series([0.5, 1e-9, 0.0]))
    (7, 4)
    """
    sizes = [size for size in values.abs().tolist() if size > _NO_SIZE]
    if not sizes:
        return _DECIMALS
    least, most = (_DECIMALS - 1 - math.floor(math.log10(size)) for size in (min(sizes), max(sizes)))
    return max(min(least, most + 1), _DECIMALS)


def _with_readable_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with its longest texts cut as `readable` does it."""
    cut = {
        str(name): column.map(readable, na_action="ignore")
        for name, column in frame.items()
        if not pd.api.types.is_numeric_dtype(column) and any(map(_is_long, column.tolist()))
    }
    return frame.assign(**cut) if cut else frame


def _is_long(cell: object) -> bool:
    return isinstance(cell, str) and len(cell) > MOST_LETTERS


def _fitted(width: int, lines: int, cell: object) -> str:
    """As much of a text as a column of so many pixels shows; the cell has the whole."""
    if lines == 1:
        return fitted(str(cell), width - _BESIDE, _LETTERS)
    return fitted_lines(str(cell), width - 2 * _BESIDE, _WRAPPED, lines)


def _cell(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def rows_at(tree: ex.Tree, data: ex.Dataset, node: int, chosen: NDArray[np.intp] | None = None) -> None:
    """The rows that pass a node, or those at `chosen` positions, as in the file, with their numbers there, from 1."""
    positions = tree.rows_at(data, node) if chosen is None else chosen
    shown = positions[:_SHOWN_ROWS]
    frame = data.frame.iloc[shown].set_axis(data.row_numbers[shown] + 1).rename_axis(message("row"))
    st.dataframe(frame, key="rows", hide_index=False, placeholder="")
    st.caption(message("Row 1 is the line below the names of the columns."))
    if len(positions) > _SHOWN_ROWS:
        st.caption(message("The first {shown:,} of {n:,} rows.", shown=_SHOWN_ROWS, n=len(positions)))
