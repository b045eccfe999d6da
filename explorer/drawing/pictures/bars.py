"""Bars side by side: one number each, such as the gain of every feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class Bar:
    """A bar with its label and its number; `text` is the number as it is written, "?" while it is asked for.

    `parts` add up to the number: the bar then has their colours.
    """

    label: str
    value: float
    text: str = ""
    is_best: bool = False
    is_out: bool = False
    parts: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Bars(Picture):
    """Horizontal bars from 0 to `most`; `mark` draws a line at a number, such as the mean, with its text.

    `part_names` say what the parts of the bars are. Where `rows` are named, with the codes of their classes, the
    reader leaves out one at a time: the bars become those of `without`, the best of which is the root. `struck` is the
    row that is out at first; `is_sorted` puts every row to the root without it.
    """

    kind: ClassVar[str] = "bars"
    bars: tuple[Bar, ...]
    most: float
    title: str = ""
    mark: float | None = None
    mark_text: str = ""
    part_names: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    codes: tuple[int, ...] = ()
    classes: tuple[str, ...] = ()
    without: tuple[tuple[Bar, ...], ...] = ()
    struck: int | None = None
    is_sorted: bool = False
