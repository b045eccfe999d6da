"""Two procedures shown step by step: pruning with one α, and the loss per node on a table made for it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer import explaining
from explorer.data.samples import SAMPLES
from explorer.drawing.tree_view.payload import signature, step_sequence_payload, tree_payload, variants_payload
from explorer.formatting import leaves
from explorer.messages import message
from explorer.pruning.cost_complexity.fixed_alpha import FixedAlpha, Step, fixed_alpha_trees
from pages.layout import shell, summary_line
from pages.results import pruned_tree, trees
from pages.results.cache import kept
from pages.results.class_colours import palette
from pages.results.pruning_steps import MOST_TESTS
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import formula, page_frame, tree_panels
from pages.widgets.controls import feed, keep_value


def fixed_alpha(settings: Settings) -> None:
    """The bottom-up procedure for one α on the reader's own tree, and its numbers in the inspector."""
    path = trees.path(settings)
    summary_line.show(settings, pruned_tree.pruned(settings))
    stage, inspector = shell.workbench()
    with inspector:
        st.markdown(message("Visit internal nodes bottom-up; prune if $R(t) + \\alpha \\le R(T_t) + \\alpha\\,|T_t|$."))
        alpha = _alpha_field(settings, path)
    tests = int((path.tree.feature >= 0).sum())
    if tests > MOST_TESTS:
        with stage:
            page_frame.show_notice(
                "info",
                message(
                    "The tree has {n:,} internal nodes; the steps are shown for up to {most}. Set a max. depth on the "
                    "Grow page, or drag α instead.",
                    n=tests,
                    most=MOST_TESTS,
                ),
            )
        return
    steps = ex.fixed_alpha_steps(path.tree, alpha, settings.risk)
    tree = trees.tree_payload(settings)
    steps_payload = _step_sequence(path.tree, signature(tree), steps, alpha)
    with stage:
        step = tree_panels.show_steps("given", path.tree, tree, steps_payload, palette(settings))
    with inspector:
        if 0 < step <= len(steps):
            st.markdown(escape_markdown(_decision(path.tree, steps[step - 1], alpha)))
            formula.show(explaining.fixed_alpha_formula(path.tree, steps, step - 1, alpha, settings.risk), "given")
        st.markdown(escape_markdown(_ending(path, alpha, settings.risk)))


