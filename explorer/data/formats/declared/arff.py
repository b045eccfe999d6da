"""ARFF, the format of Weka: declared columns, then rows; the levels of a nominal column keep their order.

KEEL's .dat files are read too. They give numbers a range, name inputs and outputs, and write <null> for missing cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

import pandas as pd

from explorer.data.formats.declared.columns import (
    Declared,
    check_width,
    declared_column,
    declared_frame,
    free_name,
    number,
)
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.text.encoding import encoding_of, open_text
from explorer.errors import InputError
from explorer.messages import listing_with_more, message, plural

_BEGINS = re.compile(rb"(?:\s|%[^\n\r]*[\n\r])*@relation\b", re.IGNORECASE)
_VALUE = r"""'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)"|([^,\s'"{}%][^,{}%]*+|)"""
_TOKEN = re.compile(rf"\s*+(?:{_VALUE})\s*+(,|$|(?=[{{}}%]))", re.DOTALL)
"""A cell and its comma; possessive, since a long line that does not fit would else take the square of its length.

Without a comma, the cell is the last: the line ends there, or a weight, the end of a list or a comment follows.
"""
_POSITION = re.compile(r"\s*+(\d{1,9})\s++", re.ASCII)
_WEIGHT = re.compile(r"\s*+,?\s*+\{\s*+([^{}\s]++)\s*+\}")
_END = re.compile(r"\s*+(?:%.*)?$", re.DOTALL)
"""What may follow the cells of a row."""
_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{]++))\s*+(\{.*|(?<=[\s'"])[A-Za-z]+\b.*)$""",
    re.IGNORECASE | re.DOTALL,
)
_RANGE = re.compile(r"(@attribute\s.*[\s'\"](?:real|integer))\s*+\[[^\[\]]*+\]\s*+$", re.IGNORECASE | re.DOTALL)
"""A numeric column of KEEL, which gives its range."""
_ROLES = ("@inputs", "@input", "@outputs", "@output")
"""What KEEL says of the columns below their declarations."""
_OUTPUTS = _ROLES[2:]
_KEEL_MISSING = "<null>"
_NUMBERS = ("numeric", "real", "integer")
_TEXTS = ("string", "date")
_WORD = re.compile(r"[A-Za-z]+")
_SPECIAL = re.compile(r"""['"\\{}%]""")
"""Signs of rows that are not split at their commas alone."""
WEIGHT_COLUMN = "weight"
_ESCAPES = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True)
class _Attribute(Declared):
    """A declared column, which may have a weight of its own."""

    is_weighted: bool = False

    @property
    def zero(self) -> str | None:
        """What a sparse row means by leaving the cell out: Weka's 0, of which a text column has none."""
        return self.levels[0] if self.levels else "0" if self.kind == "numeric" else None


@dataclass(frozen=True)
class _Row:
    """A row: its line, its cells (None for a missing one), and its weight as written (None without one)."""

    line: int
    cells: list[str | None]
    weight: str | None = None
    is_sparse: bool = False


def is_arff(head: bytes) -> bool:
    """Return whether a text begins like ARFF.

    >>> is_arff(b"% iris\\n@RELATION iris\\n")
    True
    """
    return bool(_BEGINS.match(head.removeprefix(b"\xef\xbb\xbf")))


def read_arff(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the rows as a frame; nominal columns are categorical in pandas' sense, levels in the declared order.

    Raises `InputError` with the line of a declaration or row that does not fit.
    """
    with reading.stage(0, 0.1):
        encoding, _ = encoding_of(source, reading)
    with reading.stage(0.1, 1), open_text(source, encoding, reading) as text:
        lines = _numbered(text)
        attributes, is_keel = _attributes(lines, reading)
        rows = _rows(lines, attributes, reading)
    reading.remarks.append(lambda: message("Read as KEEL.") if is_keel else message("Read as ARFF."))
    if is_keel:
        _empty_nulls(rows)
    places = [row.line for row in rows]
    columns = ([row.cells[i] for row in rows] for i in range(len(attributes)))
    series = [declared_column(a, cells, places, reading.name) for a, cells in zip(attributes, columns, strict=True)]
    frame = declared_frame(attributes, series)
    _note_weighted_columns([attribute.name for attribute in attributes if attribute.is_weighted], reading)
    _note_texts_left_out(attributes, rows, reading)
    return _with_weights(frame, rows, reading)


def _with_weights(frame: pd.DataFrame, rows: list[_Row], reading: Reading) -> pd.DataFrame:
    """The frame with the weights of the rows as a last column, where some row has one; the others weigh 1."""
    if all(row.weight is None for row in rows):
        return frame
    attribute = _Attribute(free_name(WEIGHT_COLUMN, list(frame.columns)), "numeric")
    weights = [
        1.0 if row.weight is None else number(row.weight, attribute.name, row.line, reading.name) for row in rows
    ]
    reading.weight_column = attribute.name
    reading.remarks.append(
        lambda: message("The rows have weights, which are the column '{column}'.", column=attribute.name)
    )
    return pd.concat([frame, pd.Series(weights, name=attribute.name)], axis=1)


def _note_weighted_columns(names: list[str], reading: Reading) -> None:
    if names:
        reading.remarks.append(
            lambda: plural(
                len(names),
                "The weight of attribute {columns} is not used: trees have no weights of columns.",
                "The weights of attributes {columns} are not used: trees have no weights of columns.",
                columns=listing_with_more((f"'{name}'" for name in names[:5]), len(names) > 5),
            )
        )


def _note_texts_left_out(attributes: list[_Attribute], rows: list[_Row], reading: Reading) -> None:
    """A remark on cells of text that sparse rows leave out: ARFF has no value for them."""
    texts = [i for i, attribute in enumerate(attributes) if attribute.kind == "text"]
    n_cells = sum(row.cells[i] is None for row in rows if row.is_sparse for i in texts)
    if n_cells:
        reading.remarks.append(
            lambda: plural(
                n_cells,
                "{n:,} cell of text that a sparse row leaves out is missing.",
                "{n:,} cells of text that sparse rows leave out are missing.",
            )
        )


def _numbered(text: TextIO) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of the lines that are neither blank nor comments."""
    for line, written in enumerate(text, start=1):
        stripped = written.strip()
        if stripped and not stripped.startswith("%"):
            yield line, stripped


def _empty_nulls(rows: list[_Row]) -> None:
    for row in rows:
        row.cells[:] = [None if cell == _KEEL_MISSING else cell for cell in row.cells]


def _attributes(lines: Iterator[tuple[int, str]], reading: Reading) -> tuple[list[_Attribute], bool]:
    """The declared columns, and whether KEEL declares them."""
    attributes, is_keel = list[_Attribute](), False
    for line, written in lines:
        keyword = written.split(None, 1)[0].lower()
        if keyword == "@data":
            if not attributes:
                break
            return attributes, is_keel
        if keyword == "@attribute":
            without_range = _RANGE.sub(r"\1", written)
            is_keel, written = is_keel or without_range != written, without_range
            attributes.append(_attribute(written, line, reading.name))
            reading.check(0, len(attributes))
        elif keyword in _ROLES:
            is_keel = True
            if keyword in _OUTPUTS:
                reading.target_column = _first_of(written, [attribute.name for attribute in attributes])
        elif keyword != "@relation":
            raise InputError(_bad_line(reading.name, line, written))
    raise InputError(message("'{file}' has no @attribute or no @data line: complete the ARFF file.", file=reading.name))


def _first_of(written: str, names: list[str]) -> str:
    """The first of the columns that a line of roles names, "" where it is none of these."""
    first = written.partition(" ")[2].split(",")[0].strip().strip("'\"")
    return first if first in names else ""


def _attribute(written: str, line: int, name: str) -> _Attribute:
    match = _ATTRIBUTE.match(written)
    if match is None:
        raise InputError(_bad_line(name, line, written))
    single, double, bare, declared = match.groups()
    column = _unescaped(next(part for part in (single, double, bare) if part is not None))
    if declared.startswith("{"):
        found = _cells(declared, 1, "}")
        weight = found and _WEIGHT.match(declared, found[1] + 1)
        if not found or not _END.match(declared, weight.end() if weight else found[1] + 1):
            raise InputError(_bad_line(name, line, written))
        levels = tuple(dict.fromkeys(level for level in found[0] if level is not None))
        return _Attribute(column, "nominal", levels, is_weighted=bool(weight))
    declared = declared.partition("%")[0]
    kind = _WORD.match(declared).group().lower()  # type: ignore[union-attr]
    if kind not in (*_NUMBERS, *_TEXTS):
        raise InputError(
            message(
                "Line {line} of '{file}' declares column '{column}' as {type}, which is not read: use numeric, string, "
                "date or a list of levels.",
                line=line,
                file=name,
                column=column,
                type=kind[:40],
            )
        )
    return _Attribute(column, "numeric" if kind in _NUMBERS else "text", is_weighted=bool(_WEIGHT.search(declared)))


def _bad_line(name: str, line: int, written: str) -> str:
    return message(
        "Line {line} of '{file}' is not valid ARFF ('{text}'): correct it.", line=line, file=name, text=written[:60]
    )


def _rows(lines: Iterator[tuple[int, str]], attributes: list[_Attribute], reading: Reading) -> list[_Row]:
    rows = []
    for line, written in lines:
        row = _row(line, written, attributes)
        if row is None:
            raise InputError(_bad_line(reading.name, line, written))
        check_width(len(row.cells), len(attributes), line, reading.name)
        rows.append(row)
        reading.check(len(rows), len(attributes))
    return rows


def _row(line: int, written: str, attributes: list[_Attribute]) -> _Row | None:
    """One row, its weight and its comment; None where it is not ARFF."""
    if not _SPECIAL.search(written):
        return _Row(line, [_known(cell.strip()) for cell in written.split(",")])
    is_sparse = written.startswith("{")
    found = _sparse(written, attributes) if is_sparse else _cells(written, 0)
    if found is None:
        return None
    cells, end = found
    weight = _WEIGHT.match(written, end)
    if weight and not is_sparse and len(cells) == len(attributes) + 1 and cells[-1] == "":
        cells.pop()  # between the last comma and the weight
    if not _END.match(written, weight.end() if weight else end):
        return None
    return _Row(line, cells, weight.group(1) if weight else None, is_sparse)


def _cells(written: str, position: int, closing: str = "") -> tuple[list[str | None], int] | None:
    """Return cells separated by commas, None for a missing one, and where they end; None where the quotes are wrong.

    They end before the sign `closing`, which must then be there.
    """
    cells: list[str | None] = []
    while True:
        match = _TOKEN.match(written, position)
        if match is None:
            return None
        cells.append(_value(match))
        position = match.end()
        if match.group(4) != ",":
            return (cells, position) if not closing or written.startswith(closing, position) else None


def _value(match: re.Match[str]) -> str | None:
    """The cell of a token, None for a missing one."""
    single, double, bare = match.groups()[:3]
    quoted = single if single is not None else double
    return _unescaped(quoted) if quoted is not None else _known(bare.rstrip())


def _known(cell: str) -> str | None:
    return None if cell == "?" else cell


def _sparse(written: str, attributes: list[_Attribute]) -> tuple[list[str | None], int] | None:
    """Return the cells of a sparse row, `{3 yes, 7 1.5}`, and where it ends; None where it is not ARFF."""
    cells: list[str | None] = [attribute.zero for attribute in attributes]
    if empty := re.compile(r"\{\s*+\}").match(written):
        return cells, empty.end()
    given, position = set[int](), 1
    while True:
        place = _POSITION.match(written, position)
        token = _TOKEN.match(written, place.end()) if place else None
        if place is None or token is None or (i := int(place.group(1))) >= len(cells) or i in given:
            return None
        given.add(i)
        cells[i], position = _value(token), token.end()
        if token.group(4) != ",":
            return (cells, position + 1) if written.startswith("}", position) else None


def _unescaped(written: str) -> str:
    return _ESCAPES.sub(lambda match: _PLAIN.get(match.group(1), match.group(1)), written)
