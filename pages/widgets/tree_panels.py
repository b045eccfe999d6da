"""The trees of the pages: a view of the settings' tree, and what the reader does in it taken into the settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

import explorer as ex
from explorer.drawing.tree_view import colour_themes
from explorer.drawing.tree_view.payload import collapse_steps, signature
from explorer.explaining import rule_words
from explorer.messages import message
from pages.results import opened_tree, pruned_tree, trees
from pages.results.class_colours import palette
from pages.results.pruned_tree import alpha_at, known_manual_steps, position
from pages.results.resampled import held_out_nodes
from pages.settings import session
from pages.settings.settings import Settings, changed, node_field
from pages.text import readable
from pages.widgets import tree_view
from pages.widgets.tree_view import Shown

MOST_GRAPHVIZ_NODES = 200
"""Graphviz lays the tree out in the browser; larger trees take it many seconds."""


@dataclass(frozen=True)
class Slider:
    """A slider below a view over the pruned subtrees of its tree, and what follows when the reader moves it."""

    payload: bytes
    position: int
    on_change: Callable[[Shown], None]


@dataclass(frozen=True)
class Timeline:
    """The growing of a tree, step by step, below its view, and what follows when the reader moves in it.

    `ask` has the steps whose split the reader has guessed; while it is on the others hide theirs.
    """

    payload: bytes
    position: int
    sentence: str
    order: str
    ask: tree_view.Ask
    on_change: Callable[[Shown], None]
    on_command: Callable[[str, object], None]


def show(
    settings: Settings,
    name: str,
    slot: str = "grow",
    on_node: Callable[[str, int], None] | None = None,
    link: tree_view.Link | None = None,
    value_range: tuple[float, float] | None = None,
    marks: Sequence[tree_view.Mark] = (),
    timeline: Timeline | None = None,
    path_nodes: Sequence[tuple[int, float]] = (),
    stability: bytes | None = None,
    pruned: ex.Tree | None = None,
) -> int:
    """The tree of a slot, grown or `pruned`; gives the selected node. `on_node` takes a choice, else the node changes.

    `value_range` are the means at the ends of the scale of colours; without it they are the tree's own. `marks` are
    drawn at nodes. With a `timeline` the tree is shown as far as it has grown. `path_nodes` are those of a row's path.
    `stability` is a layer over the nodes.
    """
    tree = trees.grown(settings, slot).tree if pruned is None else pruned
    pack = trees.tree_payload(settings, slot)
    selected = selected_node(settings, slot)

    def take(shown: Shown) -> None:
        if timeline is not None:
            timeline.on_change(shown)
        else:
            (on_node or take_node)(slot, max(shown.selected, 0))

    tree_view.view(
        name,
        pack,
        Shown(selected, timeline.position if timeline else 0, () if pruned is None else collapse_steps(pruned)),
        colour_themes(len(tree.classes), palette(settings)),
        take,
        sequence=timeline.payload if timeline else None,
        rule=rule(tree, selected),
        link=link,
        value_range=value_range,
        path_nodes=path_nodes,
        marks=marks,
        sentence=(timeline.position, timeline.sentence) if timeline else None,
        ask=timeline.ask if timeline else None,
        order=timeline.order if timeline else None,
        on_command=partial(_command, timeline),
        stability=stability,
        shows_stability=settings.stability.on_tree,
        **looks(settings, tree),
    )
    _show_graphviz(settings, tree)
    return selected


def looks(settings: Settings, tree: ex.Tree) -> dict[str, Any]:
    """How the settings have a view show its tree."""
    view = settings.view
    layout = None if view.layout == "" or not _fits(view.layout, tree) else view.layout
    return {"layout": layout, "ghosts": view.shows_ghosts, "presenter": view.presenter}


def take_command(name: str, value: object) -> None:
    """A choice made in the tools of a view without a timeline."""
    _command(None, name, value)


def _command(timeline: Timeline | None, name: str, value: object) -> None:
    """A choice made in a view's tools: the layout, pruned branches, or what the timeline understands."""
    settings = session.read()
    if name == "layout":
        view = dataclasses.replace(settings.view, layout=str(value))
    elif name == "ghosts":
        view = dataclasses.replace(settings.view, ghosts="yes" if value else "no")
    elif name == "stability":
        stability = dataclasses.replace(settings.stability, on_tree=bool(value))
        session.keep(changed(settings, stability=stability))
        return
    elif timeline is not None:
        timeline.on_command(name, value)
        return
    else:
        return
    session.keep(changed(settings, view=view))


def selected_node(settings: Settings, slot: str) -> int:
    """The node that the settings select; the root, with a warning, if the tree does not have it."""
    node = pruned_tree.selected_node(settings, slot)
    if node is None and (slot == "grow" or opened_tree.now() is None):  # else it is a node of the tree from a file
        wanted = getattr(settings, node_field(settings, slot))
        last = pruned_tree.shown_tree(settings, slot).n_nodes_grown - 1
        st.warning(message("This tree has no node {node}: its nodes are 0 to {last}.", node=wanted, last=last))
    return node or 0


def common_range(several: Sequence[ex.Tree]) -> tuple[float, float] | None:
    """The least and the largest mean of several trees of a number; None where there are classes."""
    if not several or not several[0].is_regression:
        return None
    return min(float(tree.values.min()) for tree in several), max(float(tree.values.max()) for tree in several)


