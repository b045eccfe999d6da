"""The form for the row: one line for every feature, those that the tree tests first at the top, the others folded."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.data.codes.dates import days_to, has_times, moment_of
from explorer.data.codes.scale import NUMBERS, Dates
from explorer.explaining.row_form import Input
from explorer.formatting import range_ends, visible
from explorer.messages import listing, message, plural
from pages.results import prediction
from pages.results.prediction import FilledForm
from pages.settings import session
from pages.settings.page_settings import MISSING, NEW
from pages.settings.settings import Settings
from pages.text import ALL_DIGITS, escape_markdown, spoken
from pages.widgets.controls import feed, feed_typed

_LARGEST_WHOLE = 10**15
"""A browser counts exactly a little further than this."""
_SHOWN = 8
"""So many features stand in view; those that the tree tests further down are folded."""
_YEARS_AROUND = 50
"""So many years before the first and after the last training date may be chosen."""
_WIDTHS = (5, 6)
"""How a line is divided between the feature's name and its value."""


def show(settings: Settings, form: FilledForm) -> None:
    """A line for each of the features tested first; the others below, folded."""
    tested = prediction.tested_first(form)
    unused = [field for field in form.inputs if field not in tested and field.name not in form.parts]
    with st.container(key="form"):
        _lines(tested[:_SHOWN], form)
        if not tested:
            st.markdown(message("This tree is a single leaf, so every row gets the same prediction."))
        lower = tested[_SHOWN:]
        if lower:
            _folded(
                plural(len(lower), "{n:,} feature tested further down", "{n:,} features tested further down"),
                lower,
                settings,
                form,
            )
        if unused:
            _folded(
                plural(
                    len(unused), "{n:,} feature that the tree does not use", "{n:,} features that the tree does not use"
                ),
                unused,
                settings,
                form,
            )


def _folded(label: str, fields: Sequence[Input], settings: Settings, form: FilledForm) -> None:
    """Features that are folded; open at first where one of them is filled in."""
    filled_in = {form.inputs[position].name for position, _ in settings.predict.cells if position < len(form.inputs)}
    with st.expander(label, expanded=any(field.name in filled_in for field in fields)):
        _lines(fields, form)


def _lines(fields: Sequence[Input], form: FilledForm) -> None:
    """Each feature's name as text beside its control, whose own label is hidden and for screen readers."""
    positions = {field.name: position for position, field in enumerate(form.inputs)}
    of_surrogates = prediction.missing_first(form)
    stand_ins = {field.name: of_surrogates.get(field.name, []) for field in fields}
    said: list[str] = []
    for field in sorted(fields, key=lambda field: stand_ins[field.name]):  # together what stands in for the same
        if stand_ins[field.name] != said:
            said = stand_ins[field.name]
            st.caption(_stands_in(said))
        name, control = st.columns(_WIDTHS, vertical_alignment="center", gap="small")
        name.markdown(_name(field, form))
        with control:
            if isinstance(field.scale, Dates):
                _date(positions[field.name], field, form)
            elif field.is_numeric:
                _number(positions[field.name], field, form)
            else:
                _choice(positions[field.name], field, form)


def _stands_in(features: list[str]) -> str:
    """In whose place the next features, which surrogates alone test, are used."""
    return plural(
        len(features),
        "Used only where {features} is missing:",
        "Used only where one of {features} is missing:",
        features=escape_markdown(visible(listing(features))),
    )


def _name(field: Input, form: FilledForm) -> str:
    """The feature's name; for a number the range of its training values, as a warning where the number is outside."""
    lines = [escape_markdown(visible(field.name))]
    if field.is_numeric:
        colour = "orange" if _is_outside(field, form) else "gray"
        lines.append(f":small[:{colour}[{escape_markdown(_range(field, form))}]]")
    return "  \n".join(lines)


def _is_outside(field: Input, form: FilledForm) -> bool:
    """Whether a number is less than every training value, or more."""
    cell = form.cells[field.name]
    if cell is None or field.low is None or field.high is None:
        return False
    return not field.low <= float(cell) <= field.high


