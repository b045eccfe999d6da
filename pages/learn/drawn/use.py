"""What one does with a drawn table: take it to the other pages, or download it."""

from __future__ import annotations

import streamlit as st

from explorer.drawing.drawn_table.points import FEATURES
from explorer.messages import message
from pages.learn.drawn import kept
from pages.settings import session
from pages.settings.history import PART
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import changed
from pages.uploads import in_link, opening
from pages.uploads.reading import TABLE


def show() -> None:
    """The buttons; a table that was taken opens on the Grow page, with no address between for the browser's Back."""
    now = kept.drawing()  # the file is made at the click, outside of the session's runs
    with st.container(key="drawn_actions", horizontal=True, vertical_alignment="center"):
        if st.button(message("Grow this table"), key="drawn.use", type="primary"):
            if take_to_grow():
                st.switch_page("pages/grow/page.py")
            st.rerun()
        st.download_button(
            message("Download CSV"),
            lambda: now.table.csv().encode(),
            "drawn_table.csv",
            "text/csv",
            key="drawn.csv",
            on_click="ignore",
        )
        st.caption(message("Share sends the points with the link."), width="content")


def take_to_grow() -> bool:
    """Make the drawn table the table in use, with all its rows in the training set and its own algorithm.

    False where it cannot be used; a notice says why.
    """
    now = kept.drawing()
    if now.grown is None:
        session.notify("warning", now.problem)
        return False
    name, content = message("drawn table"), now.table.csv().encode()
    opening.give(TABLE, name, content)
    settings = session.read()
    own = session.upload()
    if own is None or settings.upload != own.fingerprint:
        return False  # refused
    kinds = tuple((column, str(kind)) for column, kind in now.table.kinds.items())
    session.keep(
        changed(
            settings,
            rows=in_link.packed(name, content) or "",
            target=now.table.target_name,
            features=FEATURES,
            kinds=kinds,
            split="all",
            grow=GrowSettings(now.algorithm, (() if now.depth is None else (("max_depth", now.depth),))),
        ),
        PART,
    )
    return True
