"""The formula of whichever number of a node the reader picks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import explorer as ex
from explorer import explaining
from explorer.explaining import Derivation
from explorer.messages import message
from pages.grow import candidates_table
from pages.widgets import formula, node_text
from pages.widgets.controls import pick
from pages.widgets.tables import heading


def show(tree: ex.Tree, decision: ex.Decision, node_id: int) -> None:
    """The formula of a candidate's numbers, the score of the winner to begin with, or of the whole competition."""
    if not candidates_table.named(decision):
        st.markdown(message("No split was tried here."))
        return
    _formula(tree.node(node_id), decision, candidates_table.picker_key(node_id))


def _formula(node: ex.Node, decision: ex.Decision, picker: str) -> None:
    """Pick a feature and a number of its best test, the score to begin with."""
    splits, of_all = candidates_table.named(decision), _of_all(node, decision)
    options = [*splits, *(name for name in of_all if name not in splits)]
    help_text = message("The best split of a feature, or a number that compares all of them.")
    with st.container(horizontal=True, gap="small"):
        chosen = pick(message("Formula of"), options, picker, help_text)
        derivation = _number(node, splits[chosen]) if chosen in splits else of_all[chosen]()
    if derivation is not None:
        formula.show(derivation, "candidate")


def _of_all(node: ex.Node, decision: ex.Decision) -> dict[str, Callable[[], Derivation | None]]:
    """The numbers of the whole competition, by their names in the picker."""
    formulas: dict[str, Callable[[], Derivation | None]] = {}
    if decision.mean_gain is not None and node.tree.recipe.score == "gain_ratio":
        formulas[candidates_table.mean_line()] = partial(explaining.mean_gain_formula, node, decision)
    if decision.margin is not None:
        formulas[message("margin of the winner")] = partial(explaining.margin_formula, node, decision)
    return formulas


def _number(node: ex.Node, candidate: ex.Candidate) -> Derivation:
    """Pick one of a candidate's numbers."""
    recipe, is_regression = node.tree.recipe, node.tree.is_regression
    score, called = node_text.score_column(recipe, is_regression), node_text.score_heading(recipe, is_regression)
    formulas = explaining.candidate_formulas(node, candidate)
    names = sorted(formulas, key=lambda name: name != score)
    chosen = st.selectbox(
        message("Number"),
        names,
        format_func=lambda name: called if name == score else heading(name),
        key=f"formula.number.{score}",
    )
    return formulas[chosen]
