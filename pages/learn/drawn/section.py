"""The section "Draw a table": the canvas with its tree, and what one does with the table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from explorer.drawing.drawn_table import FILES
from explorer.drawing.drawn_table.answer import answer
from explorer.drawing.drawn_table.points import CLASSES
from explorer.drawing.drawn_table.presets import PRESETS
from explorer.drawing.tree_view import colour_themes
from explorer.errors import InputError
from pages.learn.drawn import kept, use
from pages.results.class_colours import palette
from pages.settings import session, url
from pages.settings.settings import Settings

_VIEW = "learn.drawn"


def show(settings: Settings) -> None:
    """The canvas, and above it the buttons that take the table elsewhere."""
    with st.container(key="drawn_page"):
        use.show()
        library = st.components.v2.component("drawn_table_library", js=FILES.script)
        library(data={"style": FILES.style}, key=f"{_VIEW}.library", height=1)
        with st.container(key="drawn_stage"):
            _canvas()


@st.fragment
def _canvas() -> None:
    """The one component of this fragment: a move runs nothing else again."""
    now, settings = kept.drawing(), session.read()
    mount = st.components.v2.component("drawn_table", js=FILES.loader)
    mount(data=_data(now, settings), key=_VIEW, on_event_change=_take)


def _data(now: kept.Drawing, settings: Settings) -> dict[str, Any]:
    """What the view shows: see `explorer/drawing/drawn_table/view.js`."""
    answered = {"problem": now.problem} if now.grown is None else answer(now.grown, now.path, now.changed)
    return {
        "view": _VIEW,
        "version": now.version,
        "number": now.number,
        "drawing": {
            "points": now.table.text(),
            "target": now.table.target,
            "algorithm": now.algorithm,
            "depth": now.depth,
        },
        "answer": json.dumps(answered),
        "presets": [{"name": preset.name, "title": preset.title} for preset in PRESETS],
        "themes": colour_themes(len(CLASSES), palette(settings)),
        "presenter": settings.view.presenter,
        "messages": FILES.translations(),
    }


def _take() -> None:
    """A question from the browser; one that no canvas asks changes nothing."""
    question: Mapping[str, Any] | None = st.session_state[_VIEW].get("event")
    if not question:
        return
    with suppress(InputError, KeyError, TypeError, ValueError):
        kept.take(question)
        if question["last"]:
            url.write()
