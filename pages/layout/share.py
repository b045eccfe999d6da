"""Sharing: the web address of what is on the page, to copy and send."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from explorer.messages import message
from pages.settings import url
from pages.settings.query_record import Query


def link() -> None:
    """The address with all settings in it, beside a button that copies it."""
    with st.popover(message("Share"), icon=":material/link:", key="share", on_change="rerun") as opened:
        if not opened.open:
            return
        st.markdown(message("This link opens the same view: table, settings, tree and selected node."))
        words = [message("Copy the link"), message("Copied"), message("Copying failed: select the link and copy it")]
        st.components.v2.component("copy_text", js=_script())(data={"text": _address(), "words": words}, key="link")
        for text in _what_it_holds(url.current_query()):
            st.markdown(text)
        st.code(_address(), language=None)


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


def _address() -> str:
    """The page's own address with the settings behind it."""
    return f"{st.context.url or ''}?{urlencode(url.current_query(), doseq=True)}"
