"""The choices around pruning: the way to look at it, and the risk that α is a price for."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached, state, trees
from pages.parts.controls import feed, taken
from pages.parts.state import Settings

_PER_NODE = (
    "A demonstration: losses are divided by each node’s own rows, as some notes do. A tree cut at a fixed α is then "
    "not always inside the one cut at a smaller α, so this is no way to choose a tree."
)


def way(settings: Settings) -> None:
    """Sliding α, a given α step by step, or the loss per node on its own table."""
    st.segmented_control(
        "Way of pruning",
        list(state.PRUNING),
        key=feed("pruning", settings.pruning),
        format_func=lambda name: state.PRUNING[name],
        required=True,
        on_change=taken,
        args=("pruning", "pruning"),
        label_visibility="collapsed",
    )


def risk(settings: Settings) -> None:
    """What a leaf costs before its price."""
    is_regression = cached.data(settings).is_regression
    names = {key: name for key, name in state.RISKS.items() if key != "error" or not is_regression}
    st.selectbox(
        "Risk of a node",
        list(names),
        key=feed("risk", settings.risk if settings.risk in names else "impurity"),
        format_func=lambda name: names[name],
        on_change=_risk_picked,
        help="What a leaf costs before its price: the impurity by the recipe’s measure, or the share of wrong rows"
        + (", which needs classes and is not here." if is_regression else "."),
        width=260,
    )


def _risk_picked() -> None:
    """Take the new risk and stay at the size of the tree: α of the largest subtree with no more leaves than now."""
    before = state.read()
    path = cached.path(before)
    leaves = int(path.n_leaves[trees.position(before, path)])
    if not state.attempt(cached.path, risk=st.session_state["risk"]):
        return
    path = cached.path(state.read())
    alpha = trees.alpha_at(path, path.position_of_leaves(leaves))
    state.keep(state.changed(state.read(), alpha=alpha, hand=before.hand))


def risk_remark(settings: Settings) -> None:
    """What to know of the risk in force."""
    if settings.risk == "per_node":
        st.caption(_PER_NODE)


def metric(settings: Settings) -> None:
    """The score that pruned trees are judged by; numbers have one only."""
    tree = cached.grown(settings).tree
    if tree.is_regression:
        return
    known = {key: name for key, name in state.METRICS.items() if key != "expected_cost" or tree.costs is not None}
    st.selectbox(
        "Judged by",
        list(known),
        key=feed("metric", cached.metric(settings)),
        format_func=lambda name: known[name],
        on_change=taken,
        args=("metric", "metric"),
        help="The score that picks α: for the curve, the best and the 1-SE tree, cross-validation and the methods. "
        "AUC and log loss judge the shares of classes in the leaves. Expected cost is here once mistakes have costs.",
        width=180,
    )


def metric_remark(settings: Settings) -> None:
    """What to know of the score in force."""
    metric = cached.metric(settings)
    if settings.metric == "expected_cost" and metric == "accuracy":
        st.caption("Expected cost needs costs of mistakes, and this tree has none: accuracy judges instead.")
    if metric == "auc" and cached.curves(settings).valid is None:
        st.caption("AUC compares rows with each other, so it cannot be had by leaving out one row at a time.")
