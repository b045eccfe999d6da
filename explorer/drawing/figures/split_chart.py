"""Charts of one feature at a node: its values by class, and the gain of each threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from explorer.candidates.counts import Floats
from explorer.candidates.custom_split import Profile
from explorer.drawing.figures.data_figures import AXIS_NAME, LEGEND_CLASSES, brief, plain, with_scale
from explorer.drawing.palette import Theme, class_colours
from explorer.formatting import value_text
from explorer.messages import message
from explorer.ranges import middles
from explorer.tree.tree import Tree

_MOST_BARS = 40


def threshold_chart(profile: Profile, tree: Tree, own: float, names: tuple[str, str], theme: Theme) -> go.Figure:
    """The rows by class over a numeric feature, the gain of every threshold, the best one, and the chosen one (`own`).

    `names` are those of the feature and of the gain.
    """
    feature, gain, scale = brief(names[0], AXIS_NAME), names[1], profile.scale
    edges, heights = profile.histogram()
    middle = float(middles(edges[[0, -1]])[0])
    figure = go.Figure()
    _stacked(figure, middles(edges), heights, tree, theme, width=np.diff(edges))
    shown = highest(profile.gains)
    figure.add_scatter(
        x=profile.thresholds[shown],
        y=profile.gains[shown],
        yaxis="y2",
        mode="lines+markers" if len(profile.thresholds) <= 60 else "lines",
        line={"color": theme.text, "width": 2},
        marker={"size": 5},
        name=gain,
        customdata=[scale.text(float(threshold)) for threshold in profile.thresholds[shown]],
        hovertemplate=f"{feature} ≤ %{{customdata}}: {gain} %{{y:.4f}}<extra></extra>",
    )
    best = float(profile.thresholds[int(np.argmax(profile.gains))])
    if best != own:
        label = message("best: ≤ {threshold}", threshold=scale.text(best))
        _mark(figure, best, (label, theme.quiet, "dot"), is_left=best > middle, height=1.09, theme=theme)
    label = (
        message("yours, the best: ≤ {threshold}", threshold=scale.text(own))
        if best == own
        else message("yours: ≤ {threshold}", threshold=scale.text(own))
    )
    _mark(figure, own, (label, theme.accent, "solid"), is_left=own > middle, height=1.0, theme=theme)
    _frame(figure, tree, feature, 330)
    figure.update_xaxes(range=[float(edges[0]), float(edges[-1])])  # not widened for labels
    with_scale(figure, scale, float(edges[0]), float(edges[-1]))
    figure.update_layout(
        yaxis2={
            "title": {"text": gain},
            "overlaying": "y",
            "side": "right",
            "rangemode": "tozero",
            "showgrid": False,
            "tickmode": "auto",
        }
    )
    return figure


def round_step(span: float, most: int) -> float:
    """The least of 1, 2 and 5 times a power of ten that covers a span in at most `most` steps.

    >>> round_step(59.0, 400), round_step(3e9, 400), round_step(0.0, 400)
    (0.2, 10000000.0, 0.0)
    """
    if span <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(span / most))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power, 20 * power) if step * most >= span)


def highest(gains: Floats, most: int = 1000) -> NDArray[np.intp]:
    """Positions of the largest gain in each of `most` stretches: no screen shows more, and no peak is lost.

    >>> highest(np.array([0.1, 0.3, 0.2, 0.0]), most=2).tolist()
    [1, 2]
    """
    if len(gains) <= most:
        return np.arange(len(gains))
    starts = np.linspace(0, len(gains), most + 1).astype(np.intp)
    return np.array([low + int(np.argmax(gains[low:high])) for low, high in pairwise(starts)])


def _mark(
    figure: go.Figure, cut: float, style: tuple[str, str, str], is_left: bool, height: float, theme: Theme
) -> None:
    """A line at a threshold; `style` is its text, colour and dash, and the text is on one side of it."""
    label, colour, dash = style
    annotation = {
        "text": label,
        "font": {"color": theme.text, "size": 13},
        "xanchor": "right" if is_left else "left",
        "y": height,
        "yanchor": "bottom",
    }
    figure.add_vline(x=cut, line={"color": colour, "dash": dash, "width": 2.5}, annotation=annotation)


def category_chart(profile: Profile, tree: Tree, first: Sequence[object], theme: Theme) -> go.Figure:
    """The rows by class in every category (of many the most frequent); arrows mark the `first` of two branches.

    An empty `first` means a branch per category.
    """
    weights = profile.stats.sum(axis=1) if tree.classes else profile.stats[:, 0]
    shown = np.sort(np.argsort(-weights, kind="stable")[:_MOST_BARS])
    labels = [_label(profile.values[i], profile.values[i] in first if first else None) for i in shown]
    figure = go.Figure()
    _stacked(figure, np.arange(len(shown)), profile.stats[shown], tree, theme, width=np.full(len(shown), 0.72))
    figure.update_xaxes(tickmode="array", tickvals=list(range(len(shown))), ticktext=labels)
    _frame(figure, tree, "", 300)
    return figure


def _label(value: object, is_first: bool | None) -> str:
    """The category under its bar, with the arrow of its branch if there are two."""
    short = brief(value_text(value))
    return {True: f"◀ {short}", False: f"{short} ▶", None: short}[is_first]


def _stacked(figure: go.Figure, x: NDArray[Any], heights: Floats, tree: Tree, theme: Theme, width: Floats) -> None:
    """Bars stacked by class in the colours of the tree; one colour for a numeric target."""
    names = list(tree.classes) or [tree.amount_name]
    colours = class_colours(max(len(names), 2), theme.name, theme.palette)
    for k, name in enumerate(names):
        figure.add_bar(
            x=x,
            y=heights[:, k],
            width=width,
            name=brief(name),
            showlegend=len(names) <= LEGEND_CLASSES,
            marker={"color": colours[k], "line": {"width": 1, "color": theme.background}},
            customdata=[tree.rows_text(weight) for weight in heights[:, k]],
            hovertemplate=message("{name}: {rows}", name=plain(name), rows="%{customdata}") + "<extra></extra>",
        )


def _frame(figure: go.Figure, tree: Tree, x_title: str, height: int) -> None:
    figure.update_layout(
        barmode="stack",
        height=height,
        margin={"l": 10, "r": 16, "t": 44, "b": 10},
        legend={"orientation": "h", "y": -0.22, "yanchor": "top", "x": 0, "traceorder": "normal", "font": {"size": 12}},
        hovermode="closest",
    )
    figure.update_xaxes(title={"text": x_title, "standoff": 8}, automargin=True, zeroline=False, showgrid=False)
    figure.update_yaxes(title={"text": tree.amount_name, "standoff": 8}, automargin=True, zeroline=False)
