"""The matrix of two trees' answers, in which a reader picks rows by a cell, or by its words."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.names import shortened, visible
from pages.parts import page, sides
from pages.parts.controls import feed
from pages.parts.state import Settings
from pages.parts.words import number

_NAMED_CELLS, _STYLED = 300, 100_000
"""Cells to choose by name, and cells of a matrix that is tinted: at most so many."""
_NARROW, _SHORT_NAME, _FEW = 96, 10, 6
"""Pixels for each of more than a few columns, where a name is longer than so many letters."""
_LONGEST = 40
_ALL = "all"

Cell = tuple[int, int]
"""Class codes of two answers."""


def known_cell(settings: Settings, found: ex.Agreement) -> Cell | None:
    """The cell picked, if the table has such classes and rows."""
    cell = settings.compare.cell
    if cell is None or max(cell) >= len(found.classes) or found.counts[cell] == 0:
        return None
    return cell


def show(found: ex.Agreement, letters: tuple[str, str], cell: Cell | None) -> None:
    """Rows by the answers of the first (lines) and the second (columns); a cell picked chooses rows."""
    names = _class_names(found)
    columns = [f"{letters[1]}: {name}" for name in names]
    frame = pd.DataFrame(found.counts, columns=columns)
    frame.insert(0, f"{letters[0]} ↓   {letters[1]} →", [f"{letters[0]}: {name}" for name in names])
    looks = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for k, column in enumerate(columns):
        looks.iloc[k, looks.columns.get_loc(column)] = page.TINT  # type: ignore[index]
    formats = {column: lambda count: number(count, 2) if count else "·" for column in columns}
    width = _NARROW if len(names) > _FEW and max(map(len, names)) > _SHORT_NAME else None
    right: dict[Any, Any] = {column: st.column_config.Column(alignment="right", width=width) for column in columns}
    begun: Any = None if cell is None else {"selection": {"cells": [(cell[0], columns[cell[1]])]}}
    styled = frame.style.format(formats).apply(lambda _: looks, axis=None)  # type: ignore[arg-type]
    key = f"matrix.{letters[0]}{letters[1]}.{cell}"
    st.dataframe(
        styled if frame.size <= _STYLED else frame,
        key=key,
        hide_index=True,
        width="content",
        column_config=right,
        on_select=lambda: _cell_taken(key, list(frame.columns)),
        selection_mode="single-cell",
        selection_default=begun,
    )
    st.caption("Tinted: the same answer. Choose a cell to see its rows.")


def _class_names(found: ex.Agreement) -> list[str]:
    """The classes, cut where they are long; with their place where two would look the same."""
    names = [shortened(visible(str(name)), _LONGEST) for name in found.classes]
    return [name if names.count(name) == 1 else f"({place}) {name}" for place, name in enumerate(names, 1)]


def _cell_taken(key: str, columns: list[str]) -> None:
    cells = st.session_state[key].selection.cells
    cell = None
    if cells and columns.index(cells[0][1]) > 0:
        cell = (int(cells[0][0]), columns.index(cells[0][1]) - 1)
    sides.compare_changed(cell=cell, row=None)


def pick_cell(found: ex.Agreement, letters: tuple[str, str], cell: Cell | None) -> None:
    """The same choice by words."""
    cells = found.parted_cells[:_NAMED_CELLS]
    cells = cells if cell is None or cell in cells else [cell, *cells]
    listed = [_ALL, *("-".join(map(str, one)) for one in cells)]
    wording = {_ALL: f"All rows with two answers ({len(found.differ):,})"}
    names = _class_names(found)
    for text, (i, j) in zip(listed[1:], cells, strict=True):
        counted = number(found.counts[i, j], 2)
        wording[text] = f"{letters[0]} says {names[i]}, {letters[1]} says {names[j]} ({counted})"
    st.selectbox(
        "Rows shown",
        listed,
        key=feed("cell", _ALL if cell is None else "-".join(map(str, cell))),
        format_func=lambda text: wording[text],
        on_change=_cell_named,
        width=460,
    )


def _cell_named() -> None:
    text = st.session_state["cell"]
    if text == _ALL:
        return sides.compare_changed(cell=None, row=None)
    first, second = map(int, text.split("-"))
    return sides.compare_changed(cell=(first, second), row=None)
