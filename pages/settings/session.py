"""What a session keeps between runs of a page: the settings, messages for the next run, and the reader's files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypedDict

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

import explorer as ex
from explorer.data.reading import AS_FOUND, ReadingOptions
from explorer.messages import message
from pages.settings import tables
from pages.settings.history import (
    PART,
    REDO,
    STEP,
    UNDO,
    History,
    forgotten,
    noted,
    restored,
    without,
)
from pages.settings.settings import Settings, changed, while_frozen

_SETTINGS, _PAST, _NOTICES, _UPLOAD, _AWAITING, _PREDICTION_FILE = (
    "settings",
    "past",
    "notices",
    "upload",
    "awaiting",
    "prediction file",
)


class Asked(TypedDict):
    """Steps that keys ask for, each a number and whether to undo or redo; `ask` differs each time that they do."""

    ask: int
    steps: list[tuple[int, str]]


_SEEN_TREE = "seen tree"
_SEEN_WORK = "seen work"


@dataclass(frozen=True)
class Upload:
    """The reader's own table: what it is called, a hash of its bytes, and what was read.

    `sheet`, `header_line` and `reading` are what was asked for when it was read ("" and 0: found); `content` are its
    bytes where the server's disk keeps none. `displaced` are the names of the reader's files that made room for it.
    """

    name: str
    fingerprint: str
    table: ex.Table
    sheet: str = ""
    header_line: int = 0
    reading: ReadingOptions = AS_FOUND
    content: bytes | None = None
    displaced: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A text for everything that the table as read depends on; the name may decide how a file is read."""
        return f"upload:{self.fingerprint} {self.name!r} {self.sheet!r} {self.header_line} {self.reading}"


@dataclass
class _Past:
    """The steps of a session, and the settings of every table that it has had open.

    Steps that keys undo or redo have numbers: `begun` and `done` are the last ones, `asked` what was last asked for.
    A new run may meet an old one: `turn` has them do one step at a time.
    """

    history: History = field(default_factory=History)
    tables: tables.Tables = field(default_factory=dict)
    begun: int = 0
    done: int = 0
    asked: Asked | None = None
    turn: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True)
class Notice:
    """A message that the next page run shows once, at the top of the page or at the place of this name.

    `cells` are those that it is about, as (row, text).
    """

    level: str
    text: str
    place: str = ""
    cells: tuple[tuple[int, str], ...] = ()


def running_session() -> str | None:
    """The id of the session whose page runs in this thread; None in any other thread."""
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


def read() -> Settings:
    """The settings of this session."""
    settings: Settings | None = st.session_state.get(_SETTINGS)
    return Settings() if settings is None else settings


def is_new() -> bool:
    """Whether this session has no settings yet."""
    return _SETTINGS not in st.session_state


def keep(settings: Settings, how: str = STEP) -> None:
    """Make these the settings of the session; while they are frozen, only what of them is shown changes.

    `how` says what that is to undo, as in `history.noted`.
    """
    keeps(settings, how)


def keeps(settings: Settings, how: str) -> bool:
    """The same; says whether the settings are these now.

    No control is used by the keys that undo and redo. One that seems to be has not yet shown the step before.
    """
    if how == STEP and steps_asked() not in (None, _past().asked):
        return False
    kept = while_frozen(read(), settings)
    if kept != settings:
        notify("info", frozen_text())
        if how in (UNDO, REDO):
            return False
    keep_although_frozen(kept, how)
    return kept == settings


def keep_started(name: str, is_started: bool) -> None:
    """Note whether the result of long work of this name is on a page, or will be: frozen settings change by it too."""
    settings = read()
    if is_started != (name in settings.started):
        others = tuple(other for other in settings.started if other != name)
        keep_although_frozen(replace(settings, started=(*others, name) if is_started else others), PART)


def is_to_start(name: str) -> bool:
    """Whether the address that began the session has started this work: true once, where it is first asked for."""
    seen: set[str] = st.session_state.setdefault(_SEEN_WORK, set())
    is_first = name not in seen
    seen.add(name)
    return is_first and name in read().started


def start_soon(name: str) -> None:
    """Have the page of this work start it when it is shown next, as a link does."""
    st.session_state.setdefault(_SEEN_WORK, set()).discard(name)
    keep_started(name, True)


def keep_part(part: str, /, **changes: object) -> None:
    """Change fields of one of the records within the settings, such as "compare"."""
    settings = read()
    keep(changed(settings, **{part: replace(getattr(settings, part), **changes)}))


def keep_although_frozen(settings: Settings, how: str = STEP) -> None:
    """Make these the settings of the session, whatever is frozen: the old ones can't be used any more.

    All of it or nothing: Streamlit may stop a run, but only where it uses the session.
    """
    past = _past()
    steps, known = noted(past.history, read(), settings, how), tables.noted(past.tables, settings)
    st.session_state[_SETTINGS] = settings
    past.history, past.tables = steps, known
    if how in (UNDO, REDO):
        past.done = past.begun


@contextmanager
def as_one_step() -> Iterator[None]:
    """Whatever changes within is one step, which undo takes back as a whole."""
    before, past = read(), _past()
    steps = past.history
    yield
    past.history = noted(steps, before, read())


def begin(settings: Settings) -> None:
    """Begin with these settings: there are none before, or none that could be used."""
    keep_although_frozen(settings, PART)


def history() -> History:
    """The steps that can be undone and done again."""
    return _past().history


def _past() -> _Past:
    past: _Past = st.session_state.setdefault(_PAST, _Past())
    return past


def steps_asked() -> Asked | None:
    """What the keys ask for, as the browser names it."""
    asked: Asked | None = st.session_state.get("shell", {}).get("steps")
    return asked


