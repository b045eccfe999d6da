"""Choosing a table: a file of the reader's own, a table of the server, or one of the samples."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.data import connect, draw, paste, sample_cards, sklearn_tree
from pages.settings.settings import Settings
from pages.uploads.reading import TABLE
from pages.widgets import upload

_ROUND = "file.round"


def choose_table(settings: Settings) -> None:
    """The uploader beside search and filters, and the cards below."""
    with st.container(key="sources"):
        with st.container(key="uploader"):
            _uploader()
        with st.container(key="sample_filters"):
            found = sample_cards.find()
            st.toggle(message("Show all samples"), key="samples.all")
        with st.container(key="other_sources"):
            paste.offer()
            draw.offer()
            connect.offer()
            sklearn_tree.offer()
    sample_cards.show(found, settings)


def _uploader() -> None:
    st.file_uploader(
        message("Drop a table: CSV, Excel, …"),
        type=upload.TYPES,
        key=_file_key(),
        on_change=_file_given,
        max_upload_size=upload.limits().file_mb,
        help=upload.formats_text(),
    )


def _file_key() -> str:
    """The uploader's key, another one after every file: it is empty again, and holds no copy of the file."""
    return f"file.{st.session_state.get(_ROUND, 0)}"


def _file_given() -> None:
    """Begin to read the file that was dropped."""
    upload.taken(_file_key(), TABLE)
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
