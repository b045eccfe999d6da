"""Two or three trees grown by settings of the reader's: their first difference, and who predicts better."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from explorer.messages import message
from pages.compare import (
    agreement,
    decision_regions,
    first_difference,
    mode,
    paired_scores,
    preset_differences,
    scores,
    side_by_side,
    sides,
    split_details,
)
from pages.layout import bar, growing, shell
from pages.results.comparing import compared, comparison
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.widgets import open_tabs, page_frame

_TAB, _SCORES, _REGIONS = "compare.tab", "scores", "regions"
"""The tabs of the inspector, the first, and the one whose regions stand below the trees while it is open."""


def show(settings: Settings) -> None:
    """The sides and their first difference above the trees, once these are grown."""
    growing.wait(
        settings, (*compared.grown_first(settings), growing.COMPARISON), rail=lambda: sides.show_choices(settings)
    )
    bar.show(settings)
    mode.show(settings, lambda: sides.show(settings))
    sides.show_problems(settings)
    first_difference.show(settings)
    show_workbench()


@st.fragment
def show_workbench() -> None:
    """The trees and the inspector: a click runs only this again, and the web address follows it."""
    settings = comparison.with_selected_nodes(session.read())
    url.write()
    slots = comparison.grown_slots(settings)
    stage, inspector = shell.workbench()
    if not slots:
        return
    with stage, page_frame.errors_shown():
        is_regions = open_tabs.current(_names(), _TAB, _SCORES) == _REGIONS
        show_below = partial(decision_regions.show_picture, settings, slots) if is_regions else None
        side_by_side.show(settings, slots, show_below)
    with inspector:
        show_inspector(settings, slots)


def show_inspector(settings: Settings, slots: list[str]) -> None:
    """What the trees have in common and where they differ, tab by tab; only the open one is worked out."""
    pair = comparison.compared_pair(settings)
    contents: dict[str, Callable[[], None]] = {
        _SCORES: lambda: scores.show(settings, slots),
        "predictions": lambda: None if pair is None else on_sample(settings, lambda: agreement.show(settings, pair)),
        "cross_validation": lambda: on_sample(settings, lambda: paired_scores.show(settings)),
        _REGIONS: lambda: on_sample(settings, lambda: decision_regions.show(settings, slots)),
        "settings": lambda: show_settings(settings),
        "splits": lambda: split_details.show(settings, slots, pair),
    }
    open_tabs.show({tab: (name, contents[tab]) for tab, name in _names().items()}, _TAB)


def _names() -> dict[str, str]:
    """What the tabs are called, in their order."""
    return {
        _SCORES: message("Scores"),
        "predictions": message("Predictions"),
        "cross_validation": message("Cross-validation"),
        _REGIONS: message("Regions"),
        "settings": message("Settings"),
        "splits": message("Splits"),
    }


def on_sample(settings: Settings, show_tab: Callable[[], None]) -> None:
    """A tab that reads rows: of a connected table those of a sample."""
    page_frame.show_sample(settings)
    show_tab()


def show_settings(settings: Settings) -> None:
    """Whether the trees move together, and in which settings the sides differ."""
    sides.moves_together(settings)
    preset_differences.show(settings)
