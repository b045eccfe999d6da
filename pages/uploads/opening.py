"""What becomes of a file: read, used as the table or for its rows to be predicted, restored, and forgotten."""

from __future__ import annotations

import dataclasses
import io
import time
from contextlib import suppress
from functools import partial
from urllib.parse import parse_qs, urlencode

import streamlit as st

import explorer as ex
from explorer.data.codes.likely_target import likely_targets
from explorer.data.reading import AS_FOUND, ReadingOptions
from explorer.messages import message
from pages.results import cache, jobs, trees
from pages.results.fit_to_target import fit_target
from pages.results.source import of_upload
from pages.settings import session, tables, url
from pages.settings.history import PART, STEP
from pages.settings.session import Upload
from pages.settings.settings import OF_FILE, OF_TABLE, Settings, begun_anew, changed, made_of, understood
from pages.uploads import browser, in_link, reading, started
from pages.uploads.reading import PREDICTION, TABLE, Given
from pages.uploads.store import KeptFile

PREDICTION_PLACE = "predict.file"
"""Where messages about a file to predict are shown."""
_RESTORED, _WITHOUT, _CHOICES = "upload.restored", "upload.without", "upload.choices"
_TOUCHED, _TOUCH_EVERY = "upload.touched", 300.0


def give(purpose: str, name: str, content: bytes) -> None:
    """Read a new file, one to predict with the options of the table; whatever goes wrong, the one before stays."""
    held = session.awaiting_file() if purpose == TABLE else None
    awaited = (held.upload, held.sheet, held.header_line, held.reading) if held else None
    options = AS_FOUND if purpose == TABLE else session.read().reading
    _begin(purpose, Given(name, content, options=options, awaited=awaited, is_table=purpose == TABLE))


def reopen(kept: KeptFile) -> None:
    """Read a file that the disk keeps for this browser, as it was last read."""
    last = tables.last_read(session.kept_tables(), kept.fingerprint)
    if last == Settings(upload=kept.fingerprint):
        with suppress(ex.InputError):  # said once the file is open
            last = understood(parse_qs(kept.choices))
    _begin(TABLE, Given(kept.name, None, kept, last.sheet, last.header_line, last.reading))


def read_again(own: Upload, sheet: str = "", header_line: int = 0, options: ReadingOptions = AS_FOUND) -> None:
    """Read another sheet of the table in use, its names from another line, or its text with other options."""
    kept = kept_file(own)
    if kept is None and own.content is None:
        session.notify("error", reading.gone_text(own.name))
        return
    _begin(TABLE, Given(own.name, own.content, kept, sheet, header_line, options))


def restore() -> None:
    """Open the files that a new session is about: those of its address that the disk keeps for this browser.

    An address without a table is about the file that the server was started on.
    """
    if _RESTORED in st.session_state:
        return
    held = session.awaiting_file()
    settings = held or session.read()
    if held is not None:
        restore_table(held)
    elif not url.names_table():
        _open_started()
    kept = find(settings.prediction_file)
    if kept is not None:
        given = Given(kept.name, None, kept, options=settings.reading, is_table=False)
        _begin(PREDICTION, given, is_restored=True)
    else:
        session.keep(changed(session.read(), prediction_file=""))
    st.session_state[_RESTORED] = True


def restore_table(held: Settings) -> None:
    """Read the file that the disk keeps for this browser, or the one in the link."""
    kept = find(held.upload)
    options = (held.sheet, held.header_line, held.reading)
    if kept is not None:
        _begin(TABLE, Given(kept.name, None, kept, *options), is_restored=True)
    elif held.rows:
        try:
            name, content = in_link.unpacked(held.rows)
        except ex.InputError as error:
            session.notify("error", str(error))
            return
        _begin(TABLE, Given(name, content, None, *options), is_restored=True)


def _open_started() -> None:
    """Read the file that the server was started on, if it was and the file is still there."""
    path = started.file()
    if path is None:
        return
    try:
        content = path.read_bytes()
    except OSError as error:
        session.notify("error", message("'{name}' cannot be read: {error}.", name=path.name, error=error.strerror))
        return
    _begin(TABLE, Given(path.name, content), is_restored=True)


def go_on_with_file() -> None:
    """Ask for the file of the address again where the reader went on without it."""
    st.session_state.pop(_WITHOUT, None)


def open_with(settings: Settings, name: str, content: bytes) -> None:
    """Show the settings on the file that came with them."""
    session.await_file(settings)
    options = (settings.sheet, settings.header_line, settings.reading)
    _begin(TABLE, Given(name, content, None, *options))


