"""Pruning by the complexity parameter α or by other methods, with the tree and its scores."""

import streamlit as st

from explorer.messages import message
from pages.layout import bar, growing, shell, summary_line
from pages.prune import fixed_alpha, methods_table, of_file, pruning_controls, size_inspector, textbook_example
from pages.results import cross_validation, opened_tree, provenance, pruned_tree
from pages.settings import labels, session, url
from pages.settings.settings import Settings
from pages.widgets import page_frame, tree_panels

# The views of this page, of which one is on the stage. (A text of its own in a page's script would be shown.)
VIEWS = (
    "prune",
    "given",
    "per_node",
    *(f"methods.{method}" for method in labels.METHODS),
    *(f"book.{name}" for name in labels.BOOK),
)


def show_bar(settings: Settings) -> None:
    """Share, and the downloads of the tree that is shown; one α step by step and the examples have none."""
    if settings.pruning == "slide":
        bar.show(
            settings,
            lambda: provenance.of_pruned(session.read(), pruned_tree.pruned(session.read())),
            lambda: provenance.alpha_slider(session.read()),
        )
    elif settings.pruning == "methods" and not settings.book:
        methods_table.show_bar(settings)
    else:
        bar.show(settings)


def drag_alpha(settings: Settings) -> None:
    """α on the reader's tree: the view with its slider; curves, sequence, weakest link and reasons beside it."""
    pruned = pruned_tree.pruned(settings)
    summary_line.show(settings, pruned)
    stage, inspector = shell.workbench()
    with stage:
        tree_panels.show_sequence(settings, cross_validation.known_folds(settings))
    with inspector:
        size_inspector.show(settings, pruned)


@st.fragment
def show_workbench() -> None:
    """The tree and what belongs to it: a move of the slider runs only this again, and the web address follows it."""
    settings = session.read()
    url.write()
    if settings.pruning == "slide":
        drag_alpha(settings)
    elif settings.pruning == "given":
        fixed_alpha.fixed_alpha(settings)
    elif settings.pruning == "per_node":
        fixed_alpha.loss_per_node(settings)
    elif settings.book:
        textbook_example.show(settings)
    else:
        methods_table.side_by_side(settings)


with page_frame.errors_shown():
    opened = opened_tree.now()
    settings = shell.start(message("Prune"), views=VIEWS if opened is None else (of_file.NAME,))
    growing.wait(settings)
    if opened is None:
        with shell.rail():
            pruning_controls.show(settings)
        show_bar(settings)
        show_workbench()
    else:
        of_file.show(settings, opened)
