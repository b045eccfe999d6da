"""Going to other settings: those of an address, of a project, or of a step that is undone or redone."""

from __future__ import annotations

import dataclasses

import explorer as ex
from explorer.messages import message
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session, tables, url
from pages.settings.history import STEP, restored
from pages.settings.kept.trees import merged
from pages.settings.session import Upload
from pages.settings.settings import Settings
from pages.uploads import opening, reading


def go_to(settings: Settings, how: str = STEP) -> bool:
    """Show the settings of an address, of a project, or of a step; says whether they are, or their file is read.

    Unless a step is undone or redone, uses of the test set and kept trees stay noted.
    """
    own = session.upload()
    if settings.upload:
        if own is None or not _is_read_as(own, settings):
            return _go_to_file(settings, how)
        settings = opening.as_held(settings, own)
    try:
        trees.check_rows(settings)
    except ex.ExplorerError as error:
        session.notify("error", message("{error} Nothing was changed.", error=error))
        if how != STEP:
            session.cannot_go(how)
        return False
    settings = dataclasses.replace(settings, prediction_file=session.read().prediction_file)
    if how == STEP:
        session.keep(_with_what_stays(settings))
        fit_target()
        return True
    return session.keeps(settings, how)


def _with_what_stays(settings: Settings) -> Settings:
    """The settings with the kept trees of their table, and with the uses of its test set."""
    left = tables.recalled(session.kept_tables(), settings)
    if left is None:
        return settings
    settings = dataclasses.replace(settings, kept=merged(settings.kept, left.kept))
    if (left.target, left.repairs) == (settings.target, settings.repairs):
        settings = dataclasses.replace(settings, test_set_uses=left.test_set_uses)
    return settings


def go_along(how: str) -> bool:
    """Undo the last step, or redo the one undone last; says whether it is, or its file is read."""
    state = session.history().next(how)
    return state is not None and go_to(restored(state, session.read()), how)


def ask_for_file(settings: Settings, name: str) -> None:
    """Show the settings once their file is there: in use, kept for this browser, or given by the reader."""
    own = session.upload()
    if opening.find(settings.upload) is not None or (own is not None and own.fingerprint == settings.upload):
        go_to(settings)
        return
    opening.go_on_with_file()
    session.keep_upload(None)
    url.await_file(settings, name)


def _is_read_as(own: Upload, settings: Settings) -> bool:
    named = (settings.sheet, settings.header_line, settings.reading)
    return own.fingerprint.startswith(settings.upload) and (own.sheet, own.header_line, own.reading) == named


def _go_to_file(settings: Settings, how: str) -> bool:
    """Read another file again, as if a link had named it; says whether it is read."""
    if session.read().view.frozen:
        session.notify("info", session.frozen_text())
        return False
    session.await_file(settings, how)
    opening.restore_table(settings)
    if session.awaiting_file() is not None and reading.current(reading.TABLE) is None:
        session.await_file(None)
        session.notify("error", message("The file of that step is no longer kept on this server: upload it again."))
        return False
    return True
