"""Rules pruned one by one: the rounds of each rule, and the list beside the tree."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures.data_figures import count_text
from explorer.explaining.rules import Estimate
from explorer.formatting import percent, shortened, visible
from explorer.messages import message
from pages.results import rules, trees
from pages.settings.settings import Settings
from pages.text import escape_markdown, numbers_in_markdown, score_text
from pages.widgets import tree_panels

_LONGEST = 120
"""Letters of a condition in the table of a round."""
_SHORT = 20
"""Letters of a condition that is not parted there."""


def rounds(settings: Settings, rule_list: ex.RuleList) -> None:
    """The rounds of all rules one after the other: forward, back, each with its numbers."""
    st.caption(
        message(
            "Each round drops the condition whose removal gives the highest estimated accuracy. A tree can drop a "
            "split only with its whole subtree; a rule can drop any condition."
        )
    )
    count = len(rule_list.removals)
    if not count:
        st.markdown(message("The tree is a single leaf. Its rule has no condition to remove."))
        return
    step = rules.round_shown(settings, rule_list)
    moves = {"first_page": 0, "chevron_left": step - 1, "chevron_right": step + 1, "last_page": count - 1}
    helps = message("First round"), message("Previous round"), message("Next round"), message("Last round")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for text, (icon, to) in zip(helps, moves.items(), strict=True):
            st.button(
                "",
                icon=f":material/{icon}:",
                help=text,
                key=f"round.{icon}",
                on_click=_go,
                args=(rule_list, to),
                disabled=not 0 <= to < count or to == step,
            )
        st.markdown(message("Round **{step:,}** of {count:,}", step=step + 1, count=count), width="content")
    _show_round(rule_list.removals[step], rule_list.amount_name)


def _go(rule_list: ex.RuleList, step: int) -> None:
    """Show another round, and choose the node of its rule."""
    rules.keep_changes(step=step)
    tree_panels.take_node("grow", rule_list.removals[step].leaf)


def _show_round(removal: ex.Removal, amount: str) -> None:
    rule = message(
        "if {conditions} then {prediction}",
        conditions=message(" and ").join(removal.conditions),
        prediction=removal.prediction,
    )
    st.markdown(message("Rule of node {node}: **{rule}**", node=removal.leaf, rule=escape_markdown(visible(rule))))
    lines = [_head(amount), _line(message("nothing"), removal.before)]
    for position, (words, trial) in enumerate(zip(removal.conditions, removal.without, strict=True)):
        name, *amounts = _line(escape_markdown(_whole(shortened(visible(words), _LONGEST))), trial)
        is_removed = position == removal.removed
        lines.append([f"**{name}** {message('✓ removed')}" if is_removed else name, *amounts])
    st.markdown(numbers_in_markdown(lines))
    st.caption(verdict(removal))


def _whole(words: str) -> str:
    """A short condition, which stays in one line."""
    return words.replace(" ", "\u00a0") if len(words) <= _SHORT else words


def _head(amount: str) -> list[str]:
    return [message("without"), message("estimated accuracy"), amount, message("wrong")]


def _line(removed: str, estimate: Estimate) -> list[str]:
    return [removed, percent(estimate.accuracy), count_text(estimate.rows), count_text(estimate.wrong)]


def verdict(removal: ex.Removal) -> str:
    """What the round decided, with the two estimates that it compared."""
    best = percent(max(removal.without, key=lambda trial: trial.accuracy).accuracy)
    before = percent(removal.before.accuracy)
    if removal.removed is None:
        return message(
            "Nothing is removed: at best {best} without a condition, {before} with all. The rule is final.",
            best=best,
            before=before,
        )
    return message("A condition is removed: {best} without it, {before} with all conditions.", best=best, before=before)


def compare_with_tree(settings: Settings, rule_list: ex.RuleList) -> None:
    """The accuracy of the pruned rules, beside the tree that they were made from and the baseline."""
    which, of_tree, of_rules, baseline = rules.accuracies(settings)
    heading = message("validation accuracy") if which == "validation" else message("training accuracy")
    names = [message("Tree"), message("Rules pruned one by one"), message("Majority baseline")]
    values = [_against(of_tree, baseline), _against(of_rules, baseline), score_text(baseline, False)]
    with st.container(key="rules_and_tree"):
        st.table(pd.DataFrame({heading: values}, index=pd.Index(names)), border="horizontal")
    if which == "training":
        st.caption(
            message(
                "Rules and tree were made from these rows. Split off validation rows on the Data page to score them."
            )
        )
    elif rules.estimate(settings) == "valid":
        st.caption(
            message(
                "These validation rows also chose which conditions to remove, so the score of the rules is optimistic."
            )
        )
    elif trees.parts(settings).valid is not None:
        st.caption(message("The rules were pruned on training rows: validation rows were not used."))


def _against(value: float, baseline: float) -> str:
    """An accuracy; red and in words where it is no better than the baseline."""
    text = score_text(value, False)
    if value > baseline:
        return text
    if value < baseline:
        return f":red[{message('{score}, worse than the majority baseline', score=text)}]"
    return f":red[{message('{score}, no better than the majority baseline', score=text)}]"
