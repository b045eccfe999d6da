"""Whether the target of the reader's own table was guessed, and which columns are likeliest."""

from __future__ import annotations

import streamlit as st

from explorer.data.codes import likely_target
from explorer.data.table import Table
from pages.results import trees
from pages.results.cache import kept
from pages.settings import session
from pages.settings.settings import Settings

_CHOSEN, _N_OFFERED = "target.chosen", 3


def likeliest(settings: Settings) -> tuple[str, ...]:
    """The three columns of the table in use that are the likeliest targets, the likeliest first."""
    return _guessed(settings)[0]


def is_guess(settings: Settings) -> bool:
    """Whether the target is the likeliest column of a file that names none, and nobody chose it."""
    own = session.upload()
    if not settings.upload or own is None or own.table.target_column:
        return False
    is_chosen = st.session_state.get(_CHOSEN) == own.fingerprint
    return not is_chosen and trees.source(settings).target == likeliest(settings)[0]


def is_told(settings: Settings) -> bool:
    """Whether the table tells its target so clearly that the reader need not be asked."""
    return _guessed(settings)[1]


def take_as_chosen() -> None:
    """The reader says what the target of the file in use is."""
    own = session.upload()
    st.session_state[_CHOSEN] = own.fingerprint if own else ""


def _guessed(settings: Settings) -> tuple[tuple[str, ...], bool]:
    source = trees.source(settings)
    return _likeliest(source.key, settings.weight, source.table)


@kept()
def _likeliest(key: str, weight: str, _table: Table) -> tuple[tuple[str, ...], bool]:
    given = _table.frame, (weight,), _table.described
    return tuple(likely_target.likely_targets(*given)[:_N_OFFERED]), likely_target.is_told(*given)
