"""One row under all members: what each adds to its score, or what each votes for."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.ensembles import stage
from pages.results import ensembles, trees
from pages.settings.settings import Settings
from pages.text import escape_markdown, value_text
from pages.widgets import tables
from pages.widgets.controls import feed
from pages.widgets.ensembles import view
from pages.widgets.row_table import HEIGHT


def show(settings: Settings, made: Ensemble) -> None:
    """The number of the row, its prediction, and its waterfall or votes."""
    row = ensembles.row_rows(settings)
    _number(settings)
    if row is None:
        st.caption(message("Choose a row here or in the picture: its votes or its waterfall stand here."))
        return
    _predicted(settings, made, row)
    view.part(stage.NAME, "row", "en.row_part")
    cells = row.frame.iloc[0]
    frame = cells.astype(str).rename_axis(message("column")).rename(message("value")).reset_index()
    tables.choosable(frame, f"en.cells.{settings.ensembles.row}", None, None, HEIGHT)


def _number(settings: Settings) -> None:
    n_rows = len(trees.source(settings).table.frame)
    number = settings.ensembles.row
    st.number_input(
        message("Row"),
        min_value=1,
        max_value=n_rows,
        step=1,
        value=None,
        placeholder=message("none"),
        key=feed("en.row", None if number is None else min(number + 1, n_rows)),
        on_change=_number_changed,
        help=message("Rows of the table are counted from 1."),
    )


def _number_changed() -> None:
    number = st.session_state["en.row"]
    ensembles.keep(row=None if number is None else int(number) - 1)


def _predicted(settings: Settings, made: Ensemble, row: ex.Dataset) -> None:
    """What the ensemble predicts at the stage shown, and what is true."""
    shown = ensembles.stage_of(settings, made)
    predicted = made.predict(row, shown)[0]
    true = row.frame[row.target.name].iloc[0]
    as_text = float if made.is_regression else str
    st.markdown(
        message(
            "Stage {stage}: predicts **{predicted}**, true value **{true}**.",
            stage=shown,
            predicted=escape_markdown(value_text(as_text(predicted))),
            true=escape_markdown(value_text(as_text(true))),
        )
    )
