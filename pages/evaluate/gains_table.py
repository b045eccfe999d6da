"""Gains: the leaves by their response, what the first of them hold and bring, and what to do with their rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.evaluation.deciding.gains import FEW_ROWS, gains_heading, most_profitable, profit_of_none
from explorer.explaining.rules.filter import rules_of_nodes
from explorer.formatting import number, percent, shortened, visible
from explorer.messages import message
from pages.evaluate import profits
from pages.results import evaluation, rules
from pages.settings.settings import Settings
from pages.text import escape_markdown, typeset
from pages.widgets import controls, page_frame, tables
from pages.widgets.controls import feed

_LONGEST, _MOST = 40, 100
_KEY, _COUNT = "gains", "gains.top"
_CHOSEN = "background-color: rgba(128, 128, 128, 0.3)"
_WIDTHS = {"leaf": 50, "rows": 50, "profit": 76, "index": 70}
"""Pixels of columns with a short heading."""
_SHARES = ("cumulative share of rows", "cumulative share of responses", "index")


def first_leaves(settings: Settings, code: int) -> list[int]:
    """The leaves that the reader has taken from the top of the table."""
    n = settings.evaluate.first_leaves
    return evaluation.gains(settings, code)["leaf"].head(min(n, _MOST)).astype(int).tolist() if n else []


def show(settings: Settings, tree: ex.Tree, code: int, leaf: int | None, take: Callable[[int], None]) -> None:
    """The table, in which a line chooses its leaf by `take`, and how many of its leaves to take from the top."""
    if tree.is_regression:
        st.markdown(message("**Gains**: the leaves by their mean"))
    else:
        name = escape_markdown(shortened(visible(str(tree.classes[code])), _LONGEST))
        st.markdown(message("**Gains**: the leaves by their share of {label}", label=name))
        profits.fields(settings)
    if evaluation.chosen(settings) != "train":
        _order(settings, tree.is_regression)
    whole = evaluation.gains(settings, code)
    table, n = whole.head(_MOST), min(settings.evaluate.first_leaves, len(whole), _MOST)
    _count(settings, tree, whole, n)
    is_few = [tree.counts_rows and rows < FEW_ROWS for rows in table["rows"]]
    looks = [
        [_CHOSEN if each == leaf else page_frame.TINT if line < n else "", page_frame.GREY if few else ""]
        for line, (each, few) in enumerate(zip(table["leaf"], is_few, strict=True))
    ]
    headings = _headings(settings, tree)
    tables.numbers_table(
        _worded(headings, table, tree.is_regression),
        [False] * len(table),
        _KEY,
        {line: "; ".join(filter(None, look)) for line, look in enumerate(looks)},
        on_row=lambda: _line_selected(table, take),
        widths={heading: _WIDTHS[name] for heading, name in headings.items() if name in _WIDTHS},
        right=list(headings),
        by_cell=True,
    )
    st.caption(_notes(settings, tree, any(is_few)))
    if n:
        _rules(settings, tree, whole.head(n))


def _order(settings: Settings, is_regression: bool) -> None:
    """By which number the leaves stand, and what that makes of the first ones."""
    by_training = settings.evaluate.gains_by_training
    labels = {
        True: message("by the training mean") if is_regression else message("by the training share"),
        False: message("by the mean of these rows") if is_regression else message("by the share in these rows"),
    }
    st.segmented_control(
        message("Order of the gains"),
        list(labels),
        key=feed("gains.order", by_training),
        format_func=lambda is_training: labels[is_training],
        required=True,
        label_visibility="collapsed",
        on_change=lambda: evaluation.keep_changes(gains_by_training=bool(st.session_state["gains.order"])),
    )
    if by_training:
        st.caption(message("The tree’s own order: no leaf is first by luck on these rows."))
    else:
        st.caption(message("Optimistic: leaves that are first by luck are counted on the same rows."))


def _line_selected(table: pd.DataFrame, take: Callable[[int], None]) -> None:
    cells = st.session_state[_KEY].selection.cells
    if cells and int(cells[0][0]) < len(table):
        take(int(table["leaf"].iloc[int(cells[0][0])]))


def _worded(headings: Mapping[str, str], table: pd.DataFrame, is_regression: bool) -> pd.DataFrame:
    """The columns that are shown, as texts."""
    return pd.DataFrame(
        {heading: [_text(name, value, is_regression) for value in table[name]] for heading, name in headings.items()}
    )


def _headings(settings: Settings, tree: ex.Tree) -> dict[str, str]:
    """The columns that are shown, by names that fit beside the tree."""
    shown = {gains_heading(name, tree.is_regression): name for name in ("leaf", "rows", "response")}
    if evaluation.chosen(settings) != "train":
        shown[message("training")] = "training response"
    shown[message("index")] = "index"
    if not tree.is_regression:
        shown |= {message("profit"): "profit", message("captured"): "cumulative share of responses"}
        shown[message("profit so far")] = "cumulative profit"
    return shown | {message("rows so far"): "cumulative share of rows"}


def _text(name: str, value: float, is_regression: bool) -> str:
    """A share in per cent, anything else as a number."""
    is_share = name in _SHARES or ("response" in name and not is_regression)
    if not math.isfinite(value):
        return "–"
    return percent(value) if is_share else typeset(number(value, 3 if "profit" in name else 4))


def _notes(settings: Settings, tree: ex.Tree, are_few: bool) -> str:
    """What the columns mean, and which shares are mostly chance."""
    notes = []
    if are_few:
        notes.append(message("Grey: fewer than {n} rows, whose share is mostly chance.", n=FEW_ROWS))
    if not tree.is_regression:
        if evaluation.chosen(settings) != "train":
            notes.append(message("Training: the share among the training rows."))
        notes.append(
            message(
                "Index: the response over that of all rows. Captured: the share of the class that this leaf and those "
                "above it hold. Profit: the mean of the leaf’s rows if the class is predicted for them; so far: of all "
                "rows, if it is predicted in this leaf and those above it."
            )
        )
    return " ".join(notes)


def _count(settings: Settings, tree: ex.Tree, table: pd.DataFrame, n: int) -> None:
    """How many leaves to take from the top, and what they are together."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            message("First … leaves"),
            0,
            min(len(table), _MOST),
            key=feed(_COUNT, n),
            on_change=_take_count,
        )
        if not tree.is_regression:
            best = min(most_profitable(table, profits.of(settings)), _MOST)
            st.button(
                message("Most profit: the first {n}", n=best),
                key="gains.best",
                disabled=best == n,
                on_click=lambda: evaluation.keep_changes(first_leaves=best),
            )
    if n:
        st.caption(_together(settings, table, table.iloc[n - 1], tree.is_regression))


