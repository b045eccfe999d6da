"""Sharing: the web address of what is on the page, to copy and send."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from explorer.messages import message
from pages.settings import url


def link() -> None:
    """The address with all settings in it, beside a button that copies it."""
    with st.popover(message("Share"), icon=":material/link:", key="share", on_change="rerun") as opened:
        if not opened.open:
            return
        st.markdown(message("This link opens the same view: table, settings, tree and selected node."))
        st.code(_address(), language=None, wrap_lines=True)
        words = [message("Copy the link"), message("Copied"), message("Copying failed: select the link and copy it")]
        st.components.v2.component("copy_text", js=_script())(data={"text": _address(), "words": words}, key="link")
        if "file" in url.current_query():
            st.markdown(
                message(
                    "Your file is not part of the link. Send the file too: the link asks for it and checks that it is "
                    "the same file. The link may contain names of columns and classes that you chose."
                )
            )


@cache
def _script() -> str:
    return "// copying\n" + Path(__file__).with_name("copy_link.js").read_text("utf-8")


def _address() -> str:
    """The page's own address with the settings behind it."""
    return f"{st.context.url or ''}?{urlencode(url.current_query(), doseq=True)}"
