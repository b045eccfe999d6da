"""The interactive tree on a page: mounts `explorer/drawing/tree_view/` and reads what the reader did in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from explorer.drawing.tree_view import loader, script, style, translations
from explorer.drawing.tree_view.payload import signature


@dataclass(frozen=True)
class Shown:
    """What a view holds: the selected node, the position in the sequence, and the manual steps."""

    selected: int = 0
    position: int = 0
    manual_steps: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Link:
    """Views of one group choose nodes together; with `moves` they are panned and zoomed together."""

    group: str
    moves: bool = True


@dataclass(frozen=True)
class Mark:
    """A sign at a node: its kind (near_tie, ring) and what it means, in words."""

    node: int
    kind: str
    text: str = ""


@dataclass(frozen=True)
class Ask:
    """Whether splits are hidden until the reader has guessed them, and the steps that are guessed."""

    is_on: bool
    answered: tuple[int, ...] = ()


def view(
    name: str,
    tree: bytes,
    shown: Shown,
    themes: Mapping[str, Any],
    on_change: Callable[[Shown], None],
    *,
    sequence: bytes | None = None,
    rule: str = "",
    by_hand: bool = False,
    path_nodes: Sequence[tuple[int, float]] = (),
    link: Link | None = None,
    value_range: tuple[float, float] | None = None,
    layout: str | None = None,
    ghosts: bool | None = None,
    presenter: bool = False,
    marks: Sequence[Mark] = (),
    sentence: tuple[int, str] | None = None,
    ask: Ask | None = None,
    order: str | None = None,
    on_command: Callable[[str, object], None] | None = None,
) -> None:
    """Mount a view of the payloads `tree` and `sequence`; `on_change` is called with what the reader made of it.

    Script and payloads are mounted separately, as messages that do not change: a click does not send them again. `name`
    distinguishes views of one page; camera and view options are kept under it. `rule` is the selected node's, in words.
    Views with the same `link` choose nodes together; trees of a number with the same `value_range` share their colours.
    `path_nodes` highlights one row's path: nodes, and the row's share there.
    """
    library = st.components.v2.component("decision_tree_library", js=script())
    library(data={"style": style()}, key=f"{name}.library", height=1)
    mount = st.components.v2.component("decision_tree_view", js=loader())
    mount(data=tree, key=f"{name}.tree", height=1)
    if sequence is not None:
        mount(data=sequence, key=f"{name}.sequence", height=1)
    data = {
        "view": name,
        "tree": signature(tree),
        "sequence": None if sequence is None else signature(sequence),
        "echo": st.session_state.get(_echo(name), 0),
        "state": {
            "selected": shown.selected,
            "position": shown.position,
            "hand": [list(step) for step in shown.manual_steps],
        },
        "rule": rule,
        "rule_of": shown.selected,
        "themes": themes,
        "range": value_range,
        "link": None if link is None else {"group": link.group, "moves": link.moves},
        "row_path": [list(node) for node in path_nodes],
        "by_hand": by_hand,
        "messages": translations(),
        "height": 500,
    }
    mount(data=data, key=name, on_event_change=lambda: _take(name, on_change))


def _take(name: str, on_change: Callable[[Shown], None]) -> None:
    """Pass on what the view reports, and remember the report's number for the reply."""
    report = st.session_state[name].get("event")
    if not report:
        return
    st.session_state[_echo(name)] = int(report["number"])
    manual_steps = tuple((str(op), int(node)) for op, node in report["hand"])
    on_change(Shown(int(report["selected"]), int(report["position"]), manual_steps))


def _echo(name: str) -> str:
    return f"{name}.echo"
