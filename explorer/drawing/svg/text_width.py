"""Upper bounds for the width of text in unknown fonts, and text cut to a width."""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache

from explorer.formatting import shortened, visible

_NARROW = frozenset("ijlI|!.,:;'`·")
_SLIM = frozenset('ftr ()[]/\\-"')
_BROAD = frozenset("mwMWGOQ@%#~^&<>=+—…≤≥≠∈∉±×")
_BOLD = 1.1


def width(text: str, size: float, bold: bool = False) -> float:
    """The largest width of a text, in the unit of `size`, over the usual fonts.

    >>> width("天气", 10.0) > width("ab", 10.0) > width("il", 10.0)
    True
    """
    return sum(map(_em, text)) * size * (_BOLD if bold else 1.0)


def fitted(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text with its invisible characters shown, cut with an ellipsis where it is wider than `room`.

    >>> fitted("Temperature", 50.0, 10.0)
    'Tempe…'
    """
    shown = visible(text)
    allowed = room / (size * (_BOLD if bold else 1.0))
    used, last = 0.0, 0
    for index, character in enumerate(shown):
        used += _em(character)
        if used > allowed:
            return shortened(shown[: last + 1] + "…", last + 1)
        if used + _em("…") <= allowed:
            last = index + 1
    return shown


def n_lines(text: str, room: float, size: float) -> int:
    """How many lines a text takes that breaks at spaces, and within words that are wider than a line.

    >>> n_lines("one two", 50.0, 10.0), n_lines("one two", 30.0, 10.0), n_lines("eighteen", 30.0, 10.0)
    (1, 2, 2)
    """
    lines, used, blank = 1, 0.0, width(" ", size)
    for word in text.split():
        wide = width(word, size)
        if used and used + blank + wide > room:
            lines, used = lines + 1, 0.0
        used += wide + (blank if used else 0.0)
        over = max(0, math.ceil(used / room) - 1)
        lines, used = lines + over, used - over * room
    return lines


def fitted_lines(text: str, room: float, size: float, lines: int) -> str:
    """The text cut with an ellipsis where it takes more lines, each so wide.

    >>> fitted_lines("one two three", 32.0, 10.0, 2)
    'one two…'
    """
    share = float(lines)
    shown = fitted(text, share * room, size)
    while n_lines(shown, room, size) > lines:
        share -= 0.05
        shown = fitted(text, share * room, size)
    return shown


@lru_cache(maxsize=4096)
def _em(character: str) -> float:
    """A character's width as a share of the font size: a wide East Asian one counts as two columns."""
    if character in _NARROW:
        return 0.41
    if character in _SLIM:
        return 0.47
    if character in _BROAD:
        return 1.0
    if character.isascii():
        return 0.8 if character.isupper() else 0.65
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.3 if 0x1F000 <= ord(character) < 0x20000 else 1.1
    return 0.85 if character.islower() else 1.05
