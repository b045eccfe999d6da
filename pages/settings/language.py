"""The language of a session: that of the link or the one chosen, else the one that the reader's browser prefers."""

from __future__ import annotations

import threading

import streamlit as st

from explorer.messages import ENGLISH, LANGUAGES, Catalogue, ask_for_catalogue, catalogue_of, language_for
from pages.settings import session
from pages.settings.query_reader import QueryReader
from pages.settings.query_record import Query

_CHOSEN, _KEY = "language", "lang"
_thread = threading.local()
"""The catalogue that a thread speaks: Streamlit runs the pages and callbacks of one session in a thread."""


def begin() -> None:
    """Have every text of a session in its language; a new session takes it from its address."""
    ask_for_catalogue(_catalogue)
    if _CHOSEN not in st.session_state:
        reader = QueryReader({_KEY: st.query_params.get_all(_KEY)})
        choose(reader.choice(_KEY, "", LANGUAGES))
        for problem in reader.problems:
            session.notify("warning", problem)


def current() -> str:
    """The code of the language in use."""
    return st.session_state.get(_CHOSEN) or language_for(st.context.locale)


def choose(language: str) -> None:
    """Speak this language from now on, whatever the browser prefers; "" leaves it to the browser."""
    st.session_state[_CHOSEN] = language
    _thread.catalogue = catalogue_of(current())


def in_query() -> Query:
    """The language as a parameter of the address; nothing where the browser decides."""
    chosen = st.session_state.get(_CHOSEN)
    return {_KEY: [chosen]} if chosen else {}


def _catalogue() -> Catalogue:
    """That of the session at work; a thread without a session speaks English, and a job as the page that gave it."""
    if session.running_session() is None:
        return ENGLISH
    if not hasattr(_thread, "catalogue"):
        _thread.catalogue = catalogue_of(current())
    return _thread.catalogue
