"""A warning for a tree with more leaves than rows: fractional instances multiply from split to split."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings, growing_of
from pages.widgets import page_frame

_ENOUGH = 2
"""Rows per branch that stop shares of a row from being split on their own; C4.5's own default."""


def show(settings: Settings, tree: ex.Tree) -> None:
    """Nothing where the tree is no larger than its rows allow; else why it is, and a button that mends it."""
    n_rows = trees.parts(settings).train.n_rows
    if tree.recipe.missing != "fractional" or tree.n_leaves <= n_rows:
        return
    text = (
        f"More leaves ({tree.n_leaves:,}) than rows ({n_rows:,}): rows without a value go down every branch in shares, "
        "and shares are split again. "
    )
    if tree.recipe.min_rows_leaf < _ENOUGH:
        page_frame.show_notice("warning", f"{text}Set “Rows per branch” to {_ENOUGH}, or prune the tree.")
        st.button(f"Set “Rows per branch” to {_ENOUGH}", key="swollen", on_click=_set_enough)
    else:
        page_frame.show_notice("warning", f"{text}Prune the tree, or set “Rows per branch” higher.")


def _set_enough() -> None:
    growing = growing_of(session.read(), "grow").with_change("min_rows_leaf", _ENOUGH)
    session.attempt(trees.grown, grow=growing)
