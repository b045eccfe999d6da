"""Reads the parameters of a web address one at a time, and collects what could not be used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from explorer.formatting import shortened
from explorer.messages import message
from explorer.recipe.class_weights import Costs, Pairs
from explorer.recipe.feature_constraints import FeatureSets

T = TypeVar("T")
LARGEST = 2**31 - 1
"""The largest whole number that an address may hold, unless a field has a smaller limit."""
_LONGEST = 100
"""Letters of a parameter that could not be used, as its refusal quotes it."""


class QueryReader:
    """The parameters of one address; `problems` has a sentence for each that could not be used."""

    def __init__(self, query: Mapping[str, Sequence[str]]) -> None:
        self.query = query
        self.problems: list[str] = []

    def refuse(self, key: str, default: object, why: str = "") -> None:
        """Note that a parameter was not used; `why` is what a deliberate error says of it."""
        given = shortened(self.text(key, ""), _LONGEST)
        has_default = default not in ("", None)
        if why and has_default:
            problem = message(
                "The link has {key} = “{given}”: {why} {default} is used instead.",
                key=key,
                given=given,
                why=why,
                default=default,
            )
        elif why:
            problem = message(
                "The link has {key} = “{given}”: {why} The default is used instead.", key=key, given=given, why=why
            )
        elif has_default:
            problem = message(
                "The link has {key} = “{given}”, which is not possible: {default} is used instead.",
                key=key,
                given=given,
                default=default,
            )
        else:
            problem = message(
                "The link has {key} = “{given}”, which is not possible: the default is used instead.",
                key=key,
                given=given,
            )
        self.problems.append(problem)

    def texts(self, key: str) -> tuple[str, ...]:
        """The parameter as often as it is written."""
        return tuple(self.query.get(key, ()))

    def text(self, key: str, default: str) -> str:
        """The parameter as written last, or the default."""
        return self.query[key][-1] if self.query.get(key) else default

    def choice(self, key: str, default: str, allowed: Collection[str]) -> str:
        """One of the allowed words."""
        text = self.text(key, default)
        if text in allowed or text == default:
            return text
        self.refuse(key, default)
        return default

    def switch(self, key: str, default: bool, on: str, off: str) -> bool:
        """Whether the word for "on" is written; the default without the parameter."""
        return self.choice(key, on if default else off, (on, off)) == on

    def whole(self, key: str, default: int, least: int = 0, most: int = LARGEST) -> int:
        """A whole number between two bounds."""
        text = self.text(key, str(default))
        if text.isascii() and text.isdigit() and len(text) <= 12 and least <= int(text) <= most:
            return int(text)
        self.refuse(key, default)
        return default

    def number(self, key: str, default: float | None, least: float, most: float = math.inf) -> float | None:
        """A finite number between two bounds; the default without the parameter."""
        if not self.query.get(key):
            return default
        number = self._float(key)
        if math.isfinite(number) and least <= number <= most:
            return number
        self.refuse(key, default)
        return default

    def _float(self, key: str) -> float:
        """A number, or NaN for a text that is none."""
        try:
            return float(self.text(key, ""))
        except ValueError:
            return math.nan

    def wholes(self, key: str, count: int) -> tuple[int, ...] | None:
        """Exactly `count` whole numbers joined by a minus sign; None without them."""
        text = self.text(key, "")
        if not text:
            return None
        if re.fullmatch(r"-".join([r"\d{1,9}"] * count), text, re.ASCII):
            return tuple(int(digits) for digits in text.split("-"))
        self.refuse(key, None)
        return None

    def parsed(self, key: str, default: T, parse: Callable[[str], T | None]) -> T:
        """What a function makes of the parameter, which is "" where it is missing; the default where that is None."""
        value = parse(self.text(key, ""))
        if value is not None:
            return value
        self.refuse(key, default or None)
        return default


_WHOLE_DIGITS = 18
"""A whole number with more digits in an address is no name of a class."""


def pairs_in(text: str) -> Pairs | Costs:
    """Names and amounts, or names and such pairs, from JSON; ValueError for anything else."""
    pairs: Pairs | Costs = tuple(_pair(item) for item in _list_in(text))
    return pairs


def sets_in(text: str) -> FeatureSets:
    """Lists of names, from JSON; ValueError for anything else."""
    sets = _list_in(text)
    if not all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in sets):
        raise ValueError(text)
    return tuple(map(tuple, sets))


def _list_in(text: str) -> list[Any]:
    """A list from JSON; ValueError for anything else."""
    try:
        items = json.loads(text, parse_int=lambda digits: (int if len(digits) <= _WHOLE_DIGITS else float)(digits))
    except RecursionError:
        raise ValueError(text) from None
    if not isinstance(items, list):
        raise ValueError(text)
    return items


def _pair(item: object) -> tuple[Any, Any]:
    """A name and an amount, or a name and pairs."""
    if not isinstance(item, list) or len(item) != 2 or isinstance(item[0], (list, dict)):
        raise ValueError(item)
    name, amount = item
    return name, tuple(_pair(inner) for inner in amount) if isinstance(amount, list) else amount
