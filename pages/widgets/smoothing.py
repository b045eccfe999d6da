"""How class probabilities are smoothed, one choice for all pages; and a leaf's probability as a worked fraction."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.explaining import probability_formula
from explorer.formatting import percent
from explorer.messages import message
from pages.settings import labels, session
from pages.settings.settings import Settings, changed
from pages.widgets import formula
from pages.widgets.controls import feed


_LARGEST_DENOMINATOR = 1000


def choose(settings: Settings, tree: ex.Tree) -> None:
    """The rule, and its m; nothing for a tree that predicts numbers."""
    if tree.is_regression:
        return
    st.selectbox(
        message("Probabilities"),
        list(labels.SMOOTHINGS),
        key=feed("smoothing", settings.smoothing),
        format_func=lambda name: labels.SMOOTHINGS[name],
        on_change=_take,
        args=("smoothing",),
        help=message(
            "Laplace adds one row of every class to a leaf; the m-estimate adds m rows with the class shares of the "
            "root (C5.0 predicts with m = 1). Small leaves then claim less certainty. Predictions stay the same; log "
            "loss, AUC and calibration change."
        ),
    )
    if settings.smoothing == "m_estimate":
        least, most = labels.SMOOTHING_ROWS
        st.number_input(
            message("m, rows added"),
            min_value=least,
            max_value=most,
            step=1.0,
            format="%g",
            key=feed("smoothing_m", settings.smoothing_m),
            on_change=_take,
            args=("smoothing_m",),
        )


def _take(field: str) -> None:
    session.keep(changed(session.read(), **{field: st.session_state[field]}))


def show_fraction(tree: ex.Tree, node: int, code: int, key: str) -> None:
    """The probability of a class at a node as a worked fraction, with its formula behind it."""
    derived = probability_formula(tree, node, code)
    arithmetic = derived.result.quantity.meaning.written(latex=False, unfold=True)
    exact = derived.result.quantity.exact
    is_short = exact is not None and exact.denominator < _LARGEST_DENOMINATOR
    share = str(exact) if is_short else percent(derived.result.value)
    formula.opened(message("p = {arithmetic} = {share}", arithmetic=arithmetic, share=share), lambda: derived, key)
