"""Choosing a table: a file of the reader's own, a table of the server, or one of the samples."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.data import connect, draw, paste, sample_cards, sklearn_tree
from pages.settings.settings import Settings
from pages.uploads.reading import TABLE
from pages.widgets import upload


def choose_table(settings: Settings) -> None:
    """The uploader beside search and filters, and the cards below."""
    with st.container(key="sources"):
        with st.container(key="uploader"):
            upload.table_uploader(message("Drop a table: CSV, Excel, …"), "file", TABLE)
        with st.container(key="sample_filters"):
            found = sample_cards.find()
            st.toggle(message("Show all samples"), key="samples.all")
        with st.container(key="other_sources"):
            paste.offer()
            draw.offer()
            connect.offer()
            sklearn_tree.offer()
    sample_cards.show(found, settings)
