"""The inspector of a member: its round, and the node selected in it as on the Grow page, the losers included."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture.of_ensemble import fact_texts
from explorer.messages import message, paragraph, plural
from pages.ensembles import grow_on
from pages.grow import candidates_table, formula_tab, node_panel
from pages.results import ensembles, trees
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import node_text, open_tabs, row_table
from pages.widgets.row_table import HEIGHT, SHOWN_ROWS


def show(settings: Settings, made: Ensemble, position: int) -> None:
    """The node's head and its tabs."""
    member = made.members[position]
    node = ensembles.member_node(settings, made, position)
    st.caption(_grown_on(made, position))
    decision = ensembles.decision(settings, position, node)
    data = ensembles.member_data(settings, position)
    if member.target is not None:
        data = data.with_target(data.y, message("negative gradient"))
    node_panel.head(member.tree, decision, node, data)
    _tabs(settings, made, position, node)


def _grown_on(made: Ensemble, position: int) -> str:
    """What of the table this member has seen, and what it was to predict."""
    member, sentences = made.members[position], []
    train = made.train
    if train is not None and member.weights is not None:
        out = int((member.weights == 0).sum())
        if out:
            sentences.append(
                message("{rows:,} of {n:,} rows, {out:,} left out.", rows=train.n_rows - out, n=train.n_rows, out=out)
            )
    if member.target is not None:
        sentences.append(message("Grown on the negative gradients of the loss."))
    sentences.append(" · ".join(f"{name} {escape_markdown(text)}" for name, text in fact_texts(member).items()))
    return paragraph(sentences)


@st.fragment
def _tabs(settings: Settings, made: Ensemble, position: int, node: int) -> None:
    """What there is to know of the node; another tab runs only this again."""
    tree, decision = made.members[position].tree, ensembles.decision(settings, position, node)
    contents = {
        "candidates": (message("Candidates"), partial(_candidates, tree, decision, node)),
        "formula": (message("Formula"), partial(formula_tab.show, tree, decision, node)),
        "thresholds": (message("Thresholds"), partial(node_panel.thresholds, tree, decision)),
        "rows": (message("Rows"), partial(_rows, settings, made, position, node)),
        "grow_on": (message("Grow on"), partial(grow_on.show, settings, made, position, node)),
    }
    open_tabs.show(contents, "en.node_tab")


def _candidates(tree: ex.Tree, decision: ex.Decision, node: int) -> None:
    """Every feature's best split, those that were not drawn too."""
    if not decision.candidates and decision.chosen is None:
        st.markdown(message("No split was tried here."))
        return
    not_drawn = _not_drawn_text(tree, decision)
    if not_drawn:
        st.caption(not_drawn)
    candidates_table.show_with_notes(decision, tree, node)
    if tree.is_regression and tree.predictions is not None:
        st.caption(message("The features compete for negative gradients: the decrease is that of their variance."))


def _not_drawn_text(tree: ex.Tree, decision: ex.Decision) -> str:
    """How many features the node did not draw, and the best of them; empty if it drew all."""
    left_out = [
        candidate
        for candidate in decision.best.values()
        if candidate.rejection is not None and candidate.rejection.code == "feature_not_drawn"
    ]
    if not left_out:
        return ""
    best = max(left_out, key=lambda candidate: candidate.gain)
    return plural(
        len(left_out),
        "Grey: {n} of {features} features was not drawn at this node: {best}, {decrease} {gain}.",
        "Grey: {n} of {features} features were not drawn at this node; the best of them: {best}, {decrease} {gain}.",
        features=len(decision.best),
        best=escape_markdown(best.feature),
        decrease=node_text.gain_heading(tree.recipe, tree.is_regression),
        gain=number(best.gain, 4),
    )


def _rows(settings: Settings, made: Ensemble, position: int, node: int) -> None:
    """The training rows at the node with their weight in this member, and those that it has not seen."""
    member, train = made.members[position], trees.parts(settings).train
    at = member.tree.rows_at(train, node)
    weights = train.weight_of_rows() if member.weights is None else member.weights
    facts: dict[str, object] = {message("weight"): weights[at[:SHOWN_ROWS]]}
    if member.target is not None:
        facts[message("negative gradient")] = member.target[at[:SHOWN_ROWS]]
    facts[train.target.name] = train.frame[train.target.name].to_numpy()[at[:SHOWN_ROWS]]
    frame = row_table.frame_of(train, at[:SHOWN_ROWS], facts)
    st.dataframe(frame, key="en.rows", hide_index=True, height=HEIGHT + 120, placeholder="")
    st.caption(_weights_text(weights[at]))
    if len(at) > SHOWN_ROWS:
        st.caption(message("The first {shown:,} of {n:,} rows.", shown=SHOWN_ROWS, n=len(at)))


def _weights_text(weights: NDArray[np.float64]) -> str:
    """How many rows are out, and how many are in more than once, where weights are counts."""
    is_count = bool((weights == weights.round()).all())
    out, several = int((weights == 0).sum()), int((weights > 1).sum())
    if is_count and out:
        left_out = plural(out, "{n:,} row was not drawn", "{n:,} rows were not drawn")
        drawn = plural(several, "{n:,} row was drawn more than once", "{n:,} rows were drawn more than once")
        return message("{left_out}; {drawn}.", left_out=left_out, drawn=drawn)
    if not len(weights):
        return ""
    return message(
        "Weights from {least} to {most}.", least=number(float(weights.min())), most=number(float(weights.max()))
    )
