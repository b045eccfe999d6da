"""The prediction for a row: the tree with its decision path on the stage; the row and what would change it beside."""

from functools import partial

import streamlit as st

from explorer.messages import message
from pages.layout import bar, growing, shell, summary_line
from pages.predict import counterfactual, inspector, open_tab, which_tree
from pages.results import provenance
from pages.results.prediction import filled_form, predicting_tree
from pages.settings import session, url
from pages.widgets import controls, page_frame, tree_panels
from pages.widgets.predicted_file import whole_file


@st.fragment
def show_workbench() -> None:
    """The tree with the row's path, and the row beside it: a choice runs only this again."""
    settings = session.read()
    url.write()
    stage, panel = shell.workbench()
    with page_frame.errors_shown():
        filled = filled_form(settings)
        is_about_changes = open_tab.current(settings) == open_tab.CHANGES
        alternatives = counterfactual.alternatives(settings, filled) if is_about_changes else None
        path, rings = counterfactual.lit(filled, alternatives)
        if open_tab.current(settings) == open_tab.FILE:
            rings = whole_file.drift_marks(settings)
        with stage:
            tree_panels.show_pruned(settings, "predict", filled.tree, path, rings)
        with panel, page_frame.errors_shown():
            inspector.show(settings, filled, alternatives)


settings = shell.start(message("Predict"), views=("predict",))
with page_frame.errors_shown():
    growing.wait(settings)
    tree = predicting_tree(settings)
    of_tree = provenance.of_grown if settings.predict.is_full else partial(provenance.of_pruned, pruned=tree)
    bar.show(settings, lambda: of_tree(settings))
    with shell.rail():
        which_tree.show(settings)
        controls.smoothing(settings, tree)
    summary_line.show(settings, tree)
    show_workbench()
