"""From which probability on a class is predicted: a threshold by a score, by profit or by a share of the rows."""

from __future__ import annotations

import math

import streamlit as st

import explorer as ex
from explorer.formatting import number as short_number
from explorer.formatting import percent
from explorer.messages import message
from pages.evaluate import cutoffs, profits
from pages.results import evaluation
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.widgets.controls import feed

_SHARE = "decision.share"


def show(settings: Settings, tree: ex.Tree, code: int, curves: ex.ClassCurves, chosen: int) -> None:
    """Whether the tree predicts by the chosen threshold, and ways to find another."""
    if len(tree.classes) == 2:
        _apply(settings, code, curves, chosen)
    else:
        cutoffs.show(tree, code)
    with st.expander(message("Find a threshold"), key="decision.find", on_change="rerun") as opened:
        if opened.open:
            with st.container(horizontal=True, gap="small"):
                for name, label in _labels().items():
                    st.button(label, key=f"decision.{name}", on_click=_take_best, args=(name, code))
            _by_share(code)
            _by_profit(settings, code, curves, chosen)


def _labels() -> dict[str, str]:
    """What a threshold can be best for."""
    return {"accuracy": message("Best accuracy"), "f1": message("Best F1"), "gaps": message("Best KS")}


def _take_best(name: str, code: int) -> None:
    """The threshold with the best score on the rows in force."""
    curves = evaluation.class_curves(session.read(), code)
    evaluation.keep_changes(threshold=curves.best(getattr(curves, name)))


def _by_share(code: int) -> None:
    """The threshold that so many of the rows reach."""
    st.number_input(
        message("Threshold that the top … % reach"),
        min_value=0.1,
        max_value=100.0,
        value=None,
        step=5.0,
        format="%g",
        key=_SHARE,
        on_change=_take_share,
        args=(code,),
        help=message("The highest threshold that at least this share of the rows reaches: whom to call first."),
    )


def _take_share(code: int) -> None:
    share = st.session_state[_SHARE]
    if share is not None:
        curves = evaluation.class_curves(session.read(), code)
        evaluation.keep_changes(threshold=curves.reaching(share / 100))


def _by_profit(settings: Settings, code: int, curves: ex.ClassCurves, chosen: int) -> None:
    """What rows bring, what the chosen threshold brings, and a button for the one that brings most."""
    profits.fields(settings)
    profit = curves.profit(*settings.evaluate.profits)
    best = curves.best(profit)
    st.caption(_profit_text(curves, profit.tolist(), best, chosen))
    st.button(
        message("Take the best threshold"),
        key="decision.most",
        disabled=best == chosen,
        on_click=lambda: evaluation.keep_changes(threshold=best),
    )


def _profit_text(curves: ex.ClassCurves, profit: list[float], best: int, chosen: int) -> str:
    """What the best threshold brings a row on average, and the chosen one."""
    most = short_number(profit[best], 4)
    if best:
        at = percent(float(curves.thresholds[best]))
        text = message("Most at ≥ {at}: {most} a row.", at=at, most=most)
    else:
        text = message("Most if no row is predicted it: {most} a row.", most=most)
    if chosen and chosen != best and math.isfinite(profit[chosen]):
        text += " " + message("At the chosen threshold: {profit}.", profit=short_number(profit[chosen], 4))
    return text


def _apply(settings: Settings, code: int, curves: ex.ClassCurves, chosen: int) -> None:
    """Whether the chosen threshold decides everywhere."""
    wanted = (code, float(curves.thresholds[chosen])) if chosen else ()
    is_on = bool(settings.decide)
    st.toggle(
        message("Predict by this threshold"),
        key=feed("decision.on", is_on),
        disabled=not (is_on or (chosen and curves.thresholds[chosen] > 0)),
        on_change=lambda: _take(wanted),
        help=message("Matrix, rules, predictions, exports and the report then follow it. The tree itself stays."),
    )
    if is_on and chosen and settings.decide != wanted and curves.thresholds[chosen] > 0:
        st.button(
            message("Predict from {at} on", at=percent(float(curves.thresholds[chosen]))),
            key="decision.move",
            on_click=lambda: session.keep(changed(session.read(), decide=wanted)),
        )


def _take(wanted: tuple[int, float] | tuple[()]) -> None:
    session.keep(changed(session.read(), decide=wanted if st.session_state["decision.on"] else ()))
