"""Memos of a dBase or FoxPro table: text of any length, in a file of blocks (.dbt, .fpt) beside the records."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from explorer.data.reading import Reading
from explorer.data.source import Source

ENDINGS = (".dbt", ".fpt")
_BLOCK, _HEAD = 512, 8
_DBASE_IV = (0x8B, 0xCB)
_FOXPRO = (0xF5, 0xFB, 0x30, 0x31, 0x32)
_BEGIN_OF_IV = b"\xff\xff\x08\x00"
_END_OF_III = b"\x1a"
_TEXT = 1


@dataclass(frozen=True)
class Memos:
    """The bytes of a file of memos, the number of bytes of its blocks, and the version of its table."""

    content: bytes
    block: int
    version: int

    def text(self, cell: bytes, encoding: str) -> str | None:
        """The memo that a cell names by its first block; None for an empty cell or memo, ValueError for no memo.

        dBase III ends a memo by an end-of-file sign. dBase IV and FoxPro begin it with its length, which the former
        counts with its own 8 bytes. A picture of FoxPro is no text.
        """
        number = struct.unpack("<I", cell)[0] if len(cell) == 4 else int(cell.strip(b"\0 ") or b"0")
        start = number * self.block
        if not number:
            return None
        if start + _HEAD > len(self.content) or number < 0:
            raise ValueError(number)
        written = self._written(start)
        return None if written is None else written.rstrip(b"\0 ").decode(encoding) or None

    def _written(self, start: int) -> bytes | None:
        head = self.content[start : start + _HEAD]
        if self.version in _FOXPRO:
            kind, size = struct.unpack(">II", head)
            return self._sized(start + _HEAD, size) if kind == _TEXT else None
        if self.version in _DBASE_IV and head.startswith(_BEGIN_OF_IV):
            return self._sized(start + _HEAD, struct.unpack("<I", head[4:])[0] - _HEAD)
        end = self.content.find(_END_OF_III, start)
        return self.content[start : end if end >= 0 else len(self.content)]

    def _sized(self, start: int, size: int) -> bytes:
        if not 0 <= size <= len(self.content) - start:
            raise ValueError(size)
        return self.content[start : start + size]


def memos_of(source: Source, version: int, reading: Reading) -> Memos | None:
    """The memos packed with a table, or beside it on the disk; None where there are none."""
    file = source.companion or _beside(source)
    content = b"" if file is None else reading.content(file)
    if len(content) < _BLOCK:
        return None
    block = _BLOCK
    if version in _FOXPRO:
        block = int.from_bytes(content[6:8], "big") or _BLOCK
    elif version in _DBASE_IV:
        block = int.from_bytes(content[20:22], "little") or _BLOCK
    return Memos(content, block, version)


def _beside(source: Source) -> Source | None:
    if source.path is None:
        return None
    names = [source.path.with_suffix(written) for ending in ENDINGS for written in (ending, ending.upper())]
    return next((Source.of_path(name) for name in names if name.is_file()), None)
