"""The table of rules with its filters; a rule chosen there is the node chosen in the tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures.data_figures import count_text
from explorer.explaining.rules.filter import pick_rules
from explorer.explaining.rules.rule import all_other_rows
from explorer.formatting import percent, shortened, visible
from pages.results import pruned_tree, rules, trees
from pages.results.rules import query, rules_csv
from pages.settings.labels import RULE_LISTS, RULE_ORDERS
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import tables, tree_panels
from pages.widgets.controls import feed

_SHOWN = 2000
_HEIGHT = 422
"""Pixels for the table of rules at most."""
_LONGEST = 40
_ALL = -1
"""Stands for all classes among their codes."""
_WIDTHS = {"rows": 80, "confidence": 100, "estimated accuracy": 150, "node": 90}
"""Columns of numbers, in pixels: the rules have the rest."""


def downloads(rule_list: ex.RuleList) -> None:
    """Files of the list and of the tree, made on download."""
    tree, is_pruned = rule_list.tree, bool(rule_list.removals)
    files: dict[str, tuple[str, str, Callable[[], str]]] = {
        "Rules as text": ("rules.txt", "text/plain", rule_list.to_text),
        "Rules as a table (CSV)": ("rules.csv", "text/csv", partial(rules_csv, rule_list)),
        "The tree in Python": ("tree.py", "text/x-python", partial(ex.to_python, tree)),
        "The tree in SQL": ("tree.sql", "application/sql", partial(query, tree)),
    }
    if len(tree.classes) == 2:
        files["The tree as Mitchell’s listing"] = ("listing.txt", "text/plain", partial(ex.to_listing, tree))
    with st.popover("Download", icon=":material/download:"):
        for label, (name, kind, make) in files.items():
            st.download_button(label, make, file_name=name, mime=kind, key=f"download.{name}", on_click="ignore")
        if is_pruned:
            st.caption("Python, SQL and the listing hold the tree that these rules were pruned from.")


def choose_list(settings: Settings) -> None:
    """The tree's own rules, or each pruned by itself, which numbers do not allow."""
    if trees.data(settings).is_regression:
        st.caption("Rules are pruned one by one by their share of right answers, so only rules for classes are.")
        return
    st.segmented_control(
        "List of rules",
        list(RULE_LISTS),
        key=feed("rules.kind", settings.rules.kind),
        format_func=lambda kind: RULE_LISTS[kind],
        required=True,
        on_change=lambda: rules.keep_changes(kind=st.session_state["rules.kind"], step=0),
        label_visibility="collapsed",
    )


def filters(settings: Settings) -> None:
    """Order, predicted class, minimum rows and confidence, and words to look for."""
    chosen, classes = settings.rules, trees.data(settings).classes
    is_regression = trees.data(settings).is_regression
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sorts = [sort for sort in RULE_ORDERS if not (is_regression and sort == "confidence")]
        _select("Order", "sort", sorts, chosen.sort if chosen.sort in sorts else "order", RULE_ORDERS)
        if not is_regression:
            tree_classes = pruned_tree.pruned(settings).classes
            names = {_ALL: "All answers"}
            names |= {k: _name(name) for k, name in enumerate(tree_classes)}
            code = chosen.of_class if chosen.of_class in names else _ALL
            _select("Answer", "of_class", list(names), code, names)
        _count("Rows, at least", "min_rows", chosen.min_rows, None)
        if len(classes):
            _count("Confidence, at least %", "min_percent", chosen.min_percent, 100)
        st.text_input(
            "Words in the rule",
            key=feed("rules.search", chosen.search),
            on_change=lambda: rules.keep_changes(search=st.session_state["rules.search"]),
            placeholder="a column or a value",
            width=220,
        )


def _name(prediction: object) -> str:
    return shortened(visible(str(prediction)), _LONGEST)


def _select(label: str, field: str, options: Sequence[Any], value: object, names: Mapping[Any, str]) -> None:
    key = f"rules.{field}"
    st.selectbox(
        label,
        options,
        key=feed(key, value),
        format_func=lambda option: names[option],
        on_change=lambda: rules.keep_changes(
            **{field: None if st.session_state[key] == _ALL else st.session_state[key]}
        ),
        width=200,
    )


def _count(label: str, field: str, value: int, most: int | None) -> None:
    key = f"rules.{field}"
    st.number_input(
        label,
        min_value=0,
        max_value=most,
        step=1,
        key=feed(key, value),
        on_change=lambda: rules.keep_changes(**{field: st.session_state[key] or 0}),
        width=180,
    )


