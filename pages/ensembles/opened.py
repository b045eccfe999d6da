"""An ensemble that another program fitted, opened from a file: its members on the same page, without rows."""

from __future__ import annotations

import streamlit as st

from explorer.ensembles.members import Ensemble


def current() -> Ensemble | None:
    """The ensemble that is open in this session."""
    return None


def offer() -> None:
    """How an ensemble gets out of another program, and where its file is given."""


def show(settings: object) -> None:
    """The open ensemble."""
    st.stop()
