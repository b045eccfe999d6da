"""Messages of Protocol Buffers without their schema: numbers of fields, and values that are told by their kind.

A message is a row of tags (number of the field times 8, and the kind) and values: a whole number, 8 bytes, a length
and bytes, or 4 bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import message

_WHOLE, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
MOST_VALUES = 1_000_000
"""The most values of one message, of which each takes a hundred times its room in the file."""


class Message:
    """The fields of one message by number; whatever is not as it should be raises the InputError of `refusal`."""

    def __init__(self, data: bytes, refusal: Callable[[str], InputError]) -> None:
        """Find the values; of a field that is there twice the last counts, or all."""
        self.refusal = refusal
        self.found: dict[int, list[int | bytes]] = {}
        place, end, count = 0, len(data), 0
        try:
            while place < end:
                count += 1
                if count > MOST_VALUES:
                    raise self.damaged()
                tag, place = _varint(data, place)
                kind = tag & 7
                if kind == _WHOLE:
                    value, place = _varint(data, place)
                    self.found.setdefault(tag >> 3, []).append(value)
                    continue
                length = 8 if kind == _EIGHT else 4
                if kind == _BYTES:
                    length, place = _varint(data, place)
                elif kind not in (_EIGHT, _FOUR):
                    raise self.damaged()
                if place + length > end:
                    raise self.damaged()
                self.found.setdefault(tag >> 3, []).append(data[place : place + length])
                place += length
        except IndexError:
            raise self.damaged() from None

    def damaged(self) -> InputError:
        """The error of a message that is none."""
        return self.refusal(message("a file of numbers is damaged"))

    def whole(self, number: int, default: int = 0) -> int:
        """A whole number, negative ones by their 64 bits."""
        value = self.found.get(number, [default])[-1]
        if not isinstance(value, int):
            raise self.damaged()
        return value - (1 << 64) if value >= 1 << 63 else value

    def real(self, number: int) -> float:
        """A number of 4 or 8 bytes, 0 where it is left out."""
        value = self.found.get(number, [b"\0\0\0\0"])[-1]
        if not isinstance(value, bytes) or len(value) not in (4, 8):
            raise self.damaged()
        return float(struct.unpack("<f" if len(value) == 4 else "<d", value)[0])

    def reals(self, number: int, size: int) -> NDArray[np.float64]:
        """All numbers of `size` bytes each, behind each other or apart."""
        data = b"".join(self.pieces(number))
        if len(data) % size:
            raise self.damaged()
        return np.frombuffer(data, dtype=f"<f{size}").astype(np.float64)

    def wholes(self, number: int) -> list[int]:
        """All whole numbers, behind each other or apart."""
        found = []
        for value in self.found.get(number, ()):
            if isinstance(value, int):
                found.append(value)
                continue
            place = 0
            try:
                while place < len(value):
                    each, place = _varint(value, place)
                    found.append(each)
            except IndexError:
                raise self.damaged() from None
        return found

    def pieces(self, number: int) -> Iterator[bytes]:
        """All values of a field, as bytes."""
        for value in self.found.get(number, ()):
            if not isinstance(value, bytes):
                raise self.damaged()
            yield value

    def piece(self, number: int) -> bytes:
        """The last value of a field, as bytes; none where it is left out."""
        return [b"", *self.pieces(number)][-1]

    def text(self, number: int) -> str:
        """A text."""
        return self.piece(number).decode("utf-8", "replace")

    def part(self, number: int) -> Message:
        """A message within the message; an empty one where it is left out."""
        return Message(self.piece(number), self.refusal)

    def parts(self, number: int) -> list[Message]:
        """All messages of a field."""
        return [Message(data, self.refusal) for data in self.pieces(number)]


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A whole number of up to ten bytes, and the place behind it; IndexError at the end or for a longer one."""
    byte = data[place]
    if byte < 128:
        return byte, place + 1
    found = byte & 127
    for shift in range(7, 70, 7):
        place += 1
        byte = data[place]
        found |= (byte & 127) << shift
        if byte < 128:
            return found & 0xFFFFFFFFFFFFFFFF, place + 1
    raise IndexError(place)