def asks_for_file() -> bool:
    """Whether the address is about a file that is not there, and the reader has neither another nor goes on without."""
    is_missing = session.awaiting_file() is not None and session.upload() is None and reading.current(TABLE) is None
    return is_missing and _WITHOUT not in st.session_state


def go_on_without_file() -> None:
    """Show a sample; what the address says waits for the file."""
    st.session_state[_WITHOUT] = True


def advance() -> None:
    """Open what has been read since the last run of a page; a run that is cut short leaves it to the next."""
    for purpose in (TABLE, PREDICTION):
        ended = reading.ended(purpose)
        if ended is not None:
            job = reading.job(ended)
            if ended.upload is not None:
                _open(purpose, ended.upload, ended.is_restored)
            elif job.state == "failed":
                _refuse(purpose, job.problem)
            reading.done(ended)


def _begin(purpose: str, given: Given, is_restored: bool = False) -> None:
    held, now, known = session.awaiting_file(), session.read(), session.kept_tables()
    prepare = partial(_prepare, held, now, known, given) if purpose == TABLE else None
    try:
        own = reading.begin(purpose, given, is_restored, prepare)
    except ex.ExplorerError as error:
        _refuse(purpose, str(error))
        return
    if own is not None:
        _open(purpose, own, is_restored)


def _refuse(purpose: str, why: str) -> None:
    kept = _file_stays() if purpose == PREDICTION else _table_stays()
    session.notify(
        "error", message("{error} {kept}", error=why, kept=kept).rstrip(), PREDICTION_PLACE * (purpose == PREDICTION)
    )


def _table_stays() -> str:
    return message("The table opened before is still here.")


def _file_stays() -> str:
    return message("The file before is still shown.") if session.prediction_file() else ""


def _open(purpose: str, own: Upload, is_restored: bool) -> None:
    if own.displaced:
        session.notify("info", reading.displaced_text(own.displaced))
    if purpose == TABLE:
        open_table(own, is_restored)
        return
    session.keep_prediction_file(own)
    session.keep(changed(session.read(), prediction_file=own.fingerprint))


def open_table(own: Upload, is_restored: bool = False) -> None:
    """Use the file as it was left, or with its likeliest target; if there is none, nothing changes.

    A file that an address is about gets the settings of that address.
    """
    if _takes_what_awaited(own, is_restored):
        return
    now, how = session.read(), PART if is_restored else STEP
    as_left = session.recalled(partial(_check, own), _on_file(own, now)) or _as_before(own, now)
    if as_left is None:
        try:
            as_left = _left_with(kept_file(own), own, now)
        except ex.InputError as error:
            session.notify("warning", _not_fitting(error))
    if as_left is not None:
        _use(own, as_left, how)
        return
    if own.table.frame.shape[1] == 1:
        session.notify("error", message("{error} {kept}", error=_single_column_text(own), kept=_table_stays()))
        return
    proposed, failures = _usable(own, session.read())
    if proposed is None:
        session.notify("error", message("{error} {kept}", error=failures[0], kept=_table_stays()))
        return
    if failures:
        first = failures[0]
        said = first.finding if isinstance(first, ex.ColumnError) and first.finding else first
        text = message("{error} So '{target}' is the target.", error=said, target=proposed.target)
        session.notify("warning", text)
    _use(own, proposed, how)


def _single_column_text(own: Upload) -> str:
    if own.name.lower().endswith(".json"):
        return message(
            "'{name}' is neither a table, since it has the single column '{column}', nor a model that can be read: "
            "“Open a model” on the Data page lists the models.",
            name=own.name,
            column=own.table.frame.columns[0],
        )
    return message(
        "Only one column was found, '{column}': a tree needs a target and at least one feature. Cells are separated by "
        "tabs, commas, semicolons or vertical bars.",
        column=own.table.frame.columns[0],
    )


def _use(own: Upload, settings: Settings, how: str = STEP) -> None:
    """Show the table, unless frozen settings keep another one open."""
    session.keep(settings, how)
    if session.read() != settings:
        return
    session.keep_upload(own)
    st.session_state.pop(_CHOICES, None)
    fit_target()
    second = session.prediction_file()
    if second is not None and second.reading != own.reading:
        _begin(PREDICTION, Given(second.name, second.content, kept_file(second), options=own.reading, is_table=False))


def keep_choices() -> None:
    """Keep the size of the table in use and the choices about it with its file, for the next time it is opened."""
    own, settings, kept = session.upload(), session.read(), browser.store()
    if own is None or kept is None or not settings.upload:
        return
    choices = urlencode(made_of(settings, OF_FILE), doseq=True)
    file = kept_file(own) if st.session_state.get(_CHOICES) != choices else None
    if file is not None:
        with suppress(OSError, ex.ExplorerError):  # a disk that can no longer be written, a table that cannot be used
            kept.note(file, trees.source(settings).table.frame.shape, choices)
            st.session_state[_CHOICES] = choices


