"""Fields of a record of plain values, as JSON holds them: each is checked when it is read, so that none can surprise.

Numbers of Python are told by their type before numpy sees them: an array of texts is as wide as its longest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import listing, message

LARGEST = 1e300
"""Numbers above this overflow in sums."""


class Fields:
    """A record by its names; whatever is not as it should be raises the InputError that `refusal` makes of a reason."""

    def __init__(self, content: object, refusal: Callable[[str], InputError]) -> None:
        """Refuse what is no record."""
        self.refusal = refusal
        if not isinstance(content, Mapping) or not all(isinstance(name, str) for name in content):
            raise refusal(message("it is no record of names and values"))
        self.content = content

    def need(self, names: Iterable[str]) -> None:
        """Refuse a record without one of these names."""
        absent = sorted(set(names) - set(self.content))
        if absent:
            raise self.refusal(message("these keys are missing: {keys}", keys=listing(absent)))

    def has(self, name: str) -> bool:
        """Whether there is a field of this name, and it is not null."""
        return self.content.get(name) is not None

    def record(self, name: str) -> Fields:
        """A record within the record."""
        found = self.content.get(name)
        if not isinstance(found, Mapping):
            raise self._wrong(name, message("a record of names and values"))
        return Fields(found, self.refusal)

    def records(self, name: str) -> list[Fields]:
        """A list of records."""
        return [Fields(each, self.refusal) for each in self.items(name)]

    def items(self, name: str, count: int | None = None) -> list[Any]:
        """A list, of `count` items where that is given."""
        found = self.content.get(name)
        if not isinstance(found, (list, tuple)) or (count is not None and len(found) != count):
            raise self._wrong(name, message("a list of the right length"))
        return list(found)

    def text(self, name: str) -> str:
        """A text."""
        found = self.content.get(name)
        if not isinstance(found, str):
            raise self._wrong(name, message("a text"))
        return found

    def texts_by_name(self, name: str) -> dict[str, list[str]]:
        """A record of lists of texts."""
        found = self.record(name)
        texts = {each: found.items(each) for each in found.content}
        if not all(isinstance(text, str) for listed in texts.values() for text in listed):
            raise self._wrong(name, message("a record of lists of texts"))
        return texts

    def choice(self, name: str, choices: Iterable[str]) -> str:
        """One of some texts."""
        found = self.text(name)
        if found not in choices:
            raise self._wrong(name, message("one of {choices}", choices=listing(choices)))
        return found

    def whole(self, name: str, least: int, most: int) -> int:
        """A whole number."""
        found = self.content.get(name)
        if type(found) is not int or not least <= found <= most:
            raise self._wrong(
                name, message("a whole number from {least} to {most}", least=f"{least:,}", most=f"{most:,}")
            )
        return found

    def number(self, name: str, largest: float = LARGEST) -> float:
        """A finite number."""
        found = self.content.get(name)
        if type(found) not in (int, float) or not abs(found) <= largest:  # type: ignore[arg-type]
            raise self._wrong(name, message("a finite number"))
        return float(found)  # type: ignore[arg-type]

    def values(self, name: str, has_missing: bool = False) -> tuple[Any, ...]:
        """Classes or categories; None among them only where missing is one of them."""
        found = self.items(name)
        known = [each for each in found if each is not None] if has_missing else found
        if not all(isinstance(each, (str, int)) or (isinstance(each, float) and math.isfinite(each)) for each in known):
            raise self._wrong(name, message("a list of names and numbers"))
        return tuple(found)

    def whole_numbers(
        self, name: str, count: int | None, least: int, most: int, dtype: type = np.int32
    ) -> NDArray[Any]:
        """A list of whole numbers, each within the limits, [count]."""
        found = self.items(name, count)
        if not set(map(type, found)) <= {int} or (found and not (least <= min(found) and max(found) <= most)):
            raise self._wrong(name, message("a list of whole numbers that fit"))
        return np.array(found, dtype=dtype)

    def numbers(
        self, name: str, count: int | None, least: float = -LARGEST, most: float = LARGEST, missing: bool = False
    ) -> NDArray[np.float64]:
        """A list of numbers within the limits, [count]; with `missing`, null stands for nan."""
        found = self.items(name, count)
        n_missing = found.count(None) if missing else 0
        known = [math.nan if each is None else each for each in found] if n_missing else found
        return self._floats(name, known, n_missing, least, most)

    def table(
        self, name: str, count: int, width: int, missing: bool = False, most: float = LARGEST
    ) -> NDArray[np.float64]:
        """A list of lists of finite numbers, [count, width]; with `missing`, null stands for a line of nan."""
        found = self.items(name, count)
        n_missing = found.count(None) if missing else 0
        lines = [[math.nan] * width if missing and each is None else each for each in found]
        if not all(isinstance(line, (list, tuple)) and len(line) == width for line in lines):
            raise self._wrong(name, message("a list of lists of {width} numbers", width=width))
        return self._floats(name, [*chain.from_iterable(lines)], n_missing * width, -most, most).reshape(count, width)

    def flags(self, name: str, count: int) -> NDArray[np.bool_]:
        """A list of truth values, [count]; 0 and 1 are such too."""
        found = self.items(name, count)
        if not set(map(type, found)) <= {bool, int} or not set(found) <= {0, 1}:
            raise self._wrong(name, message("a list of truth values"))
        return np.array(found, dtype=np.bool_)

    def _floats(
        self, name: str, found: Sequence[Any], n_missing: int, least: float, most: float
    ) -> NDArray[np.float64]:
        try:
            numbers = np.array(found if set(map(type, found)) <= {int, float} else [], dtype=np.float64)
        except OverflowError:
            numbers = np.empty(0)
        if np.count_nonzero((numbers >= least) & (numbers <= most)) + n_missing < len(found):
            raise self._wrong(name, message("a list of finite numbers that fit"))
        return numbers

    def _wrong(self, name: str, expected: str) -> InputError:
        return self.refusal(message("'{field}' is not {expected}", field=name, expected=expected))
