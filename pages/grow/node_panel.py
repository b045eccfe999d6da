"""The inspector of one node: what it holds and why it was split, its candidates, formulas, thresholds and rows."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import explorer as ex
from explorer.drawing.figures import class_bar
from explorer.explaining import reached_by
from explorer.formatting import rows, visible
from explorer.messages import message, plural
from pages.grow import (
    ask_first,
    branches_table,
    candidates_table,
    formula_tab,
    newton_ranking,
    split_by_hand,
    split_evidence,
    timeline,
)
from pages.grow import price_of_greed as greed
from pages.grow.of_rows import held_out, pictures
from pages.grow.stability import tab as stability_tab
from pages.layout import query_steps
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown, number, readable
from pages.widgets import controls, node_text, open_tabs, page_frame, tables
from pages.widgets.of_node import node_profile

_FEW_CLASSES, _MOST_CLASSES = 2, 8
"""So few classes have room for their rows in the bar; of more, so many are written below it."""


def show(settings: Settings, node_id: int) -> None:
    """The node's head, and its tabs; while the reader is to guess the split, the question instead."""
    question = timeline.question(settings)
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    head(tree, trees.decision(settings, node_id), node_id, train, is_open=question is not None)
    held_out.show(settings, node_id)
    if question is not None:
        ask_first.show(settings, question)
        return
    ask_first.show_verdict(settings)
    _offer_scene()
    _tabs(settings, node_id)


def _offer_scene() -> None:
    """A quiet button that opens the walk-through of the selected node on the page of lessons."""
    if st.button(message("Explain as a scene"), key="explain_node", type="tertiary", icon=":material/school:"):
        settings = session.read()
        learn = dataclasses.replace(settings.learn, section="scene", scene="own", step=0, chosen=())
        session.keep(changed(settings, learn=learn))
        st.switch_page("pages/learn/page.py")


def head(tree: ex.Tree, decision: ex.Decision, node_id: int, train: ex.Dataset, is_open: bool = False) -> None:
    """Name, rows by class, impurity, and the reason of its split or of its stop; `is_open` keeps the reason back."""
    node = tree.node(node_id)
    st.subheader(title(tree, node_id), anchor=False)
    measure = node_text.impurity_name(tree.recipe, tree.is_regression)
    facts = [
        _rows_text(tree, node.weight, decision.n_rows),
        message("{impurity} {value}", impurity=measure, value=number(node.impurity)),
        message("predicts **{label}**", label=node_text.predicted(node, tree.is_regression)),
    ]
    st.markdown(" · ".join([*facts, *newton_ranking.node_facts(tree, node.id)]))
    distribution(tree, node_id, train)
    if not is_open:
        st.markdown(node_text.stop_text(node, decision))


def _rows_text(tree: ex.Tree, weight: float, n_rows: int) -> str:
    """How many rows there are; beside them their weight, where weights count no rows."""
    return rows(weight) if tree.counts_rows else f"{rows(n_rows)}, {tree.rows_text(weight)}"


def title(tree: ex.Tree, node_id: int) -> str:
    """The node's number, and the branch that leads to it."""
    if node_id == 0:
        return message("Node 0 · all rows")
    return message("Node {node} · {branch}", node=node_id, branch=escape_markdown(readable(reached_by(tree, node_id))))


def distribution(tree: ex.Tree, node_id: int, train: ex.Dataset) -> None:
    """The training rows at the node by class, or how the target is spread there."""
    if tree.is_regression:
        page_frame.show_sample(session.read())
        page_frame.spread(train.take(tree.rows_at(train, node_id)), "node.spread")
    else:
        stats = tree.node(node_id).stats
        st.html(class_bar.class_bar(tree.classes, stats, page_frame.colours(), tree.counts_rows))
        if len(tree.classes) > _FEW_CLASSES:
            st.caption(_class_counts(tree, stats))


