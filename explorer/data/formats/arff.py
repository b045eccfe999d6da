"""ARFF, the format of Weka: declared columns, then rows; the levels of a nominal column keep their order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

import numpy as np
import pandas as pd

from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.text.encoding import encoding_of, open_text
from explorer.errors import InputError
from explorer.messages import message

_BEGINS = re.compile(rb"(?:\s|%[^\n\r]*[\n\r])*@relation\b", re.IGNORECASE)
_TOKEN = re.compile(r"""\s*+(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)"|([^,\s'"{}][^,{}]*+|))\s*+(,|$)""", re.DOTALL)
"""A cell and its comma; possessive, since a long line that does not fit would else take the square of its length."""
_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{]++))\s*+(\{.*\}|(?<=[\s'"])[A-Za-z]+\b.*)\s*$""",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERS = ("numeric", "real", "integer")
_TEXTS = ("string", "date")
_DIGITS = 9
"""The most digits of a position in a sparse row."""
_ESCAPES = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True)
class _Attribute:
    """A declared column: `levels` in order where it is nominal."""

    name: str
    kind: str
    levels: tuple[str, ...] = ()

    @property
    def zero(self) -> str:
        """What a sparse row means by leaving the cell out."""
        return self.levels[0] if self.levels else "0"


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
        attributes = _attributes(lines, reading)
        rows = _rows(lines, attributes, reading)
    reading.remarks.append(lambda: message("Read as ARFF."))
    frame = pd.DataFrame({i: _column(cells, rows, i, reading.name) for i, cells in enumerate(attributes)})
    frame.columns = pd.Index([attribute.name for attribute in attributes], dtype=object)
    return frame


def _numbered(text: TextIO) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of the lines that are neither blank nor comments."""
    for line, written in enumerate(text, start=1):
        stripped = written.strip()
        if stripped and not stripped.startswith("%"):
            yield line, stripped


def _attributes(lines: Iterator[tuple[int, str]], reading: Reading) -> list[_Attribute]:
    attributes: list[_Attribute] = []
    for line, written in lines:
        keyword = written.split(None, 1)[0].lower()
        if keyword == "@data":
            if not attributes:
                break
            return attributes
        if keyword == "@attribute":
            attributes.append(_attribute(written, line, reading.name))
            reading.check(0, len(attributes))
        elif keyword != "@relation":
            raise InputError(_bad_line(reading.name, line, written))
    raise InputError(message("'{file}' has no @attribute or no @data line: complete the ARFF file.", file=reading.name))


def _attribute(written: str, line: int, name: str) -> _Attribute:
    match = _ATTRIBUTE.match(written)
    if match is None:
        raise InputError(_bad_line(name, line, written))
    single, double, bare, declared = match.groups()
    column = _unescaped(next(part for part in (single, double, bare) if part is not None))
    if declared.startswith("{"):
        levels = _cells(declared[1 : declared.rindex("}")])
        if levels is None:
            raise InputError(_bad_line(name, line, written))
        return _Attribute(column, "nominal", tuple(dict.fromkeys(level for level in levels if level is not None)))
    kind = declared.split()[0].lower()
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
    return _Attribute(column, "numeric" if kind in _NUMBERS else "text")


def _bad_line(name: str, line: int, written: str) -> str:
    return message(
        "Line {line} of '{file}' is not valid ARFF ('{text}'): correct it.", line=line, file=name, text=written[:60]
    )


def _rows(
    lines: Iterator[tuple[int, str]], attributes: list[_Attribute], reading: Reading
) -> list[tuple[int, list[str | None]]]:
    """Return (line, cells) of every row; None marks a missing cell."""
    rows = []
    for line, written in lines:
        cells = _sparse(written, attributes) if written.startswith("{") else _cells(written)
        if cells is None:
            raise InputError(_bad_line(reading.name, line, written))
        if len(cells) == len(attributes) + 1 and str(cells[-1]).startswith("{"):
            cells.pop()  # the weight of the row
        if len(cells) != len(attributes):
            raise InputError(
                message(
                    "Line {line} of '{file}' has {cells} cells, but {columns} columns are declared: correct that line.",
                    line=line,
                    file=reading.name,
                    cells=len(cells),
                    columns=len(attributes),
                )
            )
        rows.append((line, cells))
        reading.check(len(rows), len(attributes))
    return rows


def _cells(written: str) -> list[str | None] | None:
    """Return the cells of a row, None for a missing one; None where the quotes are wrong."""
    if "'" not in written and '"' not in written and "\\" not in written:
        return [_known(cell.strip()) for cell in written.split(",")]
    cells: list[str | None] = []
    position = 0
    while True:
        match = _TOKEN.match(written, position)
        if match is None:
            return None
        single, double, bare, sign = match.groups()
        quoted = single if single is not None else double
        cells.append(_unescaped(quoted) if quoted is not None else _known(bare.rstrip()))
        if not sign:
            return cells
        position = match.end()


def _known(cell: str) -> str | None:
    return None if cell == "?" else cell


def _sparse(written: str, attributes: list[_Attribute]) -> list[str | None] | None:
    """Return the cells of a sparse row, `{3 yes, 7 1.5}`."""
    cells: list[str | None] = [attribute.zero for attribute in attributes]
    inside = written[1:].partition("}")[0].strip()
    for part in inside.split(",") if inside else []:
        position, _, value = part.strip().partition(" ")
        if not position.isdecimal() or len(position) > _DIGITS or int(position) >= len(cells):
            return None
        token = _cells(value.strip())
        if token is None or len(token) != 1:
            return None
        cells[int(position)] = token[0]
    return cells


def _unescaped(written: str) -> str:
    return _ESCAPES.sub(lambda match: _PLAIN.get(match.group(1), match.group(1)), written)


def _column(attribute: _Attribute, rows: list[tuple[int, list[str | None]]], i: int, name: str) -> pd.Series:
    """Return one column in its declared type; `InputError` for a cell that does not fit, with its line."""
    cells = [row[i] for _, row in rows]
    if attribute.kind == "numeric":
        return pd.Series([_number(cell, attribute, rows[k][0], name) for k, cell in enumerate(cells)], dtype=np.float64)
    if attribute.kind == "text":
        return pd.Series(cells, dtype="str")
    unknown = set(cells) - set(attribute.levels) - {None}
    if unknown:
        line = next(line for line, row in rows if row[i] in unknown)
        raise InputError(
            message(
                "Line {line} of '{file}' has '{value}' in column '{column}', which is not one of its levels: "
                "declare it.",
                line=line,
                file=name,
                value=str(min(map(str, unknown)))[:40],
                column=attribute.name,
            )
        )
    return pd.Series(pd.Categorical(cells, categories=list(attribute.levels)))


def _number(cell: str | None, attribute: _Attribute, line: int, name: str) -> float:
    if cell is None:
        return np.nan
    try:
        return float(cell) if "_" not in cell else float("x")
    except ValueError:
        raise InputError(
            message(
                "Line {line} of '{file}' has '{value}' in the numeric column '{column}': correct it.",
                line=line,
                file=name,
                value=cell[:40],
                column=attribute.name,
            )
        ) from None
