"""The table of rules with its search, order and class; a rule chosen there is the node chosen in the tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from textwrap import wrap
from typing import Any

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures.data_figures import count_text
from explorer.export.plain_csv import rules_csv
from explorer.formatting import percent, shortened, visible
from explorer.messages import in_this_language, message, paragraph, plural
from pages.results import pruned_tree, rules, trees
from pages.rules import rule_rows
from pages.settings.settings import Settings
from pages.text import MOST_LETTERS, escape_markdown, number, readable
from pages.widgets import page_frame, tables, tree_panels
from pages.widgets.controls import feed

_SHOWN = 2000
_HEIGHT = 457
"""Pixels for the table of rules at most."""
_LONGEST, _LONGEST_FORMULA = 40, 240
_LONGEST_NAME = 18
"""Letters of a feature's name in the list, so that a second condition has room."""
_RULE_WIDTH, _ALONE, _PIXELS_A_LETTER, _MOST_LINES = 190, 280, 8.6, 5
"""Pixels for the rules, so that they stay in view beside a tree, and where no share of right rows stands before them;
of a letter, and the most lines of a rule."""
_ALL = -1
"""Stands for all classes among their codes."""


def show(settings: Settings, rule_list: ex.RuleList) -> None:
    """Search, order and class; the rules that pass; the rule selected as a sentence; and the list as files."""
    _filters(settings)
    _table(settings, rule_list)
    rule = rules.selected(settings, rule_list)
    if rule is not None:
        rule_rows.sentence(rule)
    _notes(settings, rule_list)
    _downloads(rule_list)


