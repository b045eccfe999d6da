"""g(t) of one node of the sequence from the counts: of the link that goes next, or of the node selected."""

from __future__ import annotations

import streamlit as st

from explorer import explain
from pages.parts import cached, formula, trees
from pages.parts.controls import pick
from pages.parts.films import weakest_links
from pages.parts.state import Settings

_MOST = 20
"""Links that go at the same α, of which so many can be picked."""


def show(settings: Settings) -> None:
    """Folded away: pick a node, see what R(t), R(T_t) and g(t) are made of."""
    folded = st.expander("R(t), R(T_t) and g(t) from the counts", key="weakest", on_change="rerun")
    if not folded.open:
        return
    path, selected = cached.path(settings), trees.selected_node(settings, "grow")
    following = weakest_links(path, trees.position(settings, path) + 1)[:_MOST]
    nodes = {f"Node {node}, which goes next": node for node in following}
    if path.collapse_position[selected] and selected not in following:
        nodes[f"Node {selected}, selected in the tree"] = selected
    with folded:
        if not nodes:
            st.caption("Select a node with a test: a leaf has nothing to give up.")
            return
        node = nodes[pick("Node", list(nodes), "weakest.node", "What the branches below it save per leaf.")]
        told = explain.link_formula(path, node)
        if told is None:
            st.caption("A node above this one goes first, and losses per node do not say what it would save by then.")
        else:
            formula.show(told, "weakest")
