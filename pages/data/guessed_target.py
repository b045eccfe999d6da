"""The question which column to predict, where nothing in the table tells it clearly."""

from __future__ import annotations

import streamlit as st

from explorer.data.codes.target_names import points_of
from explorer.formatting import shortened
from explorer.messages import message
from pages.data import column_editor
from pages.results import trees
from pages.results.of_table import guessed_target
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.uploads import started

_LONGEST_NAME = 30


def ask(settings: Settings) -> None:
    """A line with a button for each likely target, until the reader has chosen one."""
    if not _is_open(settings) or guessed_target.is_told(settings):
        return
    names = guessed_target.likeliest(settings)
    with st.container(key="guessed_target", horizontal=True, vertical_alignment="center"):
        text = message(
            "**Which column do you want to predict?** Until you choose one here or under Target, it is '{column}'.",
            column=escape_markdown(names[0]),
        )
        st.markdown(f":material/help: {text}", width="content")
        for place, name in enumerate(names):
            label = escape_markdown(shortened(name, _LONGEST_NAME))
            st.button(label, key=f"guessed_target.{place}", on_click=_take, args=(name,))


def follow(before: Settings) -> None:
    """Guess again where the repairs since then are of the column that was guessed, or of one that is named as a target.

    Any other guess stays: a repair of one column does not exchange another that the reader saw as the target.
    """
    settings = session.read()
    if not settings.upload:
        return
    was, now, name = trees.source(before).target, trees.source(settings).target, guessed_target.speaks_for(settings)
    if was == now != name and _is_open(before):
        repaired = {repair.column for repair in set(before.repairs) ^ set(settings.repairs)}
        if now in repaired or (name in repaired and points_of(name)):
            column_editor.change_target(name)
            now = trees.source(session.read()).target
        else:
            guessed_target.keep(now)
    if now != was:
        session.notify("info", message("The table as it is now speaks for '{column}': it is the target.", column=now))


def _is_open(settings: Settings) -> bool:
    """Whether neither reader, nor file, nor the start of the server named the target."""
    own = session.upload()
    return guessed_target.is_guess(settings) and own is not None and not started.target(own.name)


def _take(name: str) -> None:
    guessed_target.take_as_chosen()
    if name != trees.source(session.read()).target:
        column_editor.change_target(name)
