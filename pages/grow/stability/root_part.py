"""Which features the trees of the resamples split the root on."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures.stability_figures import share_bars
from explorer.messages import message
from pages.settings.settings import Settings
from pages.widgets import page_frame

_MOST = 8


def show(settings: Settings, made: ex.Stability) -> None:
    """The root features with their shares."""
    st.markdown(message("**The root splits on**"))
    st.html(bars(made))


def bars(made: ex.Stability, is_narrow: bool = False) -> str:
    """The shares as bars, that of the tree in hand in colour."""
    lines = [(name or message("(leaf)"), count) for name, count in made.root_counts.items()]
    rest = sum(count for _, count in lines[_MOST:])
    shown = [*lines[:_MOST], (message("other features"), rest)] if rest else lines
    return share_bars(shown, made.n_resamples, page_frame.colours(), own_root(made), is_narrow)


def own_root(made: ex.Stability) -> str:
    """The root feature of the tree in hand."""
    root = made.tree.condition(0) if made.tree.is_inner[0] else None
    return message("(leaf)") if root is None else root.feature
