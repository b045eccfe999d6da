"""The rail of the Rules page: which list, how its rules are pruned, and the least rows and confidence shown."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.results import rules, tree_size, trees
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import controls
from pages.widgets.controls import feed


def show(settings: Settings, tree: ex.Tree) -> None:
    """All settings of the list."""
    _choose_list(settings)
    if rules.is_pruned(settings):
        _pruning(settings)
    least = message("Rows, at least") if tree.counts_rows else message("Weight, at least")
    _count(least, "min_rows", settings.rules.min_rows, None)
    if not tree.is_regression:
        _count(message("Confidence, at least %"), "min_percent", settings.rules.min_percent, 100)
    st.caption(message("Rules of {tree}.", tree=escape_markdown(tree_size.tree_words(settings, tree))))
    st.page_link("pages/prune/page.py", label=message("Choose its size"), icon=":material/content_cut:")


def _choose_list(settings: Settings) -> None:
    """The tree's own rules, or each pruned by itself, which numbers do not allow."""
    if trees.data(settings).is_regression:
        st.caption(
            message(
                "Rules are pruned by their accuracy. A numeric target has none, so only the tree’s rules are shown."
            )
        )
        return
    names = rules.lists()
    st.radio(
        message("Rules"),
        list(names),
        key=feed("rules.kind", settings.rules.kind),
        format_func=lambda kind: names[kind],
        on_change=lambda: rules.keep_changes(kind=st.session_state["rules.kind"], step=0),
    )


def _pruning(settings: Settings) -> None:
    """What estimates a rule's accuracy, and whether a condition goes that makes no difference."""
    names = rules.estimates(settings)
    if len(names) > 1:
        st.radio(
            message("Accuracy of a rule"),
            list(names),
            key=feed("rules.estimate", rules.estimate(settings)),
            format_func=lambda name: names[name],
            on_change=lambda: rules.keep_changes(estimate=st.session_state["rules.estimate"], step=0),
            help=message(
                "The share of the validation rows that fulfil the rule and have its class; or 1 − C4.5’s upper limit "
                "of the error on the training rows."
            ),
        )
    else:
        st.caption(
            message("Without validation rows, a rule’s accuracy is a pessimistic estimate on the training rows.")
        )
    chance = message("Probability that the true error exceeds the upper limit. C4.5 uses 0.25.")
    controls.confidence(settings, message("Confidence level (CF)"), "rules", chance)
    controls.limit(settings, message("Upper limit of the error"), "rules")
    st.toggle(
        message("Only on improvement"),
        key=feed("rules.better", settings.rules.only_if_better),
        on_change=lambda: rules.keep_changes(only_if_better=st.session_state["rules.better"], step=0),
        help=message("Remove a condition only if the estimated accuracy rises, not if it stays the same."),
    )


def _count(label: str, field: str, value: int, most: int | None) -> None:
    key = f"rules.{field}"
    st.number_input(
        label,
        min_value=0,
        max_value=most,
        step=1,
        key=feed(key, value),
        on_change=lambda: rules.keep_changes(**{field: st.session_state[key] or 0}),
    )
