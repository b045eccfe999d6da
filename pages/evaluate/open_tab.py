"""The tabs of the inspector: their names, and which one is open before it is drawn."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.settings.settings import Settings

KEY = "evaluate.tab"
SCORES, ERRORS, CURVES, LEAVES, IMPORTANCE, LEARNING = "scores", "errors", "curves", "leaves", "importance", "learning"


def names(is_regression: bool) -> dict[str, str]:
    """What the tabs are called, in their order; a numeric target has no ROC."""
    errors = message("Largest errors") if is_regression else message("Confusion matrix")
    curves = {} if is_regression else {CURVES: message("ROC, precision–recall and lift")}
    return {
        SCORES: message("Scores"),
        ERRORS: errors,
        **curves,
        LEAVES: message("Leaves"),
        IMPORTANCE: message("Feature importance"),
        LEARNING: message("Learning curve"),
    }


def current(settings: Settings, is_regression: bool) -> str:
    """The tab that is open: the reader's choice; at first the one that shows what the address has selected."""
    tab_by_name = {name: tab for tab, name in names(is_regression).items()}
    return tab_by_name.get(str(st.session_state.get(KEY)), first(settings))


def first(settings: Settings) -> str:
    """The tab to begin with."""
    chosen = settings.evaluate
    if chosen.cell is not None or chosen.row is not None:
        return ERRORS
    if chosen.threshold and not chosen.at_root:
        return CURVES
    return LEAVES if chosen.at_root else SCORES