def held_out_marks(settings: Settings) -> list[tree_view.Mark]:
    """A sign at every node where its validation rows disagree."""
    return [tree_view.Mark(*sign) for sign in held_out_nodes.signs(settings)]


def show_sequence(settings: Settings, cross_validation: ex.CrossValidation | None) -> None:
    """The tree with the slider over α, the curves and the table of its sequence."""
    path = trees.path(settings)
    kept = pruned_tree.pruned(settings) if settings.view.layout == "graphviz" else path.tree
    selected = selected_node(settings, "grow")
    tree_view.view(
        "prune",
        trees.tree_payload(settings),
        Shown(selected, position(settings, path), known_manual_steps(settings, path.tree)),
        colour_themes(len(path.tree.classes), palette(settings)),
        _sequence_changed,
        sequence=trees.sequence_payload(settings, cross_validation),
        rule=rule(path.tree, selected),
        by_hand=not settings.view.frozen,
        marks=held_out_marks(settings),
        on_command=partial(_command, None),
        **looks(settings, kept),
    )
    _show_graphviz(settings, kept)


def show_pruned(
    settings: Settings,
    name: str,
    tree: ex.Tree,
    path_nodes: Sequence[tuple[int, float]] = (),
    marks: Sequence[tree_view.Mark] = (),
    slider: Slider | None = None,
) -> None:
    """A tree pruned from the grown one, or the one open from a file.

    `path_nodes` are the nodes of a row's path, each with the row's share there. `marks` are drawn at nodes. With a
    `slider` that prunes it.
    """
    selected, opened = selected_node(settings, "grow"), opened_tree.now()
    tree_view.view(
        name,
        trees.tree_payload(settings, decision=tree.decision)
        if opened is None
        else opened_tree.payload(settings, opened.key, opened.tree, tree.decision),
        Shown(selected, slider.position) if slider else Shown(selected, manual_steps=collapse_steps(tree)),
        colour_themes(len(tree.classes), palette(settings)),
        slider.on_change if slider else lambda shown: take_node("grow", max(shown.selected, 0)),
        sequence=slider.payload if slider else None,
        rule=rule(tree, selected),
        path_nodes=path_nodes,
        marks=marks,
        on_command=partial(_command, None),
        **looks(settings, tree),
    )
    _show_graphviz(settings, tree)


def show_steps(name: str, tree: ex.Tree, pack: bytes, steps: bytes, palette: str, begin: int | None = None) -> int:
    """A tree with a slider over the steps of a procedure; selection and step stay within the view's own page.

    With `begin`, every new sequence begins at that step; else the step before is kept. Gives the step shown.
    """
    key, shown_steps = f"{name}.shown", f"{name}.steps"
    shown: Shown = st.session_state.get(key, Shown())
    if begin is not None and st.session_state.get(shown_steps) != signature(steps):
        shown = st.session_state[key] = Shown(0, begin)
    st.session_state[shown_steps] = signature(steps)
    if shown.selected >= tree.n_nodes_grown:
        shown = Shown()

    def keep_shown(now: Shown) -> None:
        st.session_state[key] = now

    colours, node_rule = colour_themes(len(tree.classes), palette), rule(tree, shown.selected)
    tree_view.view(name, pack, shown, colours, keep_shown, sequence=steps, rule=node_rule)
    return shown.position


def rule(tree: ex.Tree, node: int) -> str:
    """The node's rule in words, as text."""
    if not 0 <= node < tree.n_nodes_grown:
        return ""
    return message("Node {node}: {rule}", node=node, rule=readable(rule_words(tree, node)))


def take_node(slot: str, node: int) -> None:
    """Select a node of a slot."""
    settings = session.read()
    session.keep(changed(settings, **{node_field(settings, slot): node}))


def take_of_line(key: str, nodes: Sequence[int | None]) -> None:
    """Select the node that belongs to the line of a table in which a cell was selected."""
    cells = st.session_state[key].selection.cells
    line = int(cells[0][0]) if cells else len(nodes)
    node = nodes[line] if line < len(nodes) else None
    if node is not None:
        take_node("grow", node)


def _sequence_changed(shown: Shown) -> None:
    settings = session.read()
    alpha = alpha_at(trees.path(settings), shown.position)
    session.keep(changed(settings, node=max(shown.selected, 0), alpha=alpha, manual_steps=shown.manual_steps))


def _fits(layout: str, tree: ex.Tree) -> bool:
    """Whether a tree is drawn in a layout: Graphviz has a limit."""
    return layout != "graphviz" or tree.n_nodes <= MOST_GRAPHVIZ_NODES


def _show_graphviz(settings: Settings, tree: ex.Tree) -> None:
    """Graphviz's picture below the view's tools, or a sentence for a tree too large; nothing in another layout."""
    if settings.view.layout != "graphviz":
        return
    if not _fits("graphviz", tree):
        st.caption(
            message(
                "Graphviz draws up to {most} nodes; this tree has {nodes:,}. It is drawn top-down instead.",
                most=MOST_GRAPHVIZ_NODES,
                nodes=tree.n_nodes,
            )
        )
        return
    with st.container(key="graphviz"):
        st.graphviz_chart(ex.to_dot(tree), width="stretch", height="stretch")
