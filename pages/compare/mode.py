"""What the Compare page compares: the first control of the line above the trees."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from explorer.messages import message
from pages.compare.side_by_side import keep_compare_value
from pages.layout import summary_line, table_switcher
from pages.settings import labels
from pages.settings.settings import Settings
from pages.widgets.controls import feed


def show(settings: Settings, show_line: Callable[[], None]) -> None:
    """The line above the trees: the table, the choice of the comparison, then what belongs to it."""
    with st.container(key="sides", horizontal=True, vertical_alignment="center", gap="small"):
        table_switcher.show(settings)
        summary_line.of_open_ensemble()
        summary_line.of_open_tree()
        if len(labels.COMPARISONS) > 1:
            _choose(settings)
        show_line()


def _choose(settings: Settings) -> None:
    st.segmented_control(
        message("Compare"),
        list(labels.COMPARISONS),
        key=feed("compare.mode", settings.compare.mode),
        format_func=lambda mode: labels.COMPARISONS[mode],
        required=True,
        on_change=keep_compare_value,
        args=("mode", "compare.mode"),
        label_visibility="collapsed",
        width="content",
    )
