"""From which probability on a class is predicted: a threshold by a score, by profit or by a share of the rows."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import explorer as ex
from explorer.formatting import number as short_number
from explorer.formatting import percent
from explorer.messages import listing, message, paragraph
from explorer.tree.leaf_mixture import Decision
from pages.evaluate import cutoffs, profits
from pages.results import evaluation
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import typeset
from pages.widgets.controls import feed, lasting

_SHARE = "decision.share"
_TWO = 2


def show(settings: Settings, tree: ex.Tree, code: int, curves: ex.ClassCurves, chosen: int) -> None:
    """Of two classes: ways to find a threshold, and whether the tree predicts by it; of more: their cutoffs."""
    if len(tree.classes) > _TWO:
        cutoffs.show(settings, tree, code)
        return
    profit = curves.profit(*settings.evaluate.profits)
    best = {name: curves.best(values) for name, values in _values(curves).items()} | {"most": curves.best(profit)}
    with st.container(horizontal=True, gap="small"):
        for name, label in _labels().items():
            st.button(
                label, key=f"decision.{name}", disabled=best[name] == chosen, on_click=_take_best, args=(best[name],)
            )
    _apply(settings, code, curves, chosen)
    key = lasting("decision.find", False)
    with st.expander(message("By profit, or by the share of rows"), key=key, on_change="rerun") as opened:
        if opened.open:
            profits.fields(settings)
            st.caption(_profit_text(curves, profit.tolist(), best["most"], chosen))
            _by_share(code)
            _say_share(curves, chosen)


def why(settings: Settings, tree: ex.Tree) -> str:
    """By which measures the threshold in force is best on these rows, and that accuracy is not what it aims at."""
    decision = tree.decision
    if decision is None:
        return ""
    if not isinstance(decision, Decision) or evaluation.chosen(settings) not in ("valid", "train"):
        return paragraph([decision.sentence, message("That is not chosen for accuracy, which it may lower.")])
    curves = evaluation.class_curves(settings, tree.classes.index(decision.name))
    aims = _aims(settings, curves, decision.threshold)
    if "accuracy" in aims:
        return decision.sentence
    if not aims:
        more = message("No measure is best there on these rows: it is chosen by hand, or by the share of the rows.")
    else:
        more = message("On these rows that is the threshold of {aims}.", aims=listing(list(aims.values())))
    return paragraph([decision.sentence, more, message("Accuracy is not its aim, and it may lower it.")])


def _aims(settings: Settings, curves: ex.ClassCurves, threshold: float) -> dict[str, str]:
    """The measures for which this threshold is the best, in words."""
    profit = curves.profit(*settings.evaluate.profits)
    best = {name: curves.best(values) for name, values in {**_values(curves), "most": profit}.items()}
    words = {
        "accuracy": message("the best accuracy"),
        "f1": message("the best F1"),
        "gaps": message("the best KS"),
        "most": message("the most profit ({profit} a row)", profit=_amount(profit[best["most"]])),
    }
    return {name: words[name] for name, at in best.items() if math.isclose(curves.thresholds[at], threshold)}


def _labels() -> dict[str, str]:
    """What a threshold can be best for."""
    return {
        "accuracy": message("Best accuracy"),
        "f1": message("Best F1"),
        "gaps": message("Best KS"),
        "most": message("Most profit"),
    }


def _values(curves: ex.ClassCurves) -> dict[str, NDArray[np.float64]]:
    return {"accuracy": curves.accuracy, "f1": curves.f1, "gaps": curves.gaps}


def _take_best(position: int) -> None:
    evaluation.keep_changes(threshold=position)


def _by_share(code: int) -> None:
    """The threshold that so many of the rows reach."""
    st.number_input(
        message("Threshold that the top … % reach"),
        min_value=0.1,
        max_value=100.0,
        value=None,
        step=5.0,
        format="%g",
        key=lasting(_SHARE),
        on_change=_take_share,
        args=(code,),
        help=message("The highest threshold that at least this share of the rows reaches: whom to call first."),
    )


def _take_share(code: int) -> None:
    share = st.session_state[_SHARE]
    if share is not None:
        curves = evaluation.class_curves(session.read(), code)
        evaluation.keep_changes(threshold=curves.reaching(share / 100))


def _say_share(curves: ex.ClassCurves, chosen: int) -> None:
    """How many rows the threshold of the share in force takes, and the next fewer."""
    share = st.session_state[_SHARE]
    if share is None or curves.reaching(share / 100) != chosen:
        return
    takes, fewer = float(curves.depth[chosen]), float(curves.depth[chosen - 1])
    if cutoffs.say_share(share, takes) and fewer > 0:
        st.button(
            message("Take {share}", share=percent(fewer)),
            key="decision.fewer",
            on_click=_take_best,
            args=(chosen - 1,),
        )


def _profit_text(curves: ex.ClassCurves, profit: list[float], best: int, chosen: int) -> str:
    """What the best threshold brings a row on average, and the chosen one, and the class for no row and for all."""
    most = _amount(profit[best])
    if best:
        at = percent(float(curves.thresholds[best]))
        text = message("Most at ≥ {at}: {most} a row.", at=at, most=most)
    else:
        text = message("Most if no row is predicted it: {most} a row.", most=most)
    if chosen and chosen != best and math.isfinite(profit[chosen]):
        text += " " + message("At the chosen threshold: {profit}.", profit=_amount(profit[chosen]))
    none, every = _amount(profit[0]), _amount(profit[-1])
    return f"{text} {message('Predicted for no row: {none}; for all: {all}.', none=none, all=every)}"


def _amount(profit: float) -> str:
    return typeset(short_number(float(profit), 4))


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
