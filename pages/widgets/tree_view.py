"""The interactive tree on a page: mounts `explorer/drawing/tree_view/` and reads what the reader did in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from explorer.drawing.tree_view import FILES
from explorer.drawing.tree_view.payload import signature

PartName = Literal["scores", "sequence", "weakest"]
PARTS: tuple[PartName, ...] = ("scores", "sequence", "weakest")
"""What a view with a pruning sequence can show elsewhere on the page: its curve, its table, its weakest link."""

COMMANDS: Mapping[str, type] = {
    "layout": str,
    "ghosts": bool,
    "order": str,
    "ask": bool,
    "guess": str,
    "split": int,
    "stability": bool,
}
"""What the reader can ask for in a view, and the type of its value; a page takes what it knows."""

CommandValue = str | bool | int
Branches = tuple[tuple[str, tuple[float, ...] | str], ...]
"""The words of a split's branches, each with its rows by class, or what they are in words."""


@dataclass(frozen=True)
class Shown:
    """What a view holds: the selected node, the position in the sequence, and the manual steps."""

    selected: int = 0
    position: int = 0
    manual_steps: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Ask:
    """Whether the reader guesses each split of the growing before it is shown, and the steps already answered.

    `options` are the features to choose from at the step `of`, with the `branches` of each. `verdict` is what became
    of the guess there.
    """

    on: bool = False
    answered: tuple[int, ...] = ()
    of: int = 0
    options: tuple[str, ...] = ()
    branches: tuple[Branches, ...] = ()
    verdict: str = ""


@dataclass(frozen=True)
class Link:
    """Views of one group choose nodes together; with `moves` they are panned and zoomed together."""

    group: str
    moves: bool = True


@dataclass(frozen=True)
class Mark:
    """A sign at a node: its kind (near_tie, held_out, held_out_split, greed, ring) and what it means, in words."""

    node: int
    kind: str
    text: str = ""


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
    is_bare: bool = False,
    path_nodes: Sequence[tuple[int, float]] = (),
    link: Link | None = None,
    value_range: tuple[float, float] | None = None,
    layout: str | None = None,
    ghosts: bool | None = None,
    marks: Sequence[Mark] = (),
    presenter: bool = False,
    order: str | None = None,
    sentence: tuple[int, str] | None = None,
    ask: Ask | None = None,
    on_command: Callable[[str, CommandValue], None] | None = None,
    stability: bytes | None = None,
    shows_stability: bool | None = None,
) -> None:
    """Mount a view of the payloads `tree` and `sequence`; `on_change` is called with what the reader made of it.

    Script (`mount_library`) and payloads are messages of their own that do not change: a click does not send them
    again. `name` distinguishes views of one page; camera and view options are kept under it. `rule` is the selected
    node's, in words. Views with the same `link` choose nodes together; trees of a number with the same `value_range`
    share their colours. `path_nodes` highlights one row's path: nodes, and the row's share there. `layout` and `ghosts`
    are what the page keeps of the picture, None where the view may choose. A growing sequence comes with the `order` of
    its splits, with a `sentence` about the step where the slider came to rest, and with what to `ask` first.
    `on_command` takes what the reader asks for (see `COMMANDS`). `stability` is a layer over the nodes, drawn if
    `shows_stability`. A view that `is_bare` has no toolbar and no slider. Its height is the style `--tv-height`.
    """
    mount = st.components.v2.component("decision_tree_view", js=FILES.loader)
    data = {
        "view": name,
        **_mounted(mount, name, {"tree": tree, "sequence": sequence, "stability": stability}),
        "echo": st.session_state.get(_echo(name), 0),
        "state": _state(shown) | {"layout": layout, "ghosts": ghosts, "stability": shows_stability},
        "rule": rule,
        "rule_of": shown.selected,
        "themes": themes,
        "range": value_range,
        "link": None if link is None else {"group": link.group, "moves": link.moves},
        "row_path": [list(node) for node in path_nodes],
        "marks": [dataclasses.asdict(mark) for mark in marks],
        "presenter": presenter,
        "by_hand": by_hand,
        "takes_layout": on_command is not None,
        "bare": is_bare,
        "messages": FILES.translations(),
        "order": order,
        "ask": None if ask is None else dataclasses.asdict(ask),
        "sentence_of": sentence[0] if sentence else -1,
        "sentence": sentence[1] if sentence else "",
    }
    mount(data=data, key=name, on_event_change=lambda: _take(name, on_change, on_command))


def _mounted(mount: Any, name: str, payloads: Mapping[str, bytes | None]) -> dict[str, str | None]:
    """Send each payload as a message of its own; their signatures."""
    for kind, payload in payloads.items():
        if payload is not None:
            mount(data=payload, key=f"{name}.{kind}", height=1)
    return {kind: None if payload is None else signature(payload) for kind, payload in payloads.items()}


def _state(shown: Shown) -> dict[str, Any]:
    """What the reader sees, as the view reads it."""
    hand = [list(step) for step in shown.manual_steps]
    return {"selected": shown.selected, "position": shown.position, "hand": hand}


def mount_library() -> None:
    """The script of all views, mounted by the app itself and not by a page, whose elements have names of their own.

    Its message is then the same on all pages, and a browser that has it already is sent only its name.
    """
    library = st.components.v2.component("decision_tree_library", js=FILES.script)
    library(data={"style": FILES.style}, key="tree_view.library", height=1)


def part(view_name: str, part: PartName, key: str) -> None:
    """A place for a part of the view `view_name`, before or after it on the page; the view keeps it up to date."""
    if part not in PARTS:
        raise ValueError(f"part: one of {', '.join(PARTS)}, not {part!r}")
    mount = st.components.v2.component("decision_tree_view", js=FILES.loader)
    mount(data={"part": part, "of": view_name}, key=key)


def _take(
    name: str, on_change: Callable[[Shown], None], on_command: Callable[[str, CommandValue], None] | None
) -> None:
    """Pass on what the view reports, and remember the report's number for the reply."""
    report = st.session_state[name].get("event")
    if not report:
        return
    answered = st.session_state.get(_echo(name), 0)
    st.session_state[_echo(name)] = int(report["number"])
    manual_steps = tuple((str(op), int(node)) for op, node in report["hand"])
    on_change(Shown(int(report["selected"]), int(report["position"]), manual_steps))
    for number, command, value in report.get("commands", ()):
        if on_command is not None and int(number) > answered and is_command(command, value):
            on_command(command, value)


def is_command(name: object, value: object) -> bool:
    """Whether a browser's report names a known command with a value of its type.

    >>> is_command("split", 4), is_command("split", True), is_command("layout", 3), is_command("delete", "all")
    (True, False, False, False)
    """
    return isinstance(name, str) and type(value) is COMMANDS.get(name)


def _echo(name: str) -> str:
    return f"{name}.echo"
