"""The tabs of the inspector: their names, and which one is open before it is drawn."""

from __future__ import annotations

from explorer.messages import message
from pages.results import opened_tree
from pages.settings.settings import Settings
from pages.widgets import open_tabs

KEY = "evaluate.tab"
SCORES, ERRORS, CURVES, LEAVES, IMPORTANCE, LEARNING = "scores", "errors", "curves", "leaves", "importance", "learning"


def names(is_regression: bool) -> dict[str, str]:
    """What the tabs are called, in their order; a numeric target has no ROC."""
    errors = message("Largest errors") if is_regression else message("Confusion matrix")
    curves = {} if is_regression else {CURVES: message("ROC and lift")}
    of_predictions = {SCORES: message("Scores"), ERRORS: errors, **curves, LEAVES: message("Leaves")}
    if opened_tree.now() is not None:  # the others grow trees, or need the rows that it was grown on
        return of_predictions
    return {
        **of_predictions,
        IMPORTANCE: message("Importance"),
        LEARNING: message("Learning curve"),
    }


def current(settings: Settings, is_regression: bool) -> str:
    """The tab that is open: the reader's choice; at first the one that shows what the address has selected."""
    return open_tabs.current(names(is_regression), KEY, first(settings))


def first(settings: Settings) -> str:
    """The tab to begin with."""
    chosen = settings.evaluate
    if chosen.cell is not None or chosen.row is not None:
        return ERRORS
    if chosen.threshold and not chosen.at_root:
        return CURVES
    return LEAVES if chosen.at_root or chosen.first_leaves else SCORES
