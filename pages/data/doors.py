"""Three ways to begin: be shown, play with points, or bring a table of one's own."""

from __future__ import annotations

import dataclasses

import streamlit as st

from explorer.foreign.snippets import WEKA, R, snippets
from explorer.messages import message
from pages.data import connect, paste
from pages.settings import session
from pages.settings.learn_settings import LearnSettings
from pages.settings.settings import changed
from pages.uploads.reading import TABLE
from pages.widgets import upload


def show() -> None:
    """Two doors to the Learn page, and beside them what opens a table."""
    with st.container(key="doors"):
        _door(
            "show_me",
            ":material/play_circle:",
            message("**Show me** The 15-minute path: how a tree grows and is pruned."),
            dataclasses.replace(session.read().learn, section="scene", scene="", follows_short_path=True),
        )
        _door(
            "draw_a_table",
            ":material/scatter_plot:",
            message("**Play with points** Draw a table with two features, and the tree follows every move."),
            dataclasses.replace(session.read().learn, section="draw"),
        )
        with st.container(key="my_table"):
            st.markdown(
                message("**My table** Your own rows: nothing is installed, and you can forget them at any time.")
            )
            with st.container(key="other_sources"):
                with st.container(key="uploader"):
                    upload.table_uploader(message("Upload a file or drop it here"), "file", TABLE)
                paste.offer()
                connect.offer()
                _offer_model()


def _door(key: str, icon: str, label: str, learn: LearnSettings) -> None:
    if st.button(label, key=key, icon=icon):
        session.keep(changed(session.read(), learn=learn))
        st.switch_page("pages/learn/page.py")


def _offer_model() -> None:
    """How a model gets out of the library that fitted it, as a file for the place where tables are dropped."""
    with st.popover(message("Open a model"), key="open_model"), st.container(key="model_snippets"):
        st.markdown(
            message("Drop its file where tables are dropped. These lines write it, after fitting and without pickle:")
        )
        for library, lines in snippets().items():
            st.markdown(f"**{library}**")
            st.code(lines.strip(), language={R: "r", WEKA: "bash"}.get(library, "python"), wrap_lines=True)
