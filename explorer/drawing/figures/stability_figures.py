"""What resamples of the rows make of a tree: shares as bars in HTML, and the spread of a threshold as a figure."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from explorer.data.codes.scale import NUMBERS, Scale
from explorer.drawing.figures.data_figures import with_scale
from explorer.drawing.palette import Theme
from explorer.formatting import percent, visible
from explorer.messages import message

_MOST_POINTS = 400
"""Thresholds drawn as points; of more, evenly spaced ones."""


def share_bars(
    lines: Sequence[tuple[str, int]], total: int, theme: Theme, own: str | None = None, is_narrow: bool = False
) -> str:
    """One line for each name with its count: a bar as long as its share of the total, and the fraction after it.

    The bar of the name `own` is in the colour of what is chosen, the others are grey. Narrow ones have no percentage.

    >>> from explorer.drawing.palette import LIGHT
    >>> "11 of 14 (78.6 %)" in share_bars([("Outlook", 11), ("a<b", 3)], 14, LIGHT)
    True
    """
    style = (
        "display:grid;grid-template-columns:fit-content(45%) minmax(1rem,1fr) max-content;"
        "gap:0.25rem 0.625rem;align-items:center;font-size:0.875rem;line-height:1.25rem"
    )
    text = short_fraction if is_narrow else fraction
    drawn = "".join(_line(name, text(count, total), count / total, theme, own) for name, count in lines)
    return f'<div class="share-bars" style="{style}">{drawn}</div>'


def _line(name: str, text: str, share: float, theme: Theme, own: str | None) -> str:
    colour = theme.accent if name == own else theme.line
    whole = html.escape(visible(name))
    cut = "overflow:hidden;text-overflow:ellipsis;white-space:nowrap"
    bar = f"width:{100 * share:.2f}%;height:0.75rem;border-radius:0.125rem;background:{colour}"
    return (
        f'<span style="{cut}" title="{whole}">{whole}</span>'
        f'<div style="min-width:0"><div style="{bar}"></div></div>'
        f'<span style="font-variant-numeric:tabular-nums">{html.escape(text)}</span>'
    )


def fraction(count: int, total: int) -> str:
    """A count with its share: 11 of 14 (78.6 %)."""
    return message("{count:,} of {total:,} ({share})", count=count, total=total, share=percent(count / total))


def short_fraction(count: int, total: int) -> str:
    """The same without its share: 11/14."""
    return f"{count:,}/{total:,}"


def threshold_figure(values: ArrayLike, own: float, theme: Theme, scale: Scale = NUMBERS) -> go.Figure:
    """The thresholds of a node in the resamples as a box with its points, and the tree's own as a line."""
    numbers = np.asarray(values, dtype=np.float64)
    step = max(-(-numbers.size // _MOST_POINTS), 1)
    low, middle, high = np.quantile(numbers, (0.25, 0.5, 0.75))
    figure = go.Figure(
        go.Box(
            q1=[low],
            median=[middle],
            q3=[high],
            lowerfence=[numbers.min()],
            upperfence=[numbers.max()],
            x=[numbers[::step]],
            y=[0],
            orientation="h",
            boxpoints="all",
            pointpos=-1.4,
            jitter=0.5,
            width=0.5,
            line={"color": theme.text, "width": 1.5},
            fillcolor="rgba(128, 128, 128, 0.25)",
            marker={"color": theme.accent, "size": 4, "opacity": 0.5},
            hoverinfo="skip",
        )
    )
    figure.add_vline(x=own, line={"color": theme.accent, "width": 2, "dash": "dot"})
    figure.add_annotation(
        x=own,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=message("this tree: {threshold}", threshold=scale.text(own)),
        showarrow=False,
        font={"color": theme.accent, "size": 12},
    )
    figure.update_layout(height=130, margin={"l": 8, "r": 8, "t": 24, "b": 8}, showlegend=False)
    figure.update_xaxes(automargin=True, zeroline=False, fixedrange=True)
    with_scale(figure, scale, float(numbers.min()), float(numbers.max()))
    figure.update_yaxes(visible=False, fixedrange=True, range=[-0.9, 0.5])
    return figure
