"""Long work that outlives a page switch: a few worker threads, a fair queue, and results kept by their content key.

Streamlit ends the script of a reader who goes to another page; work given to the pool goes on, and is looked up again
by its key. Sessions that ask for the same key share one job, which stops when the last of them has stopped it.
"""

from __future__ import annotations

import logging
import os
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Literal, Self

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

import explorer as ex
from explorer.messages import message

Progress = Callable[[int, int], None]
Work = Callable[[Progress], object]
State = Literal["queued", "running", "done", "failed", "stopped"]
ACTIVE = ("queued", "running")
"""The states of work that waits or runs."""

MOST_WORKERS, KEPT_RESULTS = 2, 32
_SESSION = "session of the jobs"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """What a session sees of its job: `done` of `total` steps (0 of 0 before the first report)."""

    state: State
    done: int = 0
    total: int = 0
    result: object = None
    problem: str = ""

    @property
    def is_active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ACTIVE


@dataclass(eq=False)
class _Entry:
    """One key's work; every field is guarded by the pool's lock. `left` are the sessions that stopped it."""

    key: str
    work: Work | None
    state: State = "queued"
    done: int = 0
    total: int = 0
    result: object = None
    problem: str = ""
    is_stopping: bool = False
    sessions: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE

    def seen_by(self, session: str) -> Job | None:
        """The job for sessions that submitted it: nobody's page changes because of what another reader does."""
        if session in self.left:
            return Job("stopped", self.done, self.total)
        if session not in self.sessions:
            return None
        return Job(self.state, self.done, self.total, self.result, self.problem)


class Pool:
    """Daemon threads that take one job after another, from each session in turn.

    `changed` is notified whenever a job was submitted or has ended; its lock guards everything here.
    """

    def __init__(self, workers: int, kept: int = KEPT_RESULTS) -> None:
        self.changed = threading.Condition()
        self._kept = kept
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._turns: OrderedDict[str, OrderedDict[str, _Entry]] = OrderedDict()
        for number in range(workers):
            threading.Thread(target=self._serve, name=f"job-{number}", daemon=True).start()

    def submit(self, session: str, key: str, work: Work) -> Job:
        """Submit work under its key: joins a job that waits or runs, and gives a finished one back at once."""
        with self.changed:
            entry = self._entries.get(key)
            if entry is None or entry.state in ("failed", "stopped"):
                entry = self._entries[key] = _Entry(key, work)
            self._entries.move_to_end(key)
            entry.left.discard(session)
            entry.sessions.add(session)
            if entry.state == "queued":
                self._turns.setdefault(session, OrderedDict())[key] = entry
            self.changed.notify_all()
            return entry.seen_by(session) or Job(entry.state)

    def look(self, session: str, key: str) -> Job | None:
        """The job as this session sees it; None if it has not submitted it."""
        with self.changed:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry.seen_by(session)

    def stop(self, session: str, key: str) -> None:
        """End this session's interest; without any interest left the job stops."""
        with self.changed:
            entry = self._entries.get(key)
            if entry is None or not entry.is_active or session not in entry.sessions:
                return
            entry.sessions.discard(session)
            entry.left.add(session)
            self._leave_queue(entry, {session})
            if entry.state == "queued" and not entry.sessions:
                self._end(entry, "stopped")

    def _serve(self) -> None:
        """A worker's life."""
        while True:
            with self.changed:
                self.changed.wait_for(lambda: bool(self._turns))
                entry = self._take()
            work = entry.work
            assert work is not None
            with _Ending(self, entry) as ending:
                ending.result = work(partial(self._report, entry))
            del work, entry, ending

    def _take(self) -> _Entry:
        """The first job of the session whose turn it is, which then goes to the end of the line."""
        session, waiting = next(iter(self._turns.items()))
        entry = next(iter(waiting.values()))
        self._turns.move_to_end(session)
        self._leave_queue(entry, entry.sessions)
        entry.state = "running"
        return entry

    def _leave_queue(self, entry: _Entry, sessions: set[str]) -> None:
        for session in sessions & self._turns.keys():
            self._turns[session].pop(entry.key, None)
            if not self._turns[session]:
                del self._turns[session]

    def _report(self, entry: _Entry, done: int, total: int) -> None:
        """Note how far the work is; raises Stopped when nobody wants it any more."""
        with self.changed:
            entry.done, entry.total = done, total
            if not entry.sessions:
                entry.is_stopping = True
                raise ex.Stopped("Stopped on request.")

    def settle(self, entry: _Entry, result: object, error: BaseException | None) -> None:
        """Note how a job ended. One that was wanted again just after it gave up goes back into the queue."""
        with self.changed:
            if error is None:
                entry.result = result
                self._end(entry, "done")
            elif entry.is_stopping and isinstance(error, ex.Stopped) and entry.sessions:
                entry.state, entry.done, entry.is_stopping = "queued", 0, False
                for session in entry.sessions:
                    self._turns.setdefault(session, OrderedDict())[entry.key] = entry
            elif isinstance(error, ex.Stopped):
                self._end(entry, "stopped")
            else:
                entry.problem = _problem(error)
                self._end(entry, "failed")
            self.changed.notify_all()

    def _end(self, entry: _Entry, state: State) -> None:
        """The job has ended: drop its work, and the results that nobody looked at for longest."""
        entry.state, entry.work = state, None
        self._entries.move_to_end(entry.key)
        ended = [key for key, other in self._entries.items() if not other.is_active]
        for key in ended[: max(0, len(ended) - self._kept)]:
            del self._entries[key]
        self.changed.notify_all()


class _Ending:
    """The end of one job's work, good or bad: no error leaves it, so that the worker goes on."""

    def __init__(self, pool: Pool, entry: _Entry) -> None:
        self.pool, self.entry = pool, entry
        self.result: object = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is not None and not isinstance(error, ex.ExplorerError):
            _log.error("The work under the key %s failed", self.entry.key, exc_info=error)
        self.pool.settle(self.entry, self.result, error)
        return True


def _problem(error: BaseException) -> str:
    """The message for the reader: that of a deliberate error, or one that names a fault of the program."""
    if isinstance(error, ex.ExplorerError):
        return str(error)
    return message(
        "The work failed ({name}: {error}). This is an error in the program. The server’s log has the details.",
        name=type(error).__name__,
        error=error,
    )


@st.cache_resource(show_spinner=False)
def pool() -> Pool:
    """The one pool of the server."""
    return Pool(min(MOST_WORKERS, os.cpu_count() or 1))


def session() -> str:
    """The id of this reader's session."""
    context = get_script_run_ctx()
    if context is not None:
        return context.session_id
    session_id: str = st.session_state.setdefault(_SESSION, uuid.uuid4().hex)
    return session_id
