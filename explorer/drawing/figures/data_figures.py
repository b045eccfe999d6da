"""Plotly figures: class shares, a target's distribution, gain against threshold. They compute no scores.

Plotly reads a few HTML tags in its texts, replaces %{…} in its hover templates, and sets $…$ as a formula, so every
name from a table goes through `plain`.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from explorer.data.codes.dates import date_text, has_times
from explorer.data.codes.scale import NUMBERS, Dates, Ordered, Scale
from explorer.drawing.palette import Theme, class_colours, text_on
from explorer.formatting import percent, rows, rows_or_weight, shortened, visible
from explorer.messages import message

LEGEND_CLASSES = 8
"""With more classes a figure has no legend, which would leave no room for the figure."""
AXIS_NAME = 28
"""Letters of a name along an axis; a longer name would be cut at both ends."""


def plain(text: object) -> str:
    """Text as Plotly shows it literally.

    >>> plain("a <b>"), plain("%{x} in $")
    ('a &lt;b&gt;', '&#37;{x} in &#36;')
    """
    return html.escape(visible(str(text)), quote=False).replace("%{", "&#37;{").replace("$", "&#36;")


def brief(name: object, most: int = 18) -> str:
    """A name shortened for a legend or an axis.

    >>> brief("short"), len(brief("x" * 300)), len(brief("x" * 300, AXIS_NAME))
    ('short', 18, 28)
    """
    return plain(shortened(visible(str(name)), most))


def count_text(weight: float) -> str:
    """A count, or a sum of weights with two decimals, in groups of three digits.

    >>> count_text(34959.0), count_text(3.375)
    ('34,959', '3.38')
    """
    return f"{weight:,.0f}" if float(weight).is_integer() else f"{weight:,.2f}"


def _hover(text: str) -> str:
    """A tooltip without the trace's name beside it."""
    return f"{text}<extra></extra>"


def share_bar(classes: Sequence[object], weights: ArrayLike, theme: Theme, counts_rows: bool = True) -> go.Figure:
    """One bar cut into the classes' weights [K], each part with its name, weight and share; beyond a few no legend."""
    numbers, is_few = np.asarray(weights, dtype=np.float64), len(classes) <= LEGEND_CLASSES
    figure = go.Figure()
    colours = class_colours(len(classes), theme.name, theme.palette)
    for name, colour, weight in zip(classes, colours, numbers, strict=True):
        share = weight / numbers.sum() if numbers.sum() > 0 else 0.0
        figure.add_bar(
            x=[weight],
            y=[""],
            orientation="h",
            name=message("{name}: {value}", name=brief(name), value=count_text(weight)),
            marker={"color": colour, "line": {"width": 1, "color": theme.background}},
            text=f"{plain(name)}  {count_text(weight)} ({percent(share)})" if weight > 0 else "",
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": text_on(colour), "size": 13},
            hovertemplate=_hover(
                message(
                    "{name}: {rows}, {share}",
                    name=plain(name),
                    rows=rows_or_weight(weight, counts_rows),
                    share=percent(share),
                )
            ),
        )
    figure.update_layout(
        barmode="stack",
        height=96,
        margin={"l": 0, "r": 0, "t": 2, "b": 46},
        showlegend=is_few,
        legend={
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yanchor": "top",
            "traceorder": "normal",
            "itemclick": False,
            "font": {"size": 13},
        },
        uniformtext={"minsize": 11, "mode": "hide"},
        bargap=0.05,
    )
    figure.update_xaxes(visible=False, fixedrange=True, range=[0, float(numbers.sum()) or 1.0])
    figure.update_yaxes(visible=False, fixedrange=True)
    if not is_few:
        words = message("{n} classes. Hover over a part to see its class.", n=len(classes))
        at = {"xref": "paper", "yref": "paper", "x": 0, "y": 0, "yanchor": "top", "yshift": -4}
        figure.add_annotation(text=words, font={"color": theme.quiet, "size": 13}, showarrow=False, **at)
    return figure


