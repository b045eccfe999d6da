"""The list of rules with its search, order and class; a rule chosen there is the node chosen in the tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import streamlit as st

import explorer as ex
from explorer.drawing.figures.data_figures import count_text
from explorer.explaining.node_rule import conjunction
from explorer.explaining.rules.filter import is_clearly_below
from explorer.export.plain_csv import rules_csv
from explorer.formatting import percent, rows_or_weight, shortened, visible, with_percent_sign
from explorer.messages import in_this_language, message, paragraph, plural
from pages.results import pruned_tree, rules, trees
from pages.rules import rule_rows
from pages.settings.settings import Settings, changed
from pages.text import MOST_LETTERS, escape_markdown, number, readable
from pages.widgets import tree_panels
from pages.widgets.choice_list import choice_list
from pages.widgets.choice_list.choice_list import Column
from pages.widgets.controls import feed, leaf_action

_SHOWN = 2000
_LONGEST, _LONGEST_FORMULA = 40, 240
_MOST_OF_TEXT = 50_000
"""Letters of a text up to which it is shown whole."""
_LONGEST_NAME = 18
"""Letters of a feature's name in the list, so that a second condition has room."""
_SIGN = re.compile(" ([<≤>=]) ")
"""The sign of a condition, which is not parted from its sides where a line ends."""
_LIMITS = re.compile("(\u00a0[<≤]\u00a0[^\u00a0 ]+)\u00a0([<≤]\u00a0)")
"""Both limits of a number: a line that has no room for both may end before the second."""
_RISK = 0.25
"""C4.5's confidence level, by which the bounds of the tree's own rules are computed."""
_BELOW = "↓"
"""Marks a rule that is right less often on validation rows than its lower bound, beyond chance."""
_NUMBER = "#"
_ALL = -1
"""Stands for all classes among their codes."""


def show(settings: Settings, rule_list: ex.RuleList) -> None:
    """Search, order and class; the rules that pass; the rule selected as a sentence; and the list as files."""
    if not settings.view.presenter:  # like the rail
        _filters(settings)
    _summary(settings, rule_list)
    if rules.is_pruned(settings):
        _warn_of_the_majority(settings)
    _table(settings, rule_list)
    rule = rules.selected(settings, rule_list)
    left_out = rules.left_out_of_node(rule_list, settings.node)
    if left_out is not None:
        st.caption(_left_out_text(rule_list, *left_out))
    if rule is not None:
        rule_rows.sentence(rule)
        if not rules.is_pruned(settings) and not settings.view.presenter:
            leaf_action(rule_list.tree, rule.leaves, "rule")
    _notes(settings, rule_list)
    _as_text(settings, rule_list)


def _left_out_text(rule_list: ex.RuleList, rule: ex.Rule, earlier: ex.Rule) -> str:
    return message(
        "The rule of this leaf, {rule}, is left out: every row that fulfils it is decided by rule {number} or an "
        "earlier one.",
        rule=escape_markdown(readable(rule.statement)),
        number=rule_list.in_order.index(earlier) + 1,
    )


def _warn_of_the_majority(settings: Settings) -> None:
    """Says where the rules predict no better than the majority class, and whether another setting does."""
    if rules.improves_the_majority(settings):
        return
    which, of_tree, of_rules, baseline = rules.accuracies(settings)
    scores = {"rules": percent(of_rules), "majority": percent(baseline)}
    if which == "validation":
        said = message(
            "On validation rows these rules are no better than the majority baseline: accuracy {rules}, baseline "
            "{majority}.",
            **scores,
        )
    else:
        said = message(
            "On training rows these rules are no better than the majority baseline: accuracy {rules}, baseline "
            "{majority}.",
            **scores,
        )
    only_better = changed(settings, rules=replace(settings.rules, only_if_better=True))
    notes = [said]
    if not settings.rules.only_if_better and rules.improves_the_majority(only_better):
        accuracy = percent(rules.accuracies(only_better)[2])
        notes.append(message("With “Only on improvement” their accuracy is {accuracy}.", accuracy=accuracy))
    if of_tree > baseline:
        notes.append(message("That of the tree’s rules is {accuracy}.", accuracy=percent(of_tree)))
    st.warning(paragraph(notes))


