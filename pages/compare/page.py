"""Two or three settings side by side, grown and evaluated on the same rows."""

import streamlit as st

from pages.compare import (
    agreement,
    decision_regions,
    first_difference,
    paired_scores,
    preset_differences,
    side_by_side,
)
from pages.settings.settings import Settings
from pages.widgets import page_frame


def show_sections(settings: Settings, slots: list[str]) -> None:
    """What the trees have in common and where they differ, section by section."""
    if settings.compare.has_third:
        first_difference.pick_pair(settings)
    pair = settings.compare.pair_slots
    if set(pair) <= set(slots):
        st.header("Where they part", anchor=False)
        with page_frame.errors_shown():
            first_difference.show(settings, pair)
        st.header("Who predicts what", anchor=False)
        with page_frame.errors_shown():
            agreement.show(settings, pair)
    st.header("Cross-validated difference", anchor=False)
    with page_frame.errors_shown():
        paired_scores.show(settings)
    st.header("Decision regions", anchor=False)
    with page_frame.errors_shown():
        decision_regions.show(settings, slots)
    st.header("How the presets differ", anchor=False)
    with page_frame.errors_shown():
        preset_differences.show(settings)


settings = page_frame.start(
    "Compare", "The same rows, other settings: what do they ask first, where do they part, who is right more often?"
)
with page_frame.errors_shown():
    page_frame.context_line(settings)
    side_by_side.above(settings)
    slots = side_by_side.show(settings)
    if slots:
        side_by_side.show_evidence(settings, slots)
        show_sections(settings, slots)
