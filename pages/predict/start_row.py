"""Beginning the form with a row of the table: selected in the table itself, or by its number."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.explaining.row_form import free_name
from pages.results import prediction
from pages.results.prediction import FilledForm
from pages.settings import session
from pages.settings.labels import ROW_SETS
from pages.settings.settings import Settings, changed
from pages.widgets import tables
from pages.widgets.controls import feed
from pages.widgets.row_table import HEIGHT, SHOWN_ROWS


def show(settings: Settings, form: FilledForm) -> None:
    """The rows to pick from, folded away, and the number of one."""
    pools = prediction.row_sets(settings)
    pool = settings.predict.row_set if settings.predict.row_set in pools else next(iter(pools))
    with st.expander("Begin with a row of the table", icon=":material/table_rows:"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if len(pools) > 1:
                st.segmented_control(
                    "Rows",
                    list(pools),
                    key=feed("ask.pool", pool),
                    format_func=lambda name: ROW_SETS[name],
                    required=True,
                    on_change=_row_set_changed,
                )
            _number(form)
        _rows(form, pool, pools[pool])


def _row_set_changed() -> None:
    settings = session.read()
    predict = dataclasses.replace(settings.predict, row_set=st.session_state["ask.pool"])
    session.keep(changed(settings, predict=predict))


def _number(form: FilledForm) -> None:
    """The number of the row; an empty field for none."""
    st.number_input(
        "Row number",
        min_value=1,
        step=1,
        value=None,
        placeholder="none",
        key=feed("ask.row", None if form.start is None else form.start.number),
        on_change=_number_changed,
        help="Rows of the table are counted from 1.",
        width=160,
    )


def _number_changed() -> None:
    number = st.session_state["ask.row"]
    predict = session.read().predict.with_start_row(None if number is None else number - 1)
    problems = prediction.start_row(dataclasses.replace(session.read(), predict=predict))[1]
    for problem in problems:
        session.notify("warning", problem)
    if not problems:
        prediction.take(predict)


def _rows(form: FilledForm, pool: str, rows: ex.Dataset) -> None:
    """The first rows with their true value in front; one is selected by its box."""
    shown = np.arange(min(rows.n_rows, SHOWN_ROWS))
    start_row = form.start
    chosen = start_row.position if start_row and start_row.row_set == pool and start_row.position < len(shown) else None
    tables.choosable(
        frame_of(rows, shown),
        f"ask.rows.{pool}.{chosen}",
        chosen,
        lambda line: prediction.take(
            session.read().predict.with_start_row(None if line is None else int(rows.row_numbers[line]))
        ),
        HEIGHT,
    )
    if rows.n_rows > len(shown):
        st.caption(f"The first {len(shown):,} of {rows.n_rows:,} rows; any other one by its number.")


def frame_of(rows: ex.Dataset, shown: np.ndarray) -> pd.DataFrame:
    """Row numbers, the target, and the features."""
    features = [feature.name for feature in rows.features]
    frame = rows.frame[[rows.target.name, *features]].iloc[shown].reset_index(drop=True)
    name = free_name("row number", frame.columns) if "row" in frame.columns else "row"
    return pd.concat([pd.Series(rows.row_numbers[shown] + 1, name=name), frame], axis=1)
