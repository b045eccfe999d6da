"""Undo and redo of every step, by keys and by buttons; a text says what is undone."""

from __future__ import annotations

import dataclasses

import streamlit as st

from explorer.messages import message
from pages.layout.steps.words import said
from pages.results import trees
from pages.settings import session
from pages.settings.history import REDO, UNDO
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.uploads import go_to, opening
from pages.widgets.controls import quiet_button


def buttons(place: str) -> None:
    """Each button where it would do something; `place` keeps their keys apart."""
    looks = {
        UNDO: (message("Undo last change"), "undo"),
        REDO: (message("Redo"), "redo"),
    }
    for how, (label, icon) in looks.items():
        if session.history().next(how) is not None:
            quiet_button(label, f"{place}{how}", icon, go, how, about=escape_markdown(_changes(how)))


def go(how: str) -> None:
    """Undo or redo a step, and say what it was."""
    _say(_gone(how))


def _gone(how: str) -> str:
    """Undo or redo a step; gives what it was, or that there is none, and nothing where it cannot be gone to."""
    is_undone = how == UNDO
    if session.history().next(how) is None:
        return message("There is nothing to undo.") if is_undone else message("There is nothing to redo.")
    changes = escape_markdown(_changes(how))
    done = (
        message("Undone: {changes}.", changes=changes) if is_undone else message("Redone: {changes}.", changes=changes)
    )
    return done if go_to.go_along(how) else ""


def _say(text: str) -> None:
    if text:
        st.toast(text)


def by_keys() -> None:
    """The steps that the keys ask for: the browser names each by a number, until it hears that it was done.

    A step to another file is done once that is read; those after it are asked for again then.
    """
    asked = session.steps_asked()
    for number, how in asked["steps"] if asked else ():
        if isinstance(number, int) and how in (UNDO, REDO):
            with session.numbered_step(number) as is_new:
                text = _gone(how) if is_new else ""
            _say(text)
    session.note_steps_asked(asked)


def _changes(how: str) -> str:
    """What a step back or forward changes."""
    state, now = session.history().next(how), session.read()
    assert state is not None, "there is such a step"
    return said(_with_target(now), _with_target(state), _name, trees.recipe)


def _with_target(settings: Settings) -> Settings:
    """The settings with the target by name, where it is the table's own."""
    if settings.target or settings.upload or settings.connected:
        return settings
    return dataclasses.replace(settings, target=trees.source(settings).target)


def _name(settings: Settings) -> str:
    """What a table is called; a file by its name as long as it is kept."""
    if settings.connected:
        return settings.connected
    if not settings.upload:
        return trees.source(settings).name
    own, kept = session.upload(), opening.find(settings.upload)
    if own is not None and own.fingerprint.startswith(settings.upload):
        return own.name
    return kept.name if kept is not None else ""
