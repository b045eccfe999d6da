"""Rules pruned one by one: how their accuracy is estimated, the rounds, and the list against the tree."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.explaining.rules import Estimate
from explorer.formatting import percent, visible
from pages.results import rules, trees
from pages.settings.settings import Settings
from pages.text import escape_markdown, score_text
from pages.widgets import c45_controls, tables, tree_panels
from pages.widgets.controls import feed

_WIDTH = 240


def options(settings: Settings) -> None:
    """What estimates a rule's accuracy, and whether a condition goes that makes no difference."""
    names = rules.estimates(settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(names) > 1:
            _estimate(settings, names)
        if rules.estimate(settings) == "pessimistic":
            chance = "The chance that a rule is even worse than assumed. C4.5 has 0.25."
            c45_controls.confidence(settings, "Confidence", "rules", chance, 150)
            c45_controls.limit(settings, "Upper limit", "rules", _WIDTH)
        with st.container(width=_WIDTH):
            st.toggle(
                "Only on improvement",
                key=feed("rules.better", settings.rules.only_if_better),
                on_change=lambda: rules.keep_changes(only_if_better=st.session_state["rules.better"], step=0),
                help="Remove a condition only if the rule gets better without it; else also if it stays as good.",
            )
    if len(names) == 1:
        st.caption("Without validation rows, a rule’s accuracy is a pessimistic estimate from its training rows.")


def _estimate(settings: Settings, names: dict[str, str]) -> None:
    st.segmented_control(
        "Accuracy of a rule",
        list(names),
        key=feed("rules.estimate", rules.estimate(settings)),
        format_func=lambda name: names[name],
        required=True,
        on_change=lambda: rules.keep_changes(estimate=st.session_state["rules.estimate"], step=0),
        help="The share that is right of the validation rows that fulfil it; or 1 less C4.5’s upper limit of the "
        "error on its training rows.",
    )


def rounds(settings: Settings, rule_list: ex.RuleList) -> None:
    """The rounds of all rules one after the other: forward, back, each with its numbers."""
    count = len(rule_list.removals)
    if not count:
        st.markdown("The tree is a single leaf: its rule has no condition to lose.")
        return
    step = min(settings.rules.step, count - 1)
    moves = {"first_page": 0, "chevron_left": step - 1, "chevron_right": step + 1, "last_page": count - 1}
    names = ("First round", "Back", "Forward", "Last round")
    with st.container(horizontal=True, vertical_alignment="center"):
        for name, (icon, to) in zip(names, moves.items(), strict=True):
            st.button(
                name,
                icon=f":material/{icon}:",
                key=f"round.{icon}",
                on_click=_go,
                args=(rule_list, to),
                disabled=not 0 <= to < count or to == step,
            )
        st.markdown(f"Round **{step + 1:,}** of {count:,}", width="content")
    _show_round(rule_list.removals[step])


def _go(rule_list: ex.RuleList, step: int) -> None:
    """Show another round, and choose the node of its rule."""
    rules.keep_changes(step=step)
    tree_panels.take_node("grow", rule_list.removals[step].leaf)


def _show_round(removal: ex.Removal) -> None:
    conditions = " and ".join(removal.conditions)
    whole = escape_markdown(visible(f"if {conditions} then {removal.prediction}"))
    st.markdown(f"The rule of node {removal.leaf}: **{whole}**")
    lines = [_line("nothing: the rule as it stands", removal.before, "")]
    for position, (words, trial) in enumerate(zip(removal.conditions, removal.without, strict=True)):
        lines.append(_line(visible(words), trial, "✓ goes" if position == removal.removed else ""))
    tinted = [False, *(position == removal.removed for position in range(len(removal.without)))]
    tables.numbers_table(pd.DataFrame(lines), tinted, key="round")
    st.caption(verdict(removal))


def _line(removed: str, estimate: Estimate, verdict_text: str) -> dict[str, object]:
    return {
        "left out": removed,
        "rows that fulfil it": estimate.rows,
        "of them wrong": estimate.wrong,
        "estimated accuracy": estimate.accuracy,
        "verdict": verdict_text,
    }


def verdict(removal: ex.Removal) -> str:
    """What the round decided, with the two estimates that it compared."""
    best = max(removal.without, key=lambda trial: trial.accuracy)
    compared = f"{percent(best.accuracy)} at best without a condition, {percent(removal.before.accuracy)} with all"
    if removal.removed is None:
        return f"Nothing goes: {compared}. The rule stays like this."
    return f"A condition goes: {compared}."


def against_the_tree(settings: Settings) -> None:
    """How often the pruned rules are right, beside the tree that they were made from."""
    which, of_tree, of_rules, baseline = rules.accuracies(settings)
    cards = {"The tree": of_tree, "The pruned rules": of_rules, "Always the majority": baseline}
    with st.container(horizontal=True):
        for name, value in cards.items():
            with st.container(border=True, width=200):
                st.metric(name, score_text(value, False))
                st.caption(f"of the {which} rows right")
    if which == "training":
        st.caption("Rules and tree have seen these rows: set some aside on the Data page to judge them.")
    elif rules.estimate(settings) == "valid":
        st.caption(
            "These validation rows also chose which conditions go, so they flatter the rules: on new rows expect less."
        )
    elif trees.parts(settings).valid is not None:
        st.caption("The rules were pruned by training rows alone: these rows had no say in it.")
