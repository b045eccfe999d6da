"""A bar cut into the classes of some rows, as HTML: on the page at once, without the library of the figures."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from explorer.drawing.figures.data_figures import count_text
from explorer.drawing.palette import Theme, class_colours, text_on
from explorer.formatting import visible
from explorer.messages import message


def class_bar(classes: Sequence[object], weights: ArrayLike, theme: Theme) -> str:
    """One part for each class with rows, as wide as its share of the weights [K]; all of it when pointed at.

    A part's text wraps into a second line, which is hidden, where the part is too narrow for it.

    >>> from explorer.drawing.palette import LIGHT
    >>> "a&lt;b: 3 rows, 75.0%" in class_bar(["a<b", "c"], [3, 1], LIGHT)
    True
    """
    numbers = np.asarray(weights, dtype=np.float64)
    colours = class_colours(len(classes), theme.name, theme.palette)
    parts = [
        _part(visible(str(name)), colour, float(weight), float(weight / numbers.sum()))
        for name, colour, weight in zip(classes, colours, numbers, strict=True)
        if weight > 0
    ]
    style = "display:flex;gap:1px;height:1.625rem;border-radius:0.25rem;overflow:hidden"
    return f'<div class="class-bar" style="{style}">{"".join(parts)}</div>'


def _part(name: str, colour: str, weight: float, share: float) -> str:
    """A part of the bar with its class, rows and share."""
    rows = count_text(weight)
    whole = message("{name}: {rows} rows, {share:.1%}", name=name, rows=rows, share=share)
    style = (
        f"flex:{weight:g} 1 0;min-width:2px;display:flex;flex-wrap:wrap;justify-content:center;overflow:hidden;"
        f"height:100%;background:{colour};color:{text_on(colour)};font-size:0.8125rem;line-height:1.625rem"
    )
    text = html.escape(f"{name}  {rows} ({share:.0%})")
    return (
        f'<div style="{style}" title="{html.escape(whole)}"><span style="width:0;height:100%"></span>'
        f'<span style="white-space:nowrap;padding:0 0.25rem">{text}</span></div>'
    )
