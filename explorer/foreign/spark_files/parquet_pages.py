"""How many values a Parquet file unfolds into, by the headers of its pages, before any page is unpacked.

A list of a billion equal numbers takes a few bytes, and Arrow makes room for all of them. What Arrow says of a column's
metadata is not asked: on a damaged file it ends the whole process. Headers are structs of Thrift's compact protocol
(parquet.thrift of the Parquet project): numbers of fields and types, then values of variable length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

MOST_FOOTER, MOST_PAGES, DEEPEST = 2_000_000, 50_000, 16
LARGEST_HEADER = 1 << 16
_ROW_GROUPS, _COLUMNS, _COLUMN_METADATA = 4, 1, 3
_TOTAL_SIZE, _DATA_OFFSET, _DICTIONARY_OFFSET = 7, 9, 11
_UNPACKED, _PACKED, _PAGES, _N_VALUES = 2, 3, (5, 7, 8), 1


def unfolded(data: bytes) -> tuple[int, int]:
    """Values and unpacked bytes of all pages; ValueError, IndexError or struct.error for a damaged file."""
    (length,) = struct.unpack_from("<I", data, len(data) - 8)
    if length > min(MOST_FOOTER, len(data) - 8):
        raise ValueError(length)
    values = unpacked = pages = 0
    for column in _columns(Compact(data, len(data) - 8 - length, len(data) - 8).struct()):
        place = min(offset for offset in (column[_DATA_OFFSET], column.get(_DICTIONARY_OFFSET) or 1 << 62))
        end = place + column[_TOTAL_SIZE]
        if not 0 <= place <= end <= len(data):
            raise ValueError(place)
        while place < end:
            reader = Compact(data, place, min(end, place + LARGEST_HEADER))
            header, pages = reader.struct(), pages + 1
            place = reader.place + header[_PACKED]
            counts = [header[number][_N_VALUES] for number in _PAGES if number in header]
            if place < reader.place or header[_UNPACKED] < 0 or min(counts, default=0) < 0 or pages > MOST_PAGES:
                raise ValueError(place)
            values, unpacked = values + sum(counts), unpacked + header[_UNPACKED]
    return values, unpacked


def _columns(footer: dict[int, Any]) -> Iterator[dict[int, Any]]:
    """What the footer says of the columns of every group of rows."""
    for group in footer.get(_ROW_GROUPS, ()):
        for column in group[_COLUMNS]:
            yield column[_COLUMN_METADATA]


class Compact:
    """Structs of Thrift's compact protocol between two places; texts are skipped."""

    def __init__(self, data: bytes, place: int, end: int) -> None:
        """Begin at a place."""
        self.data, self.place, self.end = data, place, end

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """The fields of a struct by their numbers."""
        found, number = dict[int, Any](), 0
        if depth > DEEPEST:
            raise ValueError(depth)
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            found[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2, 3):
            return self._byte()
        if kind in (4, 5, 6):
            return self._whole()
        if kind in (7, 8):
            self._skip(8 if kind == 7 else self._varint())
            return None
        if kind in (9, 10):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            if depth > DEEPEST or count > self.end - self.place:
                raise ValueError(count)
            return [self._value(head & 15, depth + 1) for _ in range(count)]
        if kind == 12:
            return self.struct(depth + 1)
        raise ValueError(kind)

    def _byte(self) -> int:
        if self.place >= self.end:
            raise ValueError(self.place)
        self.place += 1
        return self.data[self.place - 1]

    def _varint(self) -> int:
        found = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            found |= (byte & 127) << shift
            if byte < 128:
                return found
        raise ValueError(found)

    def _whole(self) -> int:
        """A number whose sign is its last bit."""
        found = self._varint()
        return found >> 1 ^ -(found & 1)

    def _skip(self, count: int) -> None:
        if count > self.end - self.place:
            raise ValueError(count)
        self.place += count
