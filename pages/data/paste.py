"""A table pasted from the clipboard, such as cells copied in a spreadsheet."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.settings import session
from pages.uploads import opening
from pages.uploads.reading import TABLE
from pages.widgets import page_frame

_TEXT, _PLACE, _HEIGHT = "pasted.text", "paste", 240


def offer() -> None:
    """A field for the table, and the button that opens it like an uploaded file."""
    with st.popover(message("Paste a table"), icon=":material/content_paste:", key=_PLACE, on_change="rerun"):
        with st.form("pasted", clear_on_submit=True, border=False), st.container(key="pasted"):
            st.text_area(
                message("Cells with a line of column names above them"),
                key=_TEXT,
                height=_HEIGHT,
                placeholder=message("age, class\n22, yes\n38, no"),
                help=message("Copied from a spreadsheet, or separated by tabs, commas, semicolons or vertical bars."),
            )
            st.form_submit_button(message("Open the table"), key="pasted.open", on_click=_open)
        for notice in session.take_notices(_PLACE):
            page_frame.show_notice(notice.level, notice.text)


def _open() -> None:
    text = st.session_state[_TEXT]
    if not text.strip():
        session.notify("warning", message("There is nothing to open: paste a table into the field first."), _PLACE)
        return
    st.session_state[_PLACE] = False  # closes the popover, which would cover the table
    opening.give(TABLE, message("pasted table"), text.encode("utf-8", "replace"))
