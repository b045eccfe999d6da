"""The tree as Graphviz draws it, the picture of books and slides, where the reader has chosen that layout."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.settings.settings import Settings

MOST_NODES = 200
"""Graphviz lays the tree out in the browser; larger trees take it many seconds."""


def fits(layout: str, tree: ex.Tree) -> bool:
    """Whether a tree is drawn in a layout: Graphviz has a limit."""
    return layout != "graphviz" or tree.n_nodes <= MOST_NODES


def show(settings: Settings, tree: ex.Tree) -> None:
    """The picture below the view's tools; nothing in another layout, and a sentence for a tree that is too large."""
    if settings.view.layout != "graphviz":
        return
    if not fits("graphviz", tree):
        st.caption(
            message(
                "Graphviz draws up to {most} nodes; this tree has {nodes:,}. It is drawn top-down instead.",
                most=MOST_NODES,
                nodes=tree.n_nodes,
            )
        )
        return
    with st.container(key="graphviz"):
        st.graphviz_chart(ex.to_dot(tree), width="stretch", height="stretch")
