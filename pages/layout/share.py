"""Sharing: the web address of what is on the page, to copy and send."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from explorer.drawing.joined_modules import component_file
from explorer.messages import message
from pages.settings import session, url
from pages.settings.query_record import Query
from pages.settings.settings import Settings, changed
from pages.uploads import opening
from pages.widgets.controls import feed

_SCRIPT = Path(__file__).with_name("copy_link.js")


def link() -> None:
    """The address with all settings in it, beside a button that copies it."""
    with st.popover(message("Share"), icon=":material/link:", key="share", on_change="rerun") as opened:
        if not opened.open:
            return
        st.markdown(message("This link opens the same view: table, settings, tree and selected node."))
        query = url.current_query()
        query.pop("presenter", None)  # it opens on a desk or a phone, while the projector presents
        _copied(query)


def lesson_link(settings: Settings) -> None:
    """The same for a lesson, with the modes of a lecture as the reader ticks them."""
    with st.popover(message("Share"), icon=":material/link:", key="share", on_change="rerun") as opened:
        if not opened.open:
            return
        if settings.learn.uses_table or not (settings.upload or settings.connected):
            query = url.current_query()
            st.markdown(
                message("**Lesson link**: opens this scene at this step, with its changes and the table in use.")
            )
        else:
            query = url.query_of(changed(settings, upload="", connected=""))
            st.markdown(
                message("**Lesson link**: opens this scene at this step, with its changes. It needs none of your rows.")
            )
        presenter = st.checkbox(message("In presenter mode"), key="lesson_link.presenter")
        frozen = st.checkbox(
            message("With frozen settings: nobody changes them by accident"), True, key="lesson_link.frozen"
        )
        view = dataclasses.replace(settings.view, presenter=presenter, frozen=frozen)
        _copied({key: texts for key, texts in query.items() if key not in settings.view.to_query()} | view.to_query())


def _copied(query: Query) -> None:
    """A button that copies the address of this page with the query, and what the link holds of the table."""
    own = session.upload()
    if "file" in query:
        query = query | _offer_rows(query)
        if own is not None and "rows" not in query:
            query = query | {url.FILE_NAME: [own.name]}
    words = [message("Copy the link"), message("Copied"), message("Copying failed: select the link and copy it")]
    address = _address(query)
    st.components.v2.component("copy_text", js=component_file(_SCRIPT))(
        data={"text": address, "words": words}, key="link"
    )
    for text in _what_it_holds(query):
        st.markdown(text)
    st.code(address, language=None)


def _offer_rows(query: Query) -> Query:
    """The choice to put a small file into the link, and what the link holds by it."""
    own = session.upload()
    rows = opening.packed(own) if own is not None else None
    if rows is None:
        return {}

    def choose() -> None:
        session.keep(changed(session.read(), rows=rows if st.session_state["share.rows"] else ""))

    st.checkbox(message("Put the rows into the link"), key=feed("share.rows", "rows" in query), on_change=choose)
    return {"rows": [rows]} if st.session_state["share.rows"] else {}


def _what_it_holds(query: Query) -> list[str]:
    """What of the table is in the link, and what is not."""
    texts = []
    if "rows" in query:
        return [
            message(
                "The whole file is in the link, with all its columns. Whoever has the link can read it and pass it on: "
                "the rows leave this server, and “Forget my file” does not reach them."
            )
        ]
    if "repair" in query:
        texts.append(
            message("A link holds no rows. Repairs in it name the values they change, such as spellings and levels.")
        )
    if "file" in query:
        texts.append(
            message(
                "Your file is not part of the link. Send the file too: the link asks for it and checks that it is the "
                "same file. The link names the file, and columns and classes that you chose."
            )
        )
    return texts


def _address(query: Query) -> str:
    """The page's own address with the settings behind it."""
    return f"{st.context.url or ''}?{urlencode(query, doseq=True)}"
