"""Plotly figures of how good a tree is: curves of a class, calibration, leaf sizes, importance, learning, residuals.

They show numbers and score nothing. What a tree is measured against (chance, the class's share, the mean) is a dotted
line with its name on it; a legend stands only where one picture has two lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from explorer.drawing.figures.data_figures import brief, count_text, with_axes
from explorer.drawing.palette import Theme, class_colours, mix
from explorer.evaluation.class_curves import ClassCurves
from explorer.evaluation.feature_importance import PermutationImportance
from explorer.evaluation.leaf_calibration import LeafCalibration, LeafSizes
from explorer.evaluation.learning_curve import LearningCurve

_HEIGHT = 330
_LONGEST = 32
_MOST_MARKERS = 60
_BAR, _AROUND = 26, 90
"""Pixels for one feature, and for what stands around all of them."""
_LEAST_DOT, _LARGEST_DOT = 6.0, 26.0


def roc_figure(curves: ClassCurves, colour: str, theme: Theme) -> go.Figure:
    """Recall over false alarms at every cut; chance is the diagonal."""
    figure = _curve(curves, curves.false_alarms, curves.recall, colour, "false alarms %{x:.1%}, recall %{y:.1%}")
    _reference(figure, [0, 1], [0, 1], "chance", theme)
    _shares(figure, "false alarms: others answered so", "recall: found of the class")
    return figure


def precision_figure(curves: ClassCurves, colour: str, theme: Theme) -> go.Figure:
    """Precision over recall at every cut; answering the class to all rows has its share as precision."""
    figure = _curve(curves, curves.recall, curves.precision, colour, "recall %{x:.1%}, precision %{y:.1%}")
    _reference(figure, [0, 1], [curves.share, curves.share], "share of the class", theme)
    _shares(figure, "recall: found of the class", "precision: right of those answered so")
    return figure


def lift_figure(curves: ClassCurves, colour: str, theme: Theme) -> go.Figure:
    """Lift over the share of rows answered the class; 1 is no better than drawing rows at random."""
    figure = _curve(curves, curves.depth, curves.lift, colour, "the first %{x:.1%} of the rows: lift %{y:.2f}")
    _reference(figure, [0, 1], [1, 1], "rows at random", theme)
    with_axes(figure, "share of the rows answered so", "times as frequent as among all", _HEIGHT)
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_yaxes(rangemode="tozero", title_standoff=18)
    return figure


def _curve(curves: ClassCurves, x: ArrayLike, y: ArrayLike, colour: str, told: str) -> go.Figure:
    """One line over all cuts, each told with the share that it asks for."""
    figure = go.Figure()
    few = len(curves.thresholds) <= _MOST_MARKERS
    asked = ["no row is answered so" if np.isinf(cut) else f"share of at least {cut:.1%}" for cut in curves.thresholds]
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines+markers" if few else "lines",
        line={"color": colour, "width": 2.5},
        marker={"size": 7},
        customdata=asked,
        hovertemplate=f"%{{customdata}}<br>{told}<extra></extra>",
        cliponaxis=False,
        showlegend=False,
    )
    return figure


def _reference(figure: go.Figure, x: Sequence[float], y: Sequence[float], name: str, theme: Theme) -> None:
    """What the line is measured against, named at its right end."""
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": theme.quiet, "dash": "dot", "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_annotation(
        x=x[-1],
        y=y[-1],
        text=name,
        showarrow=False,
        xanchor="right",
        yanchor="top",
        yshift=-2 if y[0] == y[-1] else -14,
        font={"color": theme.quiet, "size": 12},
        bgcolor=theme.background,
        opacity=0.85,
    )


def _shares(figure: go.Figure, x_title: str, y_title: str) -> None:
    """Both axes from 0 to 1."""
    with_axes(figure, x_title, y_title, _HEIGHT)
    figure.update_xaxes(range=[-0.02, 1.02], tickformat=".0%")
    figure.update_yaxes(range=[-0.02, 1.04], tickformat=".0%")


def calibration_figure(
    found: LeafCalibration,
    column: int,
    what: str,
    colour: str,
    theme: Theme,
    is_share: bool = True,
    chosen: int | None = None,
) -> go.Figure:
    """What each leaf observes over what it promises, as large as it has rows; the node `chosen` has a ring.

    `what` names the share of the class in that column; without `is_share` the mean. A mark's `customdata` is its node
    and what is told of it.
    """
    x, y = found.predicted[:, column], found.observed[:, column]
    figure = go.Figure()
    told = [f"node {node}, {count_text(weight)} rows" for node, weight in zip(found.nodes, found.weight, strict=True)]
    form = ":.1%" if is_share else ":.4g"
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker={
            "size": _dots(found.weight),
            "color": mix(colour, theme.background, 0.25),
            "line": _ring(found.nodes, chosen, theme),
        },
        customdata=list(zip(found.nodes.tolist(), told, strict=True)),
        hovertemplate=f"%{{customdata[1]}}<br>promised %{{x{form}}}, observed %{{y{form}}}<extra></extra>",
        cliponaxis=False,
        showlegend=False,
    )
    ends = [0.0, 1.0] if is_share else [float(min(x.min(), y.min())), float(max(x.max(), y.max()))]
    _reference(figure, ends, ends, "as promised", theme)
    name = brief(what, _LONGEST)
    with_axes(figure, f"promised: {name}", "observed", _HEIGHT)
    if is_share:
        figure.update_xaxes(range=[-0.04, 1.04], tickformat=".0%")
        figure.update_yaxes(range=[-0.04, 1.06], tickformat=".0%")
    return figure


def _ring(nodes: Sequence[int] | np.ndarray, chosen: int | None, theme: Theme) -> dict[str, list[object]]:
    """The outlines of marks: strong around that of the node chosen."""
    here = [node == chosen for node in nodes]
    return {
        "width": [3 if one else 1 for one in here],
        "color": [theme.text if one else theme.background for one in here],
    }


def _dots(weight: ArrayLike) -> np.ndarray:
    """Sizes of dots whose areas grow with the weight."""
    weights = np.asarray(weight, dtype=np.float64)
    return np.asarray(np.maximum(_LARGEST_DOT * np.sqrt(weights / (weights.max() or 1.0)), _LEAST_DOT))


def leaf_size_figure(
    sizes: LeafSizes,
    labels: Sequence[int],
    classes: Sequence[object],
    theme: Theme,
    most: int = 60,
    chosen: int | None = None,
) -> go.Figure:
    """The leaves by their training rows, the largest first, in the colours of their answers (`labels` [m]).

    A bar's `customdata` is its node and what is told of it; that of the node `chosen` has an outline.
    """
    order = np.argsort(-sizes.weight, kind="stable")[:most]
    colours = class_colours(len(classes), theme.name, theme.palette) if classes else [theme.classes[0]]
    codes = np.asarray(labels, dtype=np.int64)[order] if classes else np.zeros(order.size, dtype=np.int64)
    figure = go.Figure()
    for code in np.unique(codes):
        here = np.flatnonzero(codes == code)
        name = brief(classes[code], _LONGEST) if classes else ""
        figure.add_bar(
            x=here + 1,
            y=sizes.weight[order[here]],
            name=name,
            marker={"color": colours[code], "line": _ring(sizes.nodes[order[here]], chosen, theme)},
            customdata=[(int(sizes.nodes[place]), _leaf_text(sizes, int(place))) for place in order[here]],
            hovertemplate=f"%{{customdata[1]}}<extra>{name}</extra>",
        )
    with_axes(figure, "leaves, the largest first", "training rows", _HEIGHT)
    figure.update_layout(showlegend=1 < len(np.unique(codes)) <= 10, bargap=0.15)
    figure.update_xaxes(tickformat="d", dtick=max(1, order.size // 12))
    return figure


def _leaf_text(sizes: LeafSizes, place: int) -> str:
    told = f"node {sizes.nodes[place]}: {count_text(float(sizes.weight[place]))} rows ({sizes.share[place]:.1%})"
    if sizes.purity is not None:
        return f"{told}, purity {sizes.purity[place]:.1%}"
    return told if sizes.spread is None else f"{told}, standard deviation {sizes.spread[place]:.4g}"


def importance_figure(
    shares: Mapping[str, float],
    lost: Mapping[str, PermutationImportance] | None,
    loss_name: str,
    theme: Theme,
    most: int = 30,
) -> go.Figure:
    """Impurity taken off (left) and, where known, what shuffling costs (right) of the features that matter most."""
    kept = sorted(shares, key=lambda name: (-shares[name], -lost[name].mean if lost else 0.0))[:most][::-1]
    names = [brief(name, _LONGEST) for name in kept]
    places = list(range(len(kept)))
    titles = ["impurity taken off (share)", *([f"shuffled: {loss_name}"] if lost else [])]
    figure = make_subplots(cols=len(titles), shared_yaxes=True, horizontal_spacing=0.06, subplot_titles=titles)
    look = {"color": theme.classes[0], "line": {"width": 0}}
    tall = {"orientation": "h", "marker": look, "customdata": names, "showlegend": False}
    told = "%{customdata}: %{x:.1%}<extra></extra>"
    figure.add_bar(x=[shares[name] for name in kept], y=places, hovertemplate=told, row=1, col=1, **tall)
    if lost:
        figure.add_bar(
            x=[lost[name].mean for name in kept],
            y=places,
            error_x={"array": [lost[name].standard_deviation for name in kept], "color": theme.text, "thickness": 1.2},
            hovertemplate="%{customdata}: %{x:.4g} ± %{error_x.array:.2g}<extra></extra>",
            row=1,
            col=2,
            **tall,
        )
    with_axes(figure, "", "", _BAR * len(kept) + _AROUND)
    figure.update_xaxes(tickformat=".0%", rangemode="tozero", row=1, col=1)
    if lost:
        figure.update_xaxes(zeroline=True, zerolinecolor=theme.line, row=1, col=2)
    figure.update_yaxes(tickvals=places, ticktext=names, title=None, showgrid=False)
    figure.update_annotations(font={"size": 13, "color": theme.text})
    return figure


def learning_figure(curve: LearningCurve, score_name: str, theme: Theme) -> go.Figure:
    """The score on the rows grown on and on the fold held out, over the rows grown on, with standard errors."""
    figure = go.Figure()
    lines = (
        ("rows grown on", curve.train, curve.train_error, theme.classes[1], "circle-open", "dash"),
        ("rows held out", curve.valid, curve.valid_error, theme.classes[0], "circle", "solid"),
    )
    for name, score, error, colour, symbol, dash in lines:
        figure.add_scatter(
            x=curve.sizes,
            y=score,
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 2, "dash": dash},
            marker={"size": 8, "symbol": symbol},
            error_y={"array": error, "color": colour, "thickness": 1.2, "width": 4},
            customdata=curve.n_leaves,
            hovertemplate=f"%{{x}} rows, {name}: %{{y:.4g}}<br>trees of %{{customdata:.1f}} leaves<extra></extra>",
        )
    with_axes(figure, "rows that the trees grow on", score_name, _HEIGHT)
    figure.update_xaxes(rangemode="tozero")
    if curve.metric == "accuracy":
        figure.update_yaxes(tickformat=".0%")
    return figure


def residual_figure(predicted: ArrayLike, residuals: ArrayLike, theme: Theme, most: int = 5000) -> go.Figure:
    """True less predicted over predicted, one dot per row; of many rows, those at even steps."""
    x, y = np.asarray(predicted, dtype=np.float64), np.asarray(residuals, dtype=np.float64)
    kept = np.unique(np.linspace(0, x.size - 1, min(x.size, most)).astype(np.int64))
    figure = go.Figure()
    figure.add_scattergl(
        x=x[kept],
        y=y[kept],
        mode="markers",
        marker={"size": 6, "color": theme.classes[0], "opacity": 0.55},
        hovertemplate="predicted %{x:.4g}, true less predicted %{y:.4g}<extra></extra>",
        showlegend=False,
    )
    figure.add_hline(y=0, line={"color": theme.quiet, "dash": "dot", "width": 1.5})
    with_axes(figure, "predicted", "true less predicted", _HEIGHT)
    return figure