def _filters(settings: Settings) -> None:
    chosen, is_regression = settings.rules, trees.data(settings).is_regression
    st.text_input(
        message("Search"),
        key=feed("rules.search", chosen.search),
        on_change=lambda: rules.keep_changes(search=st.session_state["rules.search"]),
        placeholder=message("Search for a column or a value"),
        label_visibility="collapsed",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _select(message("Order"), "sort", rules.order(settings), rules.orders(is_regression))
        if not is_regression:
            names = {_ALL: message("All classes")}
            names |= {code: _name(name) for code, name in enumerate(pruned_tree.pruned(settings).classes)}
            code = chosen.of_class if chosen.of_class in names else _ALL
            _select(message("Prediction"), "of_class", code, names)


def _name(prediction: object) -> str:
    return shortened(visible(str(prediction)), _LONGEST)


def _select(label: str, field: str, value: object, names: Mapping[Any, str]) -> None:
    key = f"rules.{field}"
    st.selectbox(
        label,
        list(names),
        key=feed(key, value),
        format_func=lambda option: names[option],
        on_change=lambda: rules.keep_changes(
            **{field: None if st.session_state[key] == _ALL else st.session_state[key]}
        ),
    )


def _table(settings: Settings, rule_list: ex.RuleList) -> None:
    """The rules that pass; the one of the node selected is chosen, if it is among them."""
    passing = rules.shown(settings, rule_list)
    if not passing:
        st.markdown(message("No rule passes these filters."))
        return
    shown = passing[:_SHOWN]
    rule = rules.selected(settings, rule_list)
    chosen = next((line for line, each in enumerate(shown) if each is rule), None)
    key = f"rules.table.{settings.rules.kind}.{settings.node}"
    larger = page_frame.PRESENTED if settings.view.presenter else 1.0
    frame = frame_of(rule_list, shown, rules.order(settings))
    if settings.view.presenter:  # large letters leave room for what a rule says and how many rows it has
        frame = frame[[message("prediction"), rule_list.tree.amount_name, message("rule")]]
    with st.container(key="rule_list"):
        tables.choosable(
            frame,
            key,
            chosen,
            lambda line: _rule_selected(rule_list, shown, line),
            _HEIGHT,
            _columns(frame, larger),
            lines_of(frame, larger),
            larger,
        )
    if len(passing) > _SHOWN:
        st.caption(message("The first {n:,} rules are shown. Use the search to see others.", n=_SHOWN))


def frame_of(rule_list: ex.RuleList, shown: Sequence[ex.Rule], order: str) -> pd.DataFrame:
    """What the table shows of these rules: what they are sorted by before the rule, as a narrow page hides the rest."""
    place = {id(rule): number for number, rule in enumerate(rule_list.in_order, 1)}
    columns = {
        message("prediction"): [_prediction(rule) for rule in shown],
        rule_list.tree.amount_name: [count_text(rule.weight) for rule in shown],
    }
    shares = {}
    if not rule_list.tree.is_regression:
        shares[message("lower bound")] = [percent(rule.lower_bound or 0.0) for rule in shown]
        shares[message("confidence")] = [percent(rule.confidence or 0.0) for rule in shown]
        first = message("confidence") if order == "confidence" else message("lower bound")
        columns[first] = shares.pop(first)
    columns[message("rule")] = [_words(rule_list, rule) for rule in shown]
    columns |= shares
    if any(rule.accuracy is not None for rule in shown):
        accuracies = (rule.accuracy for rule in shown)
        columns[message("estimated accuracy")] = ["–" if value is None else percent(value) for value in accuracies]
    columns[message("node")] = [", ".join(map(str, rule.leaves)) for rule in shown]
    columns[message("number")] = [str(place[id(rule)]) for rule in shown]
    return pd.DataFrame(columns)


def lines_of(frame: pd.DataFrame, larger: float = 1.0) -> int:
    """Lines that the longest rule takes in its column, a few at most; letters are so many times larger."""
    letters = int(_rule_width(frame) / _PIXELS_A_LETTER / larger)
    return min(int(_MOST_LINES * larger), max(len(wrap(rule, letters)) for rule in frame[message("rule")]))


def _rule_width(frame: pd.DataFrame) -> int:
    """Pixels of the column of rules."""
    return _RULE_WIDTH if {message("lower bound"), message("confidence")} & set(frame) else _ALONE


def _words(rule_list: ex.RuleList, rule: ex.Rule) -> str:
    if rule is rule_list.default:
        return message("all other rows")
    words = rule.words_with_names(_LONGEST_NAME, MOST_LETTERS // 2)  # a category and a comma: two letters at least
    return message("if {conditions}", conditions=readable(words))


def _prediction(rule: ex.Rule) -> str:
    return number(float(rule.prediction), 3) if rule.code < 0 else visible(str(rule.prediction))


def _columns(frame: pd.DataFrame, larger: float) -> dict[str, Any]:
    """Widths in pixels, and what a column means; letters are so many times larger."""
    narrow = {
        message("prediction"): (85, None),
        message("rows"): (55, message("Rows that fulfil the rule.")),
        message("weight"): (90, message("Summed weight of the rows that fulfil the rule.")),
        message("lower bound"): (
            95,
            message("Lower confidence bound of the accuracy: 1 − U(E, N), with C4.5’s upper limit of the error."),
        ),
        message("rule"): (
            _rule_width(frame),
            message("Long names are shortened. Choose a rule to read it in full below the table."),
        ),
        message("confidence"): (85, message("Share of the predicted class among these rows.")),
        message("estimated accuracy"): (130, message("What the rule was pruned by.")),
        message("node"): (70, None),
        message("number"): (
            75,
            message("Where the rule stands in the list. The first that a row fulfils predicts it."),
        ),
    }
    left = message("prediction"), message("rule")
    return {
        name: st.column_config.Column(
            width=width if name == message("rule") else round(width * larger),
            help=text,
            alignment="left" if name in left else "right",
        )
        for name, (width, text) in narrow.items()
        if name in frame
    }


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


def _notes(settings: Settings, rule_list: ex.RuleList) -> None:
    """How many rules there are, which rows they count, and how the list predicts."""
    passing, is_pruned = rules.shown(settings, rule_list), rules.is_pruned(settings)
    fields = {"shown": len(passing), "n": len(rule_list.in_order)}
    if is_pruned and rules.estimate(settings) == "valid":
        notes = [message("{shown:,} of {n:,} rules. The counts are validation rows.", **fields)]
    elif rule_list.tree.counts_rows:
        notes = [message("{shown:,} of {n:,} rules. The counts are training rows.", **fields)]
    else:
        notes = [message("{shown:,} of {n:,} rules. The weights are those of training rows.", **fields)]
    if not rule_list.tree.counts_rows and not rule_list.tree.is_regression:
        notes.append(
            message("Lower bounds take each weight as so many rows: they are wrong where weights are no counts.")
        )
    if is_pruned:
        notes.append(message("A row is predicted by the first rule that it fulfils, in the order of the numbers."))
    elif any(not rule.weight for rule in passing):
        notes.append(message("A rule without rows predicts as its leaf’s parent does."))
    stopped = sum(rule.stop is not None for rule in passing)
    if stopped:
        notes.append(
            plural(
                stopped,
                "{n:,} rule is not a leaf’s: it predicts rows that stop above the leaves, at a value without a branch.",
                "{n:,} rules are not a leaf’s: they predict rows that stop above the leaves, at a value without a "
                "branch.",
            )
        )
    if len(passing) > 1 and passing[-1] is rule_list.default:
        notes.append(message("“all other rows” stands last in every order: it predicts rows that fulfil no rule."))
    st.caption(paragraph(notes))
    if not is_pruned and not rule_list.tree.is_regression:
        _formula(settings, rule_list)


def _formula(settings: Settings, rule_list: ex.RuleList) -> None:
    """The tree as one formula, for the class chosen or else the last one that it predicts."""
    codes = [rule.code for rule in rule_list]
    code = settings.rules.of_class if settings.rules.of_class in codes else max(codes, default=0)
    formula = rule_list.formula(code)
    if formula:
        shown = escape_markdown(shortened(visible(formula), _LONGEST_FORMULA))
        st.caption(message("As a formula, a disjunction of conjunctions: {formula}", formula=shown))


def _downloads(rule_list: ex.RuleList) -> None:
    """The list as files, made on download; the tree itself is in the page's menu."""
    files = (
        (message("Rules as text"), "rules.txt", "text/plain", rule_list.to_text),
        (message("Rules as CSV"), "rules.csv", "text/csv", partial(rules_csv, rule_list)),
    )
    with st.container(horizontal=True):
        for label, name, kind, make in files:
            st.download_button(
                label,
                in_this_language(make),
                file_name=name,
                mime=kind,
                key=f"list.{name}",
                on_click="ignore",
                icon=":material/download:",
                type="tertiary",
            )
