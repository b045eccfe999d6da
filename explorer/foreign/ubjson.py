"""Universal Binary JSON (draft 12) as XGBoost writes it, as plain values: https://ubjson.org."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from explorer.errors import InputError
from explorer.messages import message

_NUMBERS = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
_CONSTANTS = {"T": True, "F": False, "Z": None}
_DEEPEST = 40
MOST_ITEMS = 50_000_000


def _damaged() -> InputError:
    return InputError(message("The file is damaged, or no model of XGBoost: save it anew by save_model."))


def parsed_ubjson(content: bytes) -> Any:
    r"""The values of a file; InputError for anything else.

    >>> parsed_ubjson(b"{U\x01a[$d#U\x01" + struct.pack(">f", 0.5) + b"}")
    {'a': [0.5]}
    """
    reader = _Reader(content)
    try:
        value = reader.value(reader.marker(), 0)
    except (IndexError, struct.error, UnicodeDecodeError, ValueError, TypeError):
        raise _damaged() from None
    return value


class _Reader:
    """A place in the bytes, and how many items were read before it."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at, self.items = content, 0, 0

    def marker(self) -> str:
        """The next byte as a character."""
        self.at += 1
        return chr(self.content[self.at - 1])

    def peek(self) -> str:
        """The same, left there."""
        return chr(self.content[self.at])

    def taken(self, size: int) -> bytes:
        """The next bytes."""
        if not 0 <= size <= len(self.content) - self.at:
            raise _damaged()
        self.at += size
        return self.content[self.at - size : self.at]

    def numbers(self, kind: str, count: int) -> list[Any]:
        """So many numbers of a kind."""
        dtype = np.dtype(_NUMBERS[kind])
        return np.frombuffer(self.taken(count * dtype.itemsize), dtype).tolist()

    def length(self) -> int:
        """A length, a whole number after its kind."""
        kind = self.marker()
        if kind not in "iUIlL":
            raise _damaged()
        return int(self.numbers(kind, 1)[0])

    def text(self) -> str:
        """A text after its length."""
        return self.taken(self.length()).decode("utf-8")

    def value(self, kind: str, depth: int) -> Any:
        """The value after its marker."""
        self.items += 1
        if depth > _DEEPEST or self.items > MOST_ITEMS:
            raise _damaged()
        if kind in _NUMBERS:
            return self.numbers(kind, 1)[0]
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        if kind == "C":
            return self.marker()
        if kind == "S":
            return self.text()
        if kind == "[":
            return self.listed(depth)
        if kind == "{":
            return self.record(depth)
        raise _damaged()

    def listed(self, depth: int) -> list[Any]:
        """A list: with one kind of items and their number, with their number, or up to its end."""
        kind = ""
        if self.peek() == "$":
            self.at += 1
            kind = self.marker()
        if self.peek() == "#":
            self.at += 1
            count = self.length()
            if kind in _NUMBERS:
                return self.numbers(kind, count)
            self.items += count
            if count < 0 or self.items > MOST_ITEMS:
                raise _damaged()
            return [self.value(kind or self.marker(), depth + 1) for _ in range(count)]
        if kind:
            raise _damaged()
        found = []
        while self.peek() != "]":
            found.append(self.value(self.marker(), depth + 1))
        self.at += 1
        return found

    def record(self, depth: int) -> dict[str, Any]:
        """Names and values."""
        found = {}
        while self.peek() != "}":
            name = self.text()
            found[name] = self.value(self.marker(), depth + 1)
        self.at += 1
        return found
