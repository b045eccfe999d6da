"""Plotly figures: class shares, pruning curves, gain against threshold. They show numbers and score nothing.

Plotly reads a few HTML tags in its texts, so every name from a table goes through `plain`.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from explorer.conditions import number_text
from explorer.draw.palette import Theme, class_colours, text_on


def plain(text: object) -> str:
    """Text as Plotly shows it literally.

    >>> plain("a <b>")
    'a &lt;b&gt;'
    """
    return html.escape(str(text), quote=False)


def count_text(weight: float) -> str:
    """A count, or a sum of weights with two decimals, in groups of three digits.

    >>> count_text(34959.0), count_text(3.375)
    ('34,959', '3.38')
    """
    return f"{weight:,.0f}" if float(weight).is_integer() else f"{weight:,.2f}"


def share_bar(classes: Sequence[object], weights: ArrayLike, theme: Theme) -> go.Figure:
    """One bar cut into the classes' weights [K], each part with its name, weight and share."""
    numbers = np.asarray(weights, dtype=np.float64)
    figure = go.Figure()
    colours = class_colours(len(classes), theme.name, theme.palette)
    for name, colour, weight in zip(classes, colours, numbers, strict=True):
        share = weight / numbers.sum() if numbers.sum() > 0 else 0.0
        figure.add_bar(
            x=[weight],
            y=[""],
            orientation="h",
            name=f"{plain(name)}: {count_text(weight)}",
            marker={"color": colour, "line": {"width": 1, "color": theme.background}},
            text=f"{plain(name)}  {count_text(weight)} ({share:.0%})" if weight > 0 else "",
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": text_on(colour), "size": 13},
            hovertemplate=f"{plain(name)}: {count_text(weight)} rows, {share:.1%}<extra></extra>",
        )
    figure.update_layout(
        barmode="stack",
        height=96,
        margin={"l": 0, "r": 0, "t": 2, "b": 46},
        showlegend=True,
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
    return figure


def histogram(values: ArrayLike, title: str, theme: Theme) -> go.Figure:
    """How the numbers [n] of a target are spread, with their mean marked."""
    numbers = np.asarray(values, dtype=np.float64)
    counts, edges = np.histogram(numbers, bins=min(30, max(1, len(np.unique(numbers)))))
    texts = [f"{low:.4g} to {high:.4g}" for low, high in pairwise(edges)]
    figure = go.Figure()
    figure.add_bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=np.diff(edges),
        marker={"color": theme.classes[0], "line": {"width": 1, "color": theme.background}},
        customdata=texts,
        hovertemplate="%{customdata}: %{y} rows<extra></extra>",
    )
    mean = float(numbers.mean())
    figure.add_vline(x=mean, line={"color": theme.text, "dash": "dot"}, annotation_text=f"mean {mean:.4g}")
    _frame(figure, plain(title), "rows", 190)
    figure.update_layout(showlegend=False)
    return figure


def curve_by_alpha(
    alphas: ArrayLike,
    scores: Mapping[str, ArrayLike],
    marks: Mapping[str, int],
    baseline: float,
    label: str,
    theme: Theme,
) -> go.Figure:
    """Scores against α as steps: a subtree holds from its α up to the next one.

    `scores` maps a line's name to one value per position; `marks` maps "now" and "best" to positions.
    """
    starts = np.asarray(alphas, dtype=np.float64)
    edges, title, ticks = alpha_axis(starts)
    figure = go.Figure()
    for (name, values), look in zip(scores.items(), _looks(theme), strict=False):
        heights = np.asarray(values, dtype=np.float64)
        figure.add_scatter(
            x=edges,
            y=np.append(heights, heights[-1]),
            mode="lines",
            line={"shape": "hv", **look},
            name=name,
            customdata=np.append(starts, starts[-1]),
            hovertemplate=f"from α = %{{customdata:.4g}}: {name} %{{y:.4f}}<extra></extra>",
        )
    _mark(figure, (edges[:-1] + edges[1:]) / 2, scores, marks, theme)
    _baseline(figure, baseline, theme)
    _frame(figure, title, label, 320)
    figure.update_xaxes(tickvals=list(ticks), ticktext=list(ticks.values()))
    return figure


_FEW_STEPS = 12


def alpha_axis(starts: np.ndarray) -> tuple[np.ndarray, str, dict[float, str]]:
    """Where the intervals of α begin and end on the axis, its title, and its ticks (place → text).

    A short sequence gives every interval the same width; a long one has log10 α, with 0 left of the smallest α.

    >>> alpha_axis(np.array([0.0, 0.25]))
    (array([0, 1, 2]), 'α (each step equally wide)', {0: '0', 1: '0.25'})
    """
    positive = starts[starts > 0]
    if len(starts) <= _FEW_STEPS or not len(positive):
        shown = np.unique(np.linspace(0, len(starts) - 1, min(len(starts), 6)).round().astype(int))
        return np.arange(len(starts) + 1), "α (each step equally wide)", {int(k): f"{starts[k]:.3g}" for k in shown}
    places = np.log10(positive)
    margin = 0.06 * max(float(np.ptp(places)), 1.0)
    zeros = places[0] - margin * np.arange(len(starts) - len(positive), 0, -1)
    decades = np.arange(np.ceil(places[0]), np.floor(places[-1]) + 1)
    ticks = {float(zeros[0]): "0"} | {float(power): f"{10.0**power:g}" for power in decades}
    return np.concatenate([zeros, places, [places[-1] + margin]]), "α (logarithmic)", ticks


