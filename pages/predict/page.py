"""The prediction for a row: the tree with its decision path on the stage; the row and what would change it beside."""

from functools import partial

import streamlit as st

from explorer.messages import message
from pages.layout import bar, growing, shell, summary_line
from pages.predict import counterfactual, inspector, open_tab, which_tree
from pages.results import prediction, provenance
from pages.results.prediction import filled_form, predicting_tree
from pages.settings import session, url
from pages.widgets import controls, page_frame, tree_panels
from pages.widgets.predicted_file import whole_file


@st.fragment
def show_workbench() -> None:
    """The tree with the row's path, and the row beside it: a choice runs only this again."""
    settings = session.read()
    url.write()
    tab = open_tab.current(settings)
    stage, panel = shell.workbench(wide=open_tab.has_wide_table(settings))
    with page_frame.errors_shown():
        filled = filled_form(settings)
        alternatives = counterfactual.alternatives(settings, filled) if tab == open_tab.CHANGES else None
        path, rings = counterfactual.lit(filled, alternatives)
        if tab == open_tab.FILE:
            path, rings = [], whole_file.drift_marks(settings)  # a file, not the row
        with stage:
            tree_panels.show_pruned(settings, "predict", filled.tree, path, rings)
        with panel, page_frame.errors_shown():
            inspector.show(settings, filled, alternatives)


is_linked = session.is_new()
settings = shell.start(message("Predict"), views=("predict",))
with page_frame.errors_shown():
    growing.wait(settings)
    if not is_linked and open_tab.KEY not in st.session_state:
        settings = prediction.select_path(settings)
    tree = predicting_tree(settings)
    of_tree = provenance.of_grown if settings.predict.is_full else partial(provenance.of_pruned, pruned=tree)
    bar.show(settings, lambda: of_tree(settings))
    with shell.rail():
        which_tree.show(settings)
        controls.smoothing(settings, tree)
    summary_line.show(settings, tree)
    show_workbench()
