"""The Grow page while a tree from a file is open: its view, and in the rail what its splits compete by."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from explorer.messages import message, plural
from pages.grow import growing_controls, opened_classes, opened_node
from pages.layout import bar, growing, shell, summary_line
from pages.results import opened_tree, pruned_tree
from pages.results.opened_tree import OpenedTree
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import downloads, page_frame, same_splits, tree_panels

NAME = "opened_tree"


def show(settings: Settings, opened: OpenedTree) -> None:
    """The page: the tree of the file, beside it what competed at its nodes on the rows of the table."""
    growing.wait(settings, rail=lambda: _rail(settings, opened))
    bar.show(settings)
    with shell.rail():
        _rail(settings, opened)
    summary_line.show(settings, opened_tree.tree(settings, opened))
    _workbench()


def _rail(settings: Settings, opened: OpenedTree) -> None:
    """The way back, and how candidates compete."""
    st.button(
        message("Close {name}", name=escape_markdown(opened.name)),
        key="opened.close",
        icon=":material/close:",
        on_click=opened_tree.close,
    )
    st.caption(opened_tree.worth_of_score(settings, opened))
    opened_classes.choose(settings, opened.tree.classes)
    st.caption(opened_node.what_competes())
    growing_controls.show("grow", settings)


@st.fragment
def _workbench() -> None:
    settings, opened = session.read(), opened_tree.now()
    url.write()
    if opened is None:
        st.rerun()
    growing.run_again_unless_there(settings)
    stage, panel = shell.workbench()
    with stage:
        tree_panels.show_pruned(settings, NAME, opened_tree.tree(settings, opened))
    with panel, page_frame.errors_shown():
        node = pruned_tree.selected_node(session.read(), "grow") or 0
        select = partial(tree_panels.take_node, "grow")
        of_rows = {"difference": (message("First difference"), partial(first_difference, settings, opened, select))}
        more = {"file": (message("File"), partial(_file, opened, settings))}
        opened_node.show(settings, opened, node, "opened.tab", of_rows, more)


def _file(opened: OpenedTree, settings: Settings) -> None:
    """Where the tree comes from, what its file does not hold, and the tree in other forms."""
    st.markdown(f"**{escape_markdown(opened.source or message('A saved tree'))}**")
    page_frame.show_notes([("info", note) for note in opened.tree.notes])
    downloads.of_tree(opened.tree, settings.palette)


def first_difference(settings: Settings, opened: OpenedTree, select: Callable[[int], None]) -> None:
    """Where the tree first parts from the one that is grown here by the settings in the rail."""
    with page_frame.errors_shown():
        walk = opened_tree.walk(settings, opened)
        if walk.difference is None:
            st.markdown(same_splits.text(walk))
            return
        sentence = message(
            "Node {node}: {rule}", node=walk.difference.node_a, rule=escape_markdown(walk.difference.sentence)
        )
        st.markdown(message("**First difference.** {sentence}", sentence=sentence))
        st.caption(
            plural(
                len(walk.alike),
                "{n:,} split before it is the same in both trees.",
                "{n:,} splits before it are the same in both trees.",
            )
        )
        st.button(
            message("Show that node"),
            key="opened.difference",
            icon=":material/my_location:",
            on_click=select,
            args=(walk.difference.node_a,),
        )
