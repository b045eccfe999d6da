"""Two settings side by side, grown and judged on the same rows."""

import streamlit as st

from pages.parts import cached, controls, page, tables, trees
from pages.parts.state import Settings
from pages.parts.words import milliseconds, score_name, score_text


def show_side(settings: Settings, slot: str, title: str) -> None:
    """One of the two: its settings, numbers, tree and root."""
    st.subheader(title, anchor=False)
    with st.container(border=True):
        controls.algorithm(slot, settings)
        controls.growing_options(slot, settings)
    show_numbers(settings, slot)
    tree = cached.grown(settings, slot).tree
    node = trees.show(settings, slot, slot, most_height=460)
    st.markdown(f"**Candidates at {'the root' if node == 0 else f'node {node}'}**")
    decision = cached.decision(settings, node, slot)
    if decision.candidates:
        tables.candidates(decision, tree.recipe, tree.is_regression, f"{slot}.candidates", brief=True)
    else:
        st.markdown(tables.stop_text(tree.node(node), decision))


def show_numbers(settings: Settings, slot: str) -> None:
    """Size, scores and time."""
    grown = cached.grown(settings, slot)
    regression = grown.tree.is_regression
    with st.container(border=True, horizontal=True):
        st.metric("Leaves", f"{grown.tree.n_leaves:,}", width="content")
        st.metric("Depth", grown.tree.max_depth, width="content")
        for score in cached.scores(settings, slot):
            st.metric(score.rows, score_text(score.value, regression), width="content")
        st.metric("Time to grow", milliseconds(grown.seconds), width="content")
    bases = {score.rows: score_text(score.baseline, regression) for score in cached.scores(settings, slot)}
    told = ", ".join(f"{rows.lower()} {base}" for rows, base in bases.items())
    st.caption(f"Scores: {score_name(regression)}. Baselines: {told}.")


settings = page.start(
    "Compare", "Two settings on the same rows: what do they ask first, how large do they grow, who is right more often?"
)
with page.errors_shown():
    page.context_line(settings)
for column, slot, title in zip(st.columns(2, gap="large"), ("left", "right"), ("Setting A", "Setting B"), strict=True):
    with column, page.errors_shown():
        show_side(settings, slot, title)
