"""Which session is at work, and what happens when it has ended.

A session that has lost its browser is away. It may come back: a reload or a cut in the network is no end. One that
stays away too long is closed, which also frees its uploads and its state.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextvars import ContextVar

import streamlit as st
from streamlit import runtime

from pages.settings.session import running_session

LEFT_AFTER, ENDED_AFTER = 20.0, 100.0
"""Seconds without a browser after which a session's jobs stop, and after which it has ended.

Streamlit lets a session come back for two minutes. After that it can no longer be closed, and its uploads would stay.
"""
_in_job: ContextVar[str | None] = ContextVar("session of a job", default=None)
_leaving: list[Callable[[str], None]] = []
_ending: list[Callable[[str], None]] = []
_watched: set[str] = set()


def when_left(call: Callable[[str], None]) -> Callable[[str], None]:
    """Have a function called with the id of every session that is away for `LEFT_AFTER` seconds."""
    _leaving.append(call)
    return call


def when_ended(call: Callable[[str], None]) -> Callable[[str], None]:
    """Have a function called with the id of every session that has ended."""
    _ending.append(call)
    return call


def current() -> str | None:
    """The id of the session at work: that of the page's run, or of the job; None outside of both."""
    return running_session() or _in_job.get()


def work_for(session: str) -> None:
    """Count what is done in this context as done for a session."""
    _in_job.set(session)


def notice() -> None:
    """Begin to watch over the session of this page's run."""
    if running_session() is not None and runtime.exists():
        _presence()


def _gone(session: str) -> None:
    """The browser has left. Streamlit says so on the server's loop, unless it shuts the session down elsewhere."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        if _is_away(session):
            tell_ended(session)
        return
    if session not in _watched:
        _watched.add(session)
        loop.call_later(LEFT_AFTER, _look, session, loop, 0.0)


@st.cache_resource(scope="session", show_spinner=False, on_release=_gone)
def _presence() -> str:
    """A thing of the session, which Streamlit releases when the browser has left."""
    return current() or ""


def _look(session: str, loop: asyncio.AbstractEventLoop, away: float) -> None:
    """Look after the session every `LEFT_AFTER` seconds until it has ended: a reader who is back may leave again."""
    if not _is_away(session):
        loop.call_later(LEFT_AFTER, _look, session, loop, 0.0)
        return
    if away == 0:
        tell_left(session)
    away += LEFT_AFTER
    if away < ENDED_AFTER:
        loop.call_later(LEFT_AFTER, _look, session, loop, away)
        return
    _watched.discard(session)
    runtime.get_instance().close_session(session)
    tell_ended(session)


def _is_away(session: str) -> bool:
    return runtime.exists() and not runtime.get_instance().is_active_session(session)


def tell_left(session: str) -> None:
    """Call what is to be called when a session has left."""
    _tell(_leaving, session)


def tell_ended(session: str) -> None:
    """Call what is to be called when a session has ended."""
    _tell([*_leaving, *_ending], session)


def _tell(calls: list[Callable[[str], None]], session: str) -> None:
    """Call them in a thread of its own: freeing much takes time, and the server's loop serves everybody."""

    def tell() -> None:
        for call in calls:
            call(session)

    threading.Thread(target=tell, name="session-end", daemon=True).start()
