"""Bars of classes as HTML, on the page at once without the library of the figures: one cut into parts, or one each."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from explorer.drawing.figures.data_figures import count_text
from explorer.drawing.palette import Theme, class_colours, text_on
from explorer.formatting import percent, rows_or_weight, shortened, visible
from explorer.messages import message, plural

_MOST, _LONGEST = 12, 40
"""Bars at most, of more classes not all are shown; characters of a class's name."""
_BRANCH_ROOM, _LETTER, _PADDING = 180, 7, 8
"""Pixels for the bar of a branch in a small window, for one letter, and beside a text."""


def class_bar(
    classes: Sequence[object],
    weights: ArrayLike,
    theme: Theme,
    counts_rows: bool = True,
    room: float = np.inf,
) -> str:
    """One part for each class with rows, as wide as its share of the weights [K]; all of it when pointed at.

    Where a part is too narrow, its share, then its class and rows wrap into a second line, which is hidden. Of a bar
    with so many pixels of `room`, a part without room for class and share has its rows alone.

    >>> from explorer.drawing.palette import LIGHT
    >>> "a&lt;b: 3 rows, 75.0 %" in class_bar(["a<b", "c"], [3, 1], LIGHT)
    True
    """
    numbers = np.asarray(weights, dtype=np.float64)
    colours = class_colours(len(classes), theme.name, theme.palette)
    parts = [
        _part(visible(str(name)), colour, float(weight), float(weight / numbers.sum()), counts_rows, room)
        for name, colour, weight in zip(classes, colours, numbers, strict=True)
        if weight > 0
    ]
    style = "display:flex;gap:1px;height:1.625rem;border-radius:0.25rem;overflow:hidden"
    return f'<div class="class-bar" style="{style}">{"".join(parts)}</div>'


def branch_bars(
    words: Sequence[str], classes: Sequence[object], stats: ArrayLike, theme: Theme, counts_rows: bool = True
) -> str:
    """A bar of the classes for each branch, of weights [B, K]; of very many branches the first.

    >>> from explorer.drawing.palette import LIGHT
    >>> "Sunny" in branch_bars(["= Sunny", "= Rain"], ["No", "Yes"], [[3, 2], [2, 3]], LIGHT)
    True
    """
    shown = np.asarray(stats, dtype=np.float64)[:_MOST]
    bars = [class_bar(classes, weights, theme, counts_rows, _BRANCH_ROOM) for weights in shown]
    return branch_lines(words, bars)


def branch_lines(words: Sequence[str], contents: Sequence[str]) -> str:
    """A line for each branch: its word, and what it holds, as HTML; of very many branches the first.

    >>> "a&lt;b" in branch_lines(["a<b"], ["7 rows"])
    True
    """
    style = "display:grid;grid-template-columns:fit-content(40%) 1fr;gap:0.125rem 0.5rem;align-items:center"
    cell = '<div style="overflow:hidden;text-overflow:ellipsis;white-space:nowrap" title="{word}">{word}</div>'
    shown = zip(map(html.escape, map(visible, words)), contents, strict=False)
    lines = [cell.format(word=word) + f"<div>{content}</div>" for word, content in [*shown][:_MOST]]
    rest = plural(len(words) - _MOST, "{n} more branch", "{n} more branches") if len(words) > _MOST else ""
    return f'<div class="branch-lines" style="{style};font-size:0.8125rem">{"".join(lines)}{rest}</div>'


def _part(name: str, colour: str, weight: float, share: float, counts_rows: bool, room: float) -> str:
    """A part of the bar with its class, rows and share."""
    amount = rows_or_weight(weight, counts_rows)
    whole = message("{name}: {rows}, {share}", name=name, rows=amount, share=percent(share))
    style = (
        f"flex:{weight:g} 1 0;min-width:2px;display:flex;flex-wrap:wrap;justify-content:center;overflow:hidden;"
        f"height:100%;background:{colour};color:{text_on(colour)};font-size:0.8125rem;line-height:1.625rem"
    )
    rows_text = count_text(weight)
    wanted = [[f"{name}  {rows_text}", f"({percent(share)})"], [f"{name}  {rows_text}"], [rows_text]]
    texts = next((texts for texts in wanted if len(" ".join(texts)) * _LETTER + _PADDING <= share * room), [rows_text])
    spans = [f'<span style="white-space:nowrap;padding-inline:0.125rem">{html.escape(text)}</span>' for text in texts]
    return (
        f'<div style="{style}" title="{html.escape(whole)}"><span style="width:0;height:100%"></span>'
        f"{' '.join(spans)}</div>"
    )


def prediction_bars(classes: Sequence[object], shares: ArrayLike, theme: Theme) -> str:
    """One bar per class with its share [K] after it, in class order and in the colours of the classes.

    Of many classes the twelve with the largest positive shares are shown.

    >>> from explorer.drawing.palette import LIGHT
    >>> "a&lt;b" in prediction_bars(["a<b", "c"], [0.75, 0.25], LIGHT)
    True
    """
    numbers = np.asarray(shares, dtype=np.float64)
    shown = np.sort(np.argsort(-numbers, kind="stable")[:_MOST])
    if numbers.size > _MOST:
        shown = shown[numbers[shown] > 0]
    colours = class_colours(len(classes), theme.name, theme.palette)
    lines = [_line(visible(str(classes[k])), colours[k], float(numbers[k])) for k in shown]
    style = "display:grid;grid-template-columns:fit-content(50%) 1fr;gap:0.5rem;align-items:center;font-size:0.875rem"
    return f'<div class="prediction-bars" style="{style}">{"".join(lines)}</div>'


def _line(name: str, colour: str, share: float) -> str:
    """A class, its bar, and its share."""
    bar = f"width:calc((100% - 4.5rem) * {share:.6f});height:1.5rem;background:{colour}"
    name_style = "overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:right"
    return (
        f'<div style="{name_style}" title="{html.escape(name)}">{html.escape(shortened(name, _LONGEST))}</div>'
        f'<div style="display:flex;align-items:center;gap:0.375rem"><div style="{bar}"></div>'
        f'<span style="white-space:nowrap">{percent(share)}</span></div>'
    )
