"""The metric that scores pruned trees, and so chooses their size."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.results import trees
from pages.settings import labels
from pages.settings.settings import Settings
from pages.widgets.controls import feed, keep_value


def show(settings: Settings) -> None:
    """The metric that scores pruned trees; regression has one only."""
    tree = trees.grown(settings).tree
    if tree.is_regression:
        return
    known = {key: name for key, name in labels.METRICS.items() if key != "expected_cost" or tree.costs is not None}
    st.selectbox(
        message("Evaluated by"),
        list(known),
        key=feed("metric", trees.metric(settings)),
        format_func=lambda name: known[name],
        on_change=keep_value,
        args=("metric", "metric"),
        help=message(
            "The metric that chooses α, for the curve, the best and the 1-SE subtree, and cross-validation. AUC and "
            "log loss evaluate predicted probabilities. With misclassification costs it begins with the expected cost."
        ),
    )


def remark(settings: Settings) -> None:
    """What to know of the score in force."""
    metric = trees.metric(settings)
    if settings.metric == "expected_cost" and metric == "accuracy":
        st.caption(message("The tree has no misclassification costs, so accuracy replaces the expected cost."))
    if metric == "auc" and trees.curves(settings).valid is None:
        st.caption(message("AUC compares rows with each other, so leave-one-out has no AUC."))
