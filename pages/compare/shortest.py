"""ID3's tree beside the shortest consistent tree, which an exact search finds, and their first difference."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.tree_view import colour_themes
from explorer.growing.shortest_tree import count_text, size_text
from explorer.messages import message
from pages.compare import mode
from pages.compare.shortest_tree import first_difference, inspector, search
from pages.compare.shortest_tree.search import GREEDY, SHORTEST
from pages.layout import bar, growing, shell
from pages.results.class_colours import palette
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame, tree_panels, tree_view

_NODES = "shortest.nodes"


def show(settings: Settings) -> None:
    """The two trees and their first difference, once the search has ended."""
    growing.wait(settings, (growing.ROWS,))
    bar.show(settings)
    found = None
    with page_frame.errors_shown():
        mode.show(settings, _search)
        page_frame.show_sample(settings)
        found = search.result(settings)
    if found is None:
        inspector.sample_button(settings)
        return
    show_workbench()


@st.fragment
def show_workbench() -> None:
    """The line of both trees, their first difference, the trees and the inspector: a click runs only this again."""
    settings = session.read()
    url.write()
    found = search.result(settings)
    if found is None:
        st.rerun()
    _line(settings, found)
    stage, panel = shell.workbench()
    with stage, page_frame.errors_shown():
        _trees(settings, found)
    with panel, page_frame.errors_shown():
        inspector.show(settings, found)


def _search() -> None:
    st.markdown(message("Exact search for the shortest consistent tree"))


def _line(settings: Settings, found: ex.ShortestTree) -> None:
    """The first difference; where there is no shortest tree, why."""
    with st.container(key="difference", horizontal=True, vertical_alignment="center", gap="small"):
        if found.shapes:
            walk = search.walk(settings, found)
            st.markdown(first_difference.sentence(walk, found.greedy, search.tree_shown(settings, found)))
            _steps(settings, found)
        else:
            st.markdown(f"**{escape_markdown(found.text)}**")


def _steps(settings: Settings, found: ex.ShortestTree) -> None:
    """Through the equally short trees."""
    now, last = search.position(settings, found), len(found.shapes) - 1
    if last < 1:
        return
    text = message("{position} of {count}", position=now + 1, count=count_text(found.optimal))
    for icon, label, position in (
        (":material/chevron_left:", message("Previous shortest tree"), now - 1),
        ("", text, None),
        (":material/chevron_right:", message("Next shortest tree"), now + 1),
    ):
        if position is None:
            st.markdown(label)
            continue
        st.button(
            " ",
            icon=icon,
            key=f"shortest.to.{'next' if position > now else 'previous'}",
            help=label,
            disabled=not 0 <= position <= last,
            on_click=_step,
            args=(position,),
        )


def _step(position: int) -> None:
    session.keep_part("compare", shortest_position=position)


def _trees(settings: Settings, found: ex.ShortestTree) -> None:
    """ID3's tree and the shortest one, with the candidates at their selected nodes below."""
    sides = (GREEDY, SHORTEST) if found.shapes else (GREEDY,)
    with st.container(key="stages"):
        for side in sides:
            with st.container(key=f"tree_{side}"):
                _tree(settings, found, side)
    with st.container(key="counterparts"):
        for side in sides:
            with st.container(key=f"candidates_{side}", gap="small"):
                tree, node = _tree_of(settings, found, side), _node(settings, found, side)
                decision = search.decision(settings, found, side, node)
                first_difference.show_candidates(decision, tree, f"{side}.candidates", _title(tree, side, node))


def _tree_of(settings: Settings, found: ex.ShortestTree, side: str) -> ex.Tree:
    return found.greedy if side == GREEDY else search.tree_shown(settings, found)


def _tree(settings: Settings, found: ex.ShortestTree, side: str) -> None:
    tree, node = _tree_of(settings, found, side), _node(settings, found, side)
    difference = search.walk(settings, found).difference if found.shapes else None
    marks = []
    if difference is not None:
        at = difference.node_a if side == GREEDY else difference.node_b
        marks = [tree_view.Mark(at, "ring", message("First difference"))]
    tree_view.view(
        side,
        search.payload(settings, found, side),
        tree_view.Shown(node),
        colour_themes(len(tree.classes), palette(settings)),
        lambda shown: _node_selected(settings, found, side, max(shown.selected, 0)),
        rule=tree_panels.rule(tree, node),
        link=tree_view.Link("shortest"),
        marks=marks,
        **tree_panels.looks(settings, tree),
    )


def _node_selected(settings: Settings, found: ex.ShortestTree, side: str, node: int) -> None:
    st.session_state[_NODES] = _pair(settings, found), {**_chosen_nodes(settings, found), side: node}


def _chosen_nodes(settings: Settings, found: ex.ShortestTree) -> dict[str, int]:
    """The nodes that the reader has selected in this pair of trees, by side."""
    pair, nodes = st.session_state.get(_NODES, ("", {}))
    return dict(nodes) if pair == _pair(settings, found) else {}


def _pair(settings: Settings, found: ex.ShortestTree) -> str:
    return f"{search.key(settings)} {search.position(settings, found)}"


def _node(settings: Settings, found: ex.ShortestTree, side: str) -> int:
    """The selected node of a tree: that of the first difference until the reader selects one."""
    chosen = _chosen_nodes(settings, found)
    difference = search.walk(settings, found).difference if found.shapes else None
    if side in chosen or difference is None:
        return chosen.get(side, 0)
    return difference.node_a if side == GREEDY else difference.node_b


def _title(tree: ex.Tree, side: str, node: int) -> str:
    """What a tree is, how large, and the node whose candidates follow."""
    facts = {"tests": size_text(int(tree.is_inner.sum())), "depth": tree.max_depth, "node": node}
    if side == GREEDY:
        return message("ID3: {tests}, depth {depth} · node {node}", **facts)
    return message("Shortest: {tests}, depth {depth} · node {node}", **facts)
