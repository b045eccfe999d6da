"""How good the pruned tree is: the tree on the stage; scores, errors and curves, which light its leaves, beside it."""

import streamlit as st

from explorer.messages import message
from pages.evaluate import inspector, lit_nodes, row_set
from pages.layout import bar, growing, shell, summary_line
from pages.results import evaluation, opened_tree, provenance
from pages.settings import session, url
from pages.widgets import page_frame, tree_panels


@st.fragment
def show_workbench(drawn: str) -> None:
    """The tree, and what is known of its predictions: a choice runs only this again, another tree the page.

    `drawn` is the key of the tree that the page has drawn around it.
    """
    settings = session.read()
    if evaluation.predicting_key(settings) != drawn:
        st.rerun()
    url.write()
    stage, panel = shell.workbench(wide=True)
    with page_frame.errors_shown():
        tree = evaluation.evaluated_tree(settings)
        with stage:
            lit = lit_nodes.of_open_tab(settings, tree)
            tree_panels.show_pruned(settings, "evaluate", tree, lit.path, lit.rings)
        with panel, page_frame.errors_shown():
            inspector.show(session.read(), tree)


settings = shell.start(message("Evaluate"), views=("evaluate",))
with page_frame.errors_shown():
    growing.wait(settings)
    tree = evaluation.evaluated_tree(settings)
    bar.show(settings, None if opened_tree.now() else lambda: provenance.of_pruned(settings, tree))
    with shell.rail():
        row_set.choose_rows(settings, tree)
    summary_line.show(settings, tree)
    show_workbench(evaluation.predicting_key(session.read()))