def _class_counts(tree: ex.Tree, stats: NDArray[np.float64]) -> str:
    """The rows of each class, the largest first where there are many."""
    counts = list(zip(tree.classes, map(float, stats), strict=True))
    shown = counts if len(counts) <= _MOST_CLASSES else sorted(counts, key=lambda pair: -pair[1])[:_MOST_CLASSES]
    texts = [f"{escape_markdown(visible(str(name)))} {number(count, 2)}" for name, count in shown]
    if len(shown) < len(counts):
        texts.append(plural(len(counts) - len(shown), "{n} more class", "{n} more classes"))
    return " · ".join(texts)


@st.fragment
def _tabs(settings: Settings, node_id: int) -> None:
    """What there is to know of the node; another tab or row runs only this again."""
    tree, decision = trees.grown(settings).tree, trees.decision(settings, node_id)
    contents = {
        "candidates": (message("Candidates"), partial(_candidates, settings, node_id)),
        "formula": (message("Formula"), partial(formula_tab.show, tree, decision, node_id)),
        "thresholds": (_of_a_feature(decision), partial(thresholds, tree, decision)),
        "rows": (message("Rows"), partial(_rows, settings, node_id)),
        "split": (message("Split"), partial(split_by_hand.show, settings, node_id)),
        "stability": (message("Stability"), partial(_stability, settings, node_id)),
    }
    if settings.connected:
        contents["sql"] = message("SQL"), partial(query_steps.show, settings)
    if not open_tabs.is_open("stability", contents, "node.tab"):
        stability_tab.go_on(settings)
    open_tabs.show(contents, "node.tab")


def _of_a_feature(decision: ex.Decision) -> str:
    """What the candidates of one feature are called: only branches where no feature has a threshold."""
    conditions = [candidate.condition for candidate in decision.best.values()]
    if conditions and all(condition.threshold is None and condition.kind != "bins" for condition in conditions):
        return message("Branches")
    return message("Thresholds")


def _rows(settings: Settings, node_id: int) -> None:
    """The rows that pass the node."""
    page_frame.show_sample(settings)
    node_profile.show(settings, node_id)
    pictures.show(settings, node_id)
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    tables.rows_at(tree, train, node_id, pictures.selected_rows(settings, node_id))


def _stability(settings: Settings, node_id: int) -> None:
    """How the node's split fares on resamples."""
    page_frame.show_sample(settings)
    stability_tab.show(settings, node_id)


def _candidates(settings: Settings, node_id: int) -> None:
    """The table of candidates, and what else speaks for the split."""
    tree, decision = trees.grown(settings).tree, trees.decision(settings, node_id)
    if not decision.candidates and decision.chosen is None:
        st.markdown(message("No split was tried here."))
        return
    tree, decision = newton_ranking.ranked_at(settings, node_id)
    if candidates_table.named(decision):
        with st.container(horizontal=True, key="candidate_switches"):
            candidates_table.every_switch()
            if not settings.connected:
                greed.toggle()
        if not settings.connected:
            greed.show(settings, node_id)
    candidates_table.show_with_notes(decision, tree, node_id)
    split_evidence.show(settings, node_id)


def thresholds(tree: ex.Tree, decision: ex.Decision) -> None:
    """All candidate splits of one feature, and what the best one's branches hold."""
    if not decision.candidates:
        st.markdown(message("No split was tried here."))
        return
    if not decision.best:
        candidates_table.show_inadmissible()
        return
    label, help_text = message("Feature"), message("All its thresholds or groupings, best first.")
    by_rank = dict.fromkeys(candidate.feature for candidate in candidates_table.ranked(decision))
    features = [feature for feature in by_rank if feature in decision.best]
    feature = controls.pick(label, features, "unfolded.feature", help_text)
    candidates_table.unfolded(decision, feature, tree.recipe, tree.is_regression)
    st.markdown(message("**Branches of its best split**"))
    branches_table.show_branches(tree, decision.best[feature], "branches")