def _filters(settings: Settings) -> None:
    chosen, is_regression = settings.rules, trees.data(settings).is_regression
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            message("Search"),
            key=feed("rules.search", chosen.search),
            on_change=lambda: rules.keep_changes(search=st.session_state["rules.search"]),
            placeholder=message("Column or value"),
        )
        _select(message("Order"), "sort", rules.order(settings), rules.orders(settings))
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
    decided = rules.decided(settings)
    columns = columns_of(rule_list, shown, rules.order(settings), _of_validation(settings), decided)
    pale = [line for line, each in enumerate(shown) if decided and not decided[each]]
    if settings.view.presenter:  # large letters leave no room for the number
        columns = [column for column in columns if column.text != _NUMBER]
    choice_list.show("rule_list", columns, chosen, lambda line: _rule_selected(rule_list, shown, line), pale)
    if len(passing) > _SHOWN:
        st.caption(message("The first {n:,} rules are shown. Use the search to see others.", n=_SHOWN))


def _of_validation(settings: Settings) -> dict[ex.Rule, tuple[float, float]]:
    """The validation rows that each rule predicts, and how many of them rightly, or its error there."""
    return rules.errors(settings) if trees.data(settings).is_regression else rules.hits(settings)


def columns_of(
    rule_list: ex.RuleList,
    shown: Sequence[ex.Rule],
    order: str,
    hits: Mapping[ex.Rule, tuple[float, float]] = MappingProxyType({}),
    decided: Mapping[ex.Rule, float] = MappingProxyType({}),
) -> list[Column]:
    """What the list shows of these rules: conditions, prediction and rows, then how sure they are.

    `hits` are validation rows that each rule predicts, and those of them that it predicts rightly, or of numbers its
    mean absolute error there; `decided` are the rows, of those the list counts, that each rule decides as the first
    that they fulfil.
    """
    tree, is_pruned = rule_list.tree, any(rule.accuracy is not None for rule in shown)

    def amount(text: str, cells: Sequence[str], meaning: str, *sorts: str, remarks: Sequence[str] = ()) -> Column:
        return Column(text, cells, meaning, is_amount=True, is_order=order in sorts, remarks=remarks)

    rows = message("Rows that fulfil the rule.")
    if not tree.counts_rows:
        rows = message("Summed weight of the rows that fulfil the rule.")
    if not tree.is_regression:
        rows = paragraph(
            [message("Confidence: the share of the predicted class, and how many of how many rows."), rows]
        )
    if not all(rule_list.has_own_rows(rule) for rule in shown):
        rows = paragraph([rows, message("–: no training row; the rows of its node say what it predicts.")])
    conditions = message("Conditions that a row must fulfil; long names are shortened.")
    counts = [_rows(rule_list, rule) for rule in shown]
    columns = [
        Column(message("if"), [_words(rule_list, rule) for rule in shown], conditions, names=True),
        Column(message("then"), [_prediction(rule) for rule in shown], message("What the rule predicts.")),
        amount(rule_list.amount_name, counts, rows, "support", "confidence"),
    ]
    if not tree.is_regression:
        bound = message("Lower confidence bound of the accuracy: 1 − U(E, N), with C4.5’s upper limit of the error.")
        bounds = [_of_own_rows(rule_list, rule, rule.lower_bound) for rule in shown]
        columns.append(amount(message("lower bound"), bounds, bound, "reliability"))
    if tree.is_regression:
        columns += _errors_of(rule_list, shown, hits)
    elif hits:
        right = message("Validation rows that the rule predicts, and how many of them it predicts rightly.")
        below = message("On validation rows the rule is right less often than its lower bound says, beyond chance.")
        remarks = [below if is_clearly_below(rule_list, rule, *hits[rule]) else "" for rule in shown]
        cells = [
            f"{_BELOW} {text}" if remark else text
            for text, remark in zip(map(_hits, (hits[rule] for rule in shown)), remarks, strict=True)
        ]
        columns.append(amount(message("validation"), cells, right, "validation", remarks=remarks))
    if decided:
        first = message("Of the rows that the list counts, those that the rule decides: they fulfil no earlier rule.")
        remarks = ["" if decided[rule] else _why_it_decides_none(rule_list, rule) for rule in shown]
        columns.append(
            amount(message("decides"), [count_text(decided[rule]) for rule in shown], first, remarks=remarks)
        )
    if tree.actions:
        meaning = message("What to do with the rows of the rule.")
        columns.append(Column(message("action"), [readable(visible(rule.action)) for rule in shown], meaning))
    if is_pruned:
        place = {id(rule): number for number, rule in enumerate(rule_list.in_order, 1)}
        first = message("Where the rule stands in the list. The first that a row fulfils predicts it.")
        columns.append(amount(_NUMBER, [str(place[id(rule)]) for rule in shown], first, "order"))
    return columns


