"""Choosing a table: a file of the reader's own, a table of the server, or one of the samples."""

from __future__ import annotations

import streamlit as st

from explorer.data.samples import SAMPLES
from explorer.messages import message
from pages.data import doors, sample_cards
from pages.settings.settings import Settings


def choose_table(settings: Settings) -> None:
    """Three doors, and below them the samples: search and filters, and the cards.

    Where the reader's own table is open, they are two lines, so that the page is about that table.
    """
    is_line = bool(settings.upload or settings.connected) and not st.session_state.get("samples.all")
    with st.container(key="chooser_lines" if is_line else "chooser"):
        doors.show()
        with st.container(key="samples"):
            with st.container(key="sample_filters"):
                found = list(SAMPLES) if is_line else sample_cards.find(settings)
                st.toggle(message("Show all samples"), key="samples.all")
            sample_cards.show(found, settings)
