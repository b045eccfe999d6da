"""The inspector of the Predict page: tabs for the row, its path, what would change its prediction, and a file."""

from __future__ import annotations

from functools import partial

from pages.predict import counterfactual, decision_path, form, head, open_tab, start_row
from pages.predict.counterfactual import Alternatives
from pages.results.prediction import FilledForm
from pages.settings.settings import Settings
from pages.widgets import open_tabs, page_frame
from pages.widgets.predicted_file import whole_file


def show(settings: Settings, filled: FilledForm, alternatives: Alternatives | None) -> None:
    """The tabs, those of the row with its prediction; only the open one is worked out.

    `alternatives` are there where their tab is open.
    """
    for problem in filled.problems:
        page_frame.show_notice("warning", problem)
    tabs = {
        tab: (name, partial(_show_tab, tab, settings, filled, alternatives)) for tab, name in open_tab.names().items()
    }
    open_tabs.show(tabs, open_tab.KEY, open_tab.first(settings))


def _show_tab(name: str, settings: Settings, filled: FilledForm, alternatives: Alternatives | None) -> None:
    with page_frame.errors_shown():
        if name == open_tab.FILE:
            whole_file.show(whole_file.of_settings(settings))
            return
        head.show(settings, filled)
        if name != open_tab.PATH:
            page_frame.show_sample(settings)
        if name == open_tab.ROW:
            start_row.show(settings, filled)
            form.show(settings, filled)
            start_row.show_resets(settings, filled)
        elif name == open_tab.PATH:
            decision_path.show(settings, filled)
        else:
            counterfactual.show(settings, filled, alternatives or counterfactual.alternatives(settings, filled))
