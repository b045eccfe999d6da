"""A row of tabs of which only the open one is worked out; the page opens it again after a visit to another page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st


def show(contents: Mapping[str, Callable[[], None]], key: str) -> None:
    """Tabs by their names, with what the open one shows; the tab opened last is kept by its position."""
    names, kept, begin = list(contents), f"{key}.kept", f"{key}.begin"
    if key not in st.session_state:  # a new visit; another default later on would make another row of tabs
        st.session_state[begin] = st.session_state.get(kept, 0)
    first = names[min(st.session_state.get(begin, 0), len(names) - 1)]
    for position, tab in enumerate(st.tabs(names, key=key, on_change="rerun", default=first)):
        if tab.open:
            st.session_state[kept] = position
            with tab:
                contents[names[position]]()


def current(names: Mapping[str, str], key: str, first: str) -> str:
    """Which of the tabs, by their names, the reader has opened; `first` before any choice. Known before it is drawn."""
    tab_by_name = {name: tab for tab, name in names.items()}
    return tab_by_name.get(str(st.session_state.get(key)), first)
