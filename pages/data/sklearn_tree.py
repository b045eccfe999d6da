"""A tree opened from a file: to look at, and to download in other forms."""

from __future__ import annotations

from functools import partial

import streamlit as st

import explorer as ex
from explorer.drawing.figures import class_bar
from explorer.drawing.tree_view import colour_themes
from explorer.formatting import leaves
from explorer.messages import message
from pages.layout import shell
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown, number, prediction_text
from pages.uploads import models
from pages.widgets import downloads, open_tabs, page_frame, tree_panels, tree_view
from pages.widgets.predicted_file import whole_file

_NODE = "opened tree.node"


@st.fragment
def show() -> None:
    """The open tree on the stage, and what can be said of it without its rows."""
    now, settings = models.tree(), session.read()
    if now is None:
        return
    stage, inspector = shell.workbench()
    with stage:
        node = _view(now, settings)
    with inspector:
        _head(now)
        contents = {
            message("Node"): partial(_node, now.tree, node),
            message("Predict a file"): partial(whole_file.show, whole_file.Model(now.key, now.tree)),
            message("Download"): partial(downloads.of_tree, now.tree, settings.palette),
        }
        open_tabs.show(contents, "sklearn.tabs")


def _view(now: models.OpenedTree, settings: Settings) -> int:
    """The interactive tree; gives the selected node."""
    node: int = st.session_state.get(_NODE, 0)
    tree_view.view(
        "sklearn",
        now.payload,
        tree_view.Shown(node),
        colour_themes(len(now.tree.classes), settings.palette),
        _select,
        rule=tree_panels.rule(now.tree, node),
        presenter=settings.view.presenter,
    )
    return node


def _select(shown: tree_view.Shown) -> None:
    st.session_state[_NODE] = max(shown.selected, 0)


def _head(now: models.OpenedTree) -> None:
    st.subheader(escape_markdown(now.name), anchor=False)
    tree = now.tree
    st.caption(
        message(
            "{source}: {leaves}, depth {depth}.",
            source=tree.source or message("A saved tree"),
            leaves=leaves(tree.n_leaves),
            depth=tree.max_depth,
        )
    )
    if st.button(message("Close this tree"), key="sklearn.close", icon=":material/close:"):
        models.close_tree()
        st.rerun()
    st.info(
        message(
            "The file holds the tree, not its training rows. Candidate splits and pruning need them: upload the table "
            "and grow a tree on it."
        ),
        icon=":material/info:",
    )
    for remark in tree.remarks:
        if remark.code == "shares_not_counts":
            st.warning(escape_markdown(remark.text), icon=":material/warning:")


def _node(tree: ex.Tree, position: int) -> None:
    """The selected node: its rule, its rows and what it predicts."""
    node = tree.node(position)
    st.markdown(escape_markdown(tree_panels.rule(tree, position)))
    st.markdown(
        message(
            "{rows}. Predicted: **{prediction}**. Impurity: {impurity}.",
            rows=tree.rows_text(node.row_weight),
            prediction=escape_markdown(prediction_text(node, tree.is_regression)),
            impurity=number(node.impurity),
        )
    )
    if not tree.is_regression:
        st.html(class_bar.prediction_bars(tree.classes, node.probabilities, page_frame.colours()))
