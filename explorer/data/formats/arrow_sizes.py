"""What the batches of an Arrow file take once they are unpacked, read from their headers before any is unpacked.

The headers are FlatBuffers: a table begins with the distance to a list of the places of its fields
(format/Message.fbs, format/File.fbs and format/Schema.fbs of the Arrow project).
"""

from __future__ import annotations

import base64
import binascii
import io
import re
import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

from pyarrow import ipc

from explorer.data.source import read_fully

_HEADER_TYPE, _HEADER = 1, 2
_RECORD_BATCH, _DICTIONARY_BATCH = 3, 2
_LENGTH, _BUFFERS, _COMPRESSION = 0, 2, 3
_DICTIONARY_DATA = 1
_FOOTER_SCHEMA, _FOOTER_BLOCKS = 1, (2, 3)
_BLOCK = "<qi4xq"
"""A batch in the footer of a file: where it begins, and the lengths of its header and its body."""
_END = "<i6s"
_CONTINUATION = b"\xff\xff\xff\xff"
_FIELDS, _NAME, _TYPE_NUMBER, _TYPE, _BIT_WIDTH = 1, 0, 2, 3, 0
_INTEGER = 2
_SCHEMA_IN_PARQUET = re.compile(rb"ARROW:schema.{1,8}?(/////[A-Za-z0-9+/]+={0,2})", re.DOTALL)
"""A message in base64 begins with the mark, four bytes of ones."""


def unpacked_sizes(stream: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield (rows, unpacked bytes) of every batch in an Arrow stream; `struct.error` for a damaged header."""
    reader = ipc.MessageReader.open_stream(stream)
    while True:
        try:
            read = reader.read_next_message()
        except StopIteration:
            return
        if read.type in ("record batch", "dictionary"):
            body = memoryview(read.body) if read.body else memoryview(b"")
            yield _batch_size(memoryview(read.metadata), partial(_int, "<q", body))


def unpacked_sizes_in_file(stream: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield the same for an Arrow file, whose footer says where its batches begin.

    Its messages are not read as a stream: Polars 2 leaves out the mark before the first of them.
    """

    def size_at(body: int, place: int) -> int:
        stream.seek(body + place)
        return _int("<q", memoryview(read_fully(stream, 8)), 0)

    footer = _footer(stream)
    root = _int("<I", footer, 0)
    for number in _FOOTER_BLOCKS:
        place = _field(footer, root, number)
        vector = _table(footer, place) if place else 0
        for i in range(_int("<I", footer, vector) if place else 0):
            start, length, _ = struct.unpack_from(_BLOCK, footer, vector + 4 + struct.calcsize(_BLOCK) * i)
            stream.seek(start)
            head = memoryview(read_fully(stream, length))
            head = head[8:] if head[:4] == _CONTINUATION else head[4:]
            yield _batch_size(head, partial(size_at, start + length))


def _footer(stream: BinaryIO) -> memoryview:
    end = stream.seek(0, io.SEEK_END)
    stream.seek(end - struct.calcsize(_END))
    length, _ = struct.unpack(_END, read_fully(stream, struct.calcsize(_END)))
    stream.seek(end - struct.calcsize(_END) - length)
    return memoryview(read_fully(stream, length))


def _batch_size(head: memoryview, size_at: Callable[[int], int]) -> tuple[int, int]:
    root = _int("<I", head, 0)
    batch = _table(head, _field(head, root, _HEADER))
    if head[_field(head, root, _HEADER_TYPE)] == _DICTIONARY_BATCH:
        batch = _table(head, _field(head, batch, _DICTIONARY_DATA))
    place = _field(head, batch, _LENGTH)
    rows = _int("<q", head, place) if place else 0
    return rows, sum(_buffer_sizes(head, size_at, batch))


def _buffer_sizes(head: memoryview, size_at: Callable[[int], int], batch: int) -> Iterator[int]:
    """Yield the size of each buffer: packed ones begin with theirs."""
    place = _field(head, batch, _BUFFERS)
    if not place:
        return
    packed = bool(_field(head, batch, _COMPRESSION))
    vector = _table(head, place)
    for i in range(_int("<I", head, vector)):
        offset, length = struct.unpack_from("<qq", head, vector + 4 + 16 * i)
        yield max(0, length, size_at(offset) if packed and length >= 8 else 0)


def wide_integers(stream: BinaryIO) -> list[str]:
    """Name the columns of whole numbers of more than 64 bits in an Arrow or Parquet file, which pyarrow cannot open."""
    try:
        stream.seek(0)
        if stream.read(4) != b"PAR1":
            footer = _footer(stream)
            return list(_wide_in(footer, _table(footer, _field(footer, _int("<I", footer, 0), _FOOTER_SCHEMA))))
        return _wide_in_parquet(stream)
    except (struct.error, ValueError, OSError, IndexError, binascii.Error, UnicodeDecodeError):
        return []


def _wide_in_parquet(stream: BinaryIO) -> list[str]:
    """The same from the Arrow schema that a Parquet file holds as text."""
    stream.seek(-8, io.SEEK_END)
    (length,) = struct.unpack("<I4x", stream.read(8))
    stream.seek(-8 - length, io.SEEK_END)
    found = _SCHEMA_IN_PARQUET.search(read_fully(stream, length))
    if found is None:
        return []
    head = memoryview(base64.b64decode(found.group(1)[: len(found.group(1)) // 4 * 4]))[8:]
    return list(_wide_in(head, _table(head, _field(head, _int("<I", head, 0), _HEADER))))


def _wide_in(head: memoryview, schema: int) -> Iterator[str]:
    vector = _table(head, _field(head, schema, _FIELDS))
    for i in range(_int("<I", head, vector)):
        field = _table(head, vector + 4 + 4 * i)
        kind = _table(head, _field(head, field, _TYPE))
        bits = _field(head, kind, _BIT_WIDTH)
        if head[_field(head, field, _TYPE_NUMBER)] == _INTEGER and bits and _int("<i", head, bits) > 64:
            name = _table(head, _field(head, field, _NAME))
            yield bytes(head[name + 4 : name + 4 + _int("<I", head, name)]).decode("utf-8")


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
