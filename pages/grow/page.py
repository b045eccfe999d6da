"""The tree: pick an algorithm, look at the tree, and see why each node was split as it was."""

import streamlit as st

from pages.grow import growing_controls, manual_choices, node_panel, oversized_warning, split_by_hand
from pages.results import evaluation, provenance, trees
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.text import number, score_name, score_text
from pages.widgets import downloads, page_frame, tree_panels


def show_summary(settings: Settings) -> None:
    """Size and scores of the tree, each score beside its baseline."""
    tree = trees.grown(settings).tree
    shown = [("Leaves", f"{tree.n_leaves:,}", f"of {tree.n_nodes:,} nodes")]
    shown += [("Depth", f"{tree.max_depth}", "questions at most")]
    costs = {cost.rows: cost for cost in evaluation.costs(settings)}
    for score in evaluation.scores(settings):
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
    oversized_warning.show(settings, tree)
    page_frame.show_notes([("info", note) for note in tree.notes])
    page_frame.show_notes([(note.level, note.text) for note in trees.data(settings).notes if note.level == "warning"])


@st.fragment
def show_tree() -> None:
    """The tree and the node chosen in it: a click runs only this again, and the web address follows it."""
    settings = session.read()
    url.write()
    node = tree_panels.show(settings, "grow")
    st.subheader(f"Node {node}", anchor=False)
    node_panel.show(settings, node)
    split_by_hand.show(settings, node)


settings = page_frame.start(
    "Grow", "Pick an algorithm. Then choose a node and see every test it weighed, and why one won."
)
with page_frame.errors_shown():
    page_frame.context_line(settings)
    with st.container(border=True):
        growing_controls.algorithm("grow", settings)
        growing_controls.option_widgets("grow", settings)
    show_summary(settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        downloads.palette(settings)
        downloads.downloads(settings, lambda: provenance.of_grown(settings))
    show_tree()
    manual_choices.show(settings)
