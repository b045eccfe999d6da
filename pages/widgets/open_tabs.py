"""A row of tabs of which only the open one is worked out; the page opens it again after a visit to another page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from explorer.messages import Catalogue
from pages.settings import session

_KEYS = (".tab", ".tabs", "_tab")
"""How the keys of all rows of tabs end."""


def show(contents: Mapping[str, Callable[[], None]], key: str, first: str | None = None) -> None:
    """Tabs by their names, with what the open one shows; the one opened last is kept until another table is open.

    `first` is the one to begin with where none is kept.
    """
    names, begin = list(contents), f"{key}.begin"
    if key not in st.session_state:  # a new visit; another default later on would make another row of tabs
        st.session_state[begin] = names.index(_first(names, key, first))
    default = names[min(st.session_state.get(begin, 0), len(names) - 1)]
    for position, tab in enumerate(st.tabs(names, key=key, on_change="rerun", default=default)):
        if tab.open:
            st.session_state[_kept(key)] = _table(), position
            with tab:
                contents[names[position]]()


def _kept(key: str) -> str:
    return f"{key}.kept"


def _first(names: Sequence[str], key: str, first: str | None) -> str:
    """The tab that a visit begins with: the one opened last for the same table."""
    table, position = st.session_state.get(_kept(key), (None, 0))
    return names[min(position, len(names) - 1)] if table == _table() else first or names[0]


def _table() -> tuple[str, ...]:
    """Which table is open."""
    settings = session.read()
    return settings.sample, settings.upload, settings.connected


def keep_open(old: Catalogue, new: Catalogue) -> None:
    """Name every open tab in the new language, as its row will: what is kept for a row is the name of the open one."""
    english = {name: template for template, name in old.templates.items()}
    for key, name in list(st.session_state.items()):
        if str(key).endswith(_KEYS) and isinstance(name, str):
            st.session_state[key] = new.template(english.get(name, name))


def current(names: Mapping[str, str], key: str, first: str) -> str:
    """Which of the tabs, by their names, is open, known before it is drawn; `first` where none is kept."""
    tab_by_name = {name: tab for tab, name in names.items()}
    opened = tab_by_name.get(str(st.session_state.get(key)))
    return opened or tab_by_name[_first(list(tab_by_name), key, names[first])]