def _usable(own: Upload, now: Settings) -> tuple[Settings | None, list[ex.ExplorerError]]:
    """The settings with this file, its weights and the likeliest column that can be a target; why those before cannot.

    A target that the server was started with is tried first, then the one that the file declares.
    """
    failures: list[ex.ExplorerError] = []
    base, weight = _on_file(own, now), own.table.weight_column
    if weight:
        base = changed(base, weight=weight)
    columns = likely_targets(own.table.frame, (weight,), own.table.described, own.table.name)
    wanted = (started.target(own.name) or own.table.target_column, own.table.target_column)
    for column in sorted(columns, key=lambda name: (name != wanted[0], name != wanted[1])):
        proposed = changed(base, target=column)
        try:
            _check(own, proposed)
        except ex.InputError as error:
            failures.append(error)
            continue
        return _without_aside(own, proposed), failures
    return None, failures


def _without_aside(own: Upload, proposed: Settings) -> Settings:
    """The settings without the features that the file keeps out of them, if any are left."""
    if not own.table.aside:
        return proposed
    with trees.on_table(of_upload(own, proposed)):
        names = [feature.name for feature in trees.data(proposed).features]
    features = tuple(name for name in names if name not in own.table.aside)
    return proposed if len(features) in (0, len(names)) else changed(proposed, features=features)


def start_over() -> None:
    """Set all choices about the table in use back to those that it opens with."""
    own, proposed = session.upload(), begun_anew(session.read())
    if own is not None and proposed.upload:
        proposed = _usable(own, proposed)[0] or proposed
    session.keep(proposed)
    fit_target()


def _on_file(own: Upload, now: Settings) -> Settings:
    """The settings with this file, and its own defaults."""
    return changed(now, upload=own.fingerprint, sheet=own.sheet, header_line=own.header_line, reading=own.reading)


def _check(own: Upload, proposed: Settings) -> None:
    """Encode and split the rows of a file that is not yet in use; the results are kept. Raises InputError."""
    with trees.on_table(of_upload(own, proposed)):
        trees.parts(proposed)


def _as_before(own: Upload, now: Settings) -> Settings | None:
    """What was chosen about the table in use where its own sheet is read in another way, if it fits; else None."""
    if (now.upload, now.sheet) != (own.fingerprint, own.sheet):
        return None
    read = _on_file(own, now)
    for kept in ((*OF_TABLE, "repairs"), OF_TABLE):
        proposed = dataclasses.replace(read, **{name: getattr(now, name) for name in kept})
        with suppress(ex.InputError):
            _check(own, proposed)
            return proposed
    return None


def _left_with(kept: KeptFile | None, own: Upload, now: Settings) -> Settings | None:
    """What was chosen about a file in a session before; None without it. InputError where it does not fit."""
    made = understood(parse_qs(kept.choices)) if kept else Settings()
    as_read = (made.sheet, made.header_line, made.reading) == (own.sheet, own.header_line, own.reading)
    if not made.upload or not as_read or started.target(own.name) not in ("", made.target):
        return None
    proposed = tables.of_reader(as_held(made, own), now)
    _check(own, proposed)
    return proposed


def _prepare(held: Settings | None, now: Settings, known: tables.Tables, given: Given, own: Upload) -> None:
    """In a job: look at every cell now, so that the page need not when the file is opened."""
    _ = own.table.suggestions
    if held is not None and own.fingerprint.startswith(held.upload):
        proposed: Settings | None = as_held(held, own)
    else:
        proposed = tables.recalled(known, _on_file(own, now))
        with suppress(ex.InputError):
            proposed = proposed or _left_with(given.kept, own, now)
    if proposed is not None:
        with suppress(ex.InputError):
            _ = of_upload(own, proposed).table.suggestions
            _check(own, proposed)
            return
    if _as_before(own, now) is None:
        _usable(own, now)


def as_held(held: Settings, own: Upload) -> Settings:
    return dataclasses.replace(
        held, upload=own.fingerprint, sheet=own.sheet, header_line=own.header_line, reading=own.reading
    )


