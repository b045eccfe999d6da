"""Pictures of a tree with several targets: the decrease of each target per candidate, and the leaves in small bars."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from explorer.drawing.figures.class_bar import class_bar
from explorer.drawing.figures.data_figures import brief, plain, with_axes
from explorer.drawing.palette import Theme, class_colours
from explorer.formatting import visible
from explorer.messages import message
from explorer.tree.tree import Tree

_BAR, _AROUND = 30, 90
"""Pixels for one candidate, and for the margins."""
_LONGEST = 24


def target_colours(n_targets: int, theme: Theme) -> list[str]:
    """One colour per target, from the end of the palette so that they differ from the first classes."""
    return list(class_colours(n_targets + 2, theme.name, theme.palette))[2:]


def stacked_decreases(splits: Sequence[str], shares: ArrayLike, targets: Sequence[str], theme: Theme) -> go.Figure:
    """One bar per candidate, best on top, made of what each target adds to the mean; `shares` are [candidates, q]."""
    numbers = np.asarray(shares, dtype=np.float64)
    labels = [brief(split, _LONGEST) for split in splits]
    figure = go.Figure()
    for j, (target, colour) in enumerate(zip(targets, target_colours(len(targets), theme), strict=True)):
        figure.add_bar(
            y=list(range(len(labels))),
            x=numbers[:, j] / len(targets),
            orientation="h",
            name=brief(target, _LONGEST),
            marker={"color": colour},
            customdata=[f"{plain(split)}<br>{plain(target)}" for split in splits],
            hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
        )
    with_axes(figure, message("decrease, mean over the targets"), "", _AROUND + _BAR * len(labels))
    figure.update_layout(barmode="stack", bargap=0.35, legend_traceorder="normal")
    figure.update_yaxes(
        autorange="reversed",
        tickmode="array",
        tickvals=list(range(len(labels))),
        ticktext=labels,
    )
    return figure


def leaf_bars(trees: Sequence[Tree], leaves: Sequence[int], theme: Theme, selected: int = -1) -> str:
    """The leaves [m] as rows of an HTML grid: their number, their rows, and one small bar per target.

    A class target has a bar of its classes, a numeric one a bar from the least to the largest mean of all leaves.
    """
    names = "".join(f"<b>{html.escape(visible(tree.target))}</b>" for tree in trees)
    head = f"<b>{html.escape(message('Leaf'))}</b><b>{html.escape(message('rows'))}</b>{names}"
    colours = target_colours(len(trees), theme)
    lines = [_leaf(trees, int(leaf), theme, colours, int(leaf) == selected) for leaf in leaves]
    style = (
        f"display:grid;grid-template-columns:auto auto repeat({len(trees)},minmax(0,1fr));gap:0.25rem 0.75rem;"
        "align-items:center;font-size:0.875rem;font-variant-numeric:tabular-nums"
    )
    return f'<div class="leaf-bars" style="{style}">{head}{"".join(lines)}</div>'


def _leaf(trees: Sequence[Tree], leaf: int, theme: Theme, colours: Sequence[str], is_selected: bool) -> str:
    weight = "bold" if is_selected else "normal"
    bars = []
    for tree, colour in zip(trees, colours, strict=True):
        if tree.is_regression:
            bars.append(_mean_bar(tree, leaf, colour, theme))
        else:
            weights = tree.shares[leaf] * tree.weight[leaf]
            bars.append(class_bar([str(name) for name in tree.classes], weights, theme, tree.counts_rows))
    return f'<span style="font-weight:{weight}">{leaf}</span><span>{trees[0].weight[leaf]:g}</span>{"".join(bars)}'


def _mean_bar(tree: Tree, leaf: int, colour: str, theme: Theme) -> str:
    """A mean as a bar between the least and the largest of the leaves, with the number beside it."""
    means, value = tree.values[tree.is_leaf], float(tree.values[leaf])
    span = float(np.ptp(means)) or 1.0
    share = 0.04 + 0.96 * (value - float(means.min())) / span
    bar = f'<div style="width:{share:.1%};height:100%;background:{colour};border-radius:0.25rem"></div>'
    return (
        '<div style="display:flex;gap:0.5rem;align-items:center">'
        f'<div style="flex:1;height:0.75rem;background:{theme.line};border-radius:0.25rem">{bar}</div>'
        f'<span style="min-width:3.5rem;text-align:right">{f"{value:.4g}"}</span></div>'
    )
