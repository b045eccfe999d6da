"""A node's validation rows beside its training rows, and its test rows once they were used."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures import class_bar
from explorer.evaluation.held_out_nodes import HeldOutNodes
from explorer.messages import message
from pages.results import trees
from pages.results.resampled import held_out_nodes
from pages.settings.settings import Settings
from pages.text import escape_markdown, score_text
from pages.widgets import page_frame


def show(settings: Settings, node_id: int) -> None:
    """The score of the node's prediction on its held-out rows, their classes, and where they disagree with it."""
    tree, test = trees.grown(settings).tree, message("Test")
    sets = {message("Validation"): held_out_nodes.of_tree(settings), test: held_out_nodes.on_test_set(settings)}
    with st.container(key="held_out", gap=None):
        for name, nodes in sets.items():
            if nodes is not None:
                st.caption(_facts(tree, nodes, node_id, name))
                known = nodes.stats[node_id, :-1]
                if not tree.is_regression and known.any():
                    st.html(class_bar.class_bar(tree.classes, known, page_frame.colours(), tree.counts_rows))


def _facts(tree: ex.Tree, nodes: HeldOutNodes, node: int, name: str) -> str:
    if not nodes.weight[node]:
        return message("{set}: no row comes here.", set=name)
    shown = {
        "set": name,
        "rows": tree.rows_text(float(nodes.weight[node])),
        "score": score_text(float(nodes.score[node]), tree.is_regression),
    }
    if tree.is_regression:
        facts = message("{set}: {rows}, MSE {score}.", **shown)
    else:
        facts = message("{set}: {rows}, {score} right.", **shown)
    problem = held_out_nodes.problem(tree, nodes, node)
    return f"{escape_markdown(facts)} :red[{escape_markdown(problem)}]" if problem else escape_markdown(facts)
