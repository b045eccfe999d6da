"""The first difference of two trees: one sentence, the candidates in both, and the path to that node."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from pages.compare import side_by_side
from pages.grow import candidates_table
from pages.results import comparison, trees
from pages.settings.page_settings import PAIRS, SIDES
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import node_text
from pages.widgets.controls import feed

_REMARKS_SHOWN = 30


def pick_pair(settings: Settings) -> None:
    """Which two of three settings the sections below speak of."""
    st.segmented_control(
        "Compared below",
        list(PAIRS),
        key=feed("pair", settings.compare.pair),
        format_func=lambda pair: f"{pair[0]} and {pair[1]}",
        required=True,
        on_change=_pair_changed,
    )


def _pair_changed() -> None:
    side_by_side.keep_compare_changes(pair=st.session_state["pair"], cell=None, row=None)


def show(settings: Settings, pair: tuple[str, str]) -> None:
    """The first node at which the pair's trees differ."""
    walk = comparison.walk(settings, pair)
    if walk.difference is None:
        tests = "the one test" if len(walk.alike) == 1 else f"all {len(walk.alike):,} tests"
        same = f"They never part: {tests} of both ask the same and send the same rows the same way."
        st.markdown(same if walk.alike else "They never part: both are a single leaf.")
    else:
        _show_divergence(settings, pair, walk.difference)
    if walk.remarks:
        _show_remarks(walk.remarks)


def _show_divergence(settings: Settings, pair: tuple[str, str], difference: ex.FirstDifference) -> None:
    st.markdown(f"#### {escape_markdown(difference.sentence)}")
    nodes = dict(zip(pair, (difference.node_a, difference.node_b), strict=True))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Show that node",
            icon=":material/my_location:",
            key="show_parting",
            on_click=side_by_side.choose_nodes,
            args=(nodes,),
            help="Selects it in both trees.",
        )
        node_words = (
            "At the root." if nodes[pair[0]] == 0 else side_by_side.rule_line(settings, pair[0], nodes[pair[0]])
        )
        st.markdown(node_words)
    decisions = (difference.decision_a, difference.decision_b)
    for slot, decision, column in zip(pair, decisions, st.columns(2, gap="large"), strict=True):
        with column:
            _show_competition(settings, slot, decision)


def _show_competition(settings: Settings, slot: str, decision: ex.Decision) -> None:
    """What competed at the node of the first difference."""
    tree = trees.grown(settings, slot).tree
    st.markdown(f"**{SIDES[slot]} ({tree.recipe.name}), node {decision.node}.** {_verdict(tree, decision)}")
    if decision.candidates:
        candidates_table.show(decision, tree.recipe, tree.is_regression, f"parted.{slot}", abreast=2)


def _verdict(tree: ex.Tree, decision: ex.Decision) -> str:
    return node_text.stop_text(tree.node(decision.node), decision)


def _show_remarks(remarks: tuple[str, ...]) -> None:
    """Where tests that are alike have another form."""
    with st.expander(f"Alike, but not the same ({len(remarks):,})"):
        for remark in remarks[:_REMARKS_SHOWN]:
            st.markdown(escape_markdown(remark))
        if len(remarks) > _REMARKS_SHOWN:
            st.caption(f"The first {_REMARKS_SHOWN} of {len(remarks):,}.")
