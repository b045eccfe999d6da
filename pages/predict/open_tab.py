"""The tabs of the inspector: their names, and which one is open before it is drawn."""

from __future__ import annotations

import explorer as ex
from explorer.messages import message
from pages.results.prediction import filled_form
from pages.settings.settings import Settings
from pages.widgets import open_tabs

KEY = "predict.tab"
ROW, PATH, CHANGES, FILE = "row", "path", "changes", "file"


def names() -> dict[str, str]:
    """What the tabs are called, in their order."""
    return {
        ROW: message("Row"),
        PATH: message("Decision path"),
        CHANGES: message("Counterfactual"),
        FILE: message("Predict a file"),
    }


def current(settings: Settings) -> str:
    """The tab that is open: the reader's choice; at first the one that the address is about."""
    return open_tabs.current(names(), KEY, first(settings))


def first(settings: Settings) -> str:
    """The tab to begin with."""
    if settings.predict.goal or settings.predict.fixed:
        return CHANGES
    return FILE if settings.prediction_file else ROW


def has_wide_table(settings: Settings) -> bool:
    """Whether the open tab has a table of many columns: that of a file, or of a path in several parts."""
    tab = current(settings)
    if tab != PATH:
        return tab == FILE
    try:
        return len(filled_form(settings).path.ends) > 1
    except ex.ExplorerError:  # the page shows it
        return False
