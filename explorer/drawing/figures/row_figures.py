"""Rows as points, a shape and a colour per class; and a numeric column in every leaf as boxes, with rows as a strip."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from explorer.data.codes.scale import Scale
from explorer.drawing.class_shapes import SHAPES
from explorer.drawing.figures.data_figures import AXIS_NAME, brief, with_axes, with_scale
from explorer.drawing.palette import Theme, class_colours, mean_ends
from explorer.explaining.leaf_spreads import LeafSpread
from explorer.messages import message

_SYMBOLS = {"triangle": "triangle-up", "triangle_down": "triangle-down", "plus": "cross-thin", "cross": "x"}
_LONGEST = 32
_MOST_IN_LEGEND = 8
"""With more classes the legend would cover the picture: the tooltip of a row names its class."""
_HEIGHT, _AROUND, _BOX = 330, 80, 30
"""Pixels for a figure of points, and for the margins and each line of a figure of boxes."""
_GOLDEN = 0.6180339887
"""Multiples of it, without their whole part, spread points evenly however many there are."""


Points = tuple[ArrayLike, ArrayLike, ArrayLike]
"""Rows [n]: across, up, and class code or number."""


def add_class_rows(
    figure: go.Figure,
    classes: Sequence[object],
    points: Points,
    texts: Sequence[str],
    theme: Theme,
    numbers: ArrayLike | None = None,
) -> None:
    """Rows of classes as points; `texts` [n] are in their tooltips.

    `numbers` say which rows they are, once the reader selects some.
    """
    x, y, truth = (np.asarray(values, dtype=np.float64) for values in points)
    words, rows = np.array(texts, dtype=object), None if numbers is None else np.asarray(numbers)
    colours = class_colours(len(classes), theme.name, theme.palette)
    for k in np.unique(truth[truth >= 0]).astype(int):
        is_class, name = truth == k, brief(classes[k], _LONGEST)
        symbol = SHAPES[k % len(SHAPES)]
        figure.add_scatter(
            x=x[is_class],
            y=y[is_class],
            mode="markers",
            text=words[is_class].tolist(),
            customdata=None if rows is None else rows[is_class].tolist(),
            name=name,
            marker={
                "color": colours[k],
                "size": 7,
                "symbol": _SYMBOLS.get(symbol, symbol),
                "line": {"width": 1, "color": theme.background if symbol != "plus" else colours[k]},
            },
            hovertemplate=f"{message('row of class {name}', name=name)}<br>%{{text}}<extra></extra>",
        )


def add_valued_rows(
    figure: go.Figure,
    points: Points,
    texts: Sequence[str],
    theme: Theme,
    bounds: tuple[float, float],
    numbers: ArrayLike | None = None,
) -> None:
    """The same for a numeric target: colours between two ends, which `bounds` have."""
    x, y, truth = points
    ends = mean_ends(theme.name, theme.palette)
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        text=list(texts),
        customdata=None if numbers is None else np.asarray(numbers).tolist(),
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


def has_legend(classes: Sequence[object]) -> bool:
    """Whether there is room for the names of the classes."""
    return 0 < len(classes) <= _MOST_IN_LEGEND


def place_texts(scales: tuple[Scale, Scale], x: ArrayLike, y: ArrayLike) -> list[str]:
    """Where rows lie, in words for their tooltips."""
    pairs = zip(np.asarray(x, dtype=np.float64).tolist(), np.asarray(y, dtype=np.float64).tolist(), strict=True)
    return [brief(f"{scales[0].text(a)}, {scales[1].text(b)}") for a, b in pairs]


def rows_figure(
    names: tuple[str, str],
    scales: tuple[Scale, Scale],
    points: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    is_in_node: NDArray[np.bool_],
    numbers: NDArray[np.intp],
    classes: Sequence[object],
    theme: Theme,
) -> go.Figure:
    """Rows [n] over two columns: those of a node in colour, which can be selected, all others pale behind them."""
    figure = go.Figure()
    x, y, truth = points
    others = {"color": theme.line, "size": 5}
    figure.add_scatter(
        x=x[~is_in_node], y=y[~is_in_node], mode="markers", marker=others, hoverinfo="skip", name=message("other rows")
    )
    inside = x[is_in_node], y[is_in_node], truth[is_in_node]
    texts = place_texts(scales, *inside[:2])
    if classes:
        add_class_rows(figure, classes, inside, texts, theme, numbers[is_in_node])
    else:
        add_valued_rows(figure, inside, texts, theme, (float(truth.min()), float(truth.max())), numbers[is_in_node])
    with_axes(figure, brief(names[0], AXIS_NAME), brief(names[1], AXIS_NAME), _HEIGHT)
    for scale, values, is_up in ((scales[0], x, False), (scales[1], y, True)):
        with_scale(figure, scale, float(values.min()), float(values.max()), is_up)
    figure.update_layout(dragmode="select", showlegend=has_legend(classes))
    return figure


def leaf_boxes(
    spreads: Sequence[LeafSpread],
    labels: Sequence[str],
    column: str,
    scale: Scale,
    strip: tuple[NDArray[np.float64], NDArray[np.intp]],
    theme: Theme,
    selected: int = -1,
) -> go.Figure:
    """A box per leaf, the first on top; above them rows as a `strip`: their numbers [n], and their places among leaves.

    A selected point carries its leaf; the box of the leaf `selected` is in the colour of what is chosen.
    """
    figure = go.Figure()
    nodes = np.array([spread.node for spread in spreads], dtype=np.int64)
    for place, spread in enumerate(spreads):
        _add_box(figure, place, spread, theme.accent if spread.node == selected else theme.text)
    numbers, places = strip
    spread_out = 0.4 * ((np.arange(len(numbers)) * _GOLDEN) % 1.0 - 0.5)
    figure.add_scatter(
        x=numbers,
        y=places + spread_out,
        mode="markers",
        marker={"color": theme.classes[0], "size": 5, "opacity": 0.6},
        customdata=nodes[places].tolist(),
        text=[brief(scale.text(number)) for number in numbers.tolist()],
        hovertemplate="%{text}<extra></extra>",
    )
    figure.add_scatter(
        x=[spread.median for spread in spreads],
        y=list(range(len(spreads))),
        mode="markers",
        marker={"color": theme.accent, "size": 9, "symbol": "diamond"},
        customdata=nodes.tolist(),
        text=[f"{label}: {brief(scale.text(each.median))}" for label, each in zip(labels, spreads, strict=True)],
        hovertemplate=f"{message('median')} %{{text}}<extra></extra>",
    )
    with_axes(figure, brief(column, AXIS_NAME), "", _AROUND + _BOX * len(spreads))
    ends = [spread.low for spread in spreads] + [spread.high for spread in spreads]
    with_scale(figure, scale, min(ends), max(ends))
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(spreads))),
        ticktext=list(labels),
        range=[len(spreads) - 0.5, -0.5],
        showgrid=False,
    )
    figure.update_layout(showlegend=False)
    return figure


def _add_box(figure: go.Figure, place: int, spread: LeafSpread, colour: str) -> None:
    figure.add_box(
        y=[place],
        q1=[spread.first],
        median=[spread.median],
        q3=[spread.third],
        lowerfence=[spread.low],
        upperfence=[spread.high],
        orientation="h",
        width=0.6,
        line={"color": colour, "width": 1.5},
        fillcolor="rgba(0, 0, 0, 0)",
        hoverinfo="skip",
    )
