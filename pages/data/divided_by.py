"""How the rows are divided: at random, by group, by time or by a column of sets, and which column that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from explorer.messages import message
from pages.layout import repeated_id
from pages.results import trees
from pages.results.divided.columns import candidates, times_of
from pages.settings import session
from pages.settings.labels import DIVISIONS
from pages.settings.settings import Settings
from pages.widgets.controls import feed

_KIND, _COLUMN, _AT = "divide", "divide_by", "divide.at"
_WIDTH, _TIME_WIDTH = 300, 150


def choose(settings: Settings) -> None:
    """The kind of division, and its column."""
    st.selectbox(
        message("Divide"),
        list(DIVISIONS),
        key=feed(_KIND, settings.divide),
        format_func=lambda kind: DIVISIONS[kind],
        on_change=_take_kind,
        width=_WIDTH,
        help=message(
            "Sets, folds, samples and the members of an ensemble keep to it. By group: the rows of one customer or "
            "patient stay together. By time: later rows are held out."
        ),
    )
    if settings.divide != "rows":
        found = candidates(settings.divide, trees.all_columns(settings))
        st.selectbox(
            message("Column that divides the rows"),
            list(dict.fromkeys([settings.divide_by, *found])),
            key=feed(_COLUMN, settings.divide_by),
            on_change=_take_column,
            width=_WIDTH,
            help=message("It is no feature unless you make it one."),
        )


def _take_kind() -> None:
    settings, kind = session.read(), st.session_state[_KIND]
    if kind == "rows":
        session.attempt(trees.check_rows, divide=kind, divide_by="")
        return
    found = [name for name in candidates(kind, trees.all_columns(settings)) if name != settings.weight]
    if found:
        repeated_id.divide(kind, found[0])
    else:
        session.notify("error", _no_column_text(kind))


def _no_column_text(kind: str) -> str:
    if kind == "groups":
        return message("No column has values that repeat, so none groups the rows. Nothing was changed.")
    if kind == "time":
        return message("No column has a date or a number in every row, so the rows have no order. Nothing was changed.")
    return message("No column has two or three values, one in every row, so none names the sets. Nothing was changed.")


def _take_column() -> None:
    repeated_id.divide(session.read().divide, st.session_state[_COLUMN])


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
