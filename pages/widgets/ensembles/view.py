"""The picture of an ensemble on a page: mounts `explorer/drawing/ensemble_view/` and reads what the reader did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from explorer.drawing.ensemble_view import FILES
from explorer.drawing.tree_view.payload import signature
from pages.settings.ensemble_settings import PICTURES

PartName = Literal["scores", "row", "margins", "facts"]
PARTS: tuple[PartName, ...] = ("scores", "row", "margins", "facts")
"""What a view can show elsewhere on the page: the scores, one row under all members, the margins, the rounds."""


@dataclass(frozen=True)
class Shown:
    """What a view holds: the stage, the opened member, the row that is explained (-1: none), and the open picture.

    `tab` is one of `PICTURES`, or "" for the first that the picture has.
    """

    stage: int = 0
    member: int = -1
    row: int = -1
    tab: str = ""


def view(
    name: str,
    picture: bytes,
    shown: Shown,
    themes: Mapping[str, Any],
    on_change: Callable[[Shown], None],
    *,
    row: bytes | None = None,
    presenter: bool = False,
) -> None:
    """Mount a view of `picture` (`picture_payload`); `on_change` is called with what the reader made of it.

    Script and payloads are messages of their own that do not change: moving the stage does not send them again. `row`
    is one row under all members (`row_payload`). `themes` come from `ensemble_view.colour_themes`. `name` distinguishes
    views of one page. The height is the page's style variable `--tv-height`.
    """
    library = st.components.v2.component("ensemble_view_library", js=FILES.script)
    library(data={"style": FILES.style}, key=f"{name}.library", height=1)
    mount = st.components.v2.component("ensemble_view", js=FILES.loader)
    mount(data=picture, key=f"{name}.picture", height=1)
    if row is not None:
        mount(data=row, key=f"{name}.row", height=1)
    data = {
        "view": name,
        "picture": signature(picture),
        "row": None if row is None else signature(row),
        "echo": st.session_state.get(_echo(name), 0),
        "state": {"stage": shown.stage, "member": shown.member, "row": shown.row, "tab": shown.tab},
        "themes": themes,
        "presenter": presenter,
        "messages": FILES.translations(),
    }
    mount(data=data, key=name, on_event_change=lambda: _take(name, on_change))


def part(view_name: str, part_name: PartName, key: str) -> None:
    """A place for a part of the view `view_name`, before or after it on the page; the view keeps it up to date."""
    if part_name not in PARTS:
        raise ValueError(f"part_name: one of {', '.join(PARTS)}, not {part_name!r}")
    mount = st.components.v2.component("ensemble_view", js=FILES.loader)
    mount(data={"part": part_name, "of": view_name}, key=key)


def _take(name: str, on_change: Callable[[Shown], None]) -> None:
    """Pass on what the view reports, and remember the report's number for the reply."""
    report = st.session_state[name].get("event")
    if not report:
        return
    st.session_state[_echo(name)] = int(report["number"])
    tab = report["tab"] if report["tab"] in PICTURES else ""
    on_change(Shown(int(report["stage"]), int(report["member"]), int(report["row"]), tab))


def _echo(name: str) -> str:
    return f"{name}.echo"
