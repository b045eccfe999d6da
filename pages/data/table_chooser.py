"""Choosing a table: the built-in samples with their stories, or a file of one's own."""

from __future__ import annotations

import dataclasses

import streamlit as st

import explorer as ex
from explorer.data.samples import SAMPLES
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.session import Upload
from pages.settings.settings import Settings, changed
from pages.widgets import upload

_FILE_KEY = "file"
_STAYS = "The table opened before is still here."
_TYPES = ["csv", "tsv", "txt", "data", "gz", "parquet", "xlsx"]


def choose_table(settings: Settings) -> None:
    """The samples and the uploader, in two tabs."""
    samples, own = st.tabs(["Samples", "Your own file"])
    with samples, st.container(height=470, border=True):
        for key in SAMPLES:
            _sample_card(key, is_kept=key == settings.sample and not settings.upload)
    with own:
        _uploader(settings)


def _sample_card(key: str, is_kept: bool) -> None:
    """One sample: a button with its title, and its story."""
    sample = SAMPLES[key]
    st.button(
        sample.title,
        key=f"open.{key}",
        type="primary" if is_kept else "secondary",
        icon=":material/check:" if is_kept else None,
        width="stretch",
        on_click=_open_sample,
        args=(key,),
    )
    st.caption(f"{sample.story} {sample.rows:,} rows.")


def _uploader(settings: Settings) -> None:
    st.file_uploader(
        "Choose a table",
        type=_TYPES,
        key=_FILE_KEY,
        on_change=_file_given,
        help="CSV or TSV (also gzipped), Parquet or Excel (.xlsx). The first line holds the names of the columns.",
    )
    st.caption("The file is kept in this server’s memory for a while, never on its disk, and nobody else sees it.")
    own = session.upload()
    if own is None:
        return
    st.text(f"Read: {own.name}")
    if not settings.upload:
        st.button("Back to my file", on_click=_open_upload, args=(own,), width="stretch")


def _take_what_awaited(own: Upload) -> None:
    """Go on with the settings that a web address has for this very file."""
    awaiting = session.awaiting_file()
    if awaiting is None:
        return
    if not own.fingerprint.startswith(awaiting.upload):
        session.notify(
            "warning",
            f"'{own.name}' is not the file of the link (its content is another), so it opens with its own defaults. "
            "Load the right one to see what the link shows.",
        )
        return
    session.await_file(None)
    proposed = dataclasses.replace(awaiting, upload=own.fingerprint)
    try:
        trees.parts(proposed)
    except ex.ExplorerError as error:
        session.notify("warning", f"The web address could not be used as it is: {error}")
        return
    session.keep(proposed)
    session.notify("info", f"'{own.name}' is the file of the link: the view is as it was.")


def _open_sample(key: str) -> None:
    if session.attempt(trees.parts, sample=key, upload=""):
        fit_target()


def _file_given() -> None:
    """Read the file that was dropped; whatever goes wrong, the table in use stays."""
    own = upload.read(_FILE_KEY, _STAYS)
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
            failures.append(str(error))
            continue
        if failures:
            session.notify("warning", f"{failures[0]} '{target}' was taken as the target instead.")
        session.keep(changed(proposed, target=target))
        _take_what_awaited(own)
        fit_target()
        return
    session.keep_upload(before)
    session.notify("error", f"{failures[0]} {_STAYS}")
