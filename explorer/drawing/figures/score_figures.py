"""Plotly figures of a tree's scores: curves of a class, calibration, leaf sizes, importance, learning, residuals.

They compute no scores. Baselines (chance, the class's share, the mean) are dotted lines with their name; only pictures
with two lines have a legend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from explorer.drawing.figures.data_figures import brief, with_axes
from explorer.drawing.palette import Theme, class_colours, mix
from explorer.evaluation.comparison.greedy_and_optimal import GreedyAndOptimal
from explorer.evaluation.deciding.class_curves import ClassCurves
from explorer.evaluation.feature_importance import PermutationImportance
from explorer.evaluation.leaf_calibration import LeafCalibration, LeafSizes
from explorer.evaluation.learning_curve import LearningCurve
from explorer.formatting import percent, rows_or_weight
from explorer.messages import message

_HEIGHT = 330
_LONGEST = 28
_MOST_MARKERS = 60
_BAR, _AROUND, _BETWEEN = 26, 90, 70
"""Pixels for one feature, and for the margins."""
_LEAST_DOT, _LARGEST_DOT = 6.0, 26.0


def roc_figure(curves: ClassCurves, colour: str, theme: Theme) -> go.Figure:
    """ROC: recall over the false positive rate at every threshold; chance is the diagonal."""
    tooltip = message("false positive rate {x}, recall {y}", x="%{x:.1%}", y="%{y:.1%}")
    figure = _curve(curves, curves.false_alarms, curves.recall, colour, tooltip)
    _reference(figure, [0, 1], [0, 1], message("chance"), theme)
    _shares(figure, message("false positive rate"), message("recall (true positive rate)"))
    return figure


def precision_figure(curves: ClassCurves, colour: str, theme: Theme) -> go.Figure:
    """Precision over recall at every threshold; predicting the class for all rows has its share as precision."""
    tooltip = message("recall {x}, precision {y}", x="%{x:.1%}", y="%{y:.1%}")
    figure = _curve(curves, curves.recall, curves.precision, colour, tooltip)
    _reference(figure, [0, 1], [curves.share, curves.share], message("share of the class"), theme)
    _shares(figure, message("recall (true positive rate)"), message("precision"))
    return figure


def lift_figure(curves: ClassCurves, colour: str, theme: Theme) -> go.Figure:
    """Lift over the share of rows predicted as the class; 1 is no better than drawing rows at random."""
    tooltip = message("{x} of the rows predicted as the class: lift {y}", x="%{x:.1%}", y="%{y:.2f}")
    figure = _curve(curves, curves.depth, curves.lift, colour, tooltip)
    _reference(figure, [0, 1], [1, 1], message("random rows"), theme)
    with_axes(figure, message("share of rows predicted as the class"), message("lift"), _HEIGHT)
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_yaxes(rangemode="tozero", title_standoff=18)
    return figure


def _curve(curves: ClassCurves, x: ArrayLike, y: ArrayLike, colour: str, tooltip: str) -> go.Figure:
    """One line over all thresholds of the predicted probability; the tooltip names the threshold."""
    figure = go.Figure()
    few = len(curves.thresholds) <= _MOST_MARKERS
    cut_texts = [
        message("no row is predicted as the class")
        if np.isinf(threshold)
        else message("predicted probability ≥ {threshold}", threshold=percent(threshold))
        for threshold in curves.thresholds
    ]
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines+markers" if few else "lines",
        line={"color": colour, "width": 2.5},
        marker={"size": 7},
        customdata=cut_texts,
        hovertemplate=f"%{{customdata}}<br>{tooltip}<extra></extra>",
        cliponaxis=False,
        showlegend=False,
    )
    return figure


def _reference(figure: go.Figure, x: Sequence[float], y: Sequence[float], name: str, theme: Theme) -> None:
    """The baseline, named at its right end."""
    _dotted(figure, x, y, theme)
    shift = -2 if y[0] == y[-1] else -14
    _written(figure, name, theme, x=x[-1], y=y[-1], xanchor="right", yanchor="top", yshift=shift)


def _dotted(figure: go.Figure, x: Sequence[float], y: Sequence[float], theme: Theme) -> None:
    line = {"color": theme.quiet, "dash": "dot", "width": 1.5}
    figure.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False)


def _written(figure: go.Figure, words: str, theme: Theme, **position: object) -> None:
    font = {"color": theme.quiet, "size": 12}
    figure.add_annotation(text=words, showarrow=False, font=font, bgcolor=theme.background, opacity=0.85, **position)


def _diagonal(figure: go.Figure, ends: Sequence[float], theme: Theme) -> None:
    """Where predicted and observed agree, named above the plot, where no dot lies."""
    _dotted(figure, ends, ends, theme)
    at = {"x": 1, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "bottom", "yshift": 6}
    _written(figure, message("predicted = observed"), theme, **at)


def _shares(figure: go.Figure, x_title: str, y_title: str) -> None:
    """Both axes from 0 to 1."""
    with_axes(figure, x_title, y_title, _HEIGHT)
    figure.update_xaxes(range=[-0.02, 1.02], tickformat=".0%")
    figure.update_yaxes(range=[-0.02, 1.04], tickformat=".0%")


def calibration_figure(
    calibration: LeafCalibration,
    column: int,
    what: str,
    colour: str,
    theme: Theme,
    is_share: bool = True,
    chosen: int | None = None,
) -> go.Figure:
    """The observed share of each leaf over its predicted one, sized by rows; the node `chosen` has a ring.

    `what` names the share of the class in that column; without `is_share` the mean. A mark's `customdata` is its node
    and its tooltip.
    """
    x, y = calibration.predicted[:, column], calibration.observed[:, column]
    figure = go.Figure()
    tooltip = [
        message("node {node}, {rows}", node=node, rows=rows_or_weight(weight, calibration.counts_rows))
        for node, weight in zip(calibration.nodes, calibration.weight, strict=True)
    ]
    form = ":.1%" if is_share else ":.4g"
    values = message("predicted {x}, observed {y}", x=f"%{{x{form}}}", y=f"%{{y{form}}}")
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker={
            "size": _dots(calibration.weight),
            "color": mix(colour, theme.background, 0.25),
            "line": _ring(calibration.nodes, chosen, theme),
        },
        customdata=list(zip(calibration.nodes.tolist(), tooltip, strict=True)),
        hovertemplate=f"%{{customdata[1]}}<br>{values}<extra></extra>",
        cliponaxis=False,
        showlegend=False,
    )
    ends = [0.0, 1.0] if is_share else [float(min(x.min(), y.min())), float(max(x.max(), y.max()))]
    _diagonal(figure, ends, theme)
    name = brief(what, _LONGEST)
    with_axes(figure, message("predicted: {name}", name=name), message("observed"), _HEIGHT)
    if is_share:
        figure.update_xaxes(range=[-0.04, 1.04], tickformat=".0%")
        figure.update_yaxes(range=[-0.04, 1.06], tickformat=".0%")
    return figure


def _ring(nodes: Sequence[int] | np.ndarray, chosen: int | None, theme: Theme) -> dict[str, list[object]]:
    """The outlines of marks, strong around the chosen node."""
    is_chosen = [node == chosen for node in nodes]
    return {
        "width": [3 if is_strong else 1 for is_strong in is_chosen],
        "color": [theme.text if is_strong else theme.background for is_strong in is_chosen],
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
    """The leaves by their training rows, the largest first, in the colours of their predictions (`labels` [m]).

    A bar's `customdata` is its node and its tooltip; the bar of the node `chosen` has an outline.
    """
    order = np.argsort(-sizes.weight, kind="stable")[:most]
    colours = class_colours(len(classes), theme.name, theme.palette) if classes else [theme.classes[0]]
    codes = np.asarray(labels, dtype=np.int64)[order] if classes else np.zeros(order.size, dtype=np.int64)
    figure = go.Figure()
    for code in np.unique(codes):
        positions = np.flatnonzero(codes == code)
        name = brief(classes[code], _LONGEST) if classes else ""
        figure.add_bar(
            x=positions + 1,
            y=sizes.weight[order[positions]],
            name=name,
            marker={"color": colours[code], "line": _ring(sizes.nodes[order[positions]], chosen, theme)},
            customdata=[(int(sizes.nodes[leaf]), _leaf_text(sizes, int(leaf))) for leaf in order[positions]],
            hovertemplate=f"%{{customdata[1]}}<extra>{name}</extra>",
        )
    amount = message("training rows") if sizes.counts_rows else message("weight of the training rows")
    with_axes(figure, message("leaves, largest first"), amount, _HEIGHT)
    figure.update_layout(showlegend=1 < len(np.unique(codes)) <= 10, bargap=0.15)
    figure.update_xaxes(tickformat="d", dtick=max(1, order.size // 12))
    return figure


def _leaf_text(sizes: LeafSizes, leaf: int) -> str:
    fields = {
        "node": sizes.nodes[leaf],
        "rows": rows_or_weight(float(sizes.weight[leaf]), sizes.counts_rows),
        "share": percent(sizes.share[leaf]),
    }
    if sizes.purity is not None:
        return message("node {node}: {rows} ({share}), purity {purity}", purity=percent(sizes.purity[leaf]), **fields)
    if sizes.spread is None:
        return message("node {node}: {rows} ({share})", **fields)
    return message(
        "node {node}: {rows} ({share}), standard deviation {deviation:.4g}",
        deviation=sizes.spread[leaf],
        **fields,
    )


def importance_figure(
    shares: Mapping[str, float],
    lost: Mapping[str, PermutationImportance] | None,
    loss_name: str,
    theme: Theme,
    most: int = 30,
    shares_name: str = "",
) -> go.Figure:
    """Impurity importance and below it, where given, permutation importance of the most important features.

    `shares_name` says what else the shares are.
    """
    names_shown = sorted(shares, key=lambda name: (-shares[name], -lost[name].mean if lost else 0.0))[:most][::-1]
    names = [brief(name, _LONGEST) for name in names_shown]
    rows = list(range(len(names_shown)))
    titles = [shares_name or message("Impurity importance (MDI)")]
    titles += [message("Permutation importance:<br>{loss}", loss=loss_name)] if lost else []
    height = (_BAR * len(names_shown) + _AROUND) * len(titles)
    figure = make_subplots(rows=len(titles), vertical_spacing=_BETWEEN / height, subplot_titles=titles)
    marker = {"color": theme.classes[0], "line": {"width": 0}}
    shared = {"orientation": "h", "marker": marker, "customdata": names, "showlegend": False}
    tooltip = "%{customdata}: %{x:.1%}<extra></extra>"
    figure.add_bar(x=[shares[name] for name in names_shown], y=rows, hovertemplate=tooltip, row=1, col=1, **shared)
    if lost:
        figure.add_bar(
            x=[lost[name].mean for name in names_shown],
            y=rows,
            error_x={
                "array": [lost[name].standard_deviation for name in names_shown],
                "color": theme.text,
                "thickness": 1.2,
            },
            hovertemplate="%{customdata}: %{x:.4g} ± %{error_x.array:.2g}<extra></extra>",
            row=2,
            col=1,
            **shared,
        )
    with_axes(figure, "", "", height)
    figure.update_xaxes(tickformat=".0%", rangemode="tozero", row=1, col=1)
    if lost:
        figure.update_xaxes(zeroline=True, zerolinecolor=theme.line, row=2, col=1)
    figure.update_yaxes(tickvals=rows, ticktext=names, title=None, showgrid=False)
    figure.update_annotations(font={"size": 13, "color": theme.text})
    return figure


def learning_figure(curve: LearningCurve, score_name: str, theme: Theme) -> go.Figure:
    """The scores on training rows and held-out fold over the number of training rows, with standard errors."""
    figure = go.Figure()
    lines = (
        (message("training rows"), curve.train, curve.train_error, theme.classes[1], "circle-open", "dash"),
        (message("held-out rows"), curve.valid, curve.valid_error, theme.classes[0], "circle", "solid"),
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
            hovertemplate=message(
                "training set of {rows} rows, {name}: {score}<br>mean number of leaves {leaves}",
                rows="%{x}",
                name=name,
                score="%{y:.4g}",
                leaves="%{customdata:.1f}",
            )
            + "<extra></extra>",
        )
    with_axes(figure, message("size of the training set"), score_name, _HEIGHT)
    figure.update_xaxes(rangemode="tozero")
    if curve.metric == "accuracy":
        figure.update_yaxes(tickformat=".0%")
    return figure


def greedy_and_optimal_figure(found: GreedyAndOptimal, chosen: int, loss_name: str, theme: Theme) -> go.Figure:
    """The losses of greedy and of optimal trees over their leaves, on training rows and on held-out rows.

    A line stands at the `chosen` number of leaves.
    """
    figure, leaves = go.Figure(), [pair.leaves for pair in found.pairs]
    lines = (
        (message("greedy"), [pair.greedy_loss for pair in found.pairs], theme.classes[1], "solid"),
        (message("optimal"), [pair.loss for pair in found.pairs], theme.classes[0], "solid"),
        (message("greedy, held-out"), [pair.greedy_held_out for pair in found.pairs], theme.classes[1], "dot"),
        (message("optimal, held-out"), [pair.held_out for pair in found.pairs], theme.classes[0], "dot"),
    )
    for name, losses, colour, dash in lines:
        if losses[0] is not None:
            figure.add_scatter(
                x=leaves,
                y=losses,
                name=name,
                mode="lines+markers",
                line={"color": colour, "width": 2, "dash": dash},
                hovertemplate="%{x}: %{y:.4g}<extra>" + name + "</extra>",
            )
    figure.add_vline(x=chosen, line={"color": theme.line, "width": 1})
    with_axes(figure, message("leaves"), loss_name, _HEIGHT)
    figure.update_layout(margin={"t": 64})
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(rangemode="tozero")
    return figure


def residual_figure(predicted: ArrayLike, residuals: ArrayLike, theme: Theme, most: int = 5000) -> go.Figure:
    """Residual (true − predicted) over prediction, one dot per row; of many rows, those at even steps."""
    x, y = np.asarray(predicted, dtype=np.float64), np.asarray(residuals, dtype=np.float64)
    positions = np.unique(np.linspace(0, x.size - 1, min(x.size, most)).astype(np.int64))
    figure = go.Figure()
    figure.add_scattergl(
        x=x[positions],
        y=y[positions],
        mode="markers",
        marker={"size": 6, "color": theme.classes[0], "opacity": 0.55},
        hovertemplate=message("predicted {x}, residual {y}", x="%{x:.4g}", y="%{y:.4g}") + "<extra></extra>",
        showlegend=False,
    )
    figure.add_hline(y=0, line={"color": theme.quiet, "dash": "dot", "width": 1.5})
    with_axes(figure, message("predicted"), message("residual (true − predicted)"), _HEIGHT)
    return figure
