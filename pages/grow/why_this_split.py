"""Split selection at a node: the table of candidates, and the formula of whichever number the reader picks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import explorer as ex
from explorer import explaining
from explorer.explaining import Derivation
from pages.grow import candidates_table
from pages.results import trees
from pages.settings.settings import Settings
from pages.text import number
from pages.widgets import formula, node_text
from pages.widgets.controls import pick

_LEAD = "lead of the winner"


def show(settings: Settings, node_id: int) -> None:
    """The table with its lines of explanation, and the formula beneath."""
    tree, decision = trees.grown(settings).tree, trees.decision(settings, node_id)
    picker = f"formula.of.{node_id}"
    candidates_table.show(decision, tree.recipe, tree.is_regression, picker=picker)
    if not candidates_table.named(decision):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_explained(decision, tree))
        st.download_button(
            "CSV",
            partial(candidates_table.csv, decision, tree.recipe, tree.is_regression),
            file_name=f"candidates-node-{node_id}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
    _formula(tree.node(node_id), decision, picker)


def _explained(decision: ex.Decision, tree: ex.Tree) -> str:
    """How clearly the winner won, what the mean gain does, and how the table opens."""
    sentences = []
    if decision.mean_gain is not None and tree.recipe.score == "gain_ratio":
        sentences.append(
            f"Mean of the features’ best gains: {number(decision.mean_gain)}. {node_text.filter_text(tree.recipe)}"
        )
    if any(candidate.missing_weight for candidate in decision.best.values()):
        gain = node_text.gain_name(tree.recipe, tree.is_regression)
        sentences.append(
            f"Rows without a value are left out of a test: {gain} = share of known rows · (before − after)."
        )
    return " ".join([*sentences, "A row picked at its left edge, or by Shift and space, shows its formula below."])


def _formula(node: ex.Node, decision: ex.Decision, picker: str) -> None:
    """Pick a feature and a number of its best test, the score to begin with."""
    tests, of_all = candidates_table.named(decision), _of_all(node, decision)
    options = [*tests, *(name for name in of_all if name not in tests)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = pick("Formula of", options, picker, "A feature’s best test, or a number of the whole contest.")
        derivation: Derivation | None
        if chosen in tests:
            derivation = _number(node, tests[chosen], node_text.score_column(node.tree.recipe, node.tree.is_regression))
        else:
            derivation = of_all[chosen]()
    if derivation is not None:
        formula.show(derivation, "candidate")


def _of_all(node: ex.Node, decision: ex.Decision) -> dict[str, Callable[[], Derivation | None]]:
    """The numbers of the whole competition, by their names in the picker."""
    formulas: dict[str, Callable[[], Derivation | None]] = {}
    if decision.mean_gain is not None and node.tree.recipe.score == "gain_ratio":
        formulas[candidates_table.MEAN_LINE] = partial(explaining.mean_gain_formula, node, decision)
    if decision.margin is not None:
        formulas[_LEAD] = partial(explaining.margin_formula, node, decision)
    return formulas


def _number(node: ex.Node, candidate: ex.Candidate, score: str) -> Derivation:
    """Pick one of a candidate's numbers."""
    formulas = explaining.candidate_formulas(node, candidate)
    names = sorted(formulas, key=lambda name: name != score)
    chosen = st.segmented_control("Number", names, default=names[0], required=True, key=f"formula.number.{score}")
    return formulas.get(chosen or "", formulas[names[0]])
