"""Tables that are connected at the moment: looked at once, encoded once for all sessions, closed when nobody uses them.

A session sees a table as it was when the session connected it: `changed` says whether it is another one by now.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache

import streamlit as st

import explorer as ex
from explorer.messages import message
from explorer.sources.level_report import LevelReport
from explorer.sources.origins.preview import Preview, preview
from explorer.sources.source import Progress, Source
from pages.results.connected import allowed
from pages.results.connected.allowed import Table
from pages.results.connected.division import Division
from pages.results.connected.stopping import interruptible
from pages.results.memory import sessions
from pages.settings import session

SAMPLE_ROWS = 100_000
"""Rows of a connected table that are taken into memory for what needs rows."""
MOST_PER_SESSION = 2
"""A session that goes back and forth between two targets encodes each of them once."""
MOST_PREVIEWS = 8
"""First looks that are kept, of the tables that were connected last."""
_PINNED = "connected table"


@dataclass(frozen=True, eq=False)
class Connected:
    """A table with the version that was connected, and a first look at it."""

    table: Table
    version: str
    preview: Preview

    @property
    def key(self) -> str:
        """A text for its content."""
        return f"connected:{self.table.name} {self.version}"


@dataclass(frozen=True)
class Wanted:
    """Everything that a working table depends on beside its rows."""

    target: str
    features: tuple[str, ...] | None
    kinds: tuple[tuple[str, str], ...]
    weight: str
    division: Division


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows of a connected table, as the engine has them: training, validation and test set."""

    connected: Connected
    how: str
    train: Source
    valid: Source | None = None
    test: Source | None = None
    newest: list[LevelReport] = field(default_factory=list)
    """The level at which a tree is growing now; empty where none grows."""

    def watched(self) -> Source:
        """The training set, which notes its newest level while a tree grows; none of an earlier tree is left."""
        self.newest.clear()
        return self.train.watched_by(lambda report: self.newest.__setitem__(slice(None), [report]))


@dataclass(eq=False)
class _Entry:
    """Rows, the sessions that use them, and a lock: they are encoded once."""

    rows: Rows
    sessions: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_ready: bool = False


class Registry:
    """The working tables of the server by what they depend on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def use(self, connected: Connected, wanted: Wanted, session: str | None) -> _Entry:
        """The entry of a table for a session, made where there is none; nothing is encoded yet. Raises InputError."""
        key = (connected.key, wanted)
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                entry = self._entries[key] = _Entry(_opened(connected, wanted))
            self._entries.move_to_end(key)
            if session:
                entry.sessions.add(session)
            own = [other for other, entry in self._entries.items() if session in entry.sessions]
            for other in own[:-MOST_PER_SESSION]:
                self._entries[other].sessions.discard(session or "")
            closed = self._taken_out(in_use=key)
        _close(closed)
        return entry

    def _taken_out(self, in_use: Hashable = None) -> list[_Entry]:
        """Forget the entries that no session uses, but for one, and give them."""
        unused = [key for key, entry in self._entries.items() if not entry.sessions and key != in_use]
        return [self._entries.pop(key) for key in unused]

    def leave(self, session: str) -> None:
        """Close what only this session, which has ended, has used."""
        with self._lock:
            for entry in self._entries.values():
                entry.sessions.discard(session)
            closed = self._taken_out()
        _close(closed)


def _opened(connected: Connected, wanted: Wanted) -> Rows:
    """The table with this target and these columns, divided into parts."""
    table, division = connected.table, wanted.division
    source = ex.connect(
        table.path,
        target=wanted.target,
        table=table.table,
        features=wanted.features,
        kinds=dict(wanted.kinds),
        weights=wanted.weight or None,
    )
    if division.values:
        parts = source.split_by(division.column, division.values)
    elif division.shares:
        parts = source.split(*division.shares, key=division.column, seed=division.seed)
    else:
        parts = (source,)
    valid, test = (*parts[1:], None, None)[:2]
    return Rows(connected, division.how, parts[0], valid, test)


def _close(entries: list[_Entry]) -> None:
    """Give back working tables: in the order of their making, each once its encoding has ended."""
    for entry in entries:
        with entry.lock, suppress(ex.ExplorerError):
            entry.rows.train.close()


registry = Registry()
sessions.when_ended(registry.leave)


def look(name: str) -> Connected:
    """The table of this name as this session has connected it. Raises InputError where it must not be connected."""
    pinned: Connected | None = st.session_state.get(_PINNED)
    if pinned is not None and pinned.table.name == name:
        return pinned
    table = allowed.find(name)
    version = table.version()
    pinned = Connected(table, version, _preview(table, version))
    st.session_state[_PINNED] = pinned
    return pinned


def connect_again() -> None:
    """Forget what this session has seen of its table: the next look is at the table as it is now.

    Of a table that is gone, the tree and what was seen stay.
    """
    pinned: Connected | None = st.session_state.get(_PINNED)
    if pinned is not None and pinned.table in allowed.tables():
        del st.session_state[_PINNED]
        session.keep(replace(session.read()))  # a copy, of which nothing is remembered


def samples(key: str, rows: Rows) -> tuple[ex.Dataset, ex.Dataset | None, ex.Dataset | None]:
    """A sample of each set in memory, drawn so that all sets together have at most `SAMPLE_ROWS` rows.

    Its fingerprint stands for all rows: what is kept under it may depend on every one of them.
    """
    sets = (rows.train, rows.valid, rows.test)
    in_all = sum(one.n_rows for one in sets if one is not None)
    share = min(1.0, SAMPLE_ROWS / max(in_all, 1))
    valid, test = (None if one is None else _sample(key, one, share) for one in sets[1:])
    return _sample(key, rows.train, share), valid, test


def _sample(key: str, source: Source, share: float) -> ex.Dataset:
    sample = source.sample(max(1, round(share * source.n_rows)))
    whole = hashlib.sha256(f"{key} {source.part} {sample.fingerprint}".encode())
    vars(sample)["fingerprint"] = whole.hexdigest()
    return sample


@lru_cache(maxsize=MOST_PREVIEWS)
def _preview(table: Table, version: str) -> Preview:
    place = st.empty()

    def show(done: int, files: int) -> None:
        """Say how far it is; Streamlit ends the script here where the reader has clicked something else."""
        place.caption(message("{n:,} of {all:,} files looked at", n=done, all=files) if files > 1 else "")

    with st.spinner(message("Reading a sample of the rows …")), interruptible(show) as progress:
        seen = preview(table.path, table.table, SAMPLE_ROWS, progress=progress)
    place.empty()
    return seen


def rows(connected: Connected, wanted: Wanted) -> Rows:
    """The rows of a table, not yet encoded unless a session has asked for them before. Raises InputError."""
    return registry.use(connected, wanted, sessions.current()).rows


def is_ready(connected: Connected, wanted: Wanted) -> bool:
    """Whether the working table is there."""
    return registry.use(connected, wanted, sessions.current()).is_ready


def prepare(connected: Connected, wanted: Wanted, progress: Progress | None) -> None:
    """Encode the working table unless it is there; `progress` may raise `Stopped`. Raises InputError."""
    entry = registry.use(connected, wanted, sessions.current())
    with entry.lock:
        if not entry.is_ready:
            entry.rows.train.workspace.prepared(progress)
            entry.is_ready = True
