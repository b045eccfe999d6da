"""A table that one draws oneself: the way from the Data page to the canvas of the Learn page."""

from __future__ import annotations

import dataclasses

import streamlit as st

from explorer.messages import message
from pages.settings import session
from pages.settings.settings import changed


def offer() -> None:
    """The button that opens the canvas."""
    if st.button(message("Draw a table"), icon=":material/draw:", key="draw_a_table"):
        settings = session.read()
        session.keep(changed(settings, learn=dataclasses.replace(settings.learn, section="draw")))
        st.switch_page("pages/learn/page.py")
