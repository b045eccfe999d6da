"""The inspector of the Predict page: the prediction, and tabs for the row, its path, what would change it, a file."""

from __future__ import annotations

import streamlit as st

from pages.predict import counterfactual, decision_path, form, head, open_tab, start_row
from pages.predict.counterfactual import Alternatives
from pages.results.prediction import FilledForm
from pages.settings.settings import Settings
from pages.widgets import page_frame
from pages.widgets.predicted_file import whole_file


def show(settings: Settings, filled: FilledForm, alternatives: Alternatives | None) -> None:
    """Head and tabs; only the open tab is worked out. `alternatives` are there where their tab is open."""
    for problem in filled.problems:
        page_frame.show_notice("warning", problem)
    head.show(settings, filled)
    names = open_tab.names()
    begin = names[open_tab.first(settings)]
    tabs = st.tabs(list(names.values()), key=open_tab.KEY, on_change="rerun", default=begin)
    for tab_name, tab in zip(names, tabs, strict=True):
        if tab.open:
            with tab, page_frame.errors_shown():
                _show_tab(tab_name, settings, filled, alternatives)


def _show_tab(name: str, settings: Settings, filled: FilledForm, alternatives: Alternatives | None) -> None:
    if name in (open_tab.ROW, open_tab.CHANGES):
        page_frame.show_sample(settings)
    if name == open_tab.ROW:
        start_row.show(settings, filled)
        form.show(settings, filled)
        start_row.show_resets(settings, filled)
    elif name == open_tab.PATH:
        decision_path.show(settings, filled)
    elif name == open_tab.CHANGES:
        counterfactual.show(settings, filled, alternatives or counterfactual.alternatives(settings, filled))
    else:
        whole_file.show(whole_file.of_settings(settings))
