"""Columns that may be known only after the target, and copies, each with the button that leaves it out."""

from __future__ import annotations

import hashlib

import streamlit as st

from explorer.data.notes import Note, grouped
from explorer.messages import message
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown


def show(settings: Settings) -> None:
    """A line for each of them in the reader's own table, of many alike one for all; nothing where there is none."""
    if settings.upload:
        for place, note in enumerate(grouped(_found(settings))):
            with st.container(key=f"leak_{place}", horizontal=True, vertical_alignment="center"):
                icon = ":material/content_copy:" if note.is_copy else ":material/warning:"
                st.markdown(f"{icon} {escape_markdown(note.text)}", width="content")
                label = message("Leave it out") if len(note.columns) == 1 else message("Leave them out")
                of_columns = hashlib.sha256(repr(note.columns).encode()).hexdigest()[:12]
                st.button(label, key=f"leak.leave_out.{of_columns}", on_click=_leave_out, args=(note.columns,))


def _found(settings: Settings) -> list[Note]:
    """Notes on leaks, then those on copies that leak nothing."""
    notes = trees.data(settings).notes
    leaks = {name for note in notes if note.is_leak for name in note.columns}
    return [note for note in notes if note.is_leak] + [
        note for note in notes if note.is_copy and leaks.isdisjoint(note.columns)
    ]


def _leave_out(columns: tuple[str, ...]) -> None:
    """Take the columns out of the features, and what a repair has made of them, if the data allow it."""
    settings = session.read()
    table = trees.source(settings).table
    out = {*columns, *(name for column in columns for name in table.made_of(column))}
    features = tuple(feature.name for feature in trees.data(settings).features if feature.name not in out)
    if features:
        session.attempt(trees.check_rows, features=features)
    else:
        session.notify("error", message("A tree needs at least one feature. Nothing was changed."))


def also_left_out(settings: Settings, features: tuple[str, ...]) -> set[str]:
    """What repairs have made of columns that leak the target and are none of these features, though they were."""
    left = {name for note in _found(settings) for name in note.columns}.difference(features)
    return {made for name in left for made in trees.source(settings).table.made_of(name)}
