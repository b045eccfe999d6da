"""The panel of one node: what it holds, why it decided so, one feature in full, and its rows."""

from __future__ import annotations

import streamlit as st

from explorer.draw import figures
from pages.parts import branches, cached, candidates, contest, controls, evidence, node_words, page, tables
from pages.parts.state import Settings
from pages.parts.words import number


def show(settings: Settings, node_id: int) -> None:
    """Its rows by class, what it asks or why it stopped, and its candidates."""
    tree = cached.grown(settings).tree
    node, decision = tree.node(node_id), cached.decision(settings, node_id)
    measure = node_words.impurity_name(tree.recipe, tree.is_regression)
    st.markdown(
        f"{number(node.weight, 2)} rows · {measure} {number(node.impurity)} · "
        f"answers **{node_words.answer(node, tree.is_regression)}**. {node_words.stop_text(node, decision)}"
    )
    if tree.is_regression:
        train = cached.parts(settings).train
        page.spread(train.take(tree.rows_at(train, node_id)), "node.spread")
    else:
        figure = figures.share_bar(tree.classes, node.stats, page.colours())
        st.plotly_chart(figure, key="node.spread", config=page.STILL)
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
            tables.rows_at(cached.grown(settings).tree, cached.parts(settings).train, node_id)


def _candidates(settings: Settings, node_id: int) -> None:
    """The table of candidates with its formulas, and what else speaks for the split."""
    decision = cached.decision(settings, node_id)
    if not decision.candidates and decision.chosen is None:
        st.markdown("No test was looked at here.")
        return
    contest.show(settings, node_id)
    evidence.show(settings, node_id)


def _feature(settings: Settings, node_id: int) -> None:
    """All tests of one feature, and what the best one's branches hold."""
    tree, decision = cached.grown(settings).tree, cached.decision(settings, node_id)
    if not decision.candidates:
        st.markdown("No test was looked at here.")
        return
    feature = controls.pick(
        "Feature", list(decision.best), "unfolded.feature", "Its thresholds or groupings, best first."
    )
    candidates.unfolded(decision, feature, tree.recipe, tree.is_regression)
    st.markdown("**Branches of its best test**")
    branches.show_branches(tree, decision.best[feature], "branches")
