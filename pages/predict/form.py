"""The form of the Predict page: one control for every feature, those that the tree tests first."""

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
"""With more tested columns than this, the form is so many pixels high and scrolls, so that the tree stays beside it."""


def show(form: FilledForm) -> None:
    """The controls, and buttons that undo what was filled in."""
    positions = {field.name: position for position, field in enumerate(form.inputs)}
    tested = [field for field in form.inputs if field.is_asked]
    others = [field for field in form.inputs if not field.is_asked]
    with st.container(border=True, key="form", height=_HEIGHT if len(tested) > _MANY else "content"):
        for field in tested:
            _control(positions[field.name], field, form)
        if not tested:
            st.markdown("This tree is a single leaf: it asks for nothing.")
        if others:
            called = "column" if len(others) == 1 else "columns"
            with st.expander(f"{len(others)} {called} that this tree does not ask for"):
                for field in others:
                    _control(positions[field.name], field, form)
        _undo_buttons(form)


def _control(position: int, field: Input, form: FilledForm) -> None:
    if field.is_numeric:
        _number(position, field, form)
    else:
        _choice(position, field, form)


def _number(position: int, field: Input, form: FilledForm) -> None:
    """A number, with the training range behind its name; an empty field is a missing cell."""
    value = form.cells[field.name]
    number = None if value is None else float(value)
    is_whole = field.is_whole and (number is None or (number.is_integer() and abs(number) < _LARGEST_WHOLE))
    kind: dict[str, Any] = {"step": 1} if is_whole else {"step": None, "format": "%.10g"}
    key = feed(f"ask.{position}.{'whole' if is_whole else 'number'}", _as_kind(number, is_whole))
    st.number_input(
        f"{_name(field)} ({_range(field)})",
        value=None,
        placeholder="missing",
        key=key,
        on_change=_cell_changed,
        args=(position, key),
        **kind,
    )


def _as_kind(number: float | None, is_whole: bool) -> float | int | None:
    return int(number) if is_whole and number is not None else number


def _range(field: Input) -> str:
    """The training range; a unit where the form counts in another one than the file."""
    if field.low is None or field.high is None:
        return "always missing in training"
    unit = f", {field.unit}" if field.unit else ""
    return f"{number_text(field.low, 6)} to {number_text(field.high, 6)}{unit}"


def _choice(position: int, field: Input, form: FilledForm) -> None:
    """A category of the table, a missing cell, or a value that the tree never saw."""
    assert field.categories is not None
    names = {str(code): visible(str(name)) for code, name in enumerate(field.categories)}
    names |= {MISSING: "(missing)", NEW: f"({field.never_seen})"}
    key = feed(f"ask.{position}.choice", prediction.text_of(field, form.cells[field.name]))
    st.selectbox(
        _name(field),
        list(names),
        key=key,
        format_func=lambda text: names[text],
        on_change=_cell_changed,
        args=(position, key),
    )


def _name(field: Input) -> str:
    return escape_markdown(visible(field.name))


def _cell_changed(position: int, key: str) -> None:
    """A control was used: its value goes into the settings."""
    value = st.session_state[key]
    field = prediction.filled_form(session.read()).inputs[position]
    text = value if isinstance(value, str) else prediction.text_of(field, value)
    prediction.take(session.read().predict.with_cells({position: text}))


def _undo_buttons(form: FilledForm) -> None:
    """Buttons that undo what was filled in, and let the row of the table go."""
    predict = session.read().predict
    with st.container(horizontal=True):
        if predict.cells:
            label = "Usual values" if form.start is None else f"Row {form.start.number:,} as it was"
            st.button(
                label,
                icon=":material/undo:",
                key="ask.undo",
                on_click=prediction.take,
                args=(dataclasses.replace(predict, cells=()),),
            )
        if form.start is not None:
            st.button(
                "Usual values",
                icon=":material/restart_alt:",
                key="ask.usual",
                on_click=prediction.take,
                args=(predict.with_start_row(None),),
            )
