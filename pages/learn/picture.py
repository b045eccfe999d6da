"""A picture of a lesson on a page: mounts `explorer/drawing/pictures/` and reads what the reader did in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from explorer.drawing.pictures import FILES
from explorer.drawing.pictures.picture import Picture
from explorer.drawing.tree_view import colour_themes


def show(
    name: str,
    step: str,
    picture: Picture,
    palette: str,
    presenter: bool = False,
    n_classes: int = 3,
    on_report: Callable[[Mapping[str, Any]], None] | None = None,
) -> None:
    """Show a picture; `step` distinguishes states: within one, what the reader did in the picture is kept.

    `on_report` takes what a picture sends to Python. The height is the page's style variable `--tv-height`.
    """
    library = st.components.v2.component("lesson_picture_library", js=FILES.script)
    library(data={"style": FILES.style}, key=f"{name}.library", height=1)
    mount = st.components.v2.component("lesson_picture", js=FILES.loader)
    data = {
        "view": name,
        "step": step,
        "picture": picture.plain(),
        "themes": colour_themes(n_classes, palette),
        "presenter": presenter,
        "messages": FILES.translations(),
    }
    mount(data=data, key=name, on_event_change=lambda: _take(name, on_report))


def _take(name: str, on_report: Callable[[Mapping[str, Any]], None] | None) -> None:
    report = st.session_state[name].get("event")
    if report and on_report is not None:
        on_report(report)
