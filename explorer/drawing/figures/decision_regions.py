"""The figure of a tree's predictions over two features, with rows on top: a shape and a colour per class."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from explorer.drawing.figures.data_figures import brief, with_scale
from explorer.drawing.figures.row_figures import Points, add_class_rows, add_valued_rows, has_legend, place_texts
from explorer.drawing.palette import Theme, class_colours, mean_ends, mix
from explorer.evaluation.decision_regions import Regions
from explorer.messages import message

_PALE = 0.62
_HEIGHT = 400
_LONGEST = 32


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
        showlegend=has_legend(classes),
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


def _add_classes(
    figure: go.Figure, regions: Regions, classes: tuple[object, ...], points: Points, theme: Theme
) -> None:
    """Pale rectangles for the predictions; points of the same class in the full colour."""
    colours = class_colours(len(classes), theme.name, theme.palette)
    names = [brief(name, _LONGEST) for name in classes]
    pale = [mix(colour, theme.background, _PALE) for colour in colours]
    steps = [((k + end) / len(pale), colour) for k, colour in enumerate(pale) for end in (0, 1)]
    _add_field(figure, regions, steps, (-0.5, len(classes) - 0.5), np.array(names, dtype=object)[regions.predictions])
    add_class_rows(figure, classes, points, _places(regions, points), theme)


def _add_means(figure: go.Figure, regions: Regions, points: Points, theme: Theme) -> None:
    """Rectangles and points on one colour scale from the least to the largest number."""
    ends = mean_ends(theme.name, theme.palette)
    values = np.concatenate([regions.predictions.ravel(), points[2]])
    bounds = float(values.min()), float(values.max())
    texts = np.array([[f"{mean:.4g}" for mean in row] for row in regions.predictions], dtype=object)
    _add_field(figure, regions, [(0.0, ends[0]), (1.0, ends[1])], bounds, texts)
    add_valued_rows(figure, points, _places(regions, points), theme, bounds)


def _places(regions: Regions, points: Points) -> list[str]:
    """Where rows lie, in words for their tooltips."""
    return place_texts((regions.scale(regions.across), regions.scale(regions.up)), *points[:2])


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