def _errors_of(
    rule_list: ex.RuleList, shown: Sequence[ex.Rule], errors: Mapping[ex.Rule, tuple[float, float]]
) -> list[Column]:
    """How far the numbers lie from what each rule predicts: in its training rows, and in validation rows."""
    columns = []
    if rule_list.tree.has_deviations:
        spreads = [rule.deviation if rule_list.has_own_rows(rule) else None for rule in shown]
        meaning = message("Standard deviation of the target in the training rows of the rule.")
        columns.append(
            Column("SD", [number(value) if value is not None else "–" for value in spreads], meaning, is_amount=True)
        )
    if errors:
        meaning = message(
            "Mean absolute error of the rule on the validation rows that it predicts, and how many these are."
        )
        cells = [
            f"{number(error)}\n{rows_or_weight(rows, rule_list.tree.counts_rows)}" if rows else "–"
            for rows, error in (errors[rule] for rule in shown)
        ]
        columns.append(Column(message("validation MAE"), cells, meaning, is_amount=True))
    return columns


def _why_it_decides_none(rule_list: ex.RuleList, rule: ex.Rule) -> str:
    rows = rule_list.amount_name
    if rule is rule_list.default:
        return message("Decides none of the {rows}: each of them fulfils a rule.", rows=rows)
    if not rule.weight:
        return message("Decides none of the {rows}: none of them fulfils the rule.", rows=rows)
    return message(
        "Decides none of the {rows}: each one that fulfils the rule is decided by an earlier rule.", rows=rows
    )


