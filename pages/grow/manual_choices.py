"""The reader's choices about the tree: each with its node, whether it is in force, and buttons to undo it."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.grow import split_by_hand
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets import page_frame

_LARGEST = 200_000
"""Bytes of a file of choices: a web address could not hold more."""
_LOADED, _PROBLEM = "saved.loaded", "saved.problem"


def download(choices: ex.Choices) -> None:
    """The choices as a file for the next time, and as lines for a notebook."""
    with st.popover(message("Save"), icon=":material/download:"):
        code = f"import explorer as ex\n\n{choices.to_code()}\ntree = ex.grow(train, recipe, choices=choices)\n"
        files = {
            message("Choices (JSON)"): ("choices.json", "application/json", choices.to_json()),
            "Python": ("choices.py", "text/x-python", code),
        }
        for label, (name, kind, text) in files.items():
            st.download_button(label, text, file_name=name, mime=kind, key=f"download.{name}", on_click="ignore")


def load() -> None:
    """The uploader for a file of choices, and what was wrong with the last file."""
    count = st.session_state.get(_LOADED, 0)
    key = f"saved.file.{count}"
    place = f"saved.load.{count}"
    with st.expander(message("Load manual choices"), icon=":material/upload:", key=place, on_change="rerun") as opened:
        if not opened.open:
            return
        st.file_uploader(
            message("File of manual choices (JSON)"),
            type="json",
            max_upload_size=1,
            key=key,
            on_change=_given,
            args=(key,),
            help=message("They replace the current choices. Choices that do not fit this tree are listed as inactive."),
        )
        problem = st.session_state.pop(_PROBLEM, "")
        if problem:
            page_frame.show_notice("error", problem)


def _given(key: str) -> None:
    """Take the choices of the file that was dropped; whatever goes wrong, those made so far stay."""
    given = st.session_state[key]
    if given is None:
        return
    try:
        if given.size > _LARGEST:
            raise ex.InputError(
                message("The file is larger than {limit} kB. Choose a file saved on this page.", limit=_LARGEST // 1000)
            )
        split_by_hand.take_saved(session.read(), ex.Choices.from_json(given.getvalue()))
    except ex.ExplorerError as error:
        st.session_state[_PROBLEM] = message(
            "'{file}' was not loaded. {error} Nothing was changed.", file=given.name, error=error
        )
    else:
        st.session_state[_LOADED] = st.session_state.get(_LOADED, 0) + 1


def show(settings: Settings) -> None:
    """The history of hand-made choices; while there is none, only the uploader for a file of them."""
    statuses = ex.constraint_statuses(trees.grown(settings).tree)
    if not statuses:
        load()
        return
    with st.container(key="decided"):
        st.markdown(message("**Manual choices**"))
        for position, status in enumerate(statuses):
            _line(position, status)
        st.caption(
            message("You chose with all training rows in view, so leave-one-out and cross-validation are optimistic.")
        )
        with st.container(horizontal=True):
            st.button(
                message("Undo"),
                icon=":material/undo:",
                key="decided.undo",
                on_click=_without,
                args=(len(statuses) - 1,),
            )
            st.button(message("Remove all"), key="decided.clear", on_click=_cleared)
            download(settings.choices)
        load()


def _line(position: int, status: ex.ConstraintStatus) -> None:
    """One choice in words, with a button to go to its node and one to take it back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        node_words, choice_words = escape_markdown(status.choice.place.words), escape_markdown(status.text)
        icon = ":material/check:" if status.is_in_force else ":material/pause:"
        line = f"{icon} **{node_words}**: {choice_words}"
        if not status.is_in_force:
            line = message("{choice} (inactive: {reason})", choice=line, reason=escape_markdown(status.reason))
        st.markdown(line, width="stretch")
        if status.node is not None:
            st.button(
                message("Node {node}", node=status.node),
                key=f"decided.go.{position}",
                on_click=_go,
                args=(status.node,),
            )
        st.button(
            "",
            icon=":material/close:",
            key=f"decided.drop.{position}",
            on_click=_without,
            args=(position,),
            help=message("Remove this choice"),
        )


def _go(node: int) -> None:
    session.keep(changed(session.read(), node=node))


def _without(which: int) -> None:
    settings = session.read()
    _take(settings, settings.choices.without(which))


def _cleared() -> None:
    _take(session.read(), ex.Choices())


def _take(settings: Settings, choices: ex.Choices) -> None:
    """Grow by fewer choices; where those left cannot be grown by, all stay and the page says why."""
    try:
        split_by_hand.take(settings, choices)
    except ex.ExplorerError as error:
        session.notify("error", message("{error} Nothing was changed.", error=error))
