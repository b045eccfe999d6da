"""The row that the form starts from: typical values, or a row of the table by its number or selected in a list."""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.results import prediction
from pages.results.prediction import FilledForm
from pages.settings import session
from pages.settings.labels import ROW_SETS
from pages.settings.page_settings import PredictSettings
from pages.settings.settings import Settings
from pages.widgets import page_frame, row_table
from pages.widgets.controls import feed
from pages.widgets.row_table import SHOWN_ROWS

_PLACE = "predict.row"


def show(settings: Settings, form: FilledForm) -> None:
    """The number of the row, and the rows to choose from."""
    for notice in session.take_notices(_PLACE):
        page_frame.show_notice(notice.level, notice.text)
    with st.container(key="start_row"):
        _number(form)
        rows = st.popover(message("Choose a row"), key="ask.choose", on_change="rerun")
        if rows.open:
            with rows:
                _choose(settings, form)


def _number(form: FilledForm) -> None:
    """The number of the row; an empty field for typical values."""
    st.number_input(
        message("Start from row"),
        min_value=1,
        step=1,
        value=None,
        placeholder=message("typical"),
        key=feed("ask.row", None if form.start is None else form.start.number),
        on_change=_number_changed,
        help=message("Rows of the table are counted from 1. Leave it empty to start from typical values."),
    )


def _number_changed() -> None:
    number = st.session_state["ask.row"]
    predict = session.read().predict.with_start_row(None if number is None else number - 1)
    problems = prediction.start_row(dataclasses.replace(session.read(), predict=predict))[1]
    for problem in problems:
        session.notify("warning", problem, _PLACE)
    if not problems:
        prediction.take(predict)


def _choose(settings: Settings, form: FilledForm) -> None:
    """Which rows, and the list of them."""
    pools = prediction.row_sets(settings)
    pool = settings.predict.row_set if settings.predict.row_set in pools else next(iter(pools))
    if len(pools) > 1:
        st.segmented_control(
            message("Rows"),
            list(pools),
            key=feed("ask.pool", pool),
            format_func=lambda name: ROW_SETS[name],
            required=True,
            on_change=_row_set_changed,
            label_visibility="collapsed",
        )
    _rows(form, pools[pool], f"ask.rows.{pool}")


def _row_set_changed() -> None:
    session.keep_part("predict", row_set=st.session_state["ask.pool"])


def _rows(form: FilledForm, rows: ex.Dataset, key: str) -> None:
    """The first rows with their true value in front."""
    shown = np.arange(min(rows.n_rows, SHOWN_ROWS))
    frame = row_table.frame_of(rows, shown, {message("true value"): rows.frame[rows.target.name].to_numpy()[shown]})
    number = None if form.start is None else form.start.number - 1
    row_table.choose(
        frame, f"{key}.{number}", number, lambda row: prediction.take(session.read().predict.with_start_row(row)), {}
    )
    if rows.n_rows > len(shown):
        st.caption(
            message(
                "The first {shown:,} of {n:,} rows. Type the number of any other row.", shown=len(shown), n=rows.n_rows
            )
        )


def show_resets(settings: Settings, form: FilledForm) -> None:
    """Buttons that undo what was filled in, and let the row of the table go."""
    with st.container(key="do_reset"):
        _resets(settings.predict, form)


def _resets(predict: PredictSettings, form: FilledForm) -> None:
    if form.start is not None and predict.cells:
        st.button(
            message("Undo changes"),
            key="ask.undo",
            on_click=prediction.take,
            args=(dataclasses.replace(predict, cells=()),),
            help=message("Back to row {n:,} of the table.", n=form.start.number),
        )
    st.button(
        message("Reset to typical"),
        key="ask.usual",
        on_click=prediction.take,
        args=(predict.with_start_row(None),),
        disabled=form.start is None and not predict.cells,
        help=message("The median of each number and the most frequent category."),
    )
