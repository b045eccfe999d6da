"""Choosing a table: a file of the reader's own, or one of the samples."""

from __future__ import annotations

import dataclasses

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.data import sample_cards, sklearn_tree
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.session import Upload
from pages.settings.settings import Settings, changed
from pages.widgets import upload

_ROUND = "file.round"
_TYPES = ["csv", "tsv", "txt", "data", "gz", "parquet", "xlsx"]


def choose_table(settings: Settings) -> None:
    """The uploader beside search and filters, and the cards below."""
    with st.container(key="sources"):
        with st.container(key="uploader"):
            _uploader()
        with st.container(key="sample_filters"):
            found = sample_cards.find()
            st.toggle(message("Show all samples"), key="samples.all")
        with st.container(key="other_sources"):
            sklearn_tree.offer()
    sample_cards.show(found, settings, session.upload(), _open_upload)


def _uploader() -> None:
    st.file_uploader(
        message("Drop a table here: CSV, Excel, Parquet"),
        type=_TYPES,
        key=_file_key(),
        on_change=_file_given,
        help=message(
            "CSV or TSV (also gzipped), Parquet or Excel (.xlsx). The first line holds the names of the columns. The "
            "file is kept in this server’s memory for a while, never on its disk, and nobody else sees it."
        ),
    )


def _file_key() -> str:
    """The uploader's key, another one after every file: it is empty again, and its file is kept by the session."""
    return f"file.{st.session_state.get(_ROUND, 0)}"


def _stays() -> str:
    return message("The table opened before is still here.")


def _take_what_awaited(own: Upload) -> None:
    """Go on with the settings that a web address has for this very file."""
    awaiting = session.awaiting_file()
    if awaiting is None:
        return
    if not own.fingerprint.startswith(awaiting.upload):
        session.notify(
            "warning",
            message(
                "'{name}' is not the file of this link: its content differs. It opens with its own defaults. Upload "
                "the right file to restore the view.",
                name=own.name,
            ),
        )
        return
    session.await_file(None)
    proposed = dataclasses.replace(awaiting, upload=own.fingerprint)
    try:
        trees.parts(proposed)
    except ex.ExplorerError as error:
        session.notify("warning", message("The settings of this link do not fit the file: {error}", error=error))
        return
    session.keep(proposed)
    session.notify("info", message("'{name}' is the file of this link. The view is restored.", name=own.name))


def _file_given() -> None:
    """Read the file that was dropped; whatever goes wrong, the table in use stays."""
    own = upload.read(_file_key(), _stays())
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    if own is not None:
        _open_upload(own)


def _open_upload(own: Upload) -> None:
    """Use the file with the last column that can be a target; if there is none, nothing changes."""
    before = session.upload()
    session.keep_upload(own)
    columns = [str(column) for column in own.table.frame.columns][::-1]
    proposed = changed(session.read(), upload=own.fingerprint)
    failures = []
    for target in columns:
        try:
            trees.parts(changed(proposed, target=target))
        except ex.ExplorerError as error:
            failures.append(error)
            continue
        if failures:
            session.notify(
                "warning", message("{error} The target is '{target}' instead.", error=failures[0], target=target)
            )
        session.keep(changed(proposed, target=target))
        _take_what_awaited(own)
        fit_target()
        return
    session.keep_upload(before)
    session.notify("error", message("{error} {kept}", error=failures[0], kept=_stays()))