def _alpha_field(settings: Settings, path: ex.Path) -> float:
    """The α given; to begin with that of the page, or one from the middle of the sequence."""
    alpha = float(path.alphas[len(path) // 2]) if settings.alpha is None else settings.alpha
    st.number_input(
        message("α, the penalty per leaf"),
        min_value=0.0,
        step=max(alpha / 10, 0.0001),
        format="%.6g",
        key=feed("given_alpha", alpha),
        on_change=keep_value,
        args=("alpha", "given_alpha"),
    )
    return alpha


def _step_sequence(tree: ex.Tree, tree_sig: str, steps: list[Step], alpha: float) -> bytes:
    collapse = np.where(tree.feature >= 0, len(steps) + 1, 0)
    for number_of, step in enumerate(steps, 1):
        if step.collapsed:
            collapse[step.node] = number_of
    captions = [message("No node is visited yet."), *(_decision(tree, step, alpha) for step in steps)]
    return step_sequence_payload(tree, tree_sig, collapse, captions, [-1, *(step.node for step in steps)])


def _decision(tree: ex.Tree, step: Step, alpha: float) -> str:
    """One step in a sentence with its numbers."""
    condition = tree.condition(step.node)
    assert condition is not None
    as_leaf = f"R(t) + α = {number(step.risk)} + {number(alpha)} = {number(step.penalised_as_leaf)}"
    as_subtree = (
        f"R(T_t) + α·|T_t| = {number(step.risk_below)} + {number(alpha)}·{step.leaves_below} "
        f"= {number(step.penalised_as_subtree)}"
    )
    shown = {
        "node": step.node,
        "feature": condition.feature,
        "leaf": as_leaf,
        "subtree": as_subtree,
        "waiting": ", ".join(str(node) for node in reversed(step.stack)) or "–",
    }
    if step.collapsed:
        return message(
            "Node {node} ({feature}). As a leaf: {leaf}. As a subtree: {subtree}. The leaf costs no more, so the node "
            "is pruned. Still to visit: {waiting}.",
            **shown,
        )
    return message(
        "Node {node} ({feature}). As a leaf: {leaf}. As a subtree: {subtree}. The subtree costs less, so the node "
        "stays. Still to visit: {waiting}.",
        **shown,
    )


def _ending(path: ex.Path, alpha: float, risk: str) -> str:
    """How the tree that the procedure ends with compares with the sequence's."""
    fixed_tree, of_sequence = ex.prune_at_alpha(path.tree, alpha, risk), path.subtree(alpha)
    if np.array_equal(fixed_tree.is_leaf, of_sequence.is_leaf):
        return message("Result: {leaves}, the subtree T(α) of the sequence.", leaves=leaves(fixed_tree.n_leaves))
    return message(
        "Result: {leaves}, but the sequence has {others} at this α: losses per node do not add up over the tree.",
        leaves=leaves(fixed_tree.n_leaves),
        others=leaves(of_sequence.n_leaves),
    )


def loss_per_node(settings: Settings) -> None:
    """The counterexample on its own table: the trees that each α leaves, under two risks."""
    summary_line.show_example(message("Counterexample: nine rows, the loss of each node divided by its own rows"))
    tree = _counterexample_tree()
    intervals_by_risk = {risk: fixed_alpha_trees(tree, risk) for risk in ("per_node", "impurity")}
    pack, intervals = tree_payload(tree), intervals_by_risk["per_node"]
    is_pruned = np.array([interval.tree.is_pruned for interval in intervals])
    captions = [
        message("{interval}: {leaves}.", interval=_interval_text(interval), leaves=leaves(interval.n_leaves))
        for interval in intervals
    ]
    stage, inspector = shell.workbench()
    with stage:
        steps = variants_payload(tree, signature(pack), is_pruned, captions)
        tree_panels.show_steps("per_node", tree, pack, steps, palette(settings))
    with inspector:
        st.markdown(
            message(
                "Some lecture notes divide the loss of a node by its own rows instead of all rows. Small nodes then "
                "weigh as much as the root, and the trees are not nested: on these nine rows the tree has 3 leaves, "
                "then 1, then 2, then 1 again as α grows. With the additive risk the tree only ever shrinks."
            )
        )
        titles = {"per_node": message("Loss per node"), "impurity": message("Impurity (additive)")}
        for risk, title in titles.items():
            _interval_table(risk, title, intervals_by_risk[risk])


def _interval_table(risk: str, title: str, intervals: Sequence[FixedAlpha]) -> None:
    """The intervals of α and the leaves that each leaves."""
    st.markdown(f"**{title}**")
    frame = pd.DataFrame(
        {
            "α": [_interval_text(interval) for interval in intervals],
            message("leaves"): [interval.n_leaves for interval in intervals],
        }
    )
    widths = {
        name: st.column_config.Column(width=pixels) for name, pixels in zip(frame.columns, (240, 70), strict=True)
    }
    st.dataframe(frame, hide_index=True, key=f"intervals.{risk}", column_config=widths)


@kept()
def _counterexample_tree() -> ex.Tree:
    sample = SAMPLES["fixed_alpha"]
    frame = ex.load_sample("fixed_alpha").frame
    return ex.grow(ex.Dataset.from_frame(frame, sample.target, kinds=sample.kinds), ex.CART)


def _interval_text(interval: FixedAlpha) -> str:
    end = "" if np.isinf(interval.end) else f" < {_fraction(interval.end)}"
    return f"{_fraction(interval.begin)} ≤ α{end}"


def _fraction(value: float) -> str:
    """A number of small numerator and denominator as a fraction beside its decimals."""
    near = Fraction(value).limit_denominator(1000)
    return str(near) if near.denominator == 1 else f"{near} ({number(value)})"
