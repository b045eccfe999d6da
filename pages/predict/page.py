"""The prediction for one row or a whole file: its decision path, and what would change it."""

import streamlit as st

from pages.predict import counterfactual, form, prediction, start_row, whole_file
from pages.results.prediction import filled_form
from pages.settings.settings import Settings
from pages.widgets import page_frame


def show_row(settings: Settings) -> None:
    """The form beside the prediction and its highlighted path; below, the steps and the smallest change."""
    filled = filled_form(settings)
    for problem in filled.problems:
        page_frame.show_notice("warning", problem)
    start_row.show(settings, filled)
    left, right = st.columns([1, 2], gap="medium")
    with left:
        form.show(filled)
    with right:
        prediction.show(settings, filled)
    prediction.show_steps(filled)
    st.header("What would change the answer?", anchor=False)
    counterfactual.show(settings, filled)


settings = page_frame.start(
    "Predict", "Describe a row, see its way down the tree, and what would have to be different."
)
with page_frame.errors_shown():
    page_frame.context_line(settings)
    prediction.which_tree(settings)
    show_row(settings)
    st.header("Answer a whole file", anchor=False)
    whole_file.show(settings)
