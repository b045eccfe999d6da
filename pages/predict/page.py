"""One row, or a whole file, answered by the tree: why so, and what would have to be different."""

import streamlit as st

from pages.predict import counterfactual, form, prediction, start_row, whole_file
from pages.results.prediction import asked
from pages.settings.settings import Settings
from pages.widgets import page


def ask(settings: Settings) -> None:
    """The form beside the answer and the lit way; below, as wide as the page, the steps and the smallest change."""
    found = asked(settings)
    for problem in found.problems:
        page.show_notice("warning", problem)
    start_row.show(settings, found)
    left, right = st.columns([1, 2], gap="medium")
    with left:
        form.show(found)
    with right:
        prediction.show(settings, found)
    prediction.show_steps(found)
    st.header("What would change the answer?", anchor=False)
    counterfactual.show(settings, found)


settings = page.start("Predict", "Describe a row, see its way down the tree, and what would have to be different.")
with page.errors_shown():
    page.context_line(settings)
    prediction.which_tree(settings)
    ask(settings)
    st.header("Answer a whole file", anchor=False)
    whole_file.show(settings)