def _words(rule_list: ex.RuleList, rule: ex.Rule) -> str:
    if rule is rule_list.default:
        return message("all other rows")
    # a category and a comma: two letters at least
    words = [readable(words) for words in rule.conditions_with_names(_LONGEST_NAME, MOST_LETTERS // 2)]
    if not words:
        return message("all rows")
    line = shortened(conjunction([*(f"{condition}\n" for condition in words[:-1]), words[-1]]), MOST_LETTERS)
    return _LIMITS.sub(r"\1 \2", _SIGN.sub("\u00a0\\1\u00a0", line.replace("\n ", "\n")))


def _hits(counts: tuple[float, float]) -> str:
    predicted, right = counts
    return _share_of(right / predicted, right, predicted) if predicted else "–"


def _rows(rule_list: ex.RuleList, rule: ex.Rule) -> str:
    """The share of the predicted class and of how many rows; of numbers, and without rows, the rows alone."""
    if not rule.weight:
        return "0"
    if not rule_list.has_own_rows(rule):
        return "–"
    if rule.confidence is None:
        return count_text(rule.weight)
    return _share_of(rule.confidence, rule.stats[rule.code], rule.weight)


def _share_of(share: float, right: float, rows: float) -> str:
    return f"{percent(share)}\n{message('{right} of {n}', right=count_text(right), n=count_text(rows))}"


def _of_own_rows(rule_list: ex.RuleList, rule: ex.Rule, share: float | None) -> str:
    return percent(share or 0.0) if rule_list.has_own_rows(rule) else "–"


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


def _summary(settings: Settings, rule_list: ex.RuleList) -> None:
    """How many rules there are and what for; the default rule, which is for all other rows, is none of them."""
    passing, notes = rules.shown(settings, rule_list), []
    leaves, stopped = len(rule_list.rules), len(rule_list.otherwise)
    n = leaves + stopped
    if rules.is_pruned(settings):
        notes.append(plural(n, "{n:,} rule.", "{n:,} rules."))
        if rule_list.left_out:
            notes.append(
                plural(
                    len(rule_list.left_out),
                    "{n:,} more can never decide, as an earlier rule has all of its rows, and is left out.",
                    "{n:,} more can never decide, as earlier rules have all of their rows, and are left out.",
                )
            )
    else:
        notes.append(plural(leaves, "{n:,} rule, as the tree is a single leaf.", "{n:,} rules, one for each leaf."))
        if stopped:
            notes.append(
                plural(
                    stopped,
                    "{n:,} more is for values without a branch.",
                    "{n:,} more are for values without a branch.",
                )
            )
    n_passing = sum(rule is not rule_list.default for rule in passing)
    if n_passing < n:
        notes.append(
            plural(
                n_passing,
                "{n:,} of these {rules:,} rules passes the filters.",
                "{n:,} of these {rules:,} rules pass the filters.",
                rules=n,
            )
        )
    if rule_list.default in passing and not settings.view.presenter:
        notes.append(
            message("“All other rows” is the default rule, for rows that fulfil none of them.")
            if rules.is_pruned(settings)
            else message("“All other rows” is the default rule, for rows that no rule covers: no training row is one.")
        )
    if rules.is_pruned(settings) and not settings.view.presenter:  # which leaves the numbers out
        place = {rule: number for number, rule in enumerate(rule_list.in_order)}
        places = [place[rule] for rule in passing]
        if places == sorted(places):
            notes.append(message("A row is predicted by the first rule that it fulfils, in the order of the numbers."))
        else:
            notes.append(
                message(
                    "The list is in another order than the one that decides: a row is predicted by the first rule "
                    "that it fulfils, in the order of the numbers (#)."
                )
            )
    st.caption(paragraph(notes))


def _meaning_of_the_bound(settings: Settings) -> list[str]:
    """What the lower bound says, and that the rows it is counted on chose the rule."""
    is_pruned = rules.is_pruned(settings)
    certainty = with_percent_sign(f"{100 * (1 - (settings.confidence if is_pruned else _RISK)):g}")
    if is_pruned and rules.estimate(settings) == "valid":
        bound = message(
            "Lower bound: counted on the validation rows that pruned the rule, it is right for at least this share, "
            "with {certainty} certainty.",
            certainty=certainty,
        )
    else:
        bound = message(
            "Lower bound: counted on the training rows that made the rule, it is right for at least this share, with "
            "{certainty} certainty.",
            certainty=certainty,
        )
    limit = settings.limit if is_pruned else "release8"
    approximation = {
        "release8": message("It is C4.5’s approximation of the exact binomial bound."),
        "normal": message("It is a normal approximation of the exact binomial bound."),
    }
    below = message("↓: right on fewer validation rows than a rule as accurate as that would be in 95 % of samples.")
    by_hits = [below] if rules.hits(settings) else []
    sentences = [bound, *by_hits, approximation.get(limit, ""), message("On new rows it may be right less often.")]
    return list(filter(None, sentences))


def _notes(settings: Settings, rule_list: ex.RuleList) -> None:
    """What the numbers say, which rows they count, and how the list predicts."""
    passing, is_pruned, notes = rules.shown(settings, rule_list), rules.is_pruned(settings), []
    if not rule_list.tree.is_regression:
        notes += _meaning_of_the_bound(settings)
    if rule_list.missing_note:
        notes.append(rule_list.missing_note)
    if not rule_list.tree.counts_rows and not rule_list.tree.is_regression:
        notes.append(
            message("Lower bounds take each weight as so many rows: they are wrong where weights are no counts.")
        )
    if not is_pruned and any(not rule.weight for rule in passing):
        notes.append(message("A rule without rows predicts as its leaf’s parent does."))
    if notes:
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
        if _LONGEST_FORMULA < len(visible(formula)) <= _MOST_OF_TEXT:
            with st.expander(message("The whole formula")):
                st.code(visible(formula), language=None, wrap_lines=True)


def _as_text(settings: Settings, rule_list: ex.RuleList) -> None:
    """What the list shows as a text to copy, and all rules in its order as files, made on download."""
    shown = rules.shown(settings, rule_list)
    is_filtered = 0 < len(shown) < len(rule_list.in_order)
    all_rules = partial(rule_list.to_text, rules.ordered(settings, rule_list))

    with st.expander(message("Copy as text"), key="list.copy", on_change="rerun") as opened:
        if opened.open:
            text = rule_list.to_text(shown[:_SHOWN]) if is_filtered else all_rules()
            st.code(shortened(text, _MOST_OF_TEXT), language=None, wrap_lines=True)
    files: list[tuple[str, str, str, Callable[[], str]]] = [
        (message("Rules as text"), "rules.txt", "text/plain", all_rules),
        (message("Rules as CSV"), "rules.csv", "text/csv", partial(rules_csv, rule_list, _of_validation(settings))),
    ]
    if is_filtered:
        label = plural(len(shown), "This rule as text", "These {n:,} rules as text")
        files.insert(0, (label, "shown-rules.txt", "text/plain", partial(rule_list.to_text, shown)))
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
