"""Who predicts what: the answers of two trees against each other, the rows behind a cell, and one row's way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.compare import QUANTILES
from explorer.draw import figures
from explorer.explain import path_words
from explorer.export.names import percent, shortened, visible
from pages.parts import cached, compared, page, sides, state, tables
from pages.parts.comparison import JUDGED, SIDES
from pages.parts.controls import feed
from pages.parts.state import Settings
from pages.parts.words import answer_text, escape_markdown, number

_SHOWN_ROWS, _NAMED_CELLS, _STYLED = 1000, 300, 100_000
"""Rows in the table, cells to choose by name, and cells of a matrix that is tinted: at most so many."""
_LINE, _HEIGHT = 35, 282
"""Pixels for one line of the table of rows, and for the whole table at most."""
_NARROW, _SHORT_NAME = 96, 10
"""Pixels for a column of the matrix whose name is longer than so many letters."""
_TINT = "background-color: rgba(120, 110, 230, 0.18)"
_LONGEST = 40
_ALL = "all"


def show(settings: Settings, pair: tuple[str, str]) -> None:
    """The rows judged, how far the pair agrees, and the rows on which it does not."""
    which, rows = compared.judged_rows(settings)
    if cached.parts(settings).valid is not None:
        st.segmented_control(
            "Rows",
            list(JUDGED),
            key=feed("judged", which),
            format_func=lambda one: JUDGED[one],
            required=True,
            on_change=_judged_taken,
        )
    found = compared.agreement(settings, pair)
    first, second = (SIDES[slot] for slot in pair)
    if isinstance(found, ex.Agreement):
        shown = _show_classes(settings, found, (first, second))
    else:
        shown = _show_numbers(found, (first, second))
    if len(shown):
        _show_rows(settings, pair, rows, found, shown)


def _judged_taken() -> None:
    sides.compare_changed(judged=st.session_state["judged"], cell=None, row=None)


def _show_classes(settings: Settings, found: ex.Agreement, letters: tuple[str, str]) -> np.ndarray:
    """The matrix of answers; gives the rows picked in it."""
    first, second = letters
    only_first, only_second, neither = found.right(found.differ)
    n_rows = len(found.truth)
    if len(found.differ) == 0:
        st.markdown(f"{first} and {second} give the same answer to every one of the {n_rows:,} rows.")
    else:
        st.markdown(
            f"The same answer for **{percent(found.share)}**; **{len(found.differ):,}** of {n_rows:,} rows get two: "
            f"there {first} is right {only_first:,} times, {second} {only_second:,} times, neither {neither:,} times."
        )
    cell = _known_cell(settings, found)
    with st.container(width="content", key="matrix"):
        _matrix(found, letters, cell)
    if len(found.differ) == 0 and cell is None:
        return found.differ
    _pick_cell(found, letters, cell)
    return found.differ if cell is None else found.rows(*cell)


def _known_cell(settings: Settings, found: ex.Agreement) -> tuple[int, int] | None:
    """The cell picked, if the table has such classes and rows."""
    cell = settings.compare.cell
    if cell is None or max(cell) >= len(found.classes) or found.counts[cell] == 0:
        return None
    return cell


def _matrix(found: ex.Agreement, letters: tuple[str, str], cell: tuple[int, int] | None) -> None:
    """Rows by the answers of the first (lines) and the second (columns); a cell picked chooses rows."""
    names = _class_names(found)
    columns = [f"{letters[1]}: {name}" for name in names]
    frame = pd.DataFrame(found.counts, columns=columns)
    frame.insert(0, f"{letters[0]} ↓   {letters[1]} →", [f"{letters[0]}: {name}" for name in names])
    looks = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for k, column in enumerate(columns):
        looks.iloc[k, looks.columns.get_loc(column)] = _TINT  # type: ignore[index]
    formats = {column: lambda count: number(count, 2) if count else "·" for column in columns}
    width = _NARROW if max(map(len, names)) > _SHORT_NAME else None
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


def _pick_cell(found: ex.Agreement, letters: tuple[str, str], cell: tuple[int, int] | None) -> None:
    """The same choice by words."""
    cells = found.parted_cells[:_NAMED_CELLS]
    cells = cells if cell is None or cell in cells else [cell, *cells]
    listed = [_ALL, *("-".join(map(str, one)) for one in cells)]
    wording = {_ALL: f"All rows with two answers ({len(found.differ):,})"}
    for text, (i, j) in zip(listed[1:], cells, strict=True):
        own, other = (_class_names(found)[k] for k in (i, j))
        wording[text] = f"{letters[0]} says {own}, {letters[1]} says {other} ({number(found.counts[i, j], 2)})"
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


def _show_numbers(found: ex.Closeness, letters: tuple[str, str]) -> np.ndarray:
    """How far the predictions lie apart; gives the rows with two predictions."""
    first, second = letters
    n_rows = len(found.truth)
    if len(found.differ) == 0:
        st.markdown(f"{first} and {second} predict the same for every one of the {n_rows:,} rows.")
        return found.differ
    st.markdown(
        f"The same prediction for **{percent(found.share)}**; **{len(found.differ):,}** of {n_rows:,} rows get two."
    )
    title = f"prediction of {second} less that of {first}"
    st.plotly_chart(figures.histogram(found.differences, title, page.colours()), key="apart", config=page.STILL)
    names = ["least", *(f"{share:.0%}".replace("%", " %") for share in QUANTILES[1:-1]), "largest"]
    line = pd.DataFrame([dict(zip(names, found.quantiles.tolist(), strict=True))])
    tables.numbers_table(line, [False], key="apart.quantiles")
    return found.differ


def _show_rows(
    settings: Settings, pair: tuple[str, str], rows: ex.Dataset, found: compared.Found, shown: np.ndarray
) -> None:
    """The rows picked, both answers and the truth beside them; a row chosen shows its way in every tree."""
    shown = shown[:_SHOWN_ROWS]
    numbers = rows.row_numbers[shown]
    chosen = np.flatnonzero(numbers == settings.compare.row) if settings.compare.row is not None else shown[:0]
    key = f"differ.{settings.compare.cell}.{settings.compare.pair}.{settings.compare.row}"
    by_number = isinstance(found, ex.Closeness)
    with st.container(key="differ"):
        st.dataframe(
            _row_frame(rows, found, shown, pair),
            key=key,
            column_config=dict.fromkeys(_titles(pair), st.column_config.NumberColumn(format="%.4g"))
            if by_number
            else {},
            height=min(_LINE * (len(shown) + 1) + 2, _HEIGHT),
            hide_index=True,
            on_select=lambda: _row_taken(key, numbers.tolist()),
            selection_mode="single-row",
            selection_default={"selection": {"rows": chosen.tolist()}} if len(chosen) else None,
        )
    if len(shown) == _SHOWN_ROWS:
        st.caption(f"The first {_SHOWN_ROWS:,} rows.")
    if len(chosen):
        _show_ways(settings, rows, int(shown[chosen[0]]))
    else:
        st.caption("Choose a row to see its way down the trees.")


def _row_frame(rows: ex.Dataset, found: compared.Found, shown: np.ndarray, pair: tuple[str, str]) -> pd.DataFrame:
    """Row number, answers and truth, then the features."""
    if isinstance(found, ex.Agreement):
        named = [str(name) for name in found.classes]
        facts = [[named[code] for code in one[shown]] for one in (found.answers_a, found.answers_b, found.truth)]
    else:
        facts = [one[shown].tolist() for one in (found.answers_a, found.answers_b, found.truth)]
    frame = pd.DataFrame({"row": rows.row_numbers[shown] + 1, **dict(zip(_titles(pair), facts, strict=True))})
    for feature in rows.features:
        name = feature.name if feature.name not in frame.columns else f"{feature.name} (feature)"
        frame[name] = rows.frame[feature.name].iloc[shown].to_numpy()
    return frame


def _titles(pair: tuple[str, str]) -> list[str]:
    return [f"{SIDES[pair[0]]} says", f"{SIDES[pair[1]]} says", "truth"]


def _row_taken(key: str, numbers: list[int]) -> None:
    """A row was chosen: note it, and choose the node where it ends in every tree, which lights its way there."""
    picked = st.session_state[key].selection.rows
    row = numbers[picked[0]] if picked and picked[0] < len(numbers) else None
    sides.compare_changed(row=row)
    if row is None:
        return
    settings = state.read()
    _, rows = compared.judged_rows(settings)
    one = rows.take(np.flatnonzero(rows.row_numbers == row))
    sides.choose_nodes({slot: int(cached.grown(settings, slot).tree.apply(one)[0]) for slot in settings.compare.slots})


def _show_ways(settings: Settings, rows: ex.Dataset, position: int) -> None:
    """A row's way in words, tree by tree."""
    one = rows.take([position])
    st.markdown(f"**The way of row {int(one.row_numbers[0]) + 1:,}**, lit in the trees above")
    for slot in settings.compare.slots:
        tree = cached.grown(settings, slot).tree
        node = int(tree.apply(one)[0])
        words = " → ".join(escape_markdown(word) for word in path_words(tree, node)) or "the root"
        several = len(tree.ways(one)[0])
        told = f" (the largest of {several} parts: a value is missing)" if several > 1 else ""
        answer = escape_markdown(answer_text(tree.node(node), tree.is_regression))
        st.markdown(f"{SIDES[slot]}, {tree.recipe.name}: {words} → **{answer}** (node {node}){told}")