def curve_by_leaves(
    leaves: ArrayLike,
    scores: Mapping[str, ArrayLike],
    marks: Mapping[str, int],
    baseline: float,
    label: str,
    theme: Theme,
) -> go.Figure:
    """The same scores against the number of leaves of each subtree, on a logarithmic axis for large trees."""
    sizes = np.asarray(leaves, dtype=np.float64)
    figure = go.Figure()
    for (name, values), look in zip(scores.items(), _looks(theme), strict=False):
        figure.add_scatter(
            x=sizes,
            y=np.asarray(values, dtype=np.float64),
            mode="lines+markers" if len(sizes) <= 60 else "lines",
            line=look,
            marker={"size": 5},
            name=name,
            hovertemplate=f"%{{x}} leaves: {name} %{{y:.4f}}<extra></extra>",
        )
    _mark(figure, sizes, scores, marks, theme)
    _baseline(figure, baseline, theme)
    _frame(figure, "leaves", label, 320)
    if sizes.max() > 30:
        round_numbers = [v for v in _ROUND if v <= sizes.max() and (sizes.max() < 500 or str(v).strip("0") == "1")]
        figure.update_xaxes(type="log", tickvals=round_numbers)
    return figure


def gain_by_threshold(
    thresholds: ArrayLike, gains: ArrayLike, chosen: float | None, names: tuple[str, str], theme: Theme
) -> go.Figure:
    """Gain of every threshold of one feature; the best one is marked. `names` are the feature's and the gain's."""
    order = np.argsort(np.asarray(thresholds, dtype=np.float64))
    x, y = np.asarray(thresholds, dtype=np.float64)[order], np.asarray(gains, dtype=np.float64)[order]
    feature, label = plain(names[0]), names[1]
    figure = go.Figure()
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines+markers" if len(x) <= 80 else "lines",
        line={"color": theme.classes[0], "width": 2},
        marker={"size": 6},
        name=label,
        hovertemplate=f"{feature} ≤ %{{x}}: {label} %{{y:.4f}}<extra></extra>",
    )
    if chosen is not None:
        at = int(np.flatnonzero(x == chosen)[0])
        figure.add_scatter(
            x=[x[at]],
            y=[y[at]],
            mode="markers+text",
            marker={"size": 13, "symbol": "diamond", "color": theme.accent, "line": {"width": 2, "color": theme.text}},
            text=[f"best: ≤ {number_text(chosen)}"],
            textposition="top center",
            cliponaxis=False,
            name="best threshold",
            hoverinfo="skip",
        )
    _frame(figure, f"threshold of {feature}", label, 270)
    figure.update_layout(showlegend=False)
    figure.update_yaxes(rangemode="tozero")
    return figure


_ROUND = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)


def _looks(theme: Theme) -> tuple[dict[str, object], dict[str, object]]:
    """Line of the training curve, and of the validation curve."""
    return {"color": theme.line, "width": 2, "dash": "dot"}, {"color": theme.accent, "width": 3}


def _mark(
    figure: go.Figure, x: np.ndarray, scores: Mapping[str, ArrayLike], marks: Mapping[str, int], theme: Theme
) -> None:
    """A star at the best point and a ring at the current one, on the last curve given."""
    values = np.asarray(list(scores.values())[-1], dtype=np.float64)
    symbols = {
        "best": {"symbol": "star", "size": 15, "color": theme.accent, "line": {"width": 1, "color": theme.text}},
        "now": {"symbol": "circle-open", "size": 17, "color": theme.text, "line": {"width": 3}},
    }
    names = {"best": "best", "now": "chosen"}
    for key, position in marks.items():
        figure.add_scatter(
            x=[x[position]],
            y=[values[position]],
            mode="markers",
            marker=symbols[key],
            name=names[key],
            cliponaxis=False,
            hovertemplate=f"{names[key]}: %{{y:.4f}}<extra></extra>",
        )


def _baseline(figure: go.Figure, baseline: float, theme: Theme) -> None:
    """A dashed level line, in the legend like the curves."""
    figure.add_scatter(
        x=[None],
        y=[None],
        mode="lines",
        line={"color": theme.quiet, "width": 1.5, "dash": "dash"},
        name="baseline",
    )
    figure.add_hline(y=baseline, line={"color": theme.quiet, "width": 1.5, "dash": "dash"})


def _frame(figure: go.Figure, x_title: str, y_title: str, height: int) -> None:
    """Axis titles, margins and a legend above the plot."""
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 16, "t": 30, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 12}},
        hovermode="closest",
    )
    figure.update_xaxes(title={"text": x_title, "standoff": 8}, automargin=True, zeroline=False)
    figure.update_yaxes(title={"text": y_title, "standoff": 8}, automargin=True, zeroline=False)
