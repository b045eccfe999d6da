"""The form of the Predict page: one control for every feature, those that the tree asks for in front."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from explorer.explaining.row_form import Input
from explorer.formatting import number_text, visible
from pages.results import prediction
from pages.results.prediction import FilledForm
from pages.settings import session
from pages.settings.page_settings import MISSING, NEW
from pages.text import escape_markdown
from pages.widgets.controls import feed

_LARGEST_WHOLE = 10**15
"""A browser counts exactly a little further than this."""
_MANY, _HEIGHT = 10, 860
"""Above so many columns asked for, the form is so many pixels high and scrolls, so that the tree stays beside it."""


def show(found: FilledForm) -> None:
    """The controls, and the way back to what the form began with."""
    places = {one.name: place for place, one in enumerate(found.inputs)}
    asked_for = [one for one in found.inputs if one.is_asked]
    others = [one for one in found.inputs if not one.is_asked]
    with st.container(border=True, key="form", height=_HEIGHT if len(asked_for) > _MANY else "content"):
        for one in asked_for:
            _control(places[one.name], one, found)
        if not asked_for:
            st.markdown("This tree is a single leaf: it asks for nothing.")
        if others:
            called = "column" if len(others) == 1 else "columns"
            with st.expander(f"{len(others)} {called} that this tree does not ask for"):
                for one in others:
                    _control(places[one.name], one, found)
        _way_back(found)


def _control(place: int, one: Input, found: FilledForm) -> None:
    if one.is_numeric:
        _number(place, one, found)
    else:
        _choice(place, one, found)


def _number(place: int, one: Input, found: FilledForm) -> None:
    """A number, with the training range behind its name; an empty field is a missing cell."""
    value = found.cells[one.name]
    number = None if value is None else float(value)
    is_whole = one.is_whole and (number is None or (number.is_integer() and abs(number) < _LARGEST_WHOLE))
    kind: dict[str, Any] = {"step": 1} if is_whole else {"step": None, "format": "%.10g"}
    key = feed(f"ask.{place}.{'whole' if is_whole else 'number'}", _as_kind(number, is_whole))
    st.number_input(
        f"{_name(one)} ({_range(one)})",
        value=None,
        placeholder="missing",
        key=key,
        on_change=_taken,
        args=(place, key),
        **kind,
    )


def _as_kind(number: float | None, is_whole: bool) -> float | int | None:
    return int(number) if is_whole and number is not None else number


def _range(one: Input) -> str:
    """The training range; a unit where the form counts in another one than the file."""
    if one.low is None or one.high is None:
        return "always missing in training"
    unit = f", {one.unit}" if one.unit else ""
    return f"{number_text(one.low, 6)} to {number_text(one.high, 6)}{unit}"


def _choice(place: int, one: Input, found: FilledForm) -> None:
    """A category of the table, a missing cell, or a value that the tree never saw."""
    assert one.categories is not None
    names = {str(code): visible(str(name)) for code, name in enumerate(one.categories)}
    names |= {MISSING: "(missing)", NEW: f"({one.never_seen})"}
    key = feed(f"ask.{place}.choice", prediction.text_of(one, found.cells[one.name]))
    st.selectbox(
        _name(one), list(names), key=key, format_func=lambda text: names[text], on_change=_taken, args=(place, key)
    )


def _name(one: Input) -> str:
    return escape_markdown(visible(one.name))


def _taken(place: int, key: str) -> None:
    """A control was used: its value goes into the settings."""
    value = st.session_state[key]
    one = prediction.asked(session.read()).inputs[place]
    text = value if isinstance(value, str) else prediction.text_of(one, value)
    prediction.take(session.read().predict.with_cells({place: text}))


def _way_back(found: FilledForm) -> None:
    """Buttons that undo what was filled in, and let the row of the table go."""
    ask = session.read().predict
    with st.container(horizontal=True):
        if ask.cells:
            label = "Usual values" if found.begun is None else f"Row {found.begun.number:,} as it was"
            st.button(
                label,
                icon=":material/undo:",
                key="ask.undo",
                on_click=prediction.take,
                args=(dataclasses.replace(ask, cells=()),),
            )
        if found.begun is not None:
            st.button(
                "Usual values",
                icon=":material/restart_alt:",
                key="ask.usual",
                on_click=prediction.take,
                args=(ask.with_start_row(None),),
            )
