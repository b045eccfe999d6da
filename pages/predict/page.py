"""The prediction for a row: the tree with its decision path on the stage; the row and what would change it beside."""

from functools import partial

import streamlit as st

from explorer.messages import message
from pages.layout import bar, growing, shell, summary_line
from pages.predict import counterfactual, inspector, open_tab, which_tree
from pages.results import opened_tree, prediction, provenance
from pages.results.opened_tree import OpenedTree
from pages.results.prediction import filled_form, predicting_tree
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.widgets import controls, page_frame, tree_panels
from pages.widgets.predicted_file import whole_file


@st.fragment
def show_workbench() -> None:
    """The tree with the row's path, and the row beside it: a choice runs only this again."""
    settings = session.read()
    url.write()
    opened = opened_tree.now()
    if opened is not None and not opened_tree.reads_table(settings, opened):
        show_file_alone(settings, opened)
        return
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


def show_file_alone(settings: Settings, opened: OpenedTree) -> None:
    """A tree from a file beside a table without its columns: it predicts another file, and no row of the table."""
    stage, panel = shell.workbench(wide=True)
    with stage:
        tree_panels.show_pruned(settings, "predict", opened.tree)
    with panel, page_frame.errors_shown():
        whole_file.show(whole_file.of_settings(settings))


is_linked = session.is_new()
settings = shell.start(message("Predict"), views=("predict",))
with page_frame.errors_shown():
    growing.wait(settings)
    opened = opened_tree.now()
    if not is_linked and open_tab.KEY not in st.session_state and opened is None:
        settings = prediction.select_path(settings)
    tree = predicting_tree(settings)
    of_tree = provenance.of_grown if settings.predict.is_full else partial(provenance.of_pruned, pruned=tree)
    bar.show(settings, None if opened else lambda: of_tree(settings))
    with shell.rail():
        which_tree.show(settings)
        if opened is None:
            controls.smoothing(settings, tree)
    summary_line.show(settings, tree)
    show_workbench()