def histogram(values: ArrayLike, title: str, theme: Theme) -> go.Figure:
    """The distribution of the numbers [n] of a target, with their mean marked."""
    numbers = np.asarray(values, dtype=np.float64)
    counts, edges = np.histogram(numbers, bins=min(30, max(1, len(np.unique(numbers)))))
    ranges = [message("{low:.4g} to {high:.4g}", low=low, high=high) for low, high in pairwise(edges)]
    counted = zip(ranges, counts.tolist(), strict=True)
    texts = [message("{name}: {rows}", name=name, rows=rows(count)) for name, count in counted]
    figure = go.Figure()
    figure.add_bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=np.diff(edges),
        marker={"color": theme.classes[0], "line": {"width": 1, "color": theme.background}},
        customdata=texts,
        hovertemplate=_hover("%{customdata}"),
    )
    mean = float(numbers.mean())
    line = {"color": theme.text, "dash": "dot"}
    label = message("mean {mean}", mean=f"{mean:.4g}".replace("-", "−"))
    figure.add_vline(x=mean, line=line, annotation_text=label, annotation_position="top")
    with_axes(figure, brief(title, AXIS_NAME), message("rows"), 190)
    figure.update_layout(showlegend=False)
    return figure


def gain_by_threshold(
    thresholds: ArrayLike,
    gains: ArrayLike,
    chosen: float | None,
    names: tuple[str, str],
    theme: Theme,
    scale: Scale = NUMBERS,
) -> go.Figure:
    """The gain of every threshold of one feature, the best one marked; `names` are those of feature and gain.

    Thresholds are written as the scale of the feature has them.
    """
    order = np.argsort(np.asarray(thresholds, dtype=np.float64))
    x, y = np.asarray(thresholds, dtype=np.float64)[order], np.asarray(gains, dtype=np.float64)[order]
    feature, label = brief(names[0], AXIS_NAME), names[1]
    figure = go.Figure()
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines+markers" if len(x) <= 80 else "lines",
        line={"color": theme.classes[0], "width": 2},
        marker={"size": 6},
        name=label,
        customdata=[scale.text(threshold) for threshold in x.tolist()],
        hovertemplate=f"{feature} ≤ %{{customdata}}: {label} %{{y:.4f}}<extra></extra>",
    )
    if chosen is not None:
        at = int(np.flatnonzero(x == chosen)[0])
        figure.add_scatter(
            x=[x[at]],
            y=[y[at]],
            mode="markers+text",
            marker={"size": 13, "symbol": "diamond", "color": theme.accent, "line": {"width": 2, "color": theme.text}},
            text=[message("best: ≤ {threshold}", threshold=scale.text(chosen))],
            textposition="top center",
            cliponaxis=False,
            name=message("best threshold"),
            hoverinfo="skip",
        )
    with_axes(figure, message("threshold of {feature}", feature=feature), label, 270)
    if len(x):
        with_scale(figure, scale, float(x[0]), float(x[-1]))
    figure.update_layout(showlegend=False)
    figure.update_yaxes(rangemode="tozero")
    return figure


_MOST_DATES = 4
"""So many dates stand under an axis at most: each is ten letters wide."""


def with_scale(figure: go.Figure, scale: Scale, low: float, high: float, is_up: bool = False) -> None:
    """Dates or levels along the axis across or up, from `low` to `high`; nothing where numbers stand for themselves."""
    if isinstance(scale, Ordered):
        places, texts = list(range(1, len(scale.levels) + 1)), [brief(level) for level in scale.levels]
    elif isinstance(scale, Dates):
        step = max((high - low) / _MOST_DATES, 1.0)
        if step > 1.0 or not has_times(scale.since):
            step = math.ceil(step)
        places = np.arange(math.ceil(low), high + 1e-9, step).tolist() or [low]
        texts = [date_text(place, scale.since).split(" ")[0] for place in places]
    else:
        return
    update = figure.update_yaxes if is_up else figure.update_xaxes
    update(tickmode="array", tickvals=places, ticktext=texts)


def with_axes(figure: go.Figure, x_title: str, y_title: str, height: int) -> None:
    """Axis titles, margins and a legend above the plot."""
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 16, "t": 30, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 12}},
        hovermode="closest",
    )
    figure.update_xaxes(title={"text": x_title, "standoff": 8}, automargin=True, zeroline=False)
    figure.update_yaxes(title={"text": y_title, "standoff": 8}, automargin=True, zeroline=False)
