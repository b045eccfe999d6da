"""The shares of the classes in one answer, as a bar for each class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from explorer.draw.figures import brief
from explorer.draw.palette import Theme, class_colours
from explorer.names import percent

_MOST = 12
"""Bars; of more classes not all are shown."""
_LINE, _LONGEST = 34, 40
"""Pixels for one bar, and characters of a class's name."""


def answer_bars(classes: Sequence[object], shares: ArrayLike, theme: Theme) -> go.Figure:
    """One bar per class with its share [K] behind it, in class order and in the colours of the classes.

    Of many classes the twelve with the largest shares are shown, as far as they have one.
    """
    numbers = np.asarray(shares, dtype=np.float64)
    shown = np.sort(np.argsort(-numbers, kind="stable")[:_MOST])[::-1]
    if numbers.size > _MOST:
        shown = shown[numbers[shown] > 0]
    colours = class_colours(len(classes), theme.name, theme.palette)
    figure = go.Figure(
        go.Bar(
            x=numbers[shown],
            y=list(range(len(shown))),
            orientation="h",
            marker={"color": [colours[k] for k in shown]},
            text=[percent(float(numbers[k])) for k in shown],
            textposition="outside",
            textfont={"color": theme.text, "size": 14},
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    names = [brief(classes[k], _LONGEST) for k in shown]
    figure.update_layout(
        height=_LINE * len(shown) + 12, margin={"l": 0, "r": 70, "t": 4, "b": 4}, showlegend=False, bargap=0.3
    )
    figure.update_xaxes(visible=False, fixedrange=True, range=[0, 1])
    figure.update_yaxes(
        tickvals=list(range(len(shown))),
        ticktext=names,
        automargin=True,
        fixedrange=True,
        showgrid=False,
        ticklabelstandoff=8,
        tickfont={"size": 14, "color": theme.text},
    )
    return figure
