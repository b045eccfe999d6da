"""What a row brings if the class is predicted for it, and if not: four numbers that thresholds and gains share."""

from __future__ import annotations

import streamlit as st

from explorer.evaluation.deciding.gains import Profits
from explorer.messages import message
from pages.results import evaluation
from pages.settings import session
from pages.settings.settings import Settings
from pages.widgets.controls import feed


def of(settings: Settings) -> Profits:
    """Those of a true positive, a false positive, a false negative and a true negative."""
    hit, false_alarm, miss, rest = settings.evaluate.profits
    return hit, false_alarm, miss, rest


def fields(settings: Settings) -> None:
    """A field for each."""
    labels = (message("True positive"), message("False positive"), message("False negative"), message("True negative"))
    st.markdown(message("Profit of a row, negative where it costs"))
    columns = st.columns(4)
    for position, (column, label) in enumerate(zip(columns, labels, strict=True)):
        column.number_input(
            label,
            key=feed(f"decision.profit{position}", settings.evaluate.profits[position]),
            format="%g",
            on_change=_take,
            args=(position,),
        )


def _take(position: int) -> None:
    profits = list(session.read().evaluate.profits)
    profits[position] = float(st.session_state[f"decision.profit{position}"] or 0.0)
    evaluation.keep_changes(profits=tuple(profits))
