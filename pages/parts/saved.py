"""Choices made by hand as a file: to take away, and to load again."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from pages.parts import deciding, page, state

_LARGEST = 200_000
"""Bytes of a file of choices: a web address could not hold more."""
_LOADED, _PROBLEM = "saved.loaded", "saved.problem"


def download(choices: ex.Choices) -> None:
    """The choices as a file for the next time, and as lines for a notebook."""
    with st.popover("Download", icon=":material/download:"):
        code = f"import explorer as ex\n\n{choices.to_code()}\ntree = ex.grow(train, recipe, choices=choices)\n"
        files = {
            "Choices (JSON)": ("choices.json", "application/json", choices.to_json()),
            "Python": ("choices.py", "text/x-python", code),
        }
        for label, (name, kind, text) in files.items():
            st.download_button(label, text, file_name=name, mime=kind, key=f"download.{name}", on_click="ignore")


def load() -> None:
    """The place for a file of choices, and what was wrong with the one given last."""
    count = st.session_state.get(_LOADED, 0)
    key = f"saved.file.{count}"
    with st.expander("Load saved choices", icon=":material/upload:", key=f"saved.load.{count}"):
        st.file_uploader(
            "Choices saved on this page (JSON)",
            type="json",
            max_upload_size=1,
            key=key,
            on_change=_given,
            args=(key,),
            help="They take the place of those made so far. What this tree has no place for rests, and is listed so.",
        )
        problem = st.session_state.pop(_PROBLEM, "")
        if problem:
            page.show_notice("error", problem)


def _given(key: str) -> None:
    """Take the choices of the file that was dropped; whatever goes wrong, those made so far stay."""
    given = st.session_state[key]
    if given is None:
        return
    try:
        if given.size > _LARGEST:
            raise ex.InputError(f"It is larger than {_LARGEST // 1000} kB: give a file of choices saved on this page.")
        deciding.take_saved(state.read(), ex.Choices.from_json(given.getvalue()))
    except ex.ExplorerError as error:
        st.session_state[_PROBLEM] = f"“{given.name}” was not loaded. {error} Nothing was changed."
    else:
        st.session_state[_LOADED] = st.session_state.get(_LOADED, 0) + 1