def _range(field: Input, form: FilledForm) -> str:
    """The training range; of a date also what else is worked out from it."""
    if field.low is None or field.high is None:
        return message("always missing in training")
    is_outside = _is_outside(field, form)
    low, high = range_ends(field.low, field.high) if field.scale == NUMBERS else (field.low, field.high)
    if is_outside and low <= float(form.cells[field.name] or 0.0) <= high:  # by less than the rounding
        low, high = field.low, field.high
    fields = {"low": field.scale.text(low), "high": field.scale.text(high)}
    if is_outside:
        return message("Outside the training range {low} to {high}", **fields)
    parts = [
        part for date in form.dates if date.column == field.name for part, name in date.parts if name in form.cells
    ]
    if parts:
        return message("{low} to {high}, gives {parts}", parts=listing(parts), **fields)
    return message("{low} to {high}", **fields)


def _date(position: int, field: Input, form: FilledForm) -> None:
    """A date, with its time of day where the column has such; an empty field is a missing cell."""
    assert isinstance(field.scale, Dates)
    cell, name, since = form.cells[field.name], spoken(visible(field.name)), field.scale.since
    moment = None if cell is None else moment_of(float(cell), since)
    known = [moment_of(days, since) for days in (field.low, field.high) if days is not None]
    years = [date.year for date in (*known, moment) if date is not None] or [datetime.date.today().year]
    least = datetime.datetime(max(min(years) - _YEARS_AROUND, 1), 1, 1)
    most = datetime.datetime(min(max(years) + _YEARS_AROUND, 9999), 12, 31, 23, 59)
    fields: dict[str, Any] = {"label_visibility": "collapsed", "on_change": _cell_changed, "format": "YYYY-MM-DD"}
    if has_times(since):
        key = feed(f"ask.{position}.moment", moment)
        st.datetime_input(name, None, min_value=least, max_value=most, key=key, args=(position, key), **fields)
    else:
        key = feed(f"ask.{position}.date", None if moment is None else moment.date())
        st.date_input(name, None, least.date(), most.date(), key=key, args=(position, key), **fields)


def _number(position: int, field: Input, form: FilledForm) -> None:
    """A number; an empty field is a missing cell."""
    value = form.cells[field.name]
    number = None if value is None else float(value)
    is_whole = field.is_whole and (number is None or (number.is_integer() and abs(number) < _LARGEST_WHOLE))
    kind: dict[str, Any] = {"step": 1} if is_whole else {"step": None, "format": ALL_DIGITS}
    key = feed_typed(f"ask.{position}.{'whole' if is_whole else 'number'}", _as_kind(number, is_whole))
    st.number_input(
        spoken(visible(field.name)),
        value=None,
        placeholder=message("missing"),
        key=key,
        label_visibility="collapsed",
        on_change=_cell_changed,
        args=(position, key),
        **kind,
    )


def _as_kind(number: float | None, is_whole: bool) -> float | int | None:
    return int(number) if is_whole and number is not None else number


def _choice(position: int, field: Input, form: FilledForm) -> None:
    """A category of the table, a missing cell, or a value that the tree never saw."""
    assert field.categories is not None
    names = {str(code): visible(str(name)) for code, name in enumerate(field.categories)}
    names |= {MISSING: message("(missing)"), NEW: message("(unseen value)")}
    key = feed(f"ask.{position}.choice", prediction.text_of(field, form.cells[field.name]))
    st.selectbox(
        spoken(visible(field.name)),
        list(names),
        key=key,
        format_func=lambda text: names[text],
        label_visibility="collapsed",
        on_change=_cell_changed,
        args=(position, key),
    )


def _cell_changed(position: int, key: str) -> None:
    """A control was used: its value goes into the settings."""
    value = st.session_state[key]
    field = prediction.filled_form(session.read()).inputs[position]
    if isinstance(value, datetime.date) and isinstance(field.scale, Dates):
        value = days_to(value, field.scale.since)
    text = value if isinstance(value, str) else prediction.text_of(field, value)
    prediction.take(session.read().predict.with_cells({position: text}))
