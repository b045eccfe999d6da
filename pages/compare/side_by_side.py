"""The settings that are compared, side by side: what they are, how large and good their trees are, and the trees."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import streamlit as st

from explorer.evaluation.comparison.first_difference import counterpart
from pages.grow import candidates_table, growing_controls, split_evidence
from pages.results import evaluation, trees
from pages.settings import session
from pages.settings.page_settings import SIDES, CompareSettings, GrowSettings
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown, milliseconds, score_name, score_text
from pages.widgets import controls, node_text, page_frame, tree_panels, tree_view

_COMPILING = "Not measured yet: the program is still being compiled, which happens once after a start."


def keep_compare_changes(**changes: object) -> None:
    """Change what was chosen on the Compare page."""
    settings = session.read()
    compare: CompareSettings = dataclasses.replace(settings.compare, **changes)  # type: ignore[arg-type]
    session.keep(changed(settings, compare=compare))


def keep_compare_value(field: str, key: str) -> None:
    """Take a widget's value into a field of the comparison."""
    keep_compare_changes(**{field: st.session_state[key]})


def above(settings: Settings) -> None:
    """Whether the views move together, and the button for a third setting."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.toggle(
            "Pan and zoom the trees together",
            key=controls.feed("moves_together", settings.compare.moves_together),
            on_change=keep_compare_value,
            args=("moves_together", "moves_together"),
            help="A node chosen in one tree is always chosen in the others too, if they have the same path of tests.",
        )
        if settings.compare.has_third:
            st.button("Remove setting C", icon=":material/close:", key="third.on", on_click=_with_third, args=(False,))
        else:
            st.button("Add a third setting", icon=":material/add:", key="third.on", on_click=_with_third, args=(True,))
    if settings.choices:
        st.caption("What was decided by hand on the Grow page is left out here: settings are compared as they grow.")


def _with_third(is_on: bool) -> None:
    settings = session.read()
    compare = dataclasses.replace(settings.compare, has_third=is_on, pair="AB", cell=None, row=None)
    session.keep(changed(settings, third=GrowSettings(), third_node=0, compare=compare))


def show(settings: Settings) -> list[str]:
    """All sides in rows of columns, so that like stands beside like; gives the slots that have a tree."""
    slots = settings.compare.slots
    grown = [slot for slot, column in _columns(slots) if _shows(column, settings, slot)]
    for slot, column in _columns(slots):
        if slot in grown:
            with column:
                show_numbers(settings, slot)
    link = tree_view.Link("compare", settings.compare.moves_together)
    means = tree_panels.common_range([trees.grown(settings, slot).tree for slot in grown])
    for slot, column in _columns(slots):
        if slot in grown:
            with column:
                tree_panels.show(settings, slot, slot, _node_selected, link, means)
    for slot, column in _columns(slots):
        if slot in grown:
            with column:
                show_candidates(settings, slot)
    return grown


def _columns(slots: Sequence[str]) -> list[tuple[str, st.delta_generator.DeltaGenerator]]:
    gap: Literal["medium", "large"] = "medium" if len(slots) > 2 else "large"
    return list(zip(slots, st.columns([1] * len(slots), gap=gap), strict=True))


def _shows(column: st.delta_generator.DeltaGenerator, settings: Settings, slot: str) -> bool:
    """A side's heading and options; whether its tree could be grown."""
    with column, page_frame.errors_shown():
        st.subheader(f"Setting {SIDES[slot]}", anchor=False)
        with st.container(border=True):
            growing_controls.algorithm(slot, settings)
            growing_controls.option_widgets(slot, settings)
        return trees.grown(settings, slot).tree.n_nodes_grown > 0
    return False  # type: ignore[unreachable]  # errors are shown, and end the block


def show_numbers(settings: Settings, slot: str) -> None:
    """Size, scores and time."""
    grown = trees.grown(settings, slot)
    regression, scores = grown.tree.is_regression, evaluation.scores(settings, slot)
    with st.container(border=True, horizontal=True):
        st.metric("Leaves", f"{grown.tree.n_leaves:,}", width="content")
        st.metric("Depth", grown.tree.max_depth, width="content")
        for score in scores:
            st.metric(score.rows, score_text(score.value, regression), width="content")
        seconds = trees.seconds_to_grow(settings, slot)
        baselines = "–" if seconds is None else milliseconds(seconds)
        st.metric("Time to grow", baselines, width="content", help=_COMPILING if seconds is None else None)
    baselines = ", ".join(f"{score.rows.lower()} {score_text(score.baseline, regression)}" for score in scores)
    st.caption(f"Scores: {score_name(regression)}. Baselines: {baselines}.".replace(" %", "\N{NO-BREAK SPACE}%"))


def show_candidates(settings: Settings, slot: str) -> None:
    """What a side's node splits on or why it stopped, and what competed there."""
    tree, node = trees.grown(settings, slot).tree, tree_panels.selected_node(settings, slot)
    st.markdown(f"**{SIDES[slot]}: candidates at {'the root' if node == 0 else f'node {node}'}**")
    decision, abreast = trees.decision(settings, node, slot), len(settings.compare.slots)
    st.markdown(node_text.stop_text(tree.node(node), decision))
    if decision.candidates:
        candidates_table.show(decision, tree.recipe, tree.is_regression, f"{slot}.candidates", abreast=abreast)


def show_evidence(settings: Settings, slots: Sequence[str]) -> None:
    """What else speaks for a side's split: χ², validation rows, rows without a value, surrogates."""
    with st.expander("More about the chosen nodes: χ², missing cells, surrogates"):
        named = {f"{SIDES[slot]}: node {tree_panels.selected_node(settings, slot)}": slot for slot in slots}
        chosen = st.segmented_control("Node", list(named), key="evidence.of", default=next(iter(named)), required=True)
        slot = named[chosen]
        node = tree_panels.selected_node(settings, slot)
        grown = trees.grown(settings, slot).tree
        st.markdown(node_text.stop_text(grown.node(node), trees.decision(settings, node, slot)))
        split_evidence.show(settings, node, slot)


def choose_nodes(nodes: dict[str, int]) -> None:
    """Select a node in each of these sides."""
    for slot, node in nodes.items():
        tree_panels.take_node(slot, node)


def _node_selected(slot: str, node: int) -> None:
    """A node was chosen in one side's tree: choose it and, where they have the same path of tests, its counterparts."""
    settings = session.read()
    tree = trees.grown(settings, slot).tree
    nodes = {slot: node}
    for other in settings.compare.slots:
        counterpart_node = None if other == slot else counterpart(tree, node, trees.grown(settings, other).tree)
        if counterpart_node is not None:
            nodes[other] = counterpart_node
    keep_compare_changes(row=None)
    choose_nodes(nodes)


def rule_line(settings: Settings, slot: str, node: int) -> str:
    """A side's node as it is reached, safe for Markdown."""
    return escape_markdown(tree_panels.rule(trees.grown(settings, slot).tree, node))
