"""One row, or a whole file, answered by the tree: why so, and what would have to be different."""

import streamlit as st

from pages.parts import asked, flipping, form, page, picking, predicted, second
from pages.parts.state import Settings


def ask(settings: Settings) -> None:
    """The form beside the answer and the lit way; below, as wide as the page, the steps and the smallest change."""
    found = asked.asked(settings)
    for problem in found.problems:
        page.show_notice("warning", problem)
    picking.show(settings, found)
    left, right = st.columns([1, 2], gap="medium")
    with left:
        form.show(found)
    with right:
        predicted.show(settings, found)
    predicted.show_steps(found)
    st.header("What would change the answer?", anchor=False)
    flipping.show(settings, found)


settings = page.start("Predict", "Describe a row, see its way down the tree, and what would have to be different.")
with page.errors_shown():
    page.context_line(settings)
    predicted.which_tree(settings)
    ask(settings)
    st.header("Answer a whole file", anchor=False)
    second.show(settings)
