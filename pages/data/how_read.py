"""How the file is read: which sheet or table of it, and which line holds the names of the columns."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.settings.session import Upload
from pages.settings.settings import LARGEST_LINE
from pages.uploads import opening
from pages.widgets.controls import feed

_WITHOUT_HEADER = (
    *(".parquet", ".feather", ".arrow", ".json", ".jsonl", ".ndjson", ".arff"),
    *(".sqlite", ".sqlite3", ".db", ".duckdb"),
)
"""Files of these names say themselves what their columns are called."""
_SHEET, _LINE = "file.sheet", "file.header"


def show(own: Upload) -> None:
    """The choice of a sheet where there are several, and of the header line."""
    with st.container(key="how_read"):
        if len(own.table.sheets) > 1:
            st.selectbox(
                message("Sheet or table"),
                own.table.sheets,
                key=feed(_SHEET, own.table.sheet),
                on_change=_sheet_chosen,
                args=(own,),
            )
        line = own.table.header_line
        if not own.name.lower().endswith(_WITHOUT_HEADER):
            with st.popover(message("Column names: line {line:,}", line=line), key="header_line"):
                _header_line(own, line)


def _header_line(own: Upload, line: int) -> None:
    with st.form("header_form", border=False):
        st.number_input(
            message("Line of the file that holds the column names"),
            1,
            LARGEST_LINE,
            key=feed(_LINE, line),
            help=message("Lines above it are skipped."),
        )
        st.form_submit_button(message("Read again"), key="file.again", on_click=_line_chosen, args=(own,))
    if own.header_line:
        st.button(
            message("Find it automatically"), key="file.found", on_click=opening.read_again, args=(own, own.sheet)
        )


def _sheet_chosen(own: Upload) -> None:
    opening.read_again(own, st.session_state[_SHEET])


def _line_chosen(own: Upload) -> None:
    opening.read_again(own, own.sheet, st.session_state[_LINE])
