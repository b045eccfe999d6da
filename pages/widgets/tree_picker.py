"""A table of trees in which the reader picks the one to look at, in a row or by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from explorer.messages import message
from pages.settings import session
from pages.settings.settings import changed
from pages.widgets.controls import feed, keep_value
from pages.widgets.tables import heading

_NUMBERS = {"leaves", "training", "validation", "expected cost", "in the book"}
_WIDTHS = {
    "method": 174,
    "tree": 130,
    "leaves": 58,
    "validation": 84,
    "in the book": 84,
    "training": 76,
    "expected cost": 104,
}
"""Pixels: names, leaves and validation fit side by side into an inspector, those of methods into a wide one."""


def pick_row(frame: pd.DataFrame, keys: Sequence[str], shown: str, field: str, names: Mapping[str, str]) -> None:
    """The table with the row of the tree that is shown; a row picked, or a name, goes into a field of the settings.

    `keys` are what the rows stand for, in order; a row unticked gives the first. The table's key has the row shown in
    it: picked by name, another row is selected in a table of its own, and after every untick there is a new one.
    """
    table = f"table.{field}.{shown}.{st.session_state.get(_unticked(field), 0)}"
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            name: st.column_config.Column(
                heading(name), width=_WIDTHS.get(name), alignment="right" if name in _NUMBERS else None
            )
            for name in map(str, frame.columns)
        },
        key=table,
        on_select=lambda: _row_selected(table, keys, field),
        selection_mode="single-row",
        selection_default={"selection": {"rows": [list(keys).index(shown)]}},
    )
    st.selectbox(
        message("Tree shown"),
        list(keys),
        key=feed(f"pick.{field}", shown),
        format_func=lambda name: names[name],
        on_change=keep_value,
        args=(field, f"pick.{field}"),
    )


def _row_selected(table: str, keys: Sequence[str], field: str) -> None:
    rows = st.session_state[table].selection.rows
    if not rows:
        st.session_state[_unticked(field)] = st.session_state.get(_unticked(field), 0) + 1
    row = rows[0] if rows and rows[0] < len(keys) else 0
    session.keep(changed(session.read(), **{field: keys[row]}))


def _unticked(field: str) -> str:
    """Where it is kept how often a row was unticked."""
    return f"table.{field}.unticked"
