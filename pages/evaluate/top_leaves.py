"""The rules of the leaves richest in a class, as text to take along, and what to do with their rows."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.explaining.rules.filter import rules_of_nodes
from explorer.formatting import percent, visible
from explorer.messages import message
from pages.results import rules
from pages.settings.settings import Settings
from pages.widgets import controls

_COUNT = "gains.top"
_MOST = 100


def show(settings: Settings, tree: ex.Tree, table: pd.DataFrame) -> None:
    """How many of the leaves in the table of gains, and their rules in its order."""
    most = min(len(table), _MOST)
    if st.session_state.get(_COUNT, 0) > most:
        st.session_state[_COUNT] = most
    n = int(st.number_input(message("Rules of the first … leaves"), 0, most, key=_COUNT))
    if not n:
        return
    first = table.head(n)
    st.caption(_together(first.iloc[-1], tree.is_regression))
    listed = rules_of_nodes(rules.own(settings), first["leaf"])
    text = "\n".join(visible(rule.text) for rule in listed)
    st.code(text, language=None, wrap_lines=True)
    st.download_button(
        message("Rules as text"),
        text,
        file_name="top-rules.txt",
        key="gains.rules",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )
    controls.leaf_action(tree, first["leaf"].astype(int).tolist(), "top")


def _together(last: pd.Series, is_regression: bool) -> str:
    """What these leaves hold of all rows, and of the class."""
    rows = percent(float(last["cumulative share of rows"]))
    if is_regression:
        return message("Together they hold {rows} of these rows.", rows=rows)
    captured = percent(float(last["cumulative share of responses"]))
    return message("Together they hold {rows} of these rows and {captured} of the class.", rows=rows, captured=captured)
