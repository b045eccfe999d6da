"""The pruned tree as rules: sorted, filtered, each with its rows; and rules that lose conditions one by one."""

import streamlit as st

import explorer as ex
from pages.results import pruned_tree, rules
from pages.rules import post_pruning, rule_table
from pages.settings.settings import Settings
from pages.widgets import page_frame, tree_panels


def show_pruning(settings: Settings, rule_list: ex.RuleList) -> None:
    """How the rules were pruned, round by round, and whether that was worth it."""
    st.header("Round by round", anchor=False)
    st.caption(
        "A test near the root of a tree can go only with everything below it; a rule can lose any condition. In each "
        "round the condition goes without which the rule is estimated to be right most often."
    )
    post_pruning.rounds(settings, rule_list)
    st.header("Rules against the tree", anchor=False)
    post_pruning.against_the_tree(settings)


def show_list(settings: Settings, tree: ex.Tree) -> None:
    """The list in force with its filters; a rule chosen lights its leaf and shows its rows."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rule_table.choose_list(settings)
    if rules.is_pruned(settings):
        post_pruning.options(settings)
    rule_list = rules.in_force(settings)
    rule_table.filters(settings)
    rule = rule_table.show(settings, rule_list)
    rule_table.downloads(rule_list)
    tree_panels.show_pruned(settings, "rules", tree)
    if rule is None:
        st.caption("Choose a rule, or a leaf of the tree, to see its rows.")
    else:
        rule_table.show_rows(settings, rule)
    if rules.is_pruned(settings):
        show_pruning(settings, rule_list)


settings = page_frame.start(
    "Rules", "The tree read as rules: one for each leaf, and one wherever a row can go no further."
)
with page_frame.errors_shown():
    page_frame.context_line(settings)
    tree = pruned_tree.pruned(settings)
    page_frame.tree_line(settings, tree, "Rules of")
    show_list(settings, tree)
