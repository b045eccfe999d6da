"""Partial dependence as steps over a number, or as dots over values, one line a class."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from explorer.drawing.figures.data_figures import brief, with_axes
from explorer.drawing.palette import Theme
from explorer.explaining.partial_dependence import PartialDependence
from explorer.formatting import value_text
from explorer.messages import message
from explorer.values import Value

_HEIGHT, _LONGEST, _MOST_CLASSES = 250, 16, 8
_BESIDE = 0.12
"""How far steps go on beyond the outer cuts, as a share of the distance between these."""


def dependence_figure(found: PartialDependence, classes: tuple[Value, ...], theme: Theme) -> go.Figure:
    """The mean prediction at each step; of two classes the second, as the other is what is left."""
    figure = go.Figure()
    shown = [1] if len(classes) == 2 else list(range(max(len(classes), 1)))[:_MOST_CLASSES]
    for column in shown:
        name = brief(value_text(classes[column]), _LONGEST) if classes else ""
        line = {"color": theme.classes[column % len(theme.classes)], "width": 2}
        means = found.means[:, column].tolist()
        if len(found.cuts):
            ends = _ends(found)
            figure.add_scatter(x=ends, y=[*means, means[-1]], name=name, mode="lines", line={**line, "shape": "hv"})
        else:
            values = [brief(value_text(value), _LONGEST) for value in found.values] or [message("any value")]
            dots = {"color": line["color"], "size": 9}
            figure.add_scatter(x=list(range(len(values))), y=means, name=name, mode="markers", marker=dots)
            figure.update_xaxes(tickvals=list(range(len(values))), ticktext=values)
    y_title = message("mean prediction")
    if len(classes) == 2:
        y_title = message("mean probability of {label}", label=brief(value_text(classes[1]), _LONGEST))
    elif classes:
        y_title = message("mean probability")
    with_axes(figure, brief(found.feature, 40), y_title, _HEIGHT)
    figure.update_layout(showlegend=len(shown) > 1)
    figure.update_yaxes(title_standoff=16)
    if classes:
        figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    return figure


def _ends(found: PartialDependence) -> list[float]:
    """Where the first step begins, the cuts, and where the last step ends."""
    cuts = found.cuts
    beside = _BESIDE * (float(np.ptp(cuts)) or abs(float(cuts[0])) or 1.0)
    return [float(cuts[0]) - beside, *cuts.tolist(), float(cuts[-1]) + beside]
