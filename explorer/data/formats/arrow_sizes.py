"""What the batches of an Arrow file take once they are unpacked, read from their headers before any is unpacked.

The headers are FlatBuffers: a table begins with the distance to a list of the places of its fields
(format/Message.fbs of the Arrow project).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from pyarrow import ipc

_HEADER_TYPE, _HEADER = 1, 2
_RECORD_BATCH, _DICTIONARY_BATCH = 3, 2
_LENGTH, _BUFFERS, _COMPRESSION = 0, 2, 3
_DICTIONARY_DATA = 1


def unpacked_sizes(stream: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield (rows, unpacked bytes) of every batch in an Arrow stream; `struct.error` for a damaged header."""
    reader = ipc.MessageReader.open_stream(stream)
    while True:
        try:
            read = reader.read_next_message()
        except StopIteration:
            return
        if read.type in ("record batch", "dictionary"):
            yield _batch_size(memoryview(read.metadata), memoryview(read.body) if read.body else memoryview(b""))


def _batch_size(head: memoryview, body: memoryview) -> tuple[int, int]:
    root = _int("<I", head, 0)
    batch = _table(head, _field(head, root, _HEADER))
    if head[_field(head, root, _HEADER_TYPE)] == _DICTIONARY_BATCH:
        batch = _table(head, _field(head, batch, _DICTIONARY_DATA))
    place = _field(head, batch, _LENGTH)
    rows = _int("<q", head, place) if place else 0
    return rows, sum(_buffer_sizes(head, body, batch))


def _buffer_sizes(head: memoryview, body: memoryview, batch: int) -> Iterator[int]:
    """Yield the size of each buffer: packed ones begin with theirs."""
    place = _field(head, batch, _BUFFERS)
    if not place:
        return
    packed = bool(_field(head, batch, _COMPRESSION))
    vector = _table(head, place)
    for i in range(_int("<I", head, vector)):
        offset, length = struct.unpack_from("<qq", head, vector + 4 + 16 * i)
        yield max(0, length, _int("<q", body, offset) if packed and length >= 8 else 0)


def _int(form: str, buffer: memoryview, place: int) -> int:
    return int(struct.unpack_from(form, buffer, place)[0])


def _table(head: memoryview, place: int) -> int:
    """Return where the table or list begins to which a field points."""
    return place + _int("<I", head, place)


def _field(head: memoryview, table: int, number: int) -> int:
    """Return the place of a table's field, 0 where it has its default."""
    places = table - _int("<i", head, table)
    if 4 + 2 * number >= _int("<H", head, places):
        return 0
    offset = _int("<H", head, places + 4 + 2 * number)
    return table + offset if offset else 0
