"""Sessions that have lost their browser: away for a while is no end, away for long is one."""

import asyncio
import inspect
import threading

import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage

from pages.results.memory import sessions

PATIENCE = 30


class Server:
    """In place of Streamlit's runtime: which sessions have a browser, and which were closed."""

    def __init__(self):
        self.active, self.closed = set(), []

    def is_active_session(self, session):
        return session in self.active

    def close_session(self, session):
        self.closed.append(session)


class Loop:
    """In place of the server's loop: calls wait until the test lets time pass."""

    def __init__(self):
        self.now, self.waiting = 0.0, []

    def call_later(self, delay, call, *args):
        self.waiting.append((self.now + delay, call, args))

    def passes(self, seconds):
        """Let time pass, call by call."""
        end = self.now + seconds
        while due := [entry for entry in self.waiting if entry[0] <= end]:
            entry = min(due, key=lambda entry: entry[0])
            self.waiting.remove(entry)
            self.now = entry[0]
            entry[1](*entry[2])
        self.now = end


@pytest.fixture
def told(monkeypatch):
    """What was told of sessions, in order."""
    events = []
    monkeypatch.setattr(sessions, "tell_left", lambda session: events.append(("left", session)))
    monkeypatch.setattr(sessions, "tell_ended", lambda session: events.append(("ended", session)))
    return events


@pytest.fixture
def server(monkeypatch):
    server = Server()
    monkeypatch.setattr(sessions.runtime, "exists", lambda: True)
    monkeypatch.setattr(sessions.runtime, "get_instance", lambda: server)
    return server


@pytest.fixture
def loop(monkeypatch):
    loop = Loop()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    monkeypatch.setattr(sessions, "_watched", set())
    return loop


def test_a_session_that_comes_back_soon_keeps_everything(told, server, loop):
    sessions._gone("a")
    loop.passes(sessions.LEFT_AFTER - 1)
    server.active.add("a")
    loop.passes(10 * sessions.ENDED_AFTER)
    assert (told, server.closed) == ([], [])


def test_one_that_stays_away_loses_its_jobs_first_and_then_all(told, server, loop):
    sessions._gone("a")
    loop.passes(sessions.LEFT_AFTER)
    assert told == [("left", "a")]
    loop.passes(sessions.ENDED_AFTER - sessions.LEFT_AFTER - 1)
    assert server.closed == []
    loop.passes(sessions.LEFT_AFTER)
    assert (told, server.closed) == ([("left", "a"), ("ended", "a")], ["a"])
    assert loop.waiting == []


def test_one_that_came_back_without_a_run_and_left_again_ends_too(told, server, loop):
    sessions._gone("a")
    server.active.add("a")
    loop.passes(5 * sessions.ENDED_AFTER)
    server.active.discard("a")
    loop.passes(2 * sessions.ENDED_AFTER)
    assert told[-1] == ("ended", "a")


def test_a_session_is_watched_once(told, server, loop):
    for _ in range(3):
        sessions._gone("a")
    assert len(loop.waiting) == 1


def test_a_session_that_streamlit_shuts_down_ends_at_once(told, server):
    sessions._gone("a")
    assert told == [("ended", "a")]


def test_clearing_streamlit_s_caches_ends_no_session(told, server):
    server.active.add("a")
    sessions._gone("a")
    assert told == []


def test_everybody_is_told_of_the_end(monkeypatch):
    called, done = [], threading.Event()
    monkeypatch.setattr(sessions, "_leaving", [lambda session: called.append(("left", session))])
    monkeypatch.setattr(sessions, "_ending", [lambda session: called.append(("ended", session)) or done.set()])
    sessions.tell_ended("a")
    assert done.wait(PATIENCE)
    assert called == [("left", "a"), ("ended", "a")]


def test_a_session_ends_while_streamlit_still_knows_it():
    defaults = inspect.signature(MemorySessionStorage).parameters
    assert sessions.LEFT_AFTER < sessions.ENDED_AFTER + sessions.LEFT_AFTER <= defaults["ttl_seconds"].default
