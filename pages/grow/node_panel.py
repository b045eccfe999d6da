"""The panel of one node: what it holds, why it decided so, one feature in full, and its rows."""

from __future__ import annotations

import streamlit as st

from explorer.drawing.figures import data_figures
from pages.grow import candidates_table, split_evidence, why_this_split
from pages.results import trees
from pages.settings.settings import Settings
from pages.text import number
from pages.widgets import controls, node_text, page_frame, tables


def show(settings: Settings, node_id: int) -> None:
    """Its rows by class, what it splits on or why it stopped, and its candidates."""
    tree = trees.grown(settings).tree
    node, decision = tree.node(node_id), trees.decision(settings, node_id)
    measure = node_text.impurity_name(tree.recipe, tree.is_regression)
    st.markdown(
        f"{number(node.weight, 2)} rows · {measure} {number(node.impurity)} · "
        f"answers **{node_text.predicted(node, tree.is_regression)}**. {node_text.stop_text(node, decision)}"
    )
    if tree.is_regression:
        train = trees.parts(settings).train
        page_frame.spread(train.take(tree.rows_at(train, node_id)), "node.spread")
    else:
        figure = data_figures.share_bar(tree.classes, node.stats, page_frame.colours())
        st.plotly_chart(figure, key="node.spread", config=page_frame.STILL)
    _tabs(settings, node_id)


@st.fragment
def _tabs(settings: Settings, node_id: int) -> None:
    """What there is to know of the node; another tab or row runs only this again."""
    names = ["Why this test", "One feature in full", "The rows here"]
    why, unfold, rows = st.tabs(names, key="node.tab", on_change="rerun")
    with why:
        _candidates(settings, node_id)
    if unfold.open:
        with unfold:
            _feature(settings, node_id)
    if rows.open:
        with rows:
            tables.rows_at(trees.grown(settings).tree, trees.parts(settings).train, node_id)


def _candidates(settings: Settings, node_id: int) -> None:
    """The table of candidates with its formulas, and what else speaks for the split."""
    decision = trees.decision(settings, node_id)
    if not decision.candidates and decision.chosen is None:
        st.markdown("No test was looked at here.")
        return
    why_this_split.show(settings, node_id)
    split_evidence.show(settings, node_id)


def _feature(settings: Settings, node_id: int) -> None:
    """All tests of one feature, and what the best one's branches hold."""
    tree, decision = trees.grown(settings).tree, trees.decision(settings, node_id)
    if not decision.candidates:
        st.markdown("No test was looked at here.")
        return
    feature = controls.pick(
        "Feature", list(decision.best), "unfolded.feature", "Its thresholds or groupings, best first."
    )
    candidates_table.unfolded(decision, feature, tree.recipe, tree.is_regression)
    st.markdown("**Branches of its best test**")
    candidates_table.show_branches(tree, decision.best[feature], "branches")
