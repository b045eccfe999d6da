"""How wide the columns of a table of candidates are, so that every split is read whole in a small window."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

import pandas as pd

from explorer.drawing.svg.text_width import n_lines, width
from explorer.messages import message

_ROOM, _LEAST, _BAR = 278, 79, 106
"""Pixels of a table beside its boxes, in the inspector of a small window; of them for names and for bars at least."""
_LETTER, _PADDING, _SIZE = 8, 16, 12.6
"""Pixels for one letter, beside a text, and the size at which `width` is that of a cell's text in a broad font."""
_MOST_LINES = 4
"""So many lines a split has at most; its cell has the whole."""


@dataclass(frozen=True)
class Columns:
    """Pixels of columns that would else be as wide as their texts, and whether feature and split have one together.

    `lines` is how many lines such a split takes at most.
    """

    pixels: dict[str, int] = field(default_factory=dict)
    together: bool = False
    lines: int = 1


def alone(frame: pd.DataFrame, score: str, called: str) -> Columns:
    """Of a table alone: a feature's name is cut before its split is, and both wrap where a split has no room.

    `called` is the heading of the score.
    """
    bar = max(_BAR, _pixels(called))
    if "split" not in frame:
        return Columns({score: bar})
    feature, split = (max(map(_pixels, frame[name].dropna()), default=0) for name in ("feature", "split"))
    if feature + split <= _ROOM - bar:
        return Columns({score: bar})
    least = max([_LEAST, *map(_pixels, frame["feature"][frame["split"].isna()])])  # lines of no feature are not cut
    if split + least <= _ROOM - bar:
        return Columns({score: bar, "feature": _ROOM - bar - split})
    tests = whole_tests(frame)
    room = min(max(map(_pixels, tests)), _ROOM - bar)
    return Columns({score: bar, "split": room}, together=True, lines=lines_in(tests, room))


def lines_in(texts: list[str], room: int) -> int:
    """How many lines the longest of some texts takes in a column so wide; never more than a cell shows."""
    return min(max((n_lines(text, room - _PADDING, _SIZE) for text in texts), default=1), _MOST_LINES)


def whole_tests(frame: pd.DataFrame) -> list[str]:
    """The whole test of each row: its feature and its split; the feature alone where that has each value."""
    return [
        name if split is None or split == message("each value") else f"{name} {split}"
        for name, split in zip(frame["feature"], frame["split"], strict=True)
    ]


def _pixels(text: str) -> int:
    return math.ceil(width(text, _SIZE)) + _PADDING


def shown_names(names: list[str], pixels: int) -> list[str]:
    """The names of features for a column so wide: those that begin alike are told apart."""
    return told_apart(names, (pixels - _PADDING) // _LETTER)


def told_apart(names: list[str], letters: int) -> list[str]:
    """Names that begin with the same letters, as many as are seen, with their ends and without their middles.

    An end in brackets stays whole where it fits.

    >>> told_apart(["date of purchase (year)", "date of purchase (month)", "date of birth"], 15)
    ['date of …(year)', 'date of…(month)', 'date of birth']
    """
    begins = Counter(name[:letters] for name in names)
    return [
        _without_middle(name, letters) if begins[name[:letters]] > 1 and len(name) > letters else name for name in names
    ]


def _without_middle(name: str, letters: int) -> str:
    bracket = len(name) - name.rfind("(") if name.endswith(")") and "(" in name else letters
    tail = bracket if bracket < letters - 1 else letters // 2
    return f"{name[: letters - tail - 1]}…{name[-tail:]}"
