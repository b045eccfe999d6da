"""Tables of counts in files of R (class "table", such as Titanic): one row a cell, as `as.data.frame` makes of them.

Only what such a table needs of R's serialisation is read ("R Internals", section 1.8: XDR, versions 2 and 3): vectors,
their attributes and lists. A file with anything else, or a long one, is left to the reader of data frames.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from explorer.data.source import Source, read_fully

LONGEST = 4_000_000
"""Unpacked bytes that are looked through for tables of counts."""
MOST_CELLS, MOST_DIMENSIONS, DEEPEST = 1_000_000, 30, 50
SYMBOL, PAIRS, CALL, TEXT, LOGICAL, WHOLE, REAL, TEXTS, LIST, ALTERNATIVE = 1, 2, 6, 9, 10, 13, 14, 16, 19, 238
PAIRS_WITH, CALL_WITH, GLOBAL, NULL, REFERENCE = 239, 240, 253, 254, 255
_MISSING = -(2**31)
_EMPTY = {242: None, 241: None, GLOBAL: None, NULL: None, 251: None}
"""Kinds of items without content."""


class _OtherError(Exception):
    """The file holds something that no table of counts needs, or is damaged."""


@dataclass
class RValue:
    """A vector, a list, or pairs of names and values of R, with its attributes."""

    content: Any
    attributes: dict[str, RValue] = field(default_factory=dict)

    @property
    def classes(self) -> list[str | None]:
        """Its classes."""
        return self.texts("class")

    def texts(self, name: str) -> list[str | None]:
        """An attribute as texts; [] where there is none."""
        found = self.attributes.get(name)
        return found.as_texts if found is not None else []

    @property
    def as_texts(self) -> list[str | None]:
        """Its content where that are texts; [] otherwise."""
        is_list = isinstance(self.content, list) and all(each is None or type(each) is str for each in self.content)
        return self.content if is_list else []


def objects_of(source: Source) -> list[tuple[str, RValue]]:
    """The objects of a file of R by name ("" in .rds files); [] where the file is long, or holds other things."""
    try:
        with source.open() as stream:
            content = read_fully(stream, LONGEST + 1)
        return _objects(content) if len(content) <= LONGEST else []
    except _OtherError:
        return []


def is_counts(value: RValue) -> bool:
    """Whether it is a table of counts."""
    dims = value.attributes.get("dim")
    if "table" not in value.classes or dims is None or not isinstance(value.content, np.ndarray):
        return False
    sizes = dims.content.tolist() if isinstance(dims.content, np.ndarray) else []
    is_whole = all(isinstance(size, int) and size >= 0 for size in sizes)
    return 0 < len(sizes) <= MOST_DIMENSIONS and is_whole and math.prod(sizes) == len(value.content) <= MOST_CELLS


def counts_frame(value: RValue) -> pd.DataFrame:
    """A row for each cell: its level of every dimension, the first one changing fastest, and the count, "Freq"."""
    sizes = value.attributes["dim"].content.tolist()
    listed = value.attributes.get("dimnames", RValue([]))
    given = listed.content if isinstance(listed.content, list) else []
    names = listed.texts("names")
    columns: dict[str, Any] = {}
    place = np.indices(sizes).reshape(len(sizes), -1, order="F")
    for position, size in enumerate(sizes):
        name = names[position] if position < len(names) and names[position] else f"Var{position + 1}"
        of_dimension = given[position] if position < len(given) else None
        levels = of_dimension.as_texts if isinstance(of_dimension, RValue) else []
        levels = levels if len(levels) == size else [str(k + 1) for k in range(size)]
        known = list(dict.fromkeys(level for level in levels if level is not None))
        cells = np.array(levels, dtype=object)[place[position]]
        columns[_unused(str(name), columns)] = pd.Categorical(cells, categories=known)
    counts = value.content
    is_whole = counts.dtype.kind == "f" and bool((np.abs(counts) < 2.0**53).all() and (counts == np.rint(counts)).all())
    columns[_unused("Freq", columns)] = counts.astype(np.int64) if is_whole else counts
    return pd.DataFrame(columns)


def _unused(name: str, names: dict[str, Any]) -> str:
    """The name, with a number behind it where it is taken."""
    numbered = (f"{name}.{k}" if k else name for k in range(len(names) + 1))
    return next(each for each in numbered if each not in names)


def _objects(content: bytes) -> list[tuple[str, RValue]]:
    is_saved = content[:5] in (b"RDX2\n", b"RDX3\n")
    reader = _Reader(content, 5 if is_saved else 0)
    reader.header()
    value = reader.item(0)
    if not is_saved:
        return [("", value)]
    if not isinstance(value.content, dict):
        raise _OtherError
    return list(value.content.items())


class _Reader:
    """R's serialisation, item after item."""

    def __init__(self, content: bytes, at: int) -> None:
        self.content, self.at, self.known = content, at, list[str]()

    def header(self) -> None:
        """The format and the versions."""
        if self._bytes(2) != b"X\n":
            raise _OtherError
        version = self._int()
        self._bytes(8)
        if version not in (2, 3):
            raise _OtherError
        if version == 3:
            self._bytes(self._int())

    def item(self, depth: int) -> RValue:
        """The next item."""
        flags = self._int()
        kind, has_attributes, has_tag = flags & 255, bool(flags & 512), bool(flags & 1024)
        if depth > DEEPEST:
            raise _OtherError
        if kind in _EMPTY:
            return RValue(None)
        if kind == SYMBOL:
            self.known.append(str(self.item(depth + 1).content))
            return RValue(self.known[-1])
        if kind == REFERENCE:
            number = flags >> 8 or self._int()
            if not 1 <= number <= len(self.known):
                raise _OtherError
            return RValue(self.known[number - 1])
        if kind in (PAIRS, CALL, PAIRS_WITH, CALL_WITH):
            return self._pairs(depth, has_attributes or kind in (PAIRS_WITH, CALL_WITH), has_tag)
        if kind == ALTERNATIVE:
            return self._alternative(depth)
        value = RValue(self._text(flags) if kind == TEXT else self._vector(kind, depth))
        if has_attributes:
            pairs = self.item(depth + 1).content
            value.attributes = pairs if isinstance(pairs, dict) else {}
        return value

    def _pairs(self, depth: int, has_attributes: bool, has_tag: bool) -> RValue:
        """Names and values up to the end of the pairs; those without a name are numbered."""
        pairs: dict[str, RValue] = {}
        while True:
            if has_attributes:
                self.item(depth + 1)
            tag = str(self.item(depth + 1).content) if has_tag else str(len(pairs))
            pairs[tag] = self.item(depth + 1)
            flags = self._int()
            kind, has_attributes, has_tag = flags & 255, bool(flags & 512), bool(flags & 1024)
            if kind == NULL:
                return RValue(pairs)
            if kind not in (PAIRS, CALL):
                raise _OtherError

    def _alternative(self, depth: int) -> RValue:
        """A vector in another form: whole numbers in a row, or one wrapped in a list."""
        told, state = self.item(depth + 1).content, self.item(depth + 1)
        self.item(depth + 1)
        name = next(iter(told.values())).content if isinstance(told, dict) and told else None
        if name == "compact_intseq" and isinstance(state.content, np.ndarray) and len(state.content) == 3:
            count, first, step = state.content.tolist()
            if not (0 <= count <= MOST_CELLS and abs(first) < 2**31 and step in (-1, 1)):
                raise _OtherError
            return RValue(int(first) + int(step) * np.arange(int(count)))
        if str(name).startswith("wrap_") and isinstance(state.content, list) and state.content:
            return RValue(state.content[0].content)
        raise _OtherError

    def _vector(self, kind: int, depth: int) -> Any:
        count = self._int()
        if count < 0:
            raise _OtherError
        if kind in (LOGICAL, WHOLE):
            numbers = np.frombuffer(self._bytes(4 * count), ">i4").astype(np.int64)
            return numbers if (numbers != _MISSING).all() else np.where(numbers == _MISSING, np.nan, numbers)
        if kind == REAL:
            return np.frombuffer(self._bytes(8 * count), ">f8").astype(np.float64)
        if kind == TEXTS:
            return [self.item(depth + 1).content for _ in range(count)]
        if kind == LIST:
            return [self.item(depth + 1) for _ in range(count)]
        raise _OtherError

    def _text(self, flags: int) -> str | None:
        count = self._int()
        if count == -1:
            return None
        data = self._bytes(count)
        try:
            return data.decode("latin-1" if flags >> 12 & 4 else "utf-8")
        except UnicodeDecodeError:
            return data.decode("latin-1")

    def _int(self) -> int:
        return int(struct.unpack(">i", self._bytes(4))[0])

    def _bytes(self, count: int) -> bytes:
        end = self.at + count
        if count < 0 or end > len(self.content):
            raise _OtherError
        data, self.at = self.content[self.at : end], end
        return data
