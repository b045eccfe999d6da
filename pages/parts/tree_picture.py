"""The drawn tree, up to a sensible number of nodes; what is not drawn is told in words."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.draw.palette import class_colours, text_on
from pages.parts import page
from pages.parts.words import answer_text, rule_text

MANY_NODES, FEW_NODES = 30, 15
"""How many nodes are drawn: on a page of its own, and beside another tree."""
_WIDE = 12
"""With more leaves than this the tree grows from left to right, so that its texts stay large."""
_TEXT_LEAVES = 5


def show(tree: ex.Tree, highlight: int | None = None, most: int = MANY_NODES) -> None:
    """Draw the tree in the colours of the classes."""
    theme = page.colours()
    colours = class_colours(len(tree.classes), theme.name)
    dot = ex.to_dot(
        tree,
        colours=colours,
        text_colours=[text_on(colour) for colour in colours],
        max_nodes=most,
        highlight=highlight,
        foreground=theme.text,
        direction="LR" if tree.n_leaves > _WIDE else "TB",
    )
    with st.container(border=True, horizontal_alignment="center"):
        st.graphviz_chart(dot, width="content", alt=_in_words(tree))
    if tree.n_nodes > most:
        st.caption(
            f"The upper part of a tree of {tree.n_nodes:,} nodes, and the way to the node chosen below. "
            "A depth limit or pruning gives a tree that can be drawn as a whole."
            if highlight is not None
            else f"The upper part of a tree of {tree.n_nodes:,} nodes."
        )


def _in_words(tree: ex.Tree) -> str:
    """The tree for those who do not see the picture: its size and its first leaves."""
    leaves = [int(leaf) for leaf in tree.leaves()]
    rules = [
        f"if {rule_text(tree, leaf)}: {answer_text(tree.node(leaf), tree.is_regression)}"
        for leaf in leaves[:_TEXT_LEAVES]
    ]
    more = f"; and {len(leaves) - _TEXT_LEAVES} more leaves" if len(leaves) > _TEXT_LEAVES else ""
    return f"Decision tree with {tree.n_leaves} leaves. " + "; ".join(rules) + more
