"""Settings ⇄ the query parameters of the web address, so that a link opens the same view.

Reading never fails: what cannot be used falls back to its default, and a sentence says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from pages.settings import language, session, tables
from pages.settings.history import PART, STEP
from pages.settings.query_reader import QueryReader
from pages.settings.query_record import Query
from pages.settings.settings import Settings, changed

_TABLES = ("data", "file", "table")
"""The parameters that name a table: a sample, a file, a connected one."""
STEPS = (
    *_TABLES,
    *("sheet", "recipe", "a.recipe", "b.recipe", "c.recipe", "en.method"),
    *("pruning", "r.list", "comparison"),
    *("learn", "scene"),
)
"""The parameters whose change is a step that the browser's Back undoes: table, algorithm, procedure, and scene."""
BACK = "back"
"""The browser's Back marks the address to which it goes by this parameter."""
_OPENED = "address as opened"
_TAB, _TAB_STATE = "tab", "tab of page"
FILE_NAME = "file_name"
"""What the sender of a link calls the file that it asks for; told to the reader, and used for nothing else."""


def start_from_url(needs_table: Callable[[Settings], bool]) -> None:
    """Begin a session with the settings in the web address; those of a file wait for it.

    A page that needs no table, as `needs_table` says, shows what the address names meanwhile.
    """
    settings, problems = settings_from_query(address())
    if settings.upload:
        await_file(settings, st.query_params.get(FILE_NAME, ""), needs_table(settings))
    else:
        session.begin(settings)
    for problem in problems:
        session.notify("warning", problem)


def await_file(settings: Settings, name: str, waits: bool = True) -> None:
    """Hold settings back until the file of this name is there; `waits` says whether the page shows nothing else."""
    session.await_file(settings, PART)
    st.session_state[FILE_NAME] = name
    session.keep_although_frozen(_without_file(settings, waits), PART if session.is_new() else STEP)


def write() -> None:
    """Write the settings into the web address, which navigation clears, unless it opened them."""
    query, now = current_query(), address()
    if now != query and st.session_state.get(_OPENED) != (now, query):
        st.query_params.from_dict(query)


def leave_as_opened(is_new: bool) -> None:
    """In the first run of a session, have the address stay as it is as long as the page shows what it opens.

    One with parameters that could not be used is written anew.
    """
    now, query = address(), current_query()
    st.session_state[_OPENED] = (now, query) if is_new and set(now) <= set(query) else None


def current_query() -> Query:
    """The query of the settings, or of those held back until their file is uploaded, and the language chosen."""
    settings, held = session.read(), session.awaiting_file()
    if held is not None and any(
        tables.same_but_reader(settings, _without_file(held, waits)) for waits in (True, False)
    ):
        settings = session.resumed(held)
        named = {FILE_NAME: [awaited_name()]} if awaited_name() else {}
        return query_of(settings) | named
    return query_of(settings)


def awaited_name() -> str:
    """What the link that awaits a file calls it; "" where it does not say."""
    return str(st.session_state.get(FILE_NAME, ""))


def query_of(settings: Settings) -> Query:
    """The query of some settings, the language chosen, and the open tab."""
    return settings.to_query() | language.in_query() | _tab_in_query()


def settings_from_query(query: Mapping[str, Sequence[str]]) -> tuple[Settings, list[str]]:
    """Settings read from query parameters, and a sentence for each that could not be used."""
    reader = QueryReader(query)
    return Settings.from_query(reader), reader.problems


def names_table() -> bool:
    """Whether the web address is about a table."""
    return any(name in st.query_params for name in _TABLES)


def _without_file(held: Settings, waits: bool) -> Settings:
    """What can be shown without the file of the settings; nothing is frozen while a page waits for it."""
    settings = changed(held, upload="")
    return changed(settings, view=dataclasses.replace(settings.view, frozen=settings.view.frozen and not waits))


def address() -> Query:
    """The query parameters that the web address has now."""
    return {key: st.query_params.get_all(key) for key in st.query_params}


def begin_page(page: str) -> None:
    """Begin a run of a page: whoever comes to it asks for the tab that the address names."""
    if _tab_state()[0] != page:
        st.session_state[_TAB_STATE] = page, st.query_params.get(_TAB, ""), True


def asked_tab() -> str:
    """The tab that the address has asked for; "" for none, and once the page has shown one."""
    _, tab, is_asked = _tab_state()
    return tab if is_asked else ""


def write_tab(tab: str) -> None:
    """Write into the address which tab is open; "" is the one that opens without being asked for."""
    st.session_state[_TAB_STATE] = _tab_state()[0], tab, False
    write()


def _tab_in_query() -> Query:
    """The open tab as a parameter of the address."""
    tab = _tab_state()[1]
    return {_TAB: [tab]} if tab else {}


def _tab_state() -> tuple[str | None, str, bool]:
    """Which page is shown, which tab of it, and whether the address has asked for that."""
    state: tuple[str | None, str, bool] = st.session_state.get(_TAB_STATE, (None, "", False))
    return state
