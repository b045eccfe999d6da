"""What the reader has decided about the tree: each choice with its place, whether it is in force, and the way back."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from pages.parts import cached, deciding, saved, state
from pages.parts.state import Settings
from pages.parts.words import escape_markdown


def show(settings: Settings) -> None:
    """The history of hand-made choices; while there is none, only the place for a file of them."""
    made = ex.standings(cached.grown(settings).tree)
    if not made:
        saved.load()
        return
    with st.container(border=True, key="decided"):
        st.markdown("**Decided by hand**")
        for which, one in enumerate(made):
            _line(which, one)
        st.caption(
            "Choices are made with all rows in view: scores by leaving rows out or by cross-validation flatter them."
        )
        with st.container(horizontal=True):
            st.button(
                "Undo the last", icon=":material/undo:", key="decided.undo", on_click=_without, args=(len(made) - 1,)
            )
            st.button("Take all back", key="decided.clear", on_click=_cleared)
            saved.download(settings.choices)
        saved.load()


def _line(which: int, one: ex.Standing) -> None:
    """One choice in words, with a button to go to its node and one to take it back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        where, what = escape_markdown(one.choice.place.words), escape_markdown(one.choice.text)
        state_words = "" if one.is_in_force else f" — *not in force: {escape_markdown(one.reason)}*"
        icon = ":material/check:" if one.is_in_force else ":material/pause:"
        st.markdown(f"{icon} **{where}**: {what}{state_words}", width="stretch")
        if one.node is not None:
            st.button(f"Node {one.node}", key=f"decided.go.{which}", on_click=_go, args=(one.node,))
        st.button(
            "",
            icon=":material/close:",
            key=f"decided.drop.{which}",
            on_click=_without,
            args=(which,),
            help="Take it back",
        )


def _go(node: int) -> None:
    state.keep(state.changed(state.read(), node=node))


def _without(which: int) -> None:
    settings = state.read()
    _take(settings, settings.choices.without(which))


def _cleared() -> None:
    _take(state.read(), ex.Choices())


def _take(settings: Settings, choices: ex.Choices) -> None:
    """Grow by fewer choices; where those left cannot be grown by, all stay and the page says why."""
    try:
        deciding.take(settings, choices)
    except ex.ExplorerError as error:
        state.notify("error", f"{error} Nothing was changed.")
