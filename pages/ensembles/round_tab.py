"""The rounds as a table, and how the numbers of a round come about."""

from __future__ import annotations

import streamlit as st

from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture.round_formulas import round_formula
from explorer.messages import message
from pages.ensembles import stage
from pages.results import ensembles
from pages.settings.settings import Settings
from pages.widgets import formula
from pages.widgets.ensembles import view


def show(settings: Settings, made: Ensemble) -> None:
    """The table follows the slider; the formula is that of the round where the slider came to rest."""
    shown = ensembles.stage_of(settings, made)
    if shown == 0:
        st.caption(message("Stage 0 has no tree: every row gets the same answer."))
    else:
        st.markdown(message("**Round {n}**", n=shown))
        formula.show(round_formula(made, shown, ensembles.row_rows(settings)), f"round.{made.method}")
    view.part(stage.NAME, "facts", "en.facts")
