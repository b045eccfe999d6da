"""Which rows are answered wrongly: a matrix of classes, or the largest errors, and the rows behind them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.answered import Answered, Positions
from explorer.explain import path_words
from pages.parts import judged, matrix, state, trees
from pages.parts.matrix import Cell, Crossed
from pages.parts.state import Settings
from pages.parts.words import answer_text, escape_markdown

SHOWN_ROWS = 1000
_NUMBERS = ("true value", "predicted", "error")
_LINE, _HEIGHT = 35, 352
"""Pixels for one line of the table of rows, and for the whole table at most."""


def crossed(found: ex.Evaluation, answered: Answered) -> Crossed:
    """The confusion matrix as something to pick rows in."""
    return Crossed(
        classes=found.labels,
        counts=found.confusion,
        titles=("true", "answered"),
        cells=found.mistakes,
        words=lambda true, answer: f"{true}, answered {answer}",
        everything=f"All rows answered wrongly ({len(answered.worst):,})",
        tinted="right answers",
    )


def cell_taken(cell: Cell | None) -> None:
    """A cell was picked, or let go."""
    judged.changed(cell=cell, row=None)


def show_rows(settings: Settings, rows: ex.Dataset, answered: Answered, shown: Positions, has_ways: bool) -> None:
    """The rows picked with truth and answer; with `has_ways` a row chosen tells its way down the tree in hand."""
    if not len(shown):
        st.markdown("No row is answered wrongly.")
        return
    kept = shown[:SHOWN_ROWS]
    numbers = rows.row_numbers[kept].tolist()
    row = settings.judging.row if has_ways else None
    chosen = [numbers.index(row)] if row in numbers else []
    key = f"answered.{settings.judging.cell}.{settings.judging.row}"
    with st.container(key="answered"):
        st.dataframe(
            frame(rows, answered, kept),
            key=key,
            column_config=number_columns(),
            height=min(_LINE * (len(kept) + 1) + 2, _HEIGHT),
            hide_index=True,
            placeholder="",
            **_row_choice(key, numbers, chosen) if has_ways else {},
        )
    if len(kept) < len(shown):
        st.caption(f"The first {SHOWN_ROWS:,} of {len(shown):,} rows.")
    if chosen:
        _show_way(settings, rows.take([int(kept[chosen[0]])]))
    elif has_ways:
        st.caption("Choose a row to see its way down the tree.")


def _row_choice(key: str, numbers: list[int], chosen: list[int]) -> dict[str, Any]:
    """What makes the table one to choose a row in."""
    return {
        "on_select": lambda: _row_taken(key, numbers),
        "selection_mode": "single-row",
        "selection_default": {"selection": {"rows": chosen}} if chosen else None,
    }


def frame(rows: ex.Dataset, answered: Answered, shown: Positions) -> pd.DataFrame:
    """Row number, truth and answer, then the features; column names of the table may repeat these."""
    facts: dict[str, object]
    if answered.labels:
        named = np.array([str(name) for name in answered.labels], dtype=object)
        codes = (one[shown].astype(np.intp) for one in (answered.truth, answered.answers))
        facts = dict(zip(("true class", "answered"), (named[one] for one in codes), strict=True))
    else:
        facts = dict(zip(_NUMBERS, (answered.truth, answered.answers, answered.residuals), strict=True))
        facts = {name: np.asarray(values)[shown] for name, values in facts.items()}
    frame = pd.DataFrame({"row": rows.row_numbers[shown] + 1, **facts})
    for feature in rows.features:
        name = feature.name if feature.name not in frame.columns else f"{feature.name} (feature)"
        frame[name] = rows.frame[feature.name].iloc[shown].to_numpy()
    return frame


def number_columns() -> dict[str, Any]:
    """How truth, answer and error of numbers are written."""
    return dict.fromkeys(_NUMBERS, st.column_config.NumberColumn(format="%.4g"))


def _row_taken(key: str, numbers: list[int]) -> None:
    """A row was chosen: note it, and choose the node where it ends, which lights its way on the other pages."""
    picked = st.session_state[key].selection.rows
    row = numbers[picked[0]] if picked and picked[0] < len(numbers) else None
    judged.changed(row=row)
    if row is None:
        return
    settings = state.read()
    rows = judged.rows(settings)
    one = rows.take(np.flatnonzero(rows.row_numbers == row))
    trees.take_node("grow", int(trees.pruned(settings).apply(one)[0]))


def _show_way(settings: Settings, one: ex.Dataset) -> None:
    """A row's way in words, and a link to its node."""
    tree = trees.pruned(settings)
    node = int(tree.apply(one)[0])
    words = " → ".join(escape_markdown(word) for word in path_words(tree, node)) or "the root"
    several = len(tree.ways(one)[0])
    told = f" (the largest of {several} parts: a value is missing)" if several > 1 else ""
    answer = escape_markdown(answer_text(tree.node(node), tree.is_regression))
    st.markdown(f"**The way of row {int(one.row_numbers[0]) + 1:,}**: {words} → **{answer}** (node {node}){told}")
    st.page_link("pages/grow.py", label=f"Open node {node} on the Grow page", icon=":material/account_tree:")


def show_matrix(settings: Settings, found: ex.Evaluation, answered: Answered) -> None:
    """The confusion matrix; a cell picked in it is kept in the settings."""
    table = crossed(found, answered)
    with st.container(width="content", key="confusion"):
        matrix.show(table, table.known(settings.judging.cell), cell_taken)


def pick_rows(settings: Settings, found: ex.Evaluation, answered: Answered) -> Positions:
    """The same choice by words; gives the rows picked."""
    table = crossed(found, answered)
    cell = table.known(settings.judging.cell)
    matrix.pick_cell(table, cell, cell_taken)
    return answered.worst if cell is None else answered.rows(*cell)
