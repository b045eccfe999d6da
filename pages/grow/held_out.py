"""A node's validation rows beside its training rows, and the sign of nodes where they disagree."""

from __future__ import annotations

import numpy as np
import streamlit as st

import explorer as ex
from explorer.drawing.figures import class_bar
from explorer.evaluation.held_out_nodes import HeldOutNodes
from explorer.messages import message, paragraph
from pages.results import trees
from pages.results.resampled import held_out_nodes
from pages.settings.settings import Settings
from pages.text import escape_markdown, prediction_text, score_text
from pages.widgets import page_frame
from pages.widgets.tree_view import Mark


def show(settings: Settings, node_id: int) -> None:
    """The score of the node's prediction on its validation rows, their classes, and where they disagree with it."""
    nodes, tree = held_out_nodes.of_tree(settings), trees.grown(settings).tree
    if nodes is None:
        return
    with st.container(key="held_out", gap=None):
        st.caption(_facts(tree, nodes, node_id))
        if not tree.is_regression and nodes.stats[node_id, :-1].any():
            known = nodes.stats[node_id, :-1]
            st.html(class_bar.class_bar(tree.classes, known, page_frame.colours(), tree.counts_rows))


def _facts(tree: ex.Tree, nodes: HeldOutNodes, node: int) -> str:
    if not nodes.weight[node]:
        return message("Validation: no row comes here.")
    shown = {
        "rows": tree.rows_text(float(nodes.weight[node])),
        "score": score_text(float(nodes.score[node]), tree.is_regression),
    }
    if tree.is_regression:
        facts = message("Validation: {rows}, MSE {score}.", **shown)
    else:
        facts = message("Validation: {rows}, {score} right.", **shown)
    problem = _problem(tree, nodes, node)
    return f"{escape_markdown(facts)} :red[{escape_markdown(problem)}]" if problem else escape_markdown(facts)


def _problem(tree: ex.Tree, nodes: HeldOutNodes, node: int) -> str:
    """Where the validation rows disagree with the node; "" where they do not."""
    sentences = []
    if nodes.differs[node]:
        classes = (*map(str, tree.classes), message("a class without training rows"))
        most, own = classes[int(np.argmax(nodes.stats[node]))], prediction_text(tree.node(node), False)
        sentences.append(message("Most are {label}, not {predicted}.", label=most, predicted=own))
    if nodes.gains_nothing[node]:
        sentences.append(message("The split predicts them no better."))
    return paragraph(sentences)


def marks(settings: Settings) -> list[Mark]:
    """A sign at every node where its validation rows disagree; none while the reader is to guess the splits."""
    nodes, tree = held_out_nodes.of_tree(settings), trees.grown(settings).tree
    if nodes is None or settings.timeline.asks:
        return []
    signed = held_out_nodes.worth_a_sign(nodes)
    texts = (message("Validation: {problem}", problem=_problem(tree, nodes, node)) for node in signed)
    return [Mark(node, "held_out", text) for node, text in zip(signed, texts, strict=True)]
