"""Beginning the form with a row of the table: picked in the table itself, or by its number."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from pages.parts import asked, state
from pages.parts.asked import Asked
from pages.parts.controls import feed
from pages.parts.prediction import POOLS
from pages.parts.state import Settings

_SHOWN_ROWS = 1000
_HEIGHT = 282
"""Pixels for the table of rows."""


def show(settings: Settings, found: Asked) -> None:
    """The rows to pick from, folded away, and the number of one."""
    pools = asked.pools(settings)
    pool = settings.ask.pool if settings.ask.pool in pools else next(iter(pools))
    with st.expander("Begin with a row of the table", icon=":material/table_rows:"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if len(pools) > 1:
                st.segmented_control(
                    "Rows",
                    list(pools),
                    key=feed("ask.pool", pool),
                    format_func=lambda one: POOLS[one],
                    required=True,
                    on_change=_pool_taken,
                )
            _number(found)
        _rows(found, pool, pools[pool])


def _pool_taken() -> None:
    settings = state.read()
    kept = dataclasses.replace(settings.ask, pool=st.session_state["ask.pool"])
    state.keep(state.changed(settings, ask=kept))


def _number(found: Asked) -> None:
    """The number of the row; an empty field for none."""
    st.number_input(
        "Row number",
        min_value=1,
        step=1,
        value=None,
        placeholder="none",
        key=feed("ask.row", None if found.begun is None else found.begun.number),
        on_change=_number_taken,
        help="Rows of the table are counted from 1.",
        width=160,
    )


def _number_taken() -> None:
    number = st.session_state["ask.row"]
    ask = state.read().ask.begun_with(None if number is None else number - 1)
    problems = asked.begun_with(dataclasses.replace(state.read(), ask=ask))[1]
    for problem in problems:
        state.notify("warning", problem)
    if not problems:
        asked.take(ask)


def _rows(found: Asked, pool: str, rows: ex.Dataset) -> None:
    """The first rows with their true answer in front; one is picked by its box."""
    shown = np.arange(min(rows.n_rows, _SHOWN_ROWS))
    numbers = rows.row_numbers[shown]
    here = found.begun is not None and found.begun.pool == pool and found.begun.position < len(shown)
    chosen = [found.begun.position] if here and found.begun is not None else []
    key = f"ask.rows.{pool}.{chosen}"
    st.dataframe(
        _frame(rows, shown),
        key=key,
        height=_HEIGHT,
        hide_index=True,
        placeholder="",
        on_select=lambda: _row_taken(key, numbers.tolist()),
        selection_mode="single-row",
        selection_default={"selection": {"rows": chosen}} if chosen else None,
    )
    if rows.n_rows > len(shown):
        st.caption(f"The first {len(shown):,} of {rows.n_rows:,} rows; any other one by its number.")


def _frame(rows: ex.Dataset, shown: np.ndarray) -> pd.DataFrame:
    """Row numbers, the target, and the features."""
    features = [feature.name for feature in rows.features]
    frame = rows.frame[[rows.target.name, *features]].iloc[shown].reset_index(drop=True)
    name = "row" if "row" not in frame.columns else "row number"
    return pd.concat([pd.Series(rows.row_numbers[shown] + 1, name=name), frame], axis=1)


def _row_taken(key: str, numbers: list[int]) -> None:
    picked = st.session_state[key].selection.rows
    row = numbers[picked[0]] if picked and picked[0] < len(numbers) else None
    asked.take(state.read().ask.begun_with(row))
