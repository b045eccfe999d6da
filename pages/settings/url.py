"""Settings ⇄ the query parameters of the web address, so that a link opens the same view.

Reading never fails: what cannot be used falls back to its default, and a sentence says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.settings import language, session
from pages.settings.query_reader import QueryReader
from pages.settings.query_record import Query
from pages.settings.settings import Settings


def start_from_url() -> None:
    """Begin a session with the settings in the web address."""
    settings, problems = settings_from_query(_current())
    if settings.upload:
        session.await_file(settings)
        settings = Settings()
    session.begin(settings)
    for problem in problems:
        session.notify("warning", problem)


def write() -> None:
    """Write the settings into the web address again: navigation clears it."""
    query = current_query()
    if _current() != query:
        st.query_params.from_dict(query)


def current_query() -> Query:
    """The query of the settings, or of those held back until their file is uploaded, and the language chosen."""
    settings, held_back = session.read(), session.awaiting_file()
    shown = held_back if held_back is not None and settings == Settings() else settings
    return shown.to_query() | language.in_query()


def settings_from_query(query: Mapping[str, Sequence[str]]) -> tuple[Settings, list[str]]:
    """Settings read from query parameters, and a sentence for each that could not be used."""
    reader = QueryReader(query)
    return Settings.from_query(reader), reader.problems


def _current() -> Query:
    """The query parameters that the web address has now."""
    return {key: st.query_params.get_all(key) for key in st.query_params}
