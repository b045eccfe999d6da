"""A row of tabs of which only the open one is worked out; the page opens it again after a visit to another page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from explorer.messages import Catalogue

_KEYS = (".tab", ".tabs", "_tab")
"""How the keys of all rows of tabs end."""


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


def keep_open(old: Catalogue, new: Catalogue) -> None:
    """Name every open tab in the new language, as its row will: what is kept for a row is the name of the open one."""
    english = {name: template for template, name in old.templates.items()}
    for key, name in list(st.session_state.items()):
        if str(key).endswith(_KEYS) and isinstance(name, str):
            st.session_state[key] = new.template(english.get(name, name))


def current(names: Mapping[str, str], key: str, first: str) -> str:
    """Which of the tabs, by their names, the reader has opened; `first` before any choice. Known before it is drawn."""
    tab_by_name = {name: tab for tab, name in names.items()}
    return tab_by_name.get(str(st.session_state.get(key)), first)
