"""The web address of what is on the page, to copy and send."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from pages.settings import url


def link() -> None:
    """The address with all settings in it, beside a button that copies it."""
    with st.popover("Link", icon=":material/link:"):
        st.markdown("Whoever opens this link sees what you see: table, settings, tree and the chosen node.")
        st.code(_address(), language=None, wrap_lines=True)
        st.components.v2.component("copy_text", js=_script())(data={"text": _address()}, key="link")
        if "file" in url.current_query():
            st.markdown(
                "Your file is not in it, only a mark to know it by. Send the file along: the link asks for it, and "
                "checks that it is the same. Names of columns and classes that you set may be part of the link."
            )


@cache
def _script() -> str:
    return "// copying\n" + Path(__file__).with_name("copy_link.js").read_text("utf-8")


def _address() -> str:
    """The page's own address with the settings behind it."""
    return f"{st.context.url or ''}?{urlencode(url.current_query(), doseq=True)}"
