"""Sharing: the web address of what is on the page, to copy and send."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from explorer.messages import message
from pages.settings import url
from pages.settings.query_record import Query
from pages.settings.settings import Settings


def link() -> None:
    """The address with all settings in it, beside a button that copies it."""
    with st.popover(message("Share"), icon=":material/link:", key="share", on_change="rerun") as opened:
        if not opened.open:
            return
        st.markdown(message("This link opens the same view: table, settings, tree and selected node."))
        _copied(url.current_query())


def lesson_link(settings: Settings) -> None:
    """The same for a lesson, with the modes of a lecture as the reader ticks them."""
    with st.popover(message("Share"), icon=":material/link:", key="share", on_change="rerun") as opened:
        if not opened.open:
            return
        st.markdown(message("**Lesson link**: opens this scene at this step, with its changes and the table in use."))
        presenter = st.checkbox(message("In presenter mode"), settings.view.presenter, key="lesson_link.presenter")
        frozen = st.checkbox(
            message("With frozen settings: nobody changes them by accident"), True, key="lesson_link.frozen"
        )
        view = dataclasses.replace(settings.view, presenter=presenter, frozen=frozen)
        others = {key: texts for key, texts in url.current_query().items() if key not in settings.view.to_query()}
        _copied(others | view.to_query())


def _copied(query: Query) -> None:
    """A button that copies the address of this page with the query, and what the link holds of the table."""
    words = [message("Copy the link"), message("Copied"), message("Copying failed: select the link and copy it")]
    address = _address(query)
    st.components.v2.component("copy_text", js=_script())(data={"text": address, "words": words}, key="link")
    for text in _what_it_holds(query):
        st.markdown(text)
    st.code(address, language=None)


def _what_it_holds(query: Query) -> list[str]:
    """What of the table is in the link, and what is not."""
    texts = []
    if "repair" in query:
        texts.append(
            message("A link holds no rows. Repairs in it name the values they change, such as spellings and levels.")
        )
    if "file" in query:
        texts.append(
            message(
                "Your file is not part of the link. Send the file too: the link asks for it and checks that it is the "
                "same file. The link may contain names of columns and classes that you chose."
            )
        )
    return texts


@cache
def _script() -> str:
    return "// copying\n" + Path(__file__).with_name("copy_link.js").read_text("utf-8")


def _address(query: Query) -> str:
    """The page's own address with the settings behind it."""
    return f"{st.context.url or ''}?{urlencode(query, doseq=True)}"
