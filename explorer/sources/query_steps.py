"""What was asked of an engine, in words and SQL, and how a query that runs can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from explorer.messages import Worded, Words

WAIT_SECONDS = 0.1


class Lock(Protocol):
    """A lock of the module `threading`, whatever its kind."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; False where that took longer than the timeout."""

    def release(self) -> None:
        """Give the lock back."""


@dataclass(frozen=True)
class QueryStep:
    """One step of connecting or counting: what it is for, the query's text, seconds on the clock, rows it returned."""

    what: Worded = Worded()
    sql: str = ""
    seconds: float = 0.0
    rows: int = 0

    @classmethod
    def of(cls, what: Words, sql: str, seconds: float, rows: int) -> QueryStep:
        """A step described by a function, which is called when a page reads it."""
        return cls(what, sql, seconds, rows)


MOST_STEPS = 1_000
"""Steps that a source keeps, the newest ones: a server's sources are asked for days."""


def note(steps: list[QueryStep], step: QueryStep) -> None:
    """Add a step to those of a source; the oldest goes where there are too many."""
    steps.append(step)
    if len(steps) > MOST_STEPS:
        del steps[0]


_CHECK: ContextVar[Callable[[], object] | None] = ContextVar("check", default=None)


@contextmanager
def stoppable(check: Callable[[], object]) -> Iterator[None]:
    """Within the block, engines call `check` several times a second while they work; it may raise Stopped.

    The query that runs is then interrupted, and the exception goes on to the caller.
    """
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


def check_in_force() -> Callable[[], object] | None:
    """What an engine is to call while it works; None without a block of `stoppable`."""
    return _CHECK.get()


def poll() -> None:
    """Call the check in force, if there is one."""
    check = _CHECK.get()
    if check is not None:
        check()


@contextmanager
def taken(lock: Lock) -> Iterator[None]:
    """Hold a lock within the block; while another thread holds it, call the check in force, which may raise Stopped."""
    while not lock.acquire(timeout=WAIT_SECONDS):
        poll()
    try:
        yield
    finally:
        lock.release()
