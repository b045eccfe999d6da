"""XGBoost's numbers on the Grow page: candidates ranked anew at another λ, and G, H and leaf value of a node."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.messages import message
from explorer.recipe.split_score import BY_NEWTON, SCORES
from explorer.tree.newton import node_leaves, node_sums
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings, growing_of
from pages.text import number

LAMBDAS = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
"""The values of the slider, and the λ that the tree was grown at."""
LESS_GAMMA = "gain − γ"
_ROUNDING = 1e-12
"""A G smaller than this share of all is what rounding leaves of 0, as at a root that starts from the mean."""


def is_newton(recipe: ex.Recipe) -> bool:
    """Whether features compete by Newton's gain."""
    return SCORES[recipe.score].number == BY_NEWTON


def ranked_at(settings: Settings, node_id: int) -> tuple[ex.Tree, ex.Decision]:
    """The tree and the decision at a node; under Newton's gain at the λ of a slider, without growing anew."""
    tree, decision = trees.grown(settings).tree, trees.decision(settings, node_id)
    if not is_newton(tree.recipe):
        return tree, decision
    own = float(tree.recipe.reg_lambda)
    chosen = st.select_slider(
        message("Rank at λ"),
        sorted({*LAMBDAS, own}),
        own,
        key=f"newton.lambda.{own:g}",
        format_func=lambda value: number(float(value)),
        help=message("A larger λ holds back small branches: watch which feature comes first."),
    )
    if chosen == own:
        return tree, decision
    tree = replace(tree, recipe=tree.recipe.replace(reg_lambda=chosen))
    st.caption(
        message("Ranked at λ = {value}. The tree was grown at λ = {own}.", value=number(chosen), own=number(own))
    )
    st.button(
        message("Grow at λ = {value}", value=number(chosen)), key="newton.grow", on_click=_grow_at, args=(chosen,)
    )
    return tree, trees.decision_of(settings, node_id, tree)


def _grow_at(reg_lambda: float) -> None:
    """Take the λ of the slider into the recipe."""
    growing = growing_of(session.read(), "grow").with_change("reg_lambda", reg_lambda)
    session.attempt(lambda settings: trees.check(settings, "grow"), grow=growing)


def node_facts(tree: ex.Tree, node_id: int) -> list[str]:
    """G, H and the leaf value of a node of a Newton tree."""
    if not is_newton(tree.recipe):
        return []
    gradients, hessians = node_sums(tree)
    gradient, leaf = float(gradients[node_id]), float(node_leaves(tree)[node_id])
    if abs(gradient) <= _ROUNDING * float(np.abs(gradients).sum()):
        gradient = leaf = 0.0
    return [f"G {number(gradient)} · H {number(float(hessians[node_id]))} · −G/(H + λ) {number(leaf)}"]


def note(recipe: ex.Recipe) -> str:
    """What the score of the table is; "" under other scores."""
    if not is_newton(recipe):
        return ""
    return message(
        "Newton gain: at λ = {value}, as XGBoost prints it, without the paper's ½; with it gain and γ are half.",
        value=number(float(recipe.reg_lambda)),
    )


def columns(candidate: ex.Candidate, recipe: ex.Recipe, decrease: dict[str, object]) -> dict[str, object]:
    """Beside Newton's gain: what γ leaves of it, and the decrease of the impurity, which comes first where γ is 0."""
    if not is_newton(recipe) or candidate.newton is None:
        return {}
    less_gamma = {LESS_GAMMA: candidate.newton.gain_less_gamma}
    return less_gamma | decrease if recipe.gamma else decrease | less_gamma


def with_sums(frame: pd.DataFrame, candidate: ex.Candidate, recipe: ex.Recipe) -> pd.DataFrame:
    """The table of branches with G, H and the leaf value of each."""
    newton = candidate.newton
    if not is_newton(recipe) or newton is None:
        return frame
    columns = {"G": newton.gradients, "H": newton.hessians, "−G/(H + λ)": newton.leaves}
    added = pd.DataFrame(columns).reindex(range(len(frame)))
    return pd.concat([frame, added.loc[:, [name for name in added if name not in frame]]], axis=1)
