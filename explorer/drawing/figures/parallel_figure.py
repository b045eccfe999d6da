"""Rows as lines over parallel axes, one below the other: those of a node in colour, all others pale behind them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from explorer.drawing.figures.data_figures import brief, with_axes
from explorer.drawing.figures.row_figures import has_legend
from explorer.drawing.palette import Theme, class_colours, mean_ends
from explorer.explaining.parallel_axes import ParallelAxis
from explorer.messages import message

_LONGEST, _LONGEST_END, _LONGEST_CLASS = 28, 12, 32
_HEIGHT, _AXIS = 60, 62
"""Pixels around the axes, and for each."""


def parallel_figure(
    axes: Sequence[ParallelAxis],
    truth: NDArray[np.float64],
    is_in_node: NDArray[np.bool_],
    numbers: NDArray[np.intp],
    classes: Sequence[object],
    theme: Theme,
) -> go.Figure:
    """Rows [n] with their class codes or numbers; points of those of the node can be selected, by their `numbers`."""
    figure, places = go.Figure(), np.stack([axis.places for axis in axes])
    _add(figure, places[:, ~is_in_node], message("other rows"), theme.line)
    if classes:
        colours = class_colours(len(classes), theme.name, theme.palette)
        for k in np.unique(truth[is_in_node & (truth >= 0)]).astype(int):
            chosen = np.flatnonzero(is_in_node & (truth == k))
            marker = {"color": colours[k], "size": 5}
            _add_rows(figure, axes, chosen, numbers, brief(classes[k], _LONGEST_CLASS), colours[k], marker)
    else:
        chosen, ends = np.flatnonzero(is_in_node), mean_ends(theme.name, theme.palette)
        marker = {
            "color": np.repeat(truth[chosen], len(axes) + 1),
            "colorscale": [(0.0, ends[0]), (1.0, ends[1])],
            "cmin": float(truth.min()),
            "cmax": float(truth.max()),
            "size": 6,
            "colorbar": {"thickness": 10, "outlinewidth": 0},
        }
        _add_rows(figure, axes, chosen, numbers, message("rows"), ends[1], marker)
    _draw_axes(figure, axes, theme)
    figure.update_layout(dragmode="select", showlegend=has_legend(classes))
    return figure


def _add(figure: go.Figure, places: NDArray[np.float64], name: str, colour: str, **more: object) -> None:
    """A line for every row [k, n], all in one trace: a gap ends each."""
    k, n = places.shape
    x = np.concatenate([places, np.full((1, n), np.nan)]).T.ravel()
    y = np.tile([*range(k), np.nan], n)
    look = {"mode": "lines", "hoverinfo": "skip", "opacity": 0.5, **more}
    figure.add_scatter(x=x, y=y, name=name, line={"color": colour, "width": 0.7}, **look)


def _add_rows(
    figure: go.Figure,
    axes: Sequence[ParallelAxis],
    chosen: NDArray[np.intp],
    numbers: NDArray[np.intp],
    name: str,
    colour: str,
    marker: dict[str, object],
) -> None:
    """Rows of the node, whose points have the row's number and, in the tooltip, its value."""
    named = [(brief(axis.name, _LONGEST), axis.texts) for axis in axes]
    texts = [text for row in chosen for text in (*(f"{each}: {brief(words[row])}" for each, words in named), "")]
    places = np.stack([axis.places[chosen] for axis in axes])
    _add(
        figure,
        places,
        name,
        colour,
        mode="lines+markers",
        marker=marker,
        customdata=np.repeat(numbers[chosen], len(axes) + 1).tolist(),
        text=texts,
        hoverinfo="text",
        opacity=0.7,
    )


def _draw_axes(figure: go.Figure, axes: Sequence[ParallelAxis], theme: Theme) -> None:
    """A line for each column, above it its name and both ends."""
    with_axes(figure, "", "", _HEIGHT + _AXIS * len(axes))
    look = {"bgcolor": theme.background, "opacity": 0.85, "borderpad": 1, "font": {"color": theme.text}}
    for place, axis in enumerate(axes):
        low, high = (brief(end, _LONGEST_END) for end in axis.ends)
        figure.add_shape(
            type="line", x0=0, x1=1, y0=place, y1=place, line={"color": theme.text, "width": 1}, layer="below"
        )
        for x, anchor, text in (
            (0.0, "left", f"{brief(axis.name, _LONGEST)}: {low}"),
            (1.0, "right", high),
        ):
            figure.add_annotation(x=x, y=place, text=text, xanchor=anchor, yshift=13, showarrow=False, **look)
    figure.update_xaxes(visible=False, range=[-0.02, 1.02])
    figure.update_yaxes(visible=False, range=[len(axes) - 0.7, -0.6])
