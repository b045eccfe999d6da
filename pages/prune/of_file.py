"""A tree from a file pruned by the validation rows of the table: reduced error pruning, which needs no other rows."""

from __future__ import annotations

import streamlit as st

from explorer.evaluation.evaluation import score_by
from explorer.formatting import leaves
from explorer.messages import message
from pages.layout import bar, shell, summary_line
from pages.prune import method_settings
from pages.results import opened_tree, trees
from pages.results.opened_tree import OpenedTree
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.text import escape_markdown, score_name, score_text
from pages.widgets import page_frame, tree_panels

NAME = "opened_pruned"


def show(settings: Settings, opened: OpenedTree) -> None:
    """The page while a tree from a file is open."""
    bar.show(settings)
    with shell.rail():
        st.caption(
            message(
                "Validation rows of this table say which splits of {name} to remove.",
                name=escape_markdown(opened.name),
            )
        )
        method_settings.reduced_error(settings)
    summary_line.show(settings, opened_tree.tree(settings, opened))
    _workbench()


@st.fragment
def _workbench() -> None:
    settings, opened = session.read(), opened_tree.now()
    url.write()
    if opened is None:
        st.rerun()
    stage, panel = shell.workbench()
    with stage:
        tree_panels.show_pruned(settings, NAME, opened_tree.tree(settings, opened))
    with panel, page_frame.errors_shown():
        _by_validation(settings, opened)


def _by_validation(settings: Settings, opened: OpenedTree) -> None:
    """Leaves and score before and after, and which of the two trees the pages show."""
    valid = trees.parts(settings).valid
    if valid is None:
        st.info(
            message("Pruning needs rows that the tree was not fitted to: split off validation rows on the Data page.")
        )
        st.page_link("pages/data/page.py", label=message("Data"), icon=":material/table:")
        return
    pruned = opened_tree.pruned(settings, opened)
    whole = pruned.with_pruned(opened.tree.is_pruned)
    metric = "mse" if whole.is_regression else "accuracy"
    for name, tree in ((message("As in the file"), whole), (message("Pruned"), pruned)):
        score = score_by(tree, valid, metric).value
        st.markdown(
            message(
                "**{name}**: {leaves}, {score} {value} on {n:,} validation rows.",
                name=name,
                leaves=leaves(tree.n_leaves),
                score=score_name(tree.is_regression),
                value=score_text(score, tree.is_regression),
                n=valid.n_rows,
            )
        )
    st.toggle(
        message("Show the pruned tree on all pages"),
        value=opened.is_pruned,
        key="opened.pruned",
        on_change=lambda: opened_tree.choose_pruned(bool(st.session_state["opened.pruned"])),
    )
    st.caption(message("These rows chose the size, so their score is optimistic for the pruned tree."))
