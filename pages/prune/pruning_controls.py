"""Controls of the Prune page (view, risk, metric), and g(t) of the weakest link worked out."""

from __future__ import annotations

import streamlit as st

from explorer import explaining
from pages.results import pruned_tree, trees
from pages.results.pruning_steps import weakest_links
from pages.settings import labels, session
from pages.settings.settings import Settings, changed
from pages.widgets import formula, tree_panels
from pages.widgets.controls import feed, keep_value, pick

_MOST = 20
"""Links that collapse at the same α: so many are offered."""


_PER_NODE = (
    "A demonstration: losses are divided by each node’s own rows, as some notes do. A tree cut at a fixed α is then "
    "not always inside the one cut at a smaller α, so this is no way to choose a tree."
)


def show(settings: Settings) -> None:
    """Folded away: pick a node, see what R(t), R(T_t) and g(t) are made of."""
    folded = st.expander("R(t), R(T_t) and g(t) from the counts", key="weakest", on_change="rerun")
    if not folded.open:
        return
    path, selected = trees.path(settings), tree_panels.selected_node(settings, "grow")
    following = weakest_links(path, pruned_tree.position(settings, path) + 1)[:_MOST]
    nodes = {f"Node {node}, which goes next": node for node in following}
    if path.collapse_position[selected] and selected not in following:
        nodes[f"Node {selected}, selected in the tree"] = selected
    with folded:
        if not nodes:
            st.caption("Select a node with a test: a leaf has nothing to give up.")
            return
        node = nodes[pick("Node", list(nodes), "weakest.node", "What the branches below it save per leaf.")]
        derivation = explaining.link_formula(path, node)
        if derivation is None:
            st.caption("A node above this one goes first, and losses per node do not say what it would save by then.")
        else:
            formula.show(derivation, "weakest")


def view_picker(settings: Settings) -> None:
    """Sliding α, a given α step by step, or the loss per node on its own table."""
    st.segmented_control(
        "Way of pruning",
        list(labels.PRUNING),
        key=feed("pruning", settings.pruning),
        format_func=lambda name: labels.PRUNING[name],
        required=True,
        on_change=keep_value,
        args=("pruning", "pruning"),
        label_visibility="collapsed",
    )


def risk(settings: Settings) -> None:
    """The risk of a leaf, without its penalty α."""
    is_regression = trees.data(settings).is_regression
    names = {key: name for key, name in labels.RISKS.items() if key != "error" or not is_regression}
    st.selectbox(
        "Risk of a node",
        list(names),
        key=feed("risk", settings.risk if settings.risk in names else "impurity"),
        format_func=lambda name: names[name],
        on_change=_risk_changed,
        help="What a leaf costs before its price: the impurity by the recipe’s measure, or the share of wrong rows"
        + (", which needs classes and is not here." if is_regression else "."),
        width=260,
    )


def _risk_changed() -> None:
    """Take the new risk and stay at the size of the tree: α of the largest subtree with no more leaves than now."""
    before = session.read()
    path = trees.path(before)
    leaves = int(path.n_leaves[pruned_tree.position(before, path)])
    if not session.attempt(trees.path, risk=st.session_state["risk"]):
        return
    path = trees.path(session.read())
    alpha = pruned_tree.alpha_at(path, path.position_of_leaves(leaves))
    session.keep(changed(session.read(), alpha=alpha, manual_steps=before.manual_steps))


def risk_remark(settings: Settings) -> None:
    """What to know of the risk in force."""
    if settings.risk == "per_node":
        st.caption(_PER_NODE)


def metric(settings: Settings) -> None:
    """The metric that scores pruned trees; regression has one only."""
    tree = trees.grown(settings).tree
    if tree.is_regression:
        return
    known = {key: name for key, name in labels.METRICS.items() if key != "expected_cost" or tree.costs is not None}
    st.selectbox(
        "Judged by",
        list(known),
        key=feed("metric", trees.metric(settings)),
        format_func=lambda name: known[name],
        on_change=keep_value,
        args=("metric", "metric"),
        help="The score that picks α: for the curve, the best and the 1-SE tree, cross-validation and the methods. "
        "AUC and log loss judge the shares of classes in the leaves. Expected cost is here once mistakes have costs.",
        width=180,
    )


def metric_remark(settings: Settings) -> None:
    """What to know of the score in force."""
    metric = trees.metric(settings)
    if settings.metric == "expected_cost" and metric == "accuracy":
        st.caption("Expected cost needs costs of mistakes, and this tree has none: accuracy judges instead.")
    if metric == "auc" and trees.curves(settings).valid is None:
        st.caption("AUC compares rows with each other, so it cannot be had by leaving out one row at a time.")
