"""The rule selected as a sentence, and the training rows that it predicts."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.messages import message, plural
from pages.results import rules
from pages.settings.settings import Settings
from pages.text import escape_markdown, readable
from pages.widgets import page_frame, row_table

_SHOWN = 1000


def show(settings: Settings, rule_list: ex.RuleList) -> None:
    """The rule and its rows, or how to select one."""
    rule = rules.selected(settings, rule_list)
    if rule is None:
        st.caption(message("Choose a rule in the list, or a leaf of the tree, to see its rows."))
        return
    sentence(rule)
    positions = rules.rows_of(settings, rule)
    st.caption(_count_text(len(positions)))
    if rule.stop is not None:
        st.caption(
            message(
                "The rule is for rows that stop at node {node}, which has no branch for their value. Its counts are "
                "those of node {node}.",
                node=rule.leaf,
            )
        )
    elif rules.is_pruned(settings):
        st.caption(message("Other rows may fulfil the rule too, but an earlier rule predicts them."))
    if len(positions):
        page_frame.show_sample(settings)
        train, shown = rules.trained_on(settings), positions[:_SHOWN]
        target = {train.target.name: train.frame[train.target.name].to_numpy()[shown]}
        frame = row_table.frame_of(train, shown, target, {term.feature for term in rule.terms})
        others = train.frame.columns.difference(frame.columns, sort=False)  # such as the names of rows
        st.dataframe(
            frame.assign(**{name: train.frame[name].to_numpy()[shown] for name in others}),
            key="rule.rows",
            hide_index=True,
            height="content" if len(positions) < 12 else 422,
            placeholder="",
        )


def sentence(rule: ex.Rule) -> None:
    """One rule as a sentence."""
    st.markdown(f"**{escape_markdown(readable(rule.text))}**")


def _count_text(n: int) -> str:
    if n > _SHOWN:
        return message(
            "{n:,} training rows are predicted by this rule. The first {shown:,} are shown.", n=n, shown=_SHOWN
        )
    if n == 0:
        return message("No training row is predicted by this rule.")
    return plural(
        n,
        "{n:,} training row is predicted by this rule.",
        "{n:,} training rows are predicted by this rule.",
    )
