"""Whether the target of the reader's own table was guessed, and which columns are likeliest."""

from __future__ import annotations

import streamlit as st

from explorer.data.codes import likely_target
from explorer.data.table import Table
from pages.results import trees
from pages.results.cache import kept
from pages.settings import session
from pages.settings.settings import Settings

_CHOSEN, _KEPT, _N_OFFERED = "target.chosen", "target.kept", 3


def likeliest(settings: Settings) -> tuple[str, ...]:
    """The three columns that are the likeliest targets, the one in use first if it is a guess kept after a repair."""
    names, kept_name = _guessed(settings)[0], _kept_name()
    if kept_name and trees.source(settings).target == kept_name != names[0]:
        names = (kept_name, *(name for name in names if name != kept_name))
    return names[:_N_OFFERED]


def is_guess(settings: Settings) -> bool:
    """Whether the target is the likeliest column of a file that names none, now or before a repair, and not chosen."""
    own = session.upload()
    if not settings.upload or own is None or own.table.target_column:
        return False
    is_chosen = st.session_state.get(_CHOSEN) == own.fingerprint
    return not is_chosen and trees.source(settings).target == likeliest(settings)[0]


def keep(name: str) -> None:
    """A guess stays the target of the file in use, also where another column has become likelier."""
    own = session.upload()
    st.session_state[_KEPT] = (own.fingerprint, name) if own else ("", "")


def _kept_name() -> str:
    own, (fingerprint, name) = session.upload(), st.session_state.get(_KEPT, ("", ""))
    return str(name) if own is not None and own.fingerprint == fingerprint else ""


def is_told(settings: Settings) -> bool:
    """Whether the table tells its target so clearly that the reader need not be asked."""
    names, is_clear = _guessed(settings)
    return is_clear and likeliest(settings)[0] == names[0]


def speaks_for(settings: Settings) -> str:
    """The column that is the likeliest target of the table as it is."""
    return _guessed(settings)[0][0]


def take_as_chosen() -> None:
    """The reader says what the target of the file in use is."""
    own = session.upload()
    st.session_state[_CHOSEN] = own.fingerprint if own else ""


def _guessed(settings: Settings) -> tuple[tuple[str, ...], bool]:
    source = trees.source(settings)
    return _likeliest(source.key, settings.weight, source.table)


@kept()
def _likeliest(key: str, weight: str, _table: Table) -> tuple[tuple[str, ...], bool]:
    of_dates = [name for date in _table.dates for name in (date.column, *_table.made_of(date.column))]
    if set(_table.frame.columns).issubset((weight, *of_dates)):
        of_dates = []
    given = _table.frame, (weight, *of_dates), _table.described, _table.name
    return tuple(likely_target.likely_targets(*given)), likely_target.is_told(*given)
