"""The line that stays in view: how the rows are split, the first tree at a glance, and the step to the Grow page."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.svg.svg import in_theme
from explorer.formatting import leaves
from explorer.messages import message
from pages.data import connected_rows, rows
from pages.results import trees
from pages.results.class_colours import palette
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame

_LEVELS = 3


def show(settings: Settings) -> None:
    """Split, first tree, and the button that goes on."""
    with st.container(key="next"):
        if settings.connected:
            connected_rows.show(settings)
        else:
            rows.show(settings)
        if not settings.connected:
            _offer_first_tree(settings)
        if st.button(message("Grow the tree →"), type="primary", key="grow_the_tree"):
            st.switch_page("pages/grow/page.py")


def _offer_first_tree(settings: Settings) -> None:
    first = st.popover(message("First tree"), icon=":material/account_tree:", key="first_tree", on_change="rerun")
    if first.open:
        with first, st.container(key="first_tree_body"), page_frame.errors_shown():
            _first_tree(settings)


def _first_tree(settings: Settings) -> None:
    """The top of the tree that the Grow page opens with."""
    tree = trees.grown(settings).tree
    st.caption(
        message(
            "{algorithm}: {leaves}, depth {depth}. The first three levels of splits:",
            algorithm=escape_markdown(tree.recipe.name),
            leaves=leaves(tree.n_leaves),
            depth=tree.max_depth,
        )
    )
    st.image(in_theme(_top(tree), palette(settings), page_frame.colours().name), width="stretch")


def _top(tree: ex.Tree) -> ex.Tree:
    """The tree without what is below its first levels."""
    return tree.with_pruned(tree.is_pruned | (tree.is_inner & (tree.depth >= _LEVELS)))