def _takes_what_awaited(own: Upload, is_restored: bool) -> bool:
    """Go on with the settings that a web address has for this very file, where they fit it."""
    awaiting = session.awaiting_file()
    if awaiting is None:
        return False
    if not own.fingerprint.startswith(awaiting.upload):
        session.notify(
            "warning",
            message(
                "'{name}' is not the file of this view: its content differs. It opens with its own defaults. Upload "
                "the right file to restore the view.",
                name=own.name,
            ),
        )
        return False
    proposed = as_held(session.resumed(awaiting), own)
    try:
        _check(own, proposed)
    except ex.InputError as error:
        session.await_file(None)
        session.notify("warning", _not_fitting(error))
        return False
    session.keep_resumed(proposed)
    _use(own, proposed)
    session.await_file(None)
    if not is_restored:
        session.notify("info", message("'{name}' is the file of this view. The view is restored.", name=own.name))
    return True


def _not_fitting(error: ex.InputError) -> str:
    return message("The settings of this view do not fit the file: {error}", error=error)


def find(digits: str) -> KeptFile | None:
    """The file of this browser whose hash begins so."""
    kept = browser.store()
    return kept.find(browser.key(), digits) if kept and digits else None


def kept_file(own: Upload) -> KeptFile | None:
    """The copy of a file on the disk."""
    return find(own.fingerprint)


def packed(own: Upload) -> str | None:
    """The whole file as letters for a link; None where it is too large, or no longer kept."""
    content = content_of(own, kept_file(own), in_link.MOST_UNPACKED)
    return None if content is None else in_link.packed(own.name, content)


def content_of(own: Upload, kept: KeptFile | None, most: int) -> bytes | None:
    """The bytes of a file; None where they are more than `most`, or no longer kept."""
    content = own.content
    if content is None and kept is not None and kept.size <= most:
        with suppress(OSError):  # removed since
            content = kept.path.read_bytes()
    return content


def kept_files() -> list[KeptFile]:
    """All tables that the disk keeps for this browser, the one used last first."""
    kept = browser.store()
    return [file for file in kept.files(browser.key()) if file.is_table] if kept else []


def kept_until(file: KeptFile) -> float:
    """When a file is removed unless it is used before, in seconds of the epoch."""
    kept = browser.store()
    return kept.until(file) if kept else 0.0


def keep_files_in_use() -> None:
    """Note now and then that the files of this session are in use, so that they are not removed meanwhile."""
    kept, now = browser.store(), time.time()
    if kept is None or now - st.session_state.get(_TOUCHED, 0.0) < _TOUCH_EVERY:
        return
    st.session_state[_TOUCHED] = now
    for own in (session.upload(), session.prediction_file()):
        file = kept_file(own) if own else None
        if file is not None:
            with suppress(OSError):  # removed since, or a disk that can no longer be written
                kept.touch(file)


def forget(fingerprint: str) -> None:
    """Remove a file from the disk and from this session; a page that shows it goes back to a sample."""
    kept, own, second = browser.store(), session.upload(), session.prediction_file()
    name = next((file.name for file in (own, second) if file is not None and file.fingerprint == fingerprint), "")
    if second is not None and second.fingerprint == fingerprint:
        forget_prediction_file()
    if own is not None and own.fingerprint == fingerprint:
        reading.stop(TABLE)
        session.await_file(None)
        session.keep_upload(None)
        if session.read().upload:
            proposed = changed(session.read(), upload="")
            session.keep_although_frozen(session.recalled(trees.check_rows, proposed) or proposed)
            fit_target()
    if kept is not None:
        kept.forget(browser.key(), fingerprint)
    session.forget_table(fingerprint)
    if name:
        session.notify("info", message("'{name}' was removed from the server.", name=name))
    cache.give_back(jobs.session())


def forget_prediction_file() -> None:
    """Remove the file whose rows are predicted, from the disk too unless it is the table in use."""
    second, own, kept = session.prediction_file(), session.upload(), browser.store()
    reading.stop(PREDICTION)
    session.keep_prediction_file(None)
    session.keep(changed(session.read(), prediction_file=""))
    is_own = own is not None and second is not None and own.fingerprint == second.fingerprint
    if second is not None and kept is not None and not is_own:
        kept.forget(browser.key(), second.fingerprint)


def first_lines(own: Upload, most: int) -> bytes | None:
    """The first lines of a text, up to so many bytes; None where its bytes do not show them, or it is kept no more."""
    kept = kept_file(own)
    if own.table.read_as is None or (kept is None and own.content is None):
        return None
    with kept.path.open("rb") if kept else io.BytesIO(own.content or b"") as file:
        head = file.read(most)
        is_whole = not file.read(1)
    if head.startswith((b"\x1f\x8b", b"PK")):
        return None
    if is_whole:
        return head
    is_wide = str(own.table.read_as.encoding).startswith(("utf-16", "utf-32"))
    return None if is_wide else head[: head.rfind(b"\n") + 1] or None
