"""How the rows are divided: at random, by group, by time or by a column of sets, and which column that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from explorer.messages import message
from pages.layout import repeated_id
from pages.results import trees
from pages.results.divided.columns import candidates, times_of
from pages.results.divided.division import named
from pages.settings import session
from pages.settings.labels import CONNECTED_SPLITS, DIVISIONS, SPLITS
from pages.settings.settings import Settings
from pages.widgets.controls import feed

_KIND, _COLUMN, _SPLIT, _SETS, _AT = "divide", "divide_by", "choose.split", "divide.sets", "divide.at"
_WIDTH, _TIME_WIDTH = 300, 150


def choose(settings: Settings) -> None:
    """The kind of division, its column, and how many sets there are."""
    st.selectbox(
        message("Divide"),
        list(DIVISIONS),
        key=feed(_KIND, settings.divide),
        format_func=lambda kind: DIVISIONS[kind],
        on_change=_take_kind,
        width=_WIDTH,
        help=message(
            "Sets, folds, samples and the trees of an ensemble keep to it. By group: the rows of one customer or "
            "patient stay together. By time: later rows are held out."
        ),
    )
    kind, column, sets = named(settings)
    if settings.divide != "rows":
        _choose_column(message("Column that divides the rows"), _COLUMN, settings.divide, settings.divide_by, sets)
    if settings.divide == "sets":
        return
    names = CONNECTED_SPLITS if kind != "rows" or sets else SPLITS
    st.selectbox(
        message("Split"),
        list(names),
        key=feed(_SPLIT, settings.split),
        format_func=lambda split: names[split],
        on_change=_take_split,
        width=_WIDTH,
        help=message("Automatic: all rows below 100 rows, else a training and a validation set."),
    )
    if sets:
        _choose_column(message("Column that names the sets"), _SETS, "sets", sets, column)


def _choose_column(label: str, key: str, kind: str, now: str, other: str) -> None:
    """The column for one way to divide the rows, beside the one that has the other."""
    st.selectbox(
        label,
        list(dict.fromkeys([now, *_columns(session.read(), kind, other)])),
        key=feed(key, now),
        on_change=_take_column,
        args=(key, kind),
        width=_WIDTH,
        help=message("It is no feature then."),
    )


def _columns(settings: Settings, kind: str, other: str) -> list[str]:
    """The columns that can divide the rows so, the likeliest first, beside the weights and another column."""
    return [name for name in candidates(kind, trees.all_columns(settings)) if name not in (settings.weight, other)]


def _take_kind() -> None:
    settings, kind = session.read(), st.session_state[_KIND]
    sets = named(settings)[2] if {kind, settings.divide} <= {"groups", "time"} else ""
    found = [""] if kind == "rows" else _columns(settings, kind, sets)
    if not found:
        session.notify("error", _no_column_text(kind))
    elif kind == "sets":
        repeated_id.divide("rows", "", found[0])
    else:
        repeated_id.divide(kind, found[0], sets)


def _take_split() -> None:
    settings, split = session.read(), st.session_state[_SPLIT]
    kind, column, _ = named(settings)
    if split != "column":
        session.attempt(trees.check_rows, split=split, split_by="", split_values=())
    elif found := _columns(settings, "sets", column):
        repeated_id.divide(kind, column, found[0])
    else:
        session.notify("error", _no_column_text("sets"))


def _no_column_text(kind: str) -> str:
    if kind == "groups":
        return message("No column has values that repeat, so none groups the rows. Nothing was changed.")
    if kind == "time":
        return message("No column has a date or a number in every row, so the rows have no order. Nothing was changed.")
    return message("No column has two or three values, one in every row, so none names the sets. Nothing was changed.")


def _take_column(key: str, kind: str) -> None:
    (now, column, sets), chosen = named(session.read()), st.session_state[key]
    if kind == "sets":
        repeated_id.divide(now, column, chosen)
    else:
        repeated_id.divide(kind, chosen, sets)


def choose_times(settings: Settings, n_times: int) -> None:
    """The times from which on rows are for validation and for test; without them the shares hold."""
    whole = trees.data(settings).division
    if whole is None:
        return
    labels = (message("Validation set from"), message("Test set from"))[:n_times]
    hint = message("{first} to {last}", **dict(zip(("first", "last"), times_of(whole), strict=True)))
    for place, label in enumerate(labels):
        given = settings.split_times[place] if place < len(settings.split_times) else ""
        st.text_input(
            label,
            key=feed(f"{_AT}.{place}", given),
            placeholder=hint,
            on_change=_take_times,
            args=(n_times,),
            width=_TIME_WIDTH,
            help=message("Without it, the earliest rows are the training set, by share."),
        )


def _take_times(n_times: int) -> None:
    given = (st.session_state[f"{_AT}.{place}"].strip() for place in range(n_times))
    session.attempt(trees.check_rows, split_times=tuple(filter(None, given)))


def choose_values(texts: Sequence[str], take: Callable[[tuple[str, ...]], object]) -> None:
    """Which values of a column of sets are the training and the validation rows."""
    labels = (message("Training rows are"), message("Validation rows are"))
    for place, label in enumerate(labels):
        key = f"divide.value.{place}"
        st.selectbox(label, texts, key=feed(key, texts[place]), on_change=_exchange, args=(key, place, texts, take))


def _exchange(key: str, place: int, texts: Sequence[str], take: Callable[[tuple[str, ...]], object]) -> None:
    """Exchange the value chosen for a set with the one that was there."""
    values, other = list(texts), texts.index(st.session_state[key])
    values[place], values[other] = values[other], values[place]
    take(tuple(values))


def take_values(values: tuple[str, ...]) -> None:
    """Take the order of the sets, if the data allow it."""
    session.attempt(trees.check_rows, split_values=values)
