"""The options of the pruning methods, in the rail; and the door to the example from Zhou's book."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.messages import message
from explorer.pruning.methods import PRUNING_METHODS, MethodOption
from pages.prune import metric_choice, textbook_example
from pages.results import pruning, trees
from pages.settings import labels
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import controls
from pages.widgets.controls import feed, keep_value


def show(settings: Settings) -> None:
    """One control per option of a method; those of methods that are not possible here are left out."""
    if not settings.book:
        metric_choice.show(settings)
        reduced_error(settings)
        data = trees.data(settings)
        if not data.is_regression:
            _pessimism(settings)
        if len(data.classes) in (0, 2):
            _gamma(settings)
    textbook_example.button(settings)


def reduced_error(settings: Settings) -> None:
    """The options of pruning by validation rows, where there are some."""
    if trees.parts(settings).valid is not None:
        for option in PRUNING_METHODS["reduced_error"].options:
            _choice(option, settings)


def _pessimism(settings: Settings) -> None:
    help_text = message("C4.5's confidence factor CF: a smaller one prunes more. The default is 0.25.")
    controls.confidence(settings, message("Pessimistic: confidence"), "methods", help_text)
    controls.limit(settings, message("Pessimistic: upper limit"), "methods")
    problem = pruning.no_raising(settings)
    if problem:
        st.caption(message("No subtree raising: {reason}.", reason=escape_markdown(problem)))
        return
    st.toggle(
        message("Subtree raising"),
        help=message(
            "Also try the largest branch in its parent’s place, with all rows of the parent. Available up to {most:,} "
            "training rows.",
            most=pruning.MOST_RAISED,
        ),
        **_bound("raising", settings.raising),
    )


def _gamma(settings: Settings) -> None:
    """The least gain that XGBoost's pruning keeps."""
    option = PRUNING_METHODS["newton"].options[0]
    st.number_input(
        option.label,
        min_value=0.0,
        max_value=labels.LARGEST_GAMMA,
        format="%.4g",
        help=option.help_text,
        **_bound(option.name, settings.gamma),
    )


def _choice(option: MethodOption, settings: Settings) -> None:
    labels_of = option.values or {}
    st.selectbox(
        option.label,
        list(labels_of),
        format_func=lambda value: labels_of[value],
        help=option.help_text,
        **_bound(option.name, getattr(settings, option.name)),
    )


def _bound(field: str, value: object) -> dict[str, Any]:
    """What binds a widget to a field of the settings."""
    key = f"methods.{field}"
    return {"key": feed(key, value), "on_change": keep_value, "args": (field, key)}
