"""A matrix of rows by two of their classes, in which a reader picks rows by a cell, or by its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from explorer.formatting import shortened, visible
from explorer.messages import message
from explorer.recipe.class_weights import Floats
from explorer.values import Value
from pages.text import escape_markdown, number
from pages.widgets import page_frame
from pages.widgets.controls import feed

_NAMED_CELLS, _STYLED = 300, 100_000
"""Cells to choose by name, and cells of a matrix that is tinted: at most so many."""
_NARROW, _LINES, _SHORT_NAME = 84, 144, 10
"""Pixels for a column and for the names of lines, where a name is longer than so many letters."""
_LONGEST = 40
_ALL = "all"

Cell = tuple[int, int]
"""Class codes of a line and a column."""
Take = Callable[[Cell | None], None]
"""Receives the cell selected, None for all."""


@dataclass(frozen=True, eq=False)
class CellMatrix:
    """Row weight `counts` [K, K] by line and column; `titles` stand before the names of lines and of columns.

    `cells` are those off the diagonal that have rows, the most frequent first, `words` names one of them by those
    of its line and column, `everything` all rows in these cells; `tinted` says what the diagonal is.
    """

    classes: tuple[Value, ...]
    counts: Floats
    titles: tuple[str, str]
    cells: list[Cell]
    words: Callable[[str, str], str]
    everything: str
    tinted: str

    def known(self, cell: Cell | None) -> Cell | None:
        """The cell, if there are such classes and rows."""
        if cell is None or max(cell) >= len(self.classes) or self.counts[cell] == 0:
            return None
        return cell

    @property
    def names(self) -> list[str]:
        """The classes, cut where they are long; with their position where two would look the same."""
        return self._names(_LONGEST)

    @property
    def headers(self) -> list[str]:
        """The classes as short headers of columns."""
        return self._names(_SHORT_NAME)

    def _names(self, longest: int) -> list[str]:
        names = [shortened(visible(str(name)), longest) for name in self.classes]
        return [name if names.count(name) == 1 else f"({position}) {name}" for position, name in enumerate(names, 1)]


def show(matrix: CellMatrix, cell: Cell | None, take: Take) -> None:
    """The matrix; a cell selected chooses rows."""
    names, (line, across) = matrix.names, matrix.titles
    corner = f"{line} ↓   {across} →"
    columns = names if corner not in names else [message("{name}: {value}", name=across, value=name) for name in names]
    frame = pd.DataFrame(matrix.counts, columns=columns)
    frame.insert(0, corner, names)
    looks = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for k, column in enumerate(columns):
        looks.iloc[k, looks.columns.get_loc(column)] = page_frame.TINT  # type: ignore[index]
    formats = {column: lambda count: number(count, 2) if count else "·" for column in columns}
    selection: Any = None if cell is None else {"selection": {"cells": [(cell[0], columns[cell[1]])]}}
    styled = frame.style.format(formats).apply(lambda _: looks, axis=None)  # type: ignore[arg-type]
    key = f"matrix.{line}{across}.{cell}"
    st.dataframe(
        styled if frame.size <= _STYLED else frame,
        key=key,
        hide_index=True,
        width="content",
        column_config=_looks(matrix, corner, columns),
        on_select=lambda: take(_cell_of(key, list(frame.columns))),
        selection_mode="single-cell",
        selection_default=selection,
    )
    st.caption(message("Tinted: {diagonal}. Choose a cell to see its rows.", diagonal=matrix.tinted))


def _looks(matrix: CellMatrix, corner: str, columns: list[str]) -> dict[str, Any]:
    """Short headers with the whole name as their help; long names get the same narrow columns."""
    is_narrow = max(map(len, matrix.names), default=0) > _SHORT_NAME
    looks: dict[str, Any] = {corner: st.column_config.Column(width=_LINES if is_narrow else None)}
    for column, name, header in zip(columns, matrix.names, matrix.headers, strict=True):
        looks[column] = st.column_config.Column(
            header, width=_NARROW if is_narrow else None, help=escape_markdown(name), alignment="right"
        )
    return looks


def _cell_of(key: str, columns: list[str]) -> Cell | None:
    """The cell selected in the table."""
    cells = st.session_state[key].selection.cells
    if not cells or columns.index(cells[0][1]) == 0:
        return None
    return int(cells[0][0]), columns.index(cells[0][1]) - 1


def pick_cell(matrix: CellMatrix, cell: Cell | None, take: Take) -> None:
    """The same choice by words."""
    cells = matrix.cells[:_NAMED_CELLS]
    cells = cells if cell is None or cell in cells else [cell, *cells]
    cell_by_text = {"-".join(map(str, listed_cell)): listed_cell for listed_cell in cells}
    wording, names = {_ALL: matrix.everything}, matrix.names
    for text, (i, j) in cell_by_text.items():
        counted = number(matrix.counts[i, j], 2)
        wording[text] = message("{cell} ({n})", cell=matrix.words(names[i], names[j]), n=counted)
    st.selectbox(
        message("Rows shown"),
        list(wording),
        key=feed("cell", _ALL if cell is None else "-".join(map(str, cell))),
        format_func=lambda text: wording[text],
        on_change=lambda: take(cell_by_text.get(st.session_state["cell"])),
    )
