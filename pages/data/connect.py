"""Connecting a table that stays where it is: the reader chooses among those that the server's owner allows."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.results import trees
from pages.results.connected import allowed, opened
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame

_PLACE, _CHOSEN = "connect", "connect.table"


def offer() -> None:
    """The list of tables and the button that connects one; nothing where the owner allows none."""
    if not allowed.is_offered():
        return
    popover = st.popover(message("Connect a table"), icon=":material/database:", key=_PLACE, on_change="rerun")
    if popover.open:
        with popover, st.container(key="connect_body"):
            _list()


def _list() -> None:
    names = [table.name for table in allowed.tables()]
    for notice in session.take_notices(_PLACE):
        page_frame.show_notice(notice.level, notice.text)
    if not names:
        st.markdown(message("There is no table in the folders that this server allows."))
        return
    st.markdown(
        message(
            "The table stays where it is, and an engine counts its rows: the tree is grown on all of them, however "
            "many there are."
        )
    )
    st.selectbox(
        message("Table"),
        names,
        key=_CHOSEN,
        help=message("Parquet and CSV files, folders of such files, and tables of DuckDB files on this server."),
    )
    st.button(message("Connect"), key="connect.open", type="primary", on_click=_connect)


def _connect() -> None:
    opened.connect_again()
    if session.open_table(trees.check_rows, _PLACE, connected=st.session_state[_CHOSEN], upload=""):
        st.session_state[_PLACE] = False  # closes the popover, which would cover the table
        fit_target()


def show_about(settings: Settings) -> None:
    """What a connected table is: where its rows are, and what the page shows of them."""
    connected = trees.source(settings).connected
    assert connected is not None
    st.caption(
        message(
            "A connected table: its rows stay on this server as {where}, and the tree is grown on all of them.",
            where=escape_markdown(connected.table.name),
        )
    )
    if connected.preview.is_sample:
        st.caption(
            message(
                "Missing cells and distinct values (about) are of all rows; distributions, notes and first rows are of "
                "a sample of {n:,} rows.",
                n=len(connected.preview.frame),
            )
        )