def _take_count() -> None:
    evaluation.keep_changes(first_leaves=int(st.session_state[_COUNT]))


def _rules(settings: Settings, tree: ex.Tree, first: pd.DataFrame) -> None:
    """The rules of these leaves in the order of the table, and their action."""
    listed = rules_of_nodes(rules.own(settings), first["leaf"])
    text = "\n".join(visible(rule.text) for rule in listed)
    st.code(text, language=None, wrap_lines=True)
    st.download_button(
        message("Rules as text"),
        text,
        file_name="top-rules.txt",
        key="gains.rules",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )
    controls.leaf_action(tree, first["leaf"].astype(int).tolist(), "top")


def _together(settings: Settings, table: pd.DataFrame, last: pd.Series, is_regression: bool) -> str:
    """What the leaves down to the last hold of all rows, and of the class, and bring, beside none and all of them."""
    rows = percent(float(last["cumulative share of rows"]))
    if is_regression:
        return message("Together they hold {rows} of these rows. They are ringed on the tree.", rows=rows)
    return message(
        "Together they hold {rows} of these rows and {captured} of the class; profit {profit} a row (by no leaf "
        "{none}, by all {all}). They are ringed on the tree.",
        rows=rows,
        captured=percent(float(last["cumulative share of responses"])),
        profit=typeset(number(float(last["cumulative profit"]), 4)),
        none=typeset(number(profit_of_none(table, profits.of(settings)), 4)),
        all=typeset(number(float(table["cumulative profit"].iloc[-1]), 4)),
    )
