"""The figure of a tree's predictions over two features, with rows on top: a shape and a colour per class."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from explorer.drawing.class_shapes import SHAPES
from explorer.drawing.figures.data_figures import brief, with_scale
from explorer.drawing.palette import Theme, class_colours, mean_ends, mix
from explorer.evaluation.decision_regions import Regions
from explorer.messages import message

_SYMBOLS = {"triangle": "triangle-up", "triangle_down": "triangle-down", "plus": "cross-thin", "cross": "x"}
_PALE = 0.62
_HEIGHT = 400
_LONGEST = 32
_MOST_IN_LEGEND = 8
"""With more classes the legend would cover the picture: the tooltip of a row names its class."""


def regions_figure(
    regions: Regions, classes: tuple[object, ...], across: ArrayLike, up: ArrayLike, target: ArrayLike, theme: Theme
) -> go.Figure:
    """Rectangles in the colours of their predictions, and rows [n] by position and true class code (or number)."""
    x, y, truth = (np.asarray(values, dtype=np.float64) for values in (across, up, target))
    figure = go.Figure()
    if classes:
        _add_classes(figure, regions, classes, (x, y, truth), theme)
    else:
        _add_means(figure, regions, (x, y, truth), theme)
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        showlegend=0 < len(classes) <= _MOST_IN_LEGEND,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 12}},
        hovermode="closest",
        plot_bgcolor=theme.background,
    )
    name = brief(regions.across, _LONGEST)
    figure.update_xaxes(title={"text": name}, automargin=True, zeroline=False, showgrid=False)
    name = brief(regions.up, _LONGEST)
    figure.update_yaxes(title={"text": name}, automargin=True, zeroline=False, showgrid=False)
    for name, edges, is_up in ((regions.across, regions.edges_across, False), (regions.up, regions.edges_up, True)):
        with_scale(figure, regions.scale(name), float(edges[0]), float(edges[-1]), is_up)
    return figure


def _places(regions: Regions, x: np.ndarray, y: np.ndarray) -> list[str]:
    """Where rows lie, in words for their tooltips."""
    across, up = regions.scale(regions.across), regions.scale(regions.up)
    return [brief(f"{across.text(a)}, {up.text(b)}") for a, b in zip(x.tolist(), y.tolist(), strict=True)]


def _add_classes(
    figure: go.Figure, regions: Regions, classes: tuple[object, ...], points: tuple[np.ndarray, ...], theme: Theme
) -> None:
    """Pale rectangles for the predictions; points of the same class in the full colour."""
    colours = class_colours(len(classes), theme.name, theme.palette)
    names = [brief(name, _LONGEST) for name in classes]
    pale = [mix(colour, theme.background, _PALE) for colour in colours]
    steps = [((k + end) / len(pale), colour) for k, colour in enumerate(pale) for end in (0, 1)]
    _add_field(figure, regions, steps, (-0.5, len(classes) - 0.5), np.array(names, dtype=object)[regions.predictions])
    x, y, truth = points
    for k in np.unique(truth[truth >= 0]).astype(int):
        is_class = truth == k
        symbol = SHAPES[k % len(SHAPES)]
        figure.add_scatter(
            x=x[is_class],
            y=y[is_class],
            mode="markers",
            text=_places(regions, x[is_class], y[is_class]),
            name=names[k],
            marker={
                "color": colours[k],
                "size": 7,
                "symbol": _SYMBOLS.get(symbol, symbol),
                "line": {"width": 1, "color": theme.background if symbol != "plus" else colours[k]},
            },
            hovertemplate=f"{message('row of class {name}', name=names[k])}<br>%{{text}}<extra></extra>",
        )


def _add_means(figure: go.Figure, regions: Regions, points: tuple[np.ndarray, ...], theme: Theme) -> None:
    """Rectangles and points on one colour scale from the least to the largest number."""
    x, y, truth = points
    ends = mean_ends(theme.name, theme.palette)
    values = np.concatenate([regions.predictions.ravel(), truth])
    bounds = float(values.min()), float(values.max())
    texts = np.array([[f"{mean:.4g}" for mean in row] for row in regions.predictions], dtype=object)
    _add_field(figure, regions, [(0.0, ends[0]), (1.0, ends[1])], bounds, texts)
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        text=_places(regions, x, y),
        name=message("rows"),
        showlegend=False,
        marker={
            "color": truth,
            "colorscale": [(0.0, ends[0]), (1.0, ends[1])],
            "cmin": bounds[0],
            "cmax": bounds[1],
            "size": 7,
            "line": {"width": 1, "color": theme.text},
            "colorbar": {"thickness": 10, "outlinewidth": 0},
        },
        hovertemplate=f"{message('true value {value}', value='%{marker.color:.4g}')}<br>%{{text}}<extra></extra>",
    )


def _add_field(
    figure: go.Figure,
    regions: Regions,
    scale: list[tuple[float, str]],
    bounds: tuple[float, float],
    texts: np.ndarray,
) -> None:
    """The rectangles, each with its prediction as a tooltip."""
    figure.add_heatmap(
        x=regions.edges_across,
        y=regions.edges_up,
        z=regions.predictions,
        colorscale=scale,
        zmin=bounds[0],
        zmax=bounds[1],
        showscale=False,
        customdata=texts,
        hovertemplate=f"{message('predicted {prediction}', prediction='%{customdata}')}<extra></extra>",
    )
