"""How well the tree ranks rows by their share of a class: ROC, precision and recall, lift."""

from __future__ import annotations

import math

import plotly.graph_objects as go
import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.drawing.palette import Theme
from explorer.formatting import number as short_number
from explorer.formatting import percent, shortened, visible
from pages.results import evaluation, trees
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame
from pages.widgets.controls import feed

_LONGEST = 40
HALF, _THIRD = 590, 365
"""Pixels for each of two, and of three figures beside each other."""


def colours(settings: Settings) -> Theme:
    """The colours of the reader's theme and palette."""
    return page_frame.colours()


def beside(charts: dict[str, tuple[go.Figure, str]]) -> None:
    """Figures beside each other, as many as there is room for: key → figure and what stands above it."""
    with st.container(horizontal=True, gap="medium"):
        for key, (figure, title) in charts.items():
            with st.container(width=_THIRD):
                st.markdown(f"**{title}**")
                st.plotly_chart(figure, key=key, config=page_frame.STILL)


def choose_class(settings: Settings, result: ex.Evaluation, tree: ex.Tree) -> int | None:
    """The class that is drawn, of those whose AUC is defined; None if there is no such class."""
    codes = [code for code, score in enumerate(result.classes[: len(tree.classes)]) if not math.isnan(score.area)]
    if not codes:
        return None
    code = settings.evaluate.of_class if settings.evaluate.of_class in codes else codes[-1]
    st.selectbox(
        "Class",
        codes,
        key=feed("ranking.class", code),
        format_func=lambda code: shortened(visible(str(tree.classes[code])), _LONGEST),
        on_change=lambda: evaluation.keep_changes(of_class=st.session_state["ranking.class"]),
        help="The class that is to be told from all others.",
        width=300,
    )
    return code


def show_curves(settings: Settings, tree: ex.Tree, code: int) -> None:
    """ROC, precision and recall, and lift of one class."""
    curves, look = evaluation.class_curves(settings, code), colours(settings)
    own = look.of_class_alone(code)
    area, average = short_number(curves.area, 3), short_number(curves.average_precision, 3)
    beside(
        {
            "roc": (score_figures.roc_figure(curves, own, look), f"ROC: area {area}"),
            "precision": (
                score_figures.precision_figure(curves, own, look),
                f"Precision and recall: average {average}",
            ),
            "lift": (score_figures.lift_figure(curves, own, look), "Lift"),
        }
    )
    name = escape_markdown(shortened(visible(str(tree.classes[code])), _LONGEST))
    st.caption(
        f"Every point is a cut: {name} is answered to all rows whose leaf gives it at least some share. "
        f"{percent(curves.share)} of these rows are {name}."
    )


def can_rank(settings: Settings) -> bool:
    """Whether one tree predicts all the rows in force; if not, the page says what to do."""
    if evaluation.chosen(settings) != "held_out":
        return True
    st.markdown(
        "ROC, lift and calibration need rows that are all answered by one tree, and held-out rows are answered by "
        "many. Choose “Training rows” above"
        + (", or split off validation rows on the Data page." if trees.parts(settings).valid is None else ".")
    )
    return False
