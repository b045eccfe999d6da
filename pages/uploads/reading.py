"""Reading a file: kept on the disk first, a small one at once, a larger one in the job pool with progress and stop.

A session reads one file at a time for each purpose: the next one stops the one before.
"""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

import explorer as ex
from explorer.data.reading import AS_FOUND, ReadingOptions
from explorer.formatting import shortened, visible
from explorer.messages import listing, message, plural
from pages.results import jobs
from pages.settings.session import Upload
from pages.uploads import browser
from pages.uploads.claims import Claims
from pages.uploads.store import KeptFile, Store

TABLE, PREDICTION = "table", "prediction"
"""What a file is read for: as the table in use, or for its rows to be predicted."""
Prepare = Callable[[Upload], None]
_READ = 60
"""Per cent of the work until a file is read; the rest is what is prepared."""
_MOST_LETTERS = 30
"""Letters of a name in a sentence that stands in one line of a window of 1280 pixels."""
_log = logging.getLogger(__name__)
_CLAIMS = Claims()
AT_ONCE = 1 << 20
"""A file of up to so many bytes is read at once."""


@dataclass
class Given:
    """A file to read: its content, or the file kept on the disk; sheet, header line and options asked for.

    "" and 0 stand for what is found.

    `awaited` are the first digits of the file that a link is about, and the sheet, header line and options it names.
    `is_table` is false where only its rows are to be predicted.
    """

    name: str
    content: bytes | None = None
    kept: KeptFile | None = None
    sheet: str = ""
    header_line: int = 0
    options: ReadingOptions = AS_FOUND
    awaited: tuple[str, str, int, ReadingOptions] | None = None
    is_table: bool = True

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.kept.size if self.kept else len(self.content or b"")


@dataclass(eq=False)
class Reading:
    """A file that is being read by a job of this key; `upload` is what was read. `is_restored` after a reload."""

    purpose: str
    name: str
    key: str
    is_restored: bool
    upload: Upload | None = None


def read(
    given: Given,
    store: Store | None,
    key: str,
    progress: jobs.Progress | None = None,
    prepare: Prepare | None = None,
) -> Upload:
    """Keep the file under its browser's key and read it; a new one that is no table is removed again.

    Without a store, or where its disk is full, the content stays in memory. Touches nothing of the session. What was
    read is given to `prepare`. Raises InputError and Stopped.
    """
    fingerprint = given.kept.fingerprint if given.kept else hashlib.sha256(given.content or b"").hexdigest()
    with _CLAIMS.reading(store, key, fingerprint):
        displaced = _keep(given, store, key)
        if given.awaited and fingerprint.startswith(given.awaited[0]):
            _, given.sheet, given.header_line, given.options = given.awaited
        source: Path | bytes = given.kept.path if given.kept else given.content or b""
        try:
            table = _table(source, given, progress)
        except (FileNotFoundError, ex.InputError):
            if given.kept is not None and not given.kept.path.exists():
                raise ex.InputError(gone_text(given.name)) from None
            raise
        asked = (given.sheet, given.header_line, given.options)
        own = Upload(given.name, fingerprint, table, *asked, given.content, displaced)
        if prepare is not None:
            prepare(own)
    return own


def _table(source: Path | bytes, given: Given, progress: jobs.Progress | None) -> ex.Table:
    """The table in a file; one to predict is no text where the table may be one, and then has no signs of a text."""

    def table(options: ReadingOptions) -> ex.Table:
        return ex.read_table(
            source,
            given.name,
            sheet=given.sheet or None,
            header_line=given.header_line or None,
            progress=progress,
            **options.given,
        )

    try:
        return table(given.options)
    except ex.InputError:
        if given.is_table or not given.options.of_text:
            raise
        found = table(ReadingOptions(has_header=given.options.has_header, missing=given.options.missing))
        if found.read_as is not None:
            raise
        return found


def _keep(given: Given, store: Store | None, key: str) -> tuple[str, ...]:
    """Put the file on the disk and let go of its content; gives the names of the files that made room for it."""
    if given.kept is not None:
        if not given.kept.path.exists():  # forgotten in another tab, or expired, since it was offered
            raise ex.InputError(gone_text(given.name))
        return ()
    if store is None or not given.content:
        return ()
    before = store.files(key)
    try:
        given.kept, given.content = store.put(key, given.name, given.content, given.is_table), None
    except OSError as error:
        _log.warning("An upload is kept in memory alone: %s", error)
    return tuple(file.name for file in before if not file.path.exists())


def displaced_text(names: Sequence[str]) -> str:
    """Which files made room for a new one, and how they come back."""
    listed = listing(f"'{shortened(visible(name), _MOST_LETTERS)}'" for name in names)
    return plural(
        len(names),
        "{names} was removed to make room for this file. Upload it again to go on where you left it.",
        "{names} were removed to make room for this file. Upload them again to go on where you left them.",
        names=listed,
    )


def gone_text(name: str) -> str:
    """What to do about a file that the disk kept and no longer does."""
    return message("'{name}' is no longer kept on this server: upload it again.", name=name)


def begin(purpose: str, given: Given, is_restored: bool = False, prepare: Prepare | None = None) -> Upload | None:
    """Read a small file at once, or begin to read a larger one, which `ended` gives later; raises InputError.

    `prepare` is what a job does with a file beside reading it, such as encoding its columns.
    """
    stop(purpose)
    store, key = browser.store(), browser.key()
    if given.size <= AT_ONCE:
        return read(given, store, key)
    reading = Reading(purpose, given.name, f"file {uuid.uuid4().hex}", is_restored)
    st.session_state[_place(purpose)] = reading
    jobs.pool().submit(jobs.session(), reading.key, _work(reading, given, store, key, prepare))
    return None


def _work(reading: Reading, given: Given, store: Store | None, key: str, prepare: Prepare | None) -> jobs.Work:
    """Read into the record, which belongs to the session: the pool keeps no table."""

    def work(progress: jobs.Progress) -> None:
        progress(0, 100)
        with jobs.reporting_to(_within(_READ, 100, progress)):
            reading.upload = read(given, store, key, _within(0, _READ, progress), prepare)

    return work


def _within(begin: int, end: int, progress: jobs.Progress) -> jobs.Progress:
    """Report the progress of a part of the work as per cent of all of it."""
    return lambda done, total: progress(begin + min(end - begin, (end - begin) * done // max(total, 1)), 100)


def current(purpose: str) -> Reading | None:
    """The file that this session is reading for a purpose, or has just read."""
    reading: Reading | None = st.session_state.get(_place(purpose))
    return reading


def job(reading: Reading) -> jobs.Job:
    """How far the reading is."""
    return jobs.pool().look(jobs.session(), reading.key) or jobs.Job("stopped")


def stop(purpose: str) -> None:
    """Stop reading and forget what was read, if anything."""
    reading = st.session_state.pop(_place(purpose), None)
    if reading is not None:
        jobs.pool().stop(jobs.session(), reading.key)


def request_stop(reading: Reading) -> None:
    """End the job of a reading, which then counts as ended without a file."""
    jobs.pool().stop(jobs.session(), reading.key)


def ended(purpose: str) -> Reading | None:
    """What was read for a purpose, when its job has ended well or badly; `done` takes it away."""
    reading = current(purpose)
    return None if reading is None or job(reading).is_active else reading


def done(reading: Reading) -> None:
    """What was read has been opened or refused."""
    if current(reading.purpose) is reading:
        del st.session_state[_place(reading.purpose)]


def _place(purpose: str) -> str:
    return f"reading.{purpose}"
