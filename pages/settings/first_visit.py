"""Readers who open a page by its own address on a fresh server.

Until `st.navigation` has run once in a server, Streamlit takes the folder `pages/` for its older kind of pages and runs
the page without `app.py`. Such a page sends its reader round by `app.py`, which then goes on to the page wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

_NAVIGATED, _WANTED = "navigated", "wanted page"


def go_round(title: str) -> None:
    """Go by `app.py` if this page was run without it."""
    if not st.session_state.get(_NAVIGATED):
        st.session_state[_WANTED] = title
        st.switch_page("app.py")


def go_on(pages: Sequence[StreamlitPage]) -> None:
    """Note that navigation has run, and go on to the page that a reader had asked for."""
    st.session_state[_NAVIGATED] = True
    wanted = st.session_state.pop(_WANTED, None)
    for page in pages:
        if page.title == wanted:
            st.switch_page(page)
