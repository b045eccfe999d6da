"""Choosing α: the slider over the real breakpoints, a jump by leaves, and the risk that α is a price for."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from pages.parts import cached, state
from pages.parts.controls import feed
from pages.parts.state import Settings
from pages.parts.words import number

_PER_NODE = (
    "A demonstration: losses are divided by each node’s own rows, as some notes do. A tree cut at a fixed α is then "
    "not always inside the one cut at a smaller α, so this is no way to choose a tree."
)


def choose(settings: Settings) -> int:
    """All controls of α; gives the position in the sequence."""
    path = cached.path(settings)
    now = position(settings, path)
    _slider(path, now)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _jump_by_leaves(path, now)
        curves = cached.curves(settings)
        if curves.best is not None:
            st.button("Best subtree", icon=":material/star:", on_click=_go_to, args=(path, curves.best))
        st.button("Unpruned tree", on_click=_go_to, args=(path, 0))
        st.button("Root alone", on_click=_go_to, args=(path, len(path.alphas) - 1))
        _risk(settings, path.tree.is_regression)
    if settings.risk == "per_node":
        st.caption(_PER_NODE)
    return now


def position(settings: Settings, path: ex.Path) -> int:
    """Where the settings' α stands in the sequence; no α is the unpruned tree."""
    return 0 if settings.alpha is None else path.position(settings.alpha)


def _slider(path: ex.Path, now: int) -> None:
    if len(path.alphas) == 1:
        st.markdown("The tree is a single leaf: there is nothing to prune.")
        return
    st.select_slider(
        "α, the price of one leaf",
        range(len(path.alphas)),
        key=feed("alpha", now),
        format_func=lambda step: _step_text(path, step),
        on_change=lambda: _go_to(path, st.session_state["alpha"]),
        help="Each stop is a breakpoint: between two stops the tree does not change. Arrow keys move it by one stop.",
    )


def _step_text(path: ex.Path, step: int) -> str:
    unpruned = " (unpruned)" if step == 0 else ""
    return f"{number(path.alphas[step])}{unpruned}"


def _jump_by_leaves(path: ex.Path, now: int) -> None:
    st.selectbox(
        "Leaves",
        range(len(path.alphas)),
        key=feed("leaves", now),
        format_func=lambda step: f"{path.n_leaves[step]:,} leaves" if path.n_leaves[step] > 1 else "1 leaf",
        on_change=lambda: _go_to(path, st.session_state["leaves"]),
        help="Jump to the subtree of this size.",
        width=150,
    )


def _risk(settings: Settings, is_regression: bool) -> None:
    names = {key: name for key, name in state.RISKS.items() if key != "error" or not is_regression}
    st.selectbox(
        "Risk of a node",
        list(names),
        key=feed("risk", settings.risk if settings.risk in names else "impurity"),
        format_func=lambda name: names[name],
        on_change=_risk_picked,
        help="What a leaf costs before its price: the impurity by the recipe’s measure, or the share of wrong rows.",
        width=230,
    )


def _risk_picked() -> None:
    state.attempt(cached.path, risk=st.session_state["risk"])


def _go_to(path: ex.Path, step: int) -> None:
    """Choose a step of the sequence; step 0 is the unpruned tree."""
    alpha = None if step == 0 else float(path.alphas[step])
    state.keep(state.changed(state.read(), alpha=alpha))
