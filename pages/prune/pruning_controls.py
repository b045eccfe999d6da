"""The rail of the Prune page: the choice of a procedure, and the settings that belong to it."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.prune import choose_size, method_settings, metric_choice
from pages.results import pruned_tree, trees
from pages.settings import labels, session
from pages.settings.history import PART
from pages.settings.settings import Settings, changed
from pages.widgets.controls import feed, keep_value


def show(settings: Settings) -> None:
    """The procedure of pruning, and the settings that belong to it."""
    view_picker(settings)
    if settings.pruning in ("slide", "given"):
        risk(settings)
    if settings.pruning == "slide":
        metric_choice.show(settings)
        risk_remark(settings)
    if settings.pruning == "methods":
        method_settings.show(settings)
    if settings.pruning in ("slide", "methods") and not settings.book:
        metric_choice.remark(settings)
    if settings.pruning == "slide" and choose_size.stands_in_rail(settings):
        choose_size.show(settings)


def view_picker(settings: Settings) -> None:
    """Dragging α, one α step by step, all methods, or the counterexample of the loss per node."""
    st.radio(
        message("Pruning"),
        list(labels.PRUNING),
        key=feed("pruning", settings.pruning),
        format_func=lambda name: labels.PRUNING[name],
        on_change=keep_value,
        args=("pruning", "pruning"),
    )


def risk(settings: Settings) -> None:
    """The risk of a leaf, without its penalty α."""
    is_regression = trees.data(settings).is_regression
    names = {key: name for key, name in labels.RISKS.items() if key != "error" or not is_regression}
    st.selectbox(
        message("Risk R(t) of a node"),
        list(names),
        key=feed("risk", settings.risk if settings.risk in names else "impurity"),
        format_func=lambda name: names[name],
        on_change=_risk_changed,
        help=message("The cost of a leaf without its penalty α: impurity or misclassification rate."),
    )


def _risk_changed() -> None:
    """Take the new risk and stay at the size of the tree: α of the largest subtree with no more leaves than now."""
    before = session.read()
    path = trees.path(before)
    leaves = int(path.n_leaves[pruned_tree.position(before, path)])
    if not session.attempt(trees.path, risk=st.session_state["risk"]):
        return
    path = trees.path(session.read())
    alpha = pruned_tree.alpha_at(path, path.position_of_leaves(leaves))
    session.keep(changed(session.read(), alpha=alpha, manual_steps=before.manual_steps), PART)


def risk_remark(settings: Settings) -> None:
    """What to know of the risk in force."""
    if settings.risk == "per_node":
        st.caption(
            message(
                "A counterexample: each loss is divided by the rows of its own node. The tree at one α is then not "
                "always nested in the tree at a smaller α, so this is not a way to choose a tree."
            )
        )
