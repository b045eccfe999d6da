"""A row of tabs of which only the open one is worked out; links and later visits of the page open it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from pages.settings import session, url
from pages.widgets import page_frame

Tabs = Mapping[str, tuple[str, Callable[[], None]]]
"""What each tab is called and what shows it, by the word that links have for it."""


def show(tabs: Tabs, key: str, first: str | None = None) -> None:
    """Tabs, with what the open one shows; the one opened last is kept until another table is open.

    `first` is the one to begin with where none is kept. A page shows one row of tabs at a time.
    """
    words, names, begin = list(tabs), [name for name, _ in tabs.values()], f"{key}.begin"
    first = first if first is not None and first in tabs else words[0]
    if st.session_state.get(key) not in names:  # a new visit or language; another default would make another row
        st.session_state[begin] = words.index(_first(words, key, first))
    default = names[min(st.session_state.get(begin, 0), len(names) - 1)]
    for word, tab in zip(words, st.tabs(names, key=key, on_change="rerun", default=default), strict=True):
        if tab.open:
            st.session_state[_kept(key)] = _table(), word
            url.write_tab("" if word == first else word)
            with tab, page_frame.errors_shown():
                tabs[word][1]()


def is_open(word: str, tabs: Tabs, key: str) -> bool:
    """Whether the tab of this word is the open one, or will be, known before it is drawn."""
    return current({each: name for each, (name, _) in tabs.items()}, key, next(iter(tabs))) == word


def begin_with(key: str, name: str) -> None:
    """Open the tab of this name when the page of these tabs is opened next."""
    st.session_state[key] = name


def _kept(key: str) -> str:
    return f"{key}.kept"


def _first(words: Sequence[str], key: str, first: str) -> str:
    """The tab that a visit begins with: the one that the address asks for, or the one opened last for the table."""
    table, kept = st.session_state.get(_kept(key), (None, ""))
    wanted = url.asked_tab() or (kept if table == _table() else "")
    return wanted if wanted in words else first


def _table() -> tuple[str, ...]:
    """Which table is open."""
    settings = session.read()
    return settings.sample, settings.upload, settings.connected


def current(names: Mapping[str, str], key: str, first: str) -> str:
    """Which of the tabs, by their names, is open, known before it is drawn; `first` where none is kept."""
    word_by_name = {name: word for word, name in names.items()}
    opened = word_by_name.get(str(st.session_state.get(key)))
    return opened or _first(list(names), key, first)
