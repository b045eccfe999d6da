"""Which column of a file is which of the tree, and which of its values are which category, to be changed by hand."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from explorer.explaining.file_names import FileNames, OtherValue
from explorer.explaining.predict_file import ReadFile
from explorer.messages import message
from pages.settings import session

_FILE, _TREE, _VALUE, _CATEGORY, _ROWS = "file", "tree", "value", "category", "rows"
Edits = Mapping[str, Mapping[str, str | None]]
"""What was chosen, by line and column."""
_LINE, _MOST_LINES = 35, 6


def show(read: ReadFile, names: Sequence[str], spared: str = "") -> None:
    """Both tables in an expander, open where something of the tree is not found; `names` are the file's columns.

    The column `spared` need not be there.
    """
    if not read.columns:
        return
    others = {name: in_file for name, in_file in read.columns.items() if in_file != name}
    is_found = [bool(in_file) for name, in_file in others.items() if in_file or name != spared]
    is_found += [bool(other.category) for other in read.others]
    n_matched, n_open = sum(is_found), len(is_found) - sum(is_found)
    with st.expander(_title(n_matched, n_open), n_open > 0, key="second.names"):
        _columns(read.columns, names)
        if read.others:
            _values(read.others)


def _title(n_matched: int, n_open: int) -> str:
    name = message("In your file → in the tree")
    matched = message("{n:,} matched", n=n_matched) if n_matched else ""
    left = message("{n:,} not found", n=n_open) if n_open else ""
    return " · ".join(filter(None, (name, matched, left)))


def _columns(columns: Mapping[str, str], names: Sequence[str]) -> None:
    frame = pd.DataFrame({_FILE: list(columns.values()), _TREE: list(columns)})
    labels = {_FILE: message("In your file"), _TREE: message("In the tree")}

    def take(edited: Edits) -> FileNames:
        said = session.read().predict.names
        for line, change in edited.items():
            said = said.with_column(frame[_TREE][int(line)], change[_FILE] or "")
        return said

    _table("columns", frame, labels, _FILE, names, take)


def _values(others: Sequence[OtherValue]) -> None:
    """The values of one column; a box chooses it where several have some."""
    columns = list(dict.fromkeys(other.column for other in others))
    column = columns[0]
    if len(columns) > 1:
        column = st.selectbox(message("Values of"), columns, key="second.values_of") or column
    own = [other for other in others if other.column == column]
    values, categories = [other.value for other in own], [other.category for other in own]
    frame = pd.DataFrame({_VALUE: values, _CATEGORY: categories, _ROWS: [other.n_rows for other in own]})
    labels = {_VALUE: message("In your file"), _CATEGORY: message("In the tree")}

    def take(edited: Edits) -> FileNames:
        said = session.read().predict.names
        for line, change in edited.items():
            said = said.with_category(column, values[int(line)], change[_CATEGORY] or "")
        return said

    _table(f"values.{column}", frame, labels, _CATEGORY, own[0].options, take)


def _table(
    name: str,
    frame: pd.DataFrame,
    labels: Mapping[str, str],
    editable: str,
    options: Sequence[str],
    said: Callable[[Edits], FileNames],
) -> None:
    """A table whose column `editable` is chosen from the options, or "" for none."""
    key = f"second.{name}.{zlib.crc32(frame.to_json().encode()):08x}"
    config = st.column_config
    looks: dict[str, Any] = {side: config.TextColumn(label) for side, label in labels.items()}
    looks[editable] = config.SelectboxColumn(
        labels[editable], options=["", *options], format_func=lambda text: str(text) or message("none")
    )
    looks[_ROWS] = config.NumberColumn(message("Rows"), width=60)
    st.data_editor(
        frame,
        key=key,
        hide_index=True,
        placeholder="–",
        width="stretch",
        height=_LINE * (min(len(frame), _MOST_LINES) + 1) + 3,
        disabled=[side for side in (*labels, _ROWS) if side != editable],
        column_config=looks,
        on_change=lambda: session.keep_part("predict", names=said(st.session_state[key]["edited_rows"])),
    )