def note_steps_asked(asked: Asked | None) -> None:
    """Note that all of these steps are done that can be; on the way to another page, none are asked for."""
    if asked is not None:
        _past().asked = asked


@contextmanager
def numbered_step(number: int) -> Iterator[bool]:
    """Undo or redo the step of this number within, if it is yet to be done, as it says: once, whoever else asks for it.

    It counts as done with the change of the settings, so that one that is stopped before can be begun again.
    """
    past = _past()
    with past.turn:
        is_new = number > past.done and not is_going_along()
        if is_new:
            past.begun = number
        try:
            yield is_new
            past.done = past.begun
        finally:
            past.begun = past.done  # a button's step is none of those


def step_done() -> int:
    """The number of the last step that was done by number."""
    return _past().done


def cannot_go(how: str) -> None:
    """Leave out the settings to which UNDO or REDO would go: they can be used no more."""
    past = _past()
    past.history = without(past.history, how)


def frozen_text() -> str:
    """That nothing but what is shown can be changed, and how to change that."""
    return message("The settings are frozen. The menu ⋯ unfreezes them.")


def kept_tables() -> tables.Tables:
    """The settings of every table that this session has had open."""
    return _past().tables


def forget_table(upload: str) -> None:
    """Forget what was chosen for a file."""
    past = _past()
    past.history, past.tables = forgotten(past.history, upload), tables.forgotten(past.tables, upload)


def attempt(check: Callable[[Settings], object], place: str = "", /, **changes: object) -> bool:
    """Change the settings if `check` passes on them; else keep the old ones and say why, at a place of the page."""
    return _take(check, changed(read(), **changes), place)


def open_table(check: Callable[[Settings], object], place: str = "", /, **table: object) -> bool:
    """The same for another table: it opens as it was left, or with its own defaults."""
    proposed = changed(read(), **table)
    kept = recalled(check, proposed)
    if kept is not None:
        keep(kept)
    return kept is not None or _take(check, proposed, place)


def recalled(check: Callable[[Settings], object], proposed: Settings) -> Settings | None:
    """The settings that the table of some settings was left with, if it was open before and `check` passes on them."""
    kept = tables.recalled(kept_tables(), proposed)
    try:
        if kept is not None:
            check(kept)
    except ex.ExplorerError:  # a connected table may have other columns now
        return None
    return kept


def _take(check: Callable[[Settings], object], proposed: Settings, place: str) -> bool:
    try:
        check(proposed)
    except ex.ExplorerError as error:
        cells = error.cells if isinstance(error, ex.ColumnError) else ()
        notify("error", message("{error} Nothing was changed.", error=error), place, cells)
        return False
    keep(proposed)
    return True


def notify(level: str, text: str, place: str = "", cells: tuple[tuple[int, str], ...] = ()) -> None:
    """Leave a message ("error", "warning" or "info") for the next run of a page."""
    st.session_state.setdefault(_NOTICES, []).append(Notice(level, text, place, cells))


def take_notices(place: str = "") -> Sequence[Notice]:
    """The messages left for a place of the page, which are then gone."""
    notices: Sequence[Notice] = st.session_state.get(_NOTICES, [])
    st.session_state[_NOTICES] = [notice for notice in notices if notice.place != place]
    return [notice for notice in notices if notice.place == place]


def await_file(settings: Settings | None, how: str = STEP) -> None:
    """Hold settings back until the file that they are about is there; None holds nothing any more."""
    past = _past()
    st.session_state[_AWAITING] = None if settings is None else (settings, how)
    if how in (UNDO, REDO):
        past.done = past.begun


def awaiting_file() -> Settings | None:
    """The settings held back."""
    held: tuple[Settings, str] | None = st.session_state.get(_AWAITING)
    return held[0] if held else None


def is_going_along() -> bool:
    """Whether settings are held back that a step was undone or redone to."""
    held: tuple[Settings, str] | None = st.session_state.get(_AWAITING)
    return held is not None and held[1] in (UNDO, REDO)


def keep_resumed(settings: Settings) -> None:
    """Make settings that were held back those of the session, as the step that they were held back for."""
    keep_although_frozen(settings, st.session_state[_AWAITING][1])


def resumed(held: Settings) -> Settings:
    """Settings held back with what the reader has chosen meanwhile that is no table's."""
    if is_going_along():
        return restored(held, read())
    now = tables.of_reader(held, read())
    view = replace(now.view, frozen=held.view.frozen)
    return replace(now, view=view, prediction_file=held.prediction_file)


def see_tree() -> None:
    """Note that a page has shown the tree of the table in use."""
    st.session_state[_SEEN_TREE] = _table(read())


def has_seen_tree() -> bool:
    """Whether the last tree that a page has shown is one of the table in use."""
    return bool(st.session_state.get(_SEEN_TREE) == _table(read()))


def _table(settings: Settings) -> tuple[str, str, str]:
    return settings.connected, settings.upload, settings.sample


def upload() -> Upload | None:
    """The reader's own table, if one was read in this session."""
    upload: Upload | None = st.session_state.get(_UPLOAD)
    return upload


def keep_upload(new: Upload | None) -> None:
    """Keep the reader's table for the session, or forget it."""
    st.session_state[_UPLOAD] = new


def prediction_file() -> Upload | None:
    """The file whose rows the tree predicts, if one was read in this session."""
    upload: Upload | None = st.session_state.get(_PREDICTION_FILE)
    return upload


def keep_prediction_file(new: Upload | None) -> None:
    """Keep that file for the session, or forget it."""
    st.session_state[_PREDICTION_FILE] = new
