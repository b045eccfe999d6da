"""How the prediction depends on one feature: all rows predicted with each of its values."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures.dependence_figure import dependence_figure
from explorer.explaining.partial_dependence import PartialDependence
from explorer.formatting import shortened, visible
from explorer.messages import message
from pages.results import evaluation
from pages.results.cache import kept
from pages.settings.settings import Settings
from pages.widgets import page_frame

_LONGEST = 40


def show(settings: Settings, tree: ex.Tree) -> None:
    """A feature to choose among those tested, the most important first, and its partial dependence."""
    importances = ex.importance(tree)
    tested = [tree.features[position].name for position in tree.tested_features()]
    if not tested:
        return
    feature = st.selectbox(
        message("Partial dependence on"),
        sorted(tested, key=lambda name: -importances[name]),
        key="dependence.feature",
        format_func=lambda name: shortened(visible(name), _LONGEST),
        help=message(
            "The mean prediction of all rows, each with this feature set to one value and the others as they are. It "
            "changes only at the tree's thresholds, so every step is exact."
        ),
    )
    found = _dependence(evaluation.evaluation_key(settings), feature, tree, evaluation.rows(settings))
    figure = dependence_figure(found, tree.classes, page_frame.colours())
    st.plotly_chart(figure, key="dependence", config=page_frame.STILL)


@kept()
def _dependence(key: str, feature: str, _tree: ex.Tree, _rows: ex.Dataset) -> PartialDependence:
    return ex.partial_dependence(_tree, feature, _rows)
