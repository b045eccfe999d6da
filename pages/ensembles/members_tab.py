"""The rounds with their formulas, and the members as a table; a member chosen opens on the stage."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture.of_ensemble import root_text
from explorer.ensembles.picture.round_formulas import round_formula
from explorer.messages import message, plural
from pages.ensembles import stage
from pages.results import ensembles
from pages.settings.settings import Settings
from pages.widgets import formula, tables
from pages.widgets.ensembles import view

_HEIGHT, _MOST = 560, 2_000
"""Pixels of the table, and its lines at most."""


def show_round(settings: Settings, made: Ensemble) -> None:
    """The table follows the slider; the formula is that of the round where the slider came to rest."""
    shown = ensembles.stage_of(settings, made)
    if shown == 0:
        st.caption(message("Stage 0 has no tree: every row gets the same answer."))
    else:
        st.markdown(message("**Round {n}**", n=shown))
        formula.show(round_formula(made, shown, ensembles.row_rows(settings)), f"round.{made.method}")
    view.part(stage.NAME, "facts", "en.facts")


def show(settings: Settings, made: Ensemble) -> None:
    """One line for each member, in the order of the rounds."""
    table(made, "en.members_table", _open)
    st.caption(message("Choose a member to open its tree with its rows, its weights and its candidates."))


def table(made: Ensemble, key: str, on_line: Callable[[int | None], None]) -> None:
    """The members; `on_line` takes the position of one that is chosen."""
    if not made.members:
        st.caption(message("There is no member."))
        return
    tables.choosable(_frame(made), key, None, on_line, _HEIGHT)
    if len(made.members) > _MOST:
        st.caption(plural(_MOST, "The first {n:,} member is listed.", "The first {n:,} members are listed."))


def _frame(made: Ensemble) -> pd.DataFrame:
    lines = []
    for number, member in enumerate(made.members[:_MOST], 1):
        line: dict[str, object] = {
            message("member"): number,
            message("first split"): root_text(member.tree),
            message("leaves"): member.tree.n_leaves,
            message("depth"): member.tree.max_depth,
            message("vote"): member.vote,
        }
        if member.stage != number:
            line[message("round")] = member.stage
        if member.of_class is not None:
            line[message("class")] = str(made.classes[member.of_class])
        lines.append(line)
    return pd.DataFrame(lines)


def _open(line: int | None) -> None:
    if line is not None:
        ensembles.keep(member=line, node=0)
