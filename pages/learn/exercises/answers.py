"""What a reader has typed into the cells of an exercise, the hints asked for, and how far it is."""

from __future__ import annotations

import streamlit as st

from explorer.explaining.exercises import Cell, Check, check

_TYPED, _HINTS, _SHOWN = "learn.typed", "learn.hints", "learn.shown"
RULE, WORKED = 1, 2
"""The levels of hints: the formula, and the formula with all its numbers."""

Place = tuple[str, str]
"""An exercise and the name of a cell in it."""


def typed(place: Place) -> str:
    """The text in a cell."""
    text: str = st.session_state.get(_TYPED, {}).get(place, "")
    return text


def keep_typed(place: Place, key: str) -> None:
    """Take over what was typed into the widget of this key."""
    st.session_state.setdefault(_TYPED, {})[place] = st.session_state[key]


def verdict(place: Place, cell: Cell) -> Check:
    """The verdict on what is in a cell."""
    return check(cell, typed(place))


def hint_level(place: Place) -> int:
    """How much of a cell's hints was asked for."""
    level: int = st.session_state.get(_HINTS, {}).get(place, 0)
    return level


def ask_hint(place: Place) -> None:
    """Show one level more."""
    st.session_state.setdefault(_HINTS, {})[place] = min(hint_level(place) + 1, WORKED)


def show_cell(place: Place, cell: Cell) -> None:
    """Fill in the right value; it counts as shown, not as found."""
    st.session_state.setdefault(_TYPED, {})[place] = f"{cell.value:g}" if cell.is_count else cell.shown
    st.session_state.setdefault(_SHOWN, set()).add(place)


def was_shown(place: Place) -> bool:
    """Whether the reader had the value shown."""
    return place in st.session_state.get(_SHOWN, set())


def clear(exercise: str) -> None:
    """Empty all cells of an exercise."""
    for kept in (_TYPED, _HINTS):
        entries = st.session_state.get(kept, {})
        for place in [place for place in entries if place[0] == exercise]:
            del entries[place]
    shown = st.session_state.get(_SHOWN, set())
    shown -= {place for place in shown if place[0] == exercise}
