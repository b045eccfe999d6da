"""Two or three settings side by side, grown and judged on the same rows."""

import streamlit as st

from pages.parts import answers, folds, page, parted, plane, presets, sides
from pages.parts.state import Settings


def show_sections(settings: Settings, slots: list[str]) -> None:
    """What the trees have in common and where they differ, one question after the other."""
    if settings.compare.has_third:
        parted.pick_pair(settings)
    pair = settings.compare.pair_slots
    if set(pair) <= set(slots):
        st.header("Where they part", anchor=False)
        with page.errors_shown():
            parted.show(settings, pair)
        st.header("Who predicts what", anchor=False)
        with page.errors_shown():
            answers.show(settings, pair)
    st.header("Cross-validated difference", anchor=False)
    with page.errors_shown():
        folds.show(settings)
    st.header("Decision regions", anchor=False)
    with page.errors_shown():
        plane.show(settings, slots)
    st.header("How the presets differ", anchor=False)
    with page.errors_shown():
        presets.show(settings)


settings = page.start(
    "Compare", "The same rows, other settings: what do they ask first, where do they part, who is right more often?"
)
with page.errors_shown():
    page.context_line(settings)
    sides.above(settings)
    slots = sides.show(settings)
    if slots:
        sides.show_evidence(settings, slots)
        show_sections(settings, slots)
