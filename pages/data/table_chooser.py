"""Choosing a table: a file of the reader's own, a table of the server, or one of the samples."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.data import doors, sample_cards
from pages.settings.settings import Settings


def choose_table(settings: Settings) -> None:
    """Three doors, and below them the samples: search and filters, and the cards."""
    doors.show()
    with st.container(key="sample_filters"):
        found = sample_cards.find(settings)
        st.toggle(message("Show all samples"), key="samples.all")
    sample_cards.show(found, settings)
