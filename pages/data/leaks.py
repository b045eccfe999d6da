"""Columns that may be known only after the target, and copies: each with the button that leaves it out, one for all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from explorer.data.notes import Note, grouped, listed_names
from explorer.messages import Words, message
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown


def show(settings: Settings) -> None:
    """A line for each of them in the reader's own table, of many alike one for all; nothing where there is none.

    The first line has a button for the columns of all lines, too.
    """
    if settings.upload:
        lines = _with_copies(grouped(_found(settings)), settings)
        named = tuple(dict.fromkeys(name for note in lines for name in note.columns))
        for place, note in enumerate(lines):
            with st.container(key=f"leak_{place}", horizontal=True, vertical_alignment="center"):
                icon = ":material/content_copy:" if note.copy_of else ":material/warning:"
                st.markdown(f"{icon} {escape_markdown(note.text)}", width="content")
                label = message("Leave it out") if len(note.columns) == 1 else message("Leave them out")
                of_columns = hashlib.sha256(repr(note.columns).encode()).hexdigest()[:12]
                st.button(label, key=f"leak.leave_out.{of_columns}", on_click=_leave_out, args=(note.columns,))
                if place == 0 and len(lines) > 1:
                    label = message("Leave all {n:,} out", n=len(named))
                    st.button(label, key="leak.all", on_click=_leave_out, args=(named,))


def _found(settings: Settings) -> list[Note]:
    """Notes on leaks, a column that copies one of them named with it, then those on copies that leak nothing."""
    notes = trees.data(settings).notes
    leaks = {name for note in notes if note.is_leak for name in note.columns}
    return [note for note in notes if note.is_leak] + [
        note for note in notes if note.copy_of and leaks.isdisjoint(note.columns)
    ]


def _with_copies(lines: Sequence[Note], settings: Settings) -> list[Note]:
    """The lines, those on leaks that copy another one within the line on that."""
    of_copies = {note.columns[0]: note.copy_of for note in trees.data(settings).notes if note.copy_of}
    leaks = {note.columns[0]: place for place, note in enumerate(lines) if note.is_leak and not note.is_id}
    copies = {name: of_copies[name] for name in leaks if of_copies.get(name) in leaks}
    named = []
    for note in lines:
        own = tuple(name for name, other in copies.items() if (other,) == note.columns)
        if own:
            named.append(replace(note, text=_text_with(note, own), columns=(*note.columns, *own)))
        elif note.columns[0] not in copies:
            named.append(note)
    return named


def _text_with(note: Note, copies: tuple[str, ...]) -> Words:
    return lambda: message(
        "{sentence} The same holds for {columns}, which a tree splits alike.",
        sentence=note.text,
        columns=listed_names(copies),
    )


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
