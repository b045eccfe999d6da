"""Results kept for all sessions, bounded by bytes: the one used longest ago goes first.

`@kept()` keeps what a function returns under its arguments. Those with a leading underscore are not part of the key:
the text beside them stands for their content. Results are shared between sessions, and nobody changes them. What only
an ended session has used is given back.
"""

from __future__ import annotations

import inspect
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar, cast

import streamlit as st

from explorer.compiling import is_compiling
from explorer.data.dataset import Dataset
from explorer.messages import Words, current_catalogue, worded
from pages.results.memory import limit, sessions
from pages.results.memory.sizes import Parts, parts_of
from pages.settings.session import running_session

P = ParamSpec("P")
R = TypeVar("R")
_WORTH_TRIMMING = 32 << 20
"""Bytes given back, by one session or by several, from which the system gets the free memory of the process."""

_SHORT = 300_000
"""Cells of a table (rows × columns) that is worked on in a blink."""

_STATE_GONE_AFTER = 3.0
"""Seconds until Streamlit has let go of the state of a session that it has closed."""


@dataclass(eq=False)
class _Entry:
    """A result, its parts with their bytes, and the sessions that used it."""

    value: object
    parts: Parts
    sessions: set[str] = field(default_factory=set)


class Cache:
    """Results by key, together at most `most_bytes`; what several of them have in common counts once.

    Threads that want the same result at once work it out once. An error is kept by nobody: each of them tries again.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.n_bytes = self._given_back = 0.0
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._in_work: dict[Hashable, Future[None]] = {}
        self._holders: Counter[Hashable] = Counter()
        self._sizes: Parts = {}

    def __len__(self) -> int:
        """How many results are kept."""
        return len(self._entries)

    def __contains__(self, key: Hashable) -> bool:
        """Whether there is a result of this key."""
        return key in self._entries

    def look(self, key: Hashable, session: str | None = None) -> object:
        """The result of this key; KeyError where it is not kept."""
        with self._lock:
            entry = self._entries[key]
            self._entries.move_to_end(key)
            entry.sessions.update([session] if session else [])
            return entry.value

    def get(self, key: Hashable, make: Callable[[], R], session: str | None = None) -> R:
        """The result of this key, made if it is not kept; `session` is who uses it."""
        while True:
            with suppress(KeyError):
                return cast("R", self.look(key, session))
            with self._lock:
                if key in self._entries:
                    continue
                others_work = self._in_work.get(key)
                if others_work is None:
                    self._in_work[key] = Future()
            if others_work is None:
                return self._made(key, make, session)
            wait([others_work])

    def _made(self, key: Hashable, make: Callable[[], R], session: str | None) -> R:
        """Make the result and keep it; whatever happens, those who wait for it go on."""
        try:
            value = make()
            self.put(key, value, {session} if session else set())
            return value
        finally:
            with self._lock:
                self._in_work.pop(key).set_result(None)

    def put(self, key: Hashable, value: object, sessions: set[str]) -> None:
        """Keep a result that some sessions use, in place of an older one of this key."""
        entry = _Entry(value, parts_of(value), set(sessions))
        with self._lock:
            self._drop(key)
            self._keep(key, entry)

    def drop(self, key: Hashable) -> None:
        """Forget the result of a key, if there is one."""
        with self._lock:
            self._drop(key)

    def _keep(self, key: Hashable, entry: _Entry) -> None:
        """Add an entry; the ones used longest ago go until all fit. The newest stays, however large."""
        self._entries[key] = entry
        for part, size in entry.parts.items():
            self._holders[part] += 1
            self.n_bytes += max(0.0, size - self._sizes.get(part, 0.0))
            self._sizes[part] = max(size, self._sizes.get(part, 0.0))
        while self.n_bytes > self.most_bytes and len(self._entries) > 1:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        for part in entry.parts if entry else ():
            self._holders[part] -= 1
            if not self._holders[part]:
                del self._holders[part]
                self.n_bytes -= self._sizes.pop(part)

    def give_back(self, session: str) -> bool:
        """Drop what only this session has used; whether that, with what others gave before, was much and was freed."""
        with self._lock:
            before = self.n_bytes
            for key, entry in list(self._entries.items()):
                if session in entry.sessions:
                    entry.sessions.discard(session)
                    if not entry.sessions:
                        self._drop(key)
            self._given_back += before - self.n_bytes
            was_much = self._given_back >= _WORTH_TRIMMING
            if was_much:
                self._given_back = 0.0
        if was_much:
            limit.trim()
        return was_much

    def clear(self) -> None:
        """Forget all results."""
        with self._lock:
            for key in list(self._entries):
                self._drop(key)


@cache
def results() -> Cache:
    """The one cache of the server, made at its first use."""
    return Cache(limit.most_bytes())


@sessions.when_ended
def give_back(session: str) -> None:
    """Drop the results that only this session, which has ended, has used; its uploads and its state go a bit later."""
    if results().give_back(session):
        time.sleep(_STATE_GONE_AFTER)
        limit.trim()


class Kept(Generic[P, R]):
    """A function whose results are kept by its arguments."""

    def __init__(self, function: Callable[P, R], spinner: Words | None, by_language: bool) -> None:
        self._function, self._spinner, self._by_language = function, spinner, by_language
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._signature = inspect.signature(function)
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The result, kept or made."""

        def make() -> R:
            with _spinner(None if _is_short(args) else self._spinner):
                return self._function(*args, **kwargs)

        return results().get(self._key(*args, **kwargs), make, sessions.current())

    def is_kept(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether the result need not be made."""
        return self._key(*args, **kwargs) in results()

    def _key(self, *args: P.args, **kwargs: P.kwargs) -> Hashable:
        given = self._signature.bind(*args, **kwargs)
        given.apply_defaults()
        named = (value for argument, value in given.arguments.items() if not argument.startswith("_"))
        language = current_catalogue().language if self._by_language else ""
        return (self._name, language, *map(_typed, named))


def kept(spinner: Words | None = None, by_language: bool = False) -> Callable[[Callable[P, R]], Kept[P, R]]:
    """Keep what a function returns, by its arguments; `spinner` is shown while a page waits for it.

    `by_language` keeps one result for each language: for results that hold finished sentences.

    >>> calls = []
    >>> @kept()
    ... def doubled(number, _log):
    ...     _log.append(number)
    ...     return 2 * number
    >>> doubled(4, calls), doubled(4, calls), doubled(4.0, calls), calls
    (8, 8, 8.0, [4, 4.0])
    """
    return lambda function: Kept(function, spinner, by_language)


def _typed(value: Any) -> Hashable:
    """A value as part of a key: 1, 1.0 and True are different."""
    if isinstance(value, tuple):
        return tuple(_typed(entry) for entry in value)
    return value if isinstance(value, str) else (type(value), value)


def _is_short(arguments: Iterable[object]) -> bool:
    """Whether the rows that are worked on are so few that a spinner, with its thread, would not be worth showing."""
    if is_compiling():
        return False
    rows = [getattr(argument, "train", argument) for argument in arguments]
    cells = [each.n_rows * len(each.features) for each in rows if isinstance(each, Dataset)]
    return bool(cells) and max(cells) <= _SHORT


def _spinner(text: Words | None) -> AbstractContextManager[object]:
    """Streamlit's spinner within a page's run, nothing in a job."""
    if text is None or running_session() is None:
        return nullcontext()
    return st.spinner(worded(text))
