"""What the numbers of a column stand for, and so how a threshold or a cell of it is written: numbers, dates, levels.

Growing knows numbers only. Who writes one for a reader asks the scale of its column, `scale.text(number)`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from explorer.data.codes.dates import date_text
from explorer.errors import InputError
from explorer.formatting import number_text, quoted_text
from explorer.messages import message
from explorer.values import Value


@dataclass(frozen=True)
class Numbers:
    """Numbers that stand for themselves."""

    def text(self, number: float) -> str:
        """All digits.

        >>> Numbers().text(31.5)
        '31.5'
        """
        return number_text(number)

    def only_level(self, low: float, high: float) -> str:
        """The one level between two limits, as `Ordered` has it; "" as numbers have no levels."""
        return ""

    def to_plain(self) -> dict[str, Any]:
        """What a file keeps of it: nothing."""
        return {}


@dataclass(frozen=True)
class Dates:
    """Days since a date, written as in `explorer.data.codes.dates`."""

    since: str

    def text(self, number: float) -> str:
        """The last date up to so many days.

        >>> Dates("1970-01-01").text(31.5)
        '1970-02-01'
        """
        return date_text(number, self.since)

    def only_level(self, low: float, high: float) -> str:
        """The one level between two limits, as `Ordered` has it; "" as dates have no levels."""
        return ""

    def to_plain(self) -> dict[str, Any]:
        """The date that a file keeps."""
        return {"days_since": self.since}


@dataclass(frozen=True, init=False)
class Ordered:
    """A column's levels, the lowest first: each counts as its rank, from 1 on, and is split by thresholds.

    Cells are the levels themselves, as text or numbers. Raises InputError for fewer than two levels, or one twice.

    >>> size = Ordered(["small", "medium", "large"])
    >>> size.rank("medium"), size.text(2.5), size.rank("huge")
    (2.0, 'medium', None)
    """

    levels: tuple[Value, ...]

    def __init__(self, levels: Iterable[Value]) -> None:
        """Keep the levels, without blanks around texts."""
        given = [levels] if isinstance(levels, str) else list(levels)
        cleaned = tuple(level.strip() if isinstance(level, str) else level for level in given)
        if len(cleaned) < 2 or len(set(map(str, cleaned))) < len(cleaned) or None in cleaned or "" in cleaned:
            raise InputError(
                message("An ordered column needs two levels or more, each once, the lowest first: name its levels.")
            )
        object.__setattr__(self, "levels", cleaned)

    @cached_property
    def ranks(self) -> Mapping[str, float]:
        """The rank of each level's text."""
        return {str(level): float(rank) for rank, level in enumerate(self.levels, 1)}

    def rank(self, level: Value) -> float | None:
        """The number that a level counts as; None where it is none of them."""
        return self.ranks.get(str(level))

    def level(self, number: float) -> Value:
        """The highest level up to a number."""
        return self.levels[min(max(math.floor(number), 1), len(self.levels)) - 1]

    def text(self, number: float) -> str:
        """The highest level up to a number: x ≤ it holds for the same cells."""
        return quoted_text(self.level(number))

    def only_level(self, low: float, high: float) -> str:
        """The level that alone has its rank in (low, high]; "" where none or several have.

        >>> size = Ordered(["small", "medium", "large"])
        >>> size.only_level(1.5, 2.5), size.only_level(1.5, math.inf), size.only_level(-math.inf, 1.5)
        ('medium', '', 'small')
        """
        between = [level for rank, level in enumerate(self.levels, 1) if low < rank <= high]
        return quoted_text(between[0]) if len(between) == 1 else ""

    def to_plain(self) -> dict[str, Any]:
        """The levels that a file keeps."""
        return {"levels": list(self.levels)}


Scale = Numbers | Dates | Ordered
NUMBERS = Numbers()


def order_of(column: pd.Series) -> tuple[object, ...]:
    """The categories of a column whose type puts them in order, the lowest first; () without an order."""
    dtype = column.dtype
    return tuple(dtype.categories) if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered else ()
