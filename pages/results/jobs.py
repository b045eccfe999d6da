"""Long work that outlives a page switch: a few worker threads, a fair queue, and results kept by their content key.

Streamlit ends the script of a reader who goes to another page; work given to the pool goes on, and is looked up again
by its key. Sessions that ask for the same key share one job, which stops when the last of them has stopped it or has
left. Results are kept with all others, within the same share of memory.
"""

from __future__ import annotations

import contextvars
import logging
import os
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from types import TracebackType
from typing import Literal, Self

import streamlit as st

import explorer as ex
from explorer.messages import Words, current_catalogue, message, use_catalogue, worded
from pages.results.cache import Cache, results
from pages.results.memory import sessions
from pages.settings.memo import nothing_remembered
from pages.settings.session import running_session

Progress = Callable[[int, int], None]
Work = Callable[[Progress], object]
State = Literal["queued", "running", "done", "failed", "stopped"]
ACTIVE = ("queued", "running")
"""The states of work that waits or runs."""

MOST_WORKERS, KEPT_RESULTS = 2, 32
_SESSION = "session of the jobs"
_log = logging.getLogger(__name__)
_reporting: contextvars.ContextVar[Progress | None] = contextvars.ContextVar("progress of a job", default=None)


def reporting() -> Progress | None:
    """To whom the job that runs this reports its progress; None outside of a job."""
    return _reporting.get()


@contextmanager
def reporting_to(progress: Progress) -> Iterator[None]:
    """Within the block, report progress to this function."""
    token = _reporting.set(progress)
    try:
        yield
    finally:
        _reporting.reset(token)


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
    problem: Words = ""
    is_stopping: bool = False
    sessions: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE

    def seen_by(self, session: str, result: object = None) -> Job | None:
        """The job for sessions that submitted it: nobody's page changes because of what another reader does."""
        if session in self.left:
            return Job("stopped", self.done, self.total)
        if session not in self.sessions:
            return None
        return Job(self.state, self.done, self.total, result, worded(self.problem))


class Pool:
    """Daemon threads that take one job after another, from each session in turn.

    `changed` is notified whenever a job was submitted or has ended; its lock guards everything here.
    """

    def __init__(self, workers: int, kept: int = KEPT_RESULTS, cache: Cache | None = None) -> None:
        self.changed = threading.Condition()
        self._kept, self._cache, self._name = kept, results() if cache is None else cache, object()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._turns: OrderedDict[str, OrderedDict[str, _Entry]] = OrderedDict()
        for number in range(workers):
            threading.Thread(target=self._serve, name=f"job-{number}", daemon=True).start()

    def submit(self, session: str, key: str, work: Work) -> Job:
        """Submit work under its key: joins a job that waits or runs, and gives a finished one back at once."""
        context = contextvars.copy_context()
        context.run(sessions.work_for, session)
        context.run(use_catalogue, current_catalogue())
        with self.changed:
            entry = self._entry(key)
            if entry is None or entry.state in ("failed", "stopped"):
                entry = self._entries[key] = _Entry(key, lambda progress: context.run(_run, work, progress))
            self._entries.move_to_end(key)
            entry.left.discard(session)
            entry.sessions.add(session)
            if entry.state == "queued":
                self._turns.setdefault(session, OrderedDict())[key] = entry
            self.changed.notify_all()
            return self._seen(entry, session) or Job(entry.state)

    def look(self, session: str, key: str) -> Job | None:
        """The job as this session sees it; None if it has not submitted it, or its result is no longer kept."""
        with self.changed:
            entry = self._entry(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return self._seen(entry, session)

    def _entry(self, key: str) -> _Entry | None:
        """The entry of this key; one whose result had to make room is forgotten."""
        entry = self._entries.get(key)
        if entry is not None and entry.state == "done" and self._place(key) not in self._cache:
            del self._entries[key]
            return None
        return entry

    def _place(self, key: str) -> Hashable:
        """The key of a job's result among all results."""
        return self._name, key

    def _seen(self, entry: _Entry, session: str) -> Job | None:
        """The job for this session, with its result; None where that has just had to make room."""
        result = None
        if entry.state == "done" and session in entry.sessions - entry.left:
            try:
                result = self._cache.look(self._place(entry.key), session)
            except KeyError:
                return None
        return entry.seen_by(session, result)

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

    def leave(self, session: str) -> None:
        """Forget a session that has left: jobs that nobody else wants stop, and none of them is its own any more."""
        with self.changed:
            for entry in list(self._entries.values()):
                entry.left.discard(session)
                if session in entry.sessions:
                    entry.sessions.discard(session)
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
        if error is None:
            self._cache.put(self._place(entry.key), result, set())
        with self.changed:
            if error is None:
                self._end(entry, "done")
                for session in entry.sessions:
                    self._seen(entry, session)
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
            self._cache.drop(self._place(key))
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


def _run(work: Work, progress: Progress) -> object:
    """Run the work of a job in its context."""
    _reporting.set(progress)
    with nothing_remembered():
        return work(progress)


def _problem(error: BaseException) -> Words:
    """The message for the reader: that of a deliberate error, or one that names a fault of the program."""
    name, text = type(error).__name__, str(error)
    if isinstance(error, ex.ExplorerError):
        return text
    return lambda: message(
        "The work failed ({name}: {error}). This is an error in the program. The server’s log has the details.",
        name=name,
        error=text,
    )


@cache
def pool() -> Pool:
    """The one pool of the server."""
    return Pool(min(MOST_WORKERS, os.cpu_count() or 1))


@sessions.when_left
def _leave(session: str) -> None:
    """The browser of this session is gone: its jobs stop, unless another session wants them too."""
    pool().leave(session)


def stop_earlier(place: str, key: str) -> None:
    """Stop the job whose key this place of the session's state holds, unless it is the given one."""
    earlier = st.session_state.get(place)
    if earlier and earlier != key:
        pool().stop(session(), earlier)
        del st.session_state[place]


def session() -> str:
    """The id of this reader's session."""
    return running_session() or str(st.session_state.setdefault(_SESSION, uuid.uuid4().hex))
