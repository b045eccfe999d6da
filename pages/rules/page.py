"""The pruned tree as rules: the tree on the stage, the list beside it; a rule chosen lights its path and its leaf."""

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.layout import bar, growing, shell, summary_line
from pages.results import evaluation, opened_tree, provenance
from pages.rules import inspector, list_settings
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.widgets import controls, page_frame, tree_panels
from pages.widgets.tree_view import Mark


def show_tree(settings: Settings, tree: ex.Tree) -> None:
    """The tree with the path and the leaves of the rule selected; one that cannot be made is reported beside it."""
    try:
        rule = inspector.rule_shown(settings)
    except ex.ExplorerError:
        rule = None
    nodes = () if rule is None else (*(node for node, _ in tree.path_to(rule.leaf)), rule.leaf)
    rings = () if rule is None else tuple(Mark(leaf, "ring", message("Leaf of this rule")) for leaf in rule.leaves)
    tree_panels.show_pruned(settings, "rules", tree, [(node, 1.0) for node in nodes], rings)


@st.fragment
def show_workbench() -> None:
    """The tree and its rules: a choice runs only this again."""
    settings = session.read()
    url.write()
    stage, panel = shell.workbench(wide=True)
    with page_frame.errors_shown():
        tree = evaluation.evaluated_tree(settings)
        with stage:
            show_tree(settings, tree)
        with panel, page_frame.errors_shown():
            inspector.show(session.read())


settings = shell.start(message("Rules"), views=("rules",))
with page_frame.errors_shown():
    growing.wait(settings)
    tree = evaluation.evaluated_tree(settings)
    bar.show(settings, None if opened_tree.now() else lambda: provenance.of_pruned(settings, tree))
    with shell.rail():
        list_settings.show(settings, tree)
        controls.decision(tree)
    summary_line.show(settings, tree)
    show_workbench()
