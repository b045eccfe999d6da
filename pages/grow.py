"""The tree: pick an algorithm, look at the tree, and ask any node why it decided so."""

import streamlit as st

from explorer.draw import figures
from pages.parts import (
    cached,
    contest,
    controls,
    decided,
    deciding,
    evidence,
    exports,
    page,
    scored,
    swollen,
    tables,
    trees,
)
from pages.parts.state import Settings
from pages.parts.words import number, score_name, score_text


def show_summary(settings: Settings) -> None:
    """Size and scores of the tree, each score beside its baseline."""
    tree = cached.grown(settings).tree
    shown = [("Leaves", f"{tree.n_leaves:,}", f"of {tree.n_nodes:,} nodes")]
    shown += [("Depth", f"{tree.max_depth}", "questions at most")]
    costs = {cost.rows: cost for cost in scored.costs(settings)}
    for score in scored.scores(settings):
        base = score_text(score.baseline, tree.is_regression)
        under = f"{score_name(tree.is_regression)}; baseline {base}"
        if score.rows in costs:
            cost = costs[score.rows]
            under += f"  \ncost per row {number(cost.value, 3)}; baseline {number(cost.baseline, 3)}"
        shown.append((score.rows, score_text(score.value, tree.is_regression), under))
    for column, (label, value, under) in zip(st.columns(len(shown)), shown, strict=True):
        with column.container(border=True):
            st.metric(label, value)
            st.caption(under)
    swollen.show(settings, tree)
    page.show_notes([("info", note) for note in tree.notes])
    page.show_notes([(note.level, note.text) for note in cached.data(settings).notes if note.level == "warning"])


def show_node(settings: Settings, node_id: int) -> None:
    """One node: its rows by class, what it asks or why it stopped, and its candidates."""
    tree, train = cached.grown(settings).tree, cached.parts(settings).train
    node, decision = tree.node(node_id), cached.decision(settings, node_id)
    measure = tables.impurity_name(tree.recipe, tree.is_regression)
    st.markdown(
        f"{number(node.weight, 2)} rows · {measure} {number(node.impurity)} · "
        f"answers **{tables.answer(node, tree.is_regression)}**. {tables.stop_text(node, decision)}"
    )
    if tree.is_regression:
        page.spread(train.take(tree.rows_at(train, node_id)), "node.spread")
    else:
        figure = figures.share_bar(tree.classes, node.stats, page.colours())
        st.plotly_chart(figure, key="node.spread", config=page.STILL)
    names = ["Why this test", "One feature in full", "The rows here"]
    why, unfold, rows = st.tabs(names, key="node.tab", on_change="rerun")
    with why:
        show_candidates(settings, node_id)
    if unfold.open:
        with unfold:
            show_feature(settings, node_id)
    if rows.open:
        with rows:
            tables.rows_at(tree, train, node_id)


def show_candidates(settings: Settings, node_id: int) -> None:
    """The table of candidates with its formulas, and what else speaks for the split."""
    decision = cached.decision(settings, node_id)
    if not decision.candidates and decision.chosen is None:
        st.markdown("No test was looked at here.")
        return
    contest.show(settings, node_id)
    evidence.show(settings, node_id)


def show_feature(settings: Settings, node_id: int) -> None:
    """All tests of one feature, and what the best one's branches hold."""
    tree, decision = cached.grown(settings).tree, cached.decision(settings, node_id)
    if not decision.candidates:
        st.markdown("No test was looked at here.")
        return
    feature = controls.pick(
        "Feature", list(decision.best), "unfolded.feature", "Its thresholds or groupings, best first."
    )
    tables.unfolded(decision, feature, tree.recipe, tree.is_regression)
    st.markdown("**Branches of its best test**")
    tables.branches(decision.best[feature], tree.classes)


settings = page.start("Grow", "Pick an algorithm. Then choose a node and see every test it weighed, and why one won.")
with page.errors_shown():
    page.context_line(settings)
    with st.container(border=True):
        controls.algorithm("grow", settings)
        controls.growing_options("grow", settings)
    show_summary(settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        exports.palette(settings)
        exports.downloads(settings, cached.grown(settings).tree)
    node = trees.show(settings, "grow")
    st.subheader(f"Node {node}", anchor=False)
    show_node(settings, node)
    deciding.show(settings, node)
    decided.show(settings)
