"""Which tree a page speaks of: the one that the Prune page leaves."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from pages.parts import reasons
from pages.parts.state import Settings
from pages.parts.words import escape_markdown


def say(settings: Settings, pruned: ex.Tree, verb: str) -> None:
    """One line that names the tree in hand, and the way to another one."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{verb}: **{escape_markdown(reasons.tree_words(settings, pruned))}**.", width="content")
        st.page_link("pages/prune.py", label="Choose another size", icon=":material/content_cut:", width="content")
