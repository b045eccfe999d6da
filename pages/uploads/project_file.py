"""A project or a model given where a table is given, and the project of a session as a file."""

from __future__ import annotations

from collections.abc import Callable

import explorer as ex
from explorer.messages import message
from pages.settings import session
from pages.settings.session import Upload
from pages.settings.settings import Settings
from pages.uploads import go_to, in_link, models, opening, project
from pages.uploads.project import Project
from pages.uploads.reading import TABLE
from pages.uploads.store import KeptFile

MOST_ROWS = 50 << 20
"""Bytes of a file that a project may hold."""


def give(purpose: str, name: str, content: bytes) -> None:
    """Read a new file, which may be a project or a model where a table is asked for."""
    if purpose != TABLE:
        opening.give(purpose, name, content)
        return
    if not project.is_project(name, content):
        (models.give if models.is_model(content) else _give_table)(name, content)
        return
    try:
        _open(project.from_text(content))
    except ex.InputError as error:
        text = message(
            "'{name}' was not opened. {error} The table opened before is still here.", name=name, error=error
        )
        session.notify("error", text)


def _give_table(name: str, content: bytes) -> None:
    opening.give(TABLE, name, content)


def _open(made: Project) -> None:
    settings = made.settings
    if made.rows:
        opening.open_with(settings, *in_link.unpacked(made.rows, MOST_ROWS))
    elif settings.upload:
        go_to.ask_for_file(settings, made.file)
    else:
        go_to.go_to(settings)


def saving(settings: Settings, own: Upload | None, has_rows: bool) -> Callable[[], str]:
    """What makes the project of a session when it is downloaded, which no session sees; with its rows if wanted."""
    kept = opening.kept_file(own) if own is not None else None

    def to_text() -> str:
        rows = _rows(own, kept) if own is not None and has_rows else ""
        return project.to_text(Project(settings, own.name if own else "", rows))

    return to_text


def _rows(own: Upload, kept: KeptFile | None) -> str:
    content = opening.content_of(own, kept, MOST_ROWS)
    rows = in_link.packed(own.name, content, MOST_ROWS, 2 * MOST_ROWS) if content is not None else None
    if rows is None:
        raise ex.InputError(message("The rows of '{name}' do not fit into the project.", name=own.name))
    return rows


def holds_rows(own: Upload) -> bool:
    """Whether a project can hold the rows of a file."""
    kept = opening.kept_file(own)
    return 0 < (kept.size if kept else len(own.content or b"")) <= MOST_ROWS
