"""Readers who open a page by its own address on a server that nobody has visited yet.

Until `st.navigation` has run once in a server, Streamlit knows only its older kind of pages: the files directly in the
folder `pages/`, by their names without leading underscores. Without a file it says "Page not found" on top of the right
page. So each address has a small file, such as `pages/_grow.py`, which sends the reader to `app.py`; that goes on to
the page wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

_WANTED = "wanted page"


def open_by_app(title: str) -> None:
    """Run `app.py`, and the page with this title from there."""
    st.session_state[_WANTED] = title
    st.switch_page("app.py")


def go_on(pages: Sequence[StreamlitPage]) -> None:
    """Go on to the page that a reader wanted, if `app.py` was run for it."""
    wanted = st.session_state.pop(_WANTED, None)
    for page in pages:
        if page.title == wanted:
            st.switch_page(page)