def filtered_rules(settings: Settings, rule_list: ex.RuleList) -> tuple[ex.Rule, ...]:
    """The rules that the filters let through, in the order chosen."""
    chosen = settings.rules
    return pick_rules(rule_list, chosen.sort, chosen.of_class, chosen.min_rows, chosen.min_percent / 100, chosen.search)


def show(settings: Settings, rule_list: ex.RuleList) -> ex.Rule | None:
    """The rules that pass; gives the one of the node selected, if it is among them."""
    passing = filtered_rules(settings, rule_list)
    counted = "validation" if rules.is_pruned(settings) and rules.estimate(settings) == "valid" else "training"
    counted_text = "Rows are those of" if rule_list.tree.is_regression else "Rows and confidence are those of"
    of_empty_leaf = not rules.is_pruned(settings) and any(not rule.weight for rule in passing)
    empty = " A rule without rows answers as the node above its leaf." if of_empty_leaf else ""
    st.caption(
        f"{len(passing):,} of {len(rule_list.in_order):,} rules; the first that a row fulfils answers it. "
        f"{counted_text} the {counted} rows.{empty}"
    )
    if not passing:
        st.markdown("No rule passes these filters.")
        return None
    shown = passing[:_SHOWN]
    lines = (line for line, rule in enumerate(shown) if rule is not rule_list.default and settings.node in rule.leaves)
    chosen = next(lines, None)
    key = f"rules.table.{settings.rules.kind}.{settings.node}"
    frame = frame_of(rule_list, shown)
    with st.container(key="rule_list"):
        columns = {
            name: st.column_config.Column(alignment="right", width=width)
            for name, width in _WIDTHS.items()
            if name in frame
        }
        tables.choosable(frame, key, chosen, lambda line: _rule_selected(rule_list, shown, line), _HEIGHT, columns)
    if len(passing) > _SHOWN:
        st.caption(f"The first {_SHOWN:,} rules: narrow them down to see others.")
    return None if chosen is None else shown[chosen]


def frame_of(rule_list: ex.RuleList, shown: Sequence[ex.Rule]) -> pd.DataFrame:
    """What the table shows of these rules; the conditions last, where long ones have room."""
    words = [all_other_rows() if rule is rule_list.default else f"if {rule.words}" for rule in shown]
    columns = {"answer": [_prediction(rule) for rule in shown], "rows": [count_text(rule.weight) for rule in shown]}
    if not rule_list.tree.is_regression:
        columns["confidence"] = [percent(rule.confidence or 0.0) for rule in shown]
    if any(rule.accuracy is not None for rule in shown):
        columns["estimated accuracy"] = ["–" if rule.accuracy is None else percent(rule.accuracy) for rule in shown]
    columns["node"] = [", ".join(map(str, rule.leaves)) for rule in shown]
    return pd.DataFrame(columns | {"rule": [visible(text) for text in words]})


def _prediction(rule: ex.Rule) -> str:
    return number(float(rule.prediction), 3) if rule.code < 0 else visible(str(rule.prediction))


def _rule_selected(rule_list: ex.RuleList, shown: Sequence[ex.Rule], line: int | None) -> None:
    """A rule was chosen: choose its node, and go to where its pruning begins."""
    if line is None:
        tree_panels.take_node("grow", 0)
        return
    leaf = shown[line].leaf
    tree_panels.take_node("grow", leaf)
    begin = next((position for position, round_ in enumerate(rule_list.removals) if round_.leaf == leaf), None)
    if begin is not None:
        rules.keep_changes(step=begin)


def show_rows(settings: Settings, rule: ex.Rule) -> None:
    """One rule as a sentence, and the training rows that it predicts."""
    st.markdown(f"**{escape_markdown(visible(rule.text))}**")
    train, positions = trees.parts(settings).train, rules.rows_of(settings, rule)
    count_words = {0: "No training row is", 1: "1 training row is"}.get(
        len(positions), f"{len(positions):,} training rows are"
    )
    stuck = f" It is for rows that can go no further than node {rule.leaf}: the counts are this node’s."
    earlier = " Others may fulfil it, but a rule before it answers them." if rules.is_pruned(settings) else ""
    first = f" Here are the first {_SHOWN:,}." if len(positions) > _SHOWN else ""
    st.caption(f"{count_words} answered by this rule.{stuck if rule.stop else earlier}{first}")
    if len(positions):
        st.dataframe(
            train.frame.iloc[positions[:_SHOWN]],
            key="rule.rows",
            height="content" if len(positions) < 8 else 282,
            placeholder="",
        )
