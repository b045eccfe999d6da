"""Which features the members use, and which the predictions depend on."""

from __future__ import annotations

import streamlit as st

from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.results import ensembles
from pages.settings.settings import Settings


def show(settings: Settings, made: Ensemble) -> None:
    """Impurity importance, with what it favours, and permutation importance beside it."""
    st.caption(message("Impurity importance favours features with many values."))
