"""How well the predicted probability of a class ranks rows: ROC, precision–recall and lift, and one threshold."""

from __future__ import annotations

import math

import plotly.graph_objects as go
import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.formatting import figure as three_decimals
from explorer.formatting import percent, shortened, visible
from explorer.messages import message
from pages.evaluate import decision
from pages.results import evaluation
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame
from pages.widgets.controls import feed

_LONGEST = 40
_LOW = 250
"""Pixels for the height of a figure, so that two stand in the inspector at once."""


def low(figure: go.Figure) -> go.Figure:
    """The figure as high as the inspector has room for."""
    return figure.update_layout(height=_LOW)


def drawn_class(settings: Settings, result: ex.Evaluation, tree: ex.Tree) -> int | None:
    """The class that is drawn, of those whose AUC is defined; None if there is no such class."""
    codes = _codes(result, tree)
    if settings.evaluate.of_class in codes:
        return settings.evaluate.of_class
    return codes[-1] if codes else None


def _codes(result: ex.Evaluation, tree: ex.Tree) -> list[int]:
    return [code for code, score in enumerate(result.classes[: len(tree.classes)]) if not math.isnan(score.area)]


def choose_class(settings: Settings, result: ex.Evaluation, tree: ex.Tree) -> int | None:
    """The class that is drawn, to choose."""
    code = drawn_class(settings, result, tree)
    if code is None:
        return None
    st.selectbox(
        message("Class"),
        _codes(result, tree),
        key=feed("ranking.class", code),
        format_func=lambda code: shortened(visible(str(tree.classes[code])), _LONGEST),
        on_change=lambda: evaluation.keep_changes(of_class=st.session_state["ranking.class"], threshold=0),
        help=message("The class against all others."),
    )
    return code


def show(settings: Settings, tree: ex.Tree, code: int) -> None:
    """The three curves, with the chosen threshold on each."""
    curves, colours = evaluation.class_curves(settings, code), page_frame.colours()
    own, chosen = colours.of_class_alone(code), _position(settings, curves)
    _choose_threshold(curves, chosen)
    _threshold_line(tree, code, curves, chosen)
    decision.show(settings, tree, code, curves, chosen)
    roc, precision, lift = (
        draw(curves, own, colours)
        for draw in (score_figures.roc_figure, score_figures.precision_figure, score_figures.lift_figure)
    )
    if chosen:
        _ring(roc, curves.false_alarms[chosen], curves.recall[chosen], colours.text)
        _ring(precision, curves.recall[chosen], curves.precision[chosen], colours.text)
        _ring(lift, curves.depth[chosen], curves.lift[chosen], colours.text)
    area, average = three_decimals(curves.area), three_decimals(curves.average_precision)
    _picture("roc", message("**ROC**: AUC {area}", area=area), roc, chosen)
    coefficient, distance = three_decimals(curves.gini), three_decimals(curves.ks)
    st.caption(
        message(
            "Gini coefficient {gini} (2·AUC − 1). KS {ks}: the largest distance between recall and false positive "
            "rate.",
            gini=coefficient,
            ks=distance,
        )
    )
    _picture(
        "precision", message("**Precision–recall**: average precision {average}", average=average), precision, chosen
    )
    _picture("lift", message("**Lift**: precision, divided by the share of the class"), lift, chosen)


def threshold(settings: Settings, curves: ex.ClassCurves) -> float:
    """The threshold that is chosen; infinite, which no row reaches, where none is."""
    return float(curves.thresholds[_position(settings, curves)])


def _position(settings: Settings, curves: ex.ClassCurves) -> int:
    """The position of the chosen threshold; none where an address names one that these curves do not have."""
    return settings.evaluate.threshold if settings.evaluate.threshold < len(curves.thresholds) else 0


def _choose_threshold(curves: ex.ClassCurves, chosen: int) -> None:
    """A slider over all thresholds."""
    st.select_slider(
        message("Threshold of the predicted probability"),
        range(len(curves.thresholds)),
        key=feed("ranking.threshold", chosen),
        format_func=lambda position: (
            f"≥ {percent(float(curves.thresholds[position]))}" if position else message("none")
        ),
        on_change=lambda: evaluation.keep_changes(threshold=st.session_state["ranking.threshold"]),
        help=message("Predict the class for all rows with at least this predicted probability."),
    )


def _threshold_line(tree: ex.Tree, code: int, curves: ex.ClassCurves, chosen: int) -> None:
    """What the chosen threshold means, in words."""
    name = escape_markdown(shortened(visible(str(tree.classes[code])), _LONGEST))
    if not chosen:
        share = percent(curves.share)
        st.caption(
            message(
                "{share} of these rows have class {name}. Choose a threshold, or a point of a curve, to see its leaves "
                "on the tree.",
                share=share,
                name=name,
            )
        )
        return
    st.caption(
        message(
            "Class {name} is predicted for {depth} of the rows: recall {recall}, false positive rate {alarms}, "
            "precision {precision}, accuracy {accuracy}. The nodes where they end are ringed on the tree.",
            name=name,
            depth=percent(float(curves.depth[chosen])),
            recall=percent(float(curves.recall[chosen])),
            alarms=percent(float(curves.false_alarms[chosen])),
            precision=percent(float(curves.precision[chosen])),
            accuracy=percent(float(curves.accuracy[chosen])),
        )
    )


def _ring(figure: go.Figure, x: float, y: float, colour: str) -> None:
    """The chosen threshold on a curve."""
    marker = {"size": 13, "symbol": "circle-open", "color": colour, "line": {"width": 3}}
    figure.add_scatter(x=[x], y=[y], mode="markers", marker=marker, hoverinfo="skip", showlegend=False)


def _picture(name: str, title: str, figure: go.Figure, chosen: int) -> None:
    """A curve whose points choose a threshold; its key has the choice in it, so that a new choice begins anew."""
    key = f"{name}.{chosen}"
    st.markdown(title)
    st.plotly_chart(
        low(figure),
        key=key,
        config=page_frame.STILL,
        on_select=lambda: _point_selected(key),
        selection_mode="points",
    )


def _point_selected(key: str) -> None:
    """A point of a curve was selected."""
    points = st.session_state[key].selection.points
    if points and points[0]["curve_number"] == 0:
        evaluation.keep_changes(threshold=int(points[0]["point_index"]))
