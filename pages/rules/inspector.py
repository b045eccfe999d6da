"""The inspector of the Rules page: the list with the rows of the rule selected, and how its rules were pruned."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.results import rules
from pages.rules import post_pruning, rule_rows, rule_table
from pages.settings.settings import Settings
from pages.widgets import page_frame


def show(settings: Settings) -> None:
    """The list; of rules that are pruned one by one also the rounds and the comparison with the tree, as tabs."""
    rule_list = rules.in_force(settings)
    names = [message("List"), message("Rows of the rule")]
    if rules.is_pruned(settings):
        page_frame.show_sample(settings)
        names += [message("Pruning rounds"), message("Rules and tree")]
    tabs = st.tabs(names, key="rules.tab", on_change="rerun")
    contents = (rule_table.show, rule_rows.show, post_pruning.rounds, post_pruning.compare_with_tree)
    for tab, content in zip(tabs, contents, strict=False):
        if tab.open:
            with tab:
                content(settings, rule_list)
