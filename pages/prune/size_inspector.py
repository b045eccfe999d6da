"""The inspector of the Prune page: scores and sequence of the pruned subtrees, the weakest link, why this size."""

from __future__ import annotations

from functools import partial

import streamlit as st

import explorer as ex
from explorer import explaining
from explorer.explaining.node_rule import reached_by
from explorer.messages import message
from pages.prune import choose_size
from pages.results import cross_validation, pruned_tree, tree_size, trees
from pages.results.pruning_steps import weakest_links
from pages.settings.settings import Settings
from pages.text import escape_markdown, readable
from pages.widgets import formula, open_tabs, page_frame, test_set, tree_panels, tree_view
from pages.widgets.controls import pick
from pages.widgets.of_node import node_profile

_TAB = "prune.tab"
_MOST = 20
"""Links that collapse at the same α: so many are offered."""


def show(settings: Settings, pruned: ex.Tree) -> None:
    """Five tabs; curve, table and weakest link are drawn by the view and move with its slider."""
    contents = {
        "scores": (message("Scores"), partial(_scores, settings)),
        "sequence": (message("Sequence"), partial(tree_view.part, "prune", "sequence", "prune.table")),
        "weakest": (message("Weakest link"), partial(_weakest_link, settings)),
        "why": (message("Why this size"), partial(_reasons, settings, pruned)),
        "rows": (message("Rows"), partial(_rows, settings, pruned)),
    }
    if not (choose_size.stands_in_rail(settings) or open_tabs.is_open("scores", contents, _TAB)):
        choose_size.go_on(settings)
    open_tabs.show(contents, _TAB)


def _scores(settings: Settings) -> None:
    """The curve of scores; cross-validation where the rail does not have it."""
    tree_view.part("prune", "scores", "prune.scores")
    st.caption(tree_size.which_score(settings, cross_validation.known_folds(settings)))
    if not choose_size.stands_in_rail(settings):
        choose_size.show(settings)


def _weakest_link(settings: Settings) -> None:
    """The link to be pruned next, and its formula."""
    tree_view.part("prune", "weakest", "prune.weakest")
    _link_formula(settings)


def _reasons(settings: Settings, pruned: ex.Tree) -> None:
    """Why the tree has this size, and what the test set says of it."""
    folded = cross_validation.known_folds(settings)
    choose_size.why(tree_size.lines(settings, pruned, folded), tree_size.sentences(settings, pruned, folded))
    test_set.show(settings, pruned, tree_size.tree_words(settings, pruned))


def _rows(settings: Settings, pruned: ex.Tree) -> None:
    """What is special about the rows of the selected node, the same in the pruned tree as in the grown one."""
    page_frame.show_sample(settings)
    node = tree_panels.selected_node(settings, "grow")
    if node == 0:
        st.caption(message("Select a node of the tree below the root: its rows are compared with all others."))
        return
    branch = escape_markdown(readable(reached_by(pruned, node)))
    st.markdown(message("Node {node} · {branch}", node=node, branch=branch))
    node_profile.show(settings, node)


def _link_formula(settings: Settings) -> None:
    """R(t), R(T_t) and g(t) of a node from the counts: of the next link to be pruned, or of the selected node."""
    path, selected = trees.path(settings), tree_panels.selected_node(settings, "grow")
    position = pruned_tree.position(settings, path)
    if path.n_leaves[position] == 1:  # only the root is left, as the box above says
        return
    following = weakest_links(path, position + 1)[:_MOST]
    nodes = {message("Node {node}, pruned next", node=node): node for node in following}
    if path.collapse_position[selected] and selected not in following:
        nodes[message("Node {node}, selected", node=selected)] = selected
    if not nodes:
        st.caption(message("Select an internal node: a leaf has no g(t)."))
        return
    label, help_text = (
        message("g(t) of"),
        message("The increase of R per leaf removed if the branch below t is pruned."),
    )
    derivation = explaining.link_formula(path, nodes[pick(label, list(nodes), "weakest.node", help_text)])
    if derivation is None:
        st.caption(message("A node above is pruned first; with losses per node this node then has no g(t)."))
    else:
        formula.show(derivation, "weakest")
