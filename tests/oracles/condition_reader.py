"""Reads the texts of tests and rules as a person would: which cells fulfil them.

It shares the word for missing with the package, in the language in force, and nothing else.
"""

from __future__ import annotations

import json
import math
import re

from explorer.messages import message

MISSING = {"is missing", "missing", "缺失"}
KNOWN = {"is known", "未缺失"}
_NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
_BETWEEN = re.compile(rf"({_NUMBER}) < (.+?) ≤ ({_NUMBER})", re.DOTALL)
_BOUND = re.compile(rf"([≤>]) ({_NUMBER})")


def fulfils(cell: object, text: str, feature: str) -> bool:
    """Whether a cell of the feature (a number, a category, or None: missing) fulfils a text with its name."""
    between = _BETWEEN.fullmatch(text)
    if between and between[2] == feature:
        return _is_number(cell) and float(between[1]) < cell <= float(between[3])  # type: ignore[operator]
    assert text.startswith(f"{feature} "), (text, feature)
    return fulfils_branch(cell, text.removeprefix(f"{feature} "))


def fulfils_branch(cell: object, text: str) -> bool:
    """The same for the text of a branch, without the feature's name."""
    if text in MISSING:
        return cell is None
    if text in KNOWN:
        return cell is not None
    interval = _BETWEEN.fullmatch(text)
    if interval and interval[2] == "…":
        return _is_number(cell) and float(interval[1]) < cell <= float(interval[3])  # type: ignore[operator]
    bound = _BOUND.fullmatch(text)
    if bound:
        is_below = _is_number(cell) and cell <= float(bound[2])  # type: ignore[operator]
        return _is_number(cell) and is_below == (bound[1] == "≤")
    sign, _, names = text.partition(" ")
    group = names_in(names[1:-1]) if names.startswith("{") else [_name(names)]
    return (_shown(cell) in group) == (sign in ("=", "∈"))


def names_in(text: str) -> list[str | None]:
    """The names between the braces of a set; None is the missing value."""
    names, at = [], 0
    while at < len(text):
        if text[at] == '"':
            name, at = json.JSONDecoder(strict=False).raw_decode(text, at)
            names.append(name)
        else:
            end = text.find(", ", at)
            end = len(text) if end < 0 else end
            names.append(_name(text[at:end]))
            at = end
        assert text[at : at + 2] in (", ", ""), text
        at += 2
    return names


def _name(text: str) -> str | None:
    return json.loads(text, strict=False) if text.startswith('"') else None if text == message("missing") else text


def _is_number(cell: object) -> bool:
    return isinstance(cell, float) and not math.isnan(cell)


def _shown(cell: object) -> str | None:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return None if cell is None else str(cell)
