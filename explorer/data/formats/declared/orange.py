"""Orange's .tab and .csv: types and roles of the columns in lines 2 and 3, or before a # in the one line of names."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TextIO

import pandas as pd

from explorer.data.formats.declared.columns import Declared, check_width, declared_column, declared_frame
from explorer.data.notes import listed_names
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.text.encoding import encoding_of, open_text
from explorer.data.text.lead import is_number
from explorer.errors import InputError
from explorer.messages import listing_with_more, message, plural

_KINDS = {
    **dict.fromkeys(("continuous", "c", "numeric", "n"), "numeric"),
    **dict.fromkeys(("discrete", "d", "categorical"), "nominal"),
    **dict.fromkeys(("string", "s", "text"), "text"),
    **dict.fromkeys(("time", "t"), "time"),
}
_ROLES = {"c": "class", "i": "ignore", "m": "meta", "w": "weight"}
_LIST = re.compile(r"\S+(?:\s\S+)+")
_FLAG = re.compile(r"class|ignore|meta|weight|[cimw]|.+=.*", re.DOTALL)
_PREFIX = re.compile(r"([cimw]?[CNDST]|[CNDST][cimw]|[cimw])#(?=\S)")
_BETWEEN = re.compile(r"(?<!\\) ")
_MISSING = frozenset(("", ".", "?", "~", "NA", "nan"))
_DIGITS = re.compile(r"([0-9]+)")
_HEAD_LINES = 3


@dataclass(frozen=True)
class _Column(Declared):
    """A declared column and its role: "class", "meta", "weight", "ignore" or ""; `kind` may be "time" or "" too."""

    role: str = ""


def is_orange(head: bytes) -> bool:
    """Return whether a text begins with Orange's header.

    >>> is_orange(b"age\\ty\\nc\\td\\n\\tclass\\n1\\ta\\n"), is_orange(b"C#age,cD#y\\n1,a\\n"), is_orange(b"a,b\\n1\\n")
    (True, True, False)
    """
    begin = head[: 1 << 16].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return bool(_header(begin)[0])


def read_orange(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the rows in the declared types; `InputError` names the line that does not fit."""
    with reading.stage(0, 0.1):
        encoding, _ = encoding_of(source, reading)
    with reading.stage(0.1, 1), open_text(source, encoding, reading) as text:
        begin = "".join(text.readline() for _ in range(_HEAD_LINES))
        columns, n_lines, delimiter = _header(begin)
        if not columns:
            raise InputError(
                message("The first lines of '{file}' are no header of Orange: write them again.", file=reading.name)
            )
        reading.check(0, len(columns))
        body = io.StringIO("".join(begin.splitlines(keepends=True)[n_lines:]), newline="")
        lines, rows = _rows((body, text), delimiter, len(columns), n_lines, reading)
    kept = [i for i, column in enumerate(columns) if column.role != "ignore"]
    if not kept:
        raise InputError(
            message("'{file}' ignores all of its columns: take the role of one of them away.", file=reading.name)
        )
    series = [_series(columns[i], [row[i] for row in rows], lines, reading) for i in kept]
    _note([columns[i] for i in kept], [column.name for column in columns if column.role == "ignore"], reading)
    return declared_frame([columns[i] for i in kept], series)


def _header(begin: str) -> tuple[list[_Column], int, str]:
    """The declared columns, the lines that declare them, and the sign between cells; no column in other texts."""
    found = [(*_header_by(begin, delimiter), delimiter) for delimiter in ("\t", ",")]
    return max(found, key=lambda header: len(header[0]))


def _header_by(begin: str, delimiter: str) -> tuple[list[_Column], int]:
    try:
        rows = [row for row, _ in zip(csv.reader(begin.splitlines(), delimiter=delimiter), range(3), strict=False)]
    except csv.Error:
        return [], 0
    if len(rows) == _HEAD_LINES and len(rows[0]) > 1:
        names, types, flags = ([cell.strip() for cell in row] for row in rows)
        is_declared = all(not cell or cell in _KINDS or _LIST.fullmatch(cell) for cell in types)
        are_flags = all(_FLAG.fullmatch(flag) for cell in flags for flag in cell.split())
        if len(names) == len(types) >= len(flags) and not _KINDS.keys().isdisjoint(types) and is_declared and are_flags:
            flags += [""] * (len(names) - len(flags))
            return [_column(*one) for one in zip(names, types, flags, strict=True)], _HEAD_LINES
    found = [_PREFIX.match(cell) for cell in rows[0]] if rows else []
    if found and (all(found) or sum(map(bool, found)) > 1):
        return [_prefixed(cell, match) for cell, match in zip(rows[0], found, strict=True)], 1
    return [], 0


def _column(name: str, kind: str, flags: str) -> _Column:
    """A column by its type, which may list its levels, and its flags; attributes such as a=b say nothing to a tree."""
    role = next((_ROLES[flag[0]] for flag in flags.split() if "=" not in flag), "")
    if kind in _KINDS:
        return _Column(name, _KINDS[kind], role=role, takes_any=True)
    levels = [level.replace("\\ ", " ") for level in _BETWEEN.split(kind)] if kind else []
    return _Column(name, "nominal" if levels else "", tuple(dict.fromkeys(levels)), role=role)


def _prefixed(cell: str, match: re.Match[str] | None) -> _Column:
    if match is None:
        return _column(cell, "", "")
    signs = match.group(1)
    kind = next((sign.lower() for sign in signs if sign.isupper()), "")
    return _column(cell[match.end() :], kind, next((sign for sign in signs if sign.islower()), ""))


def _rows(
    texts: Sequence[TextIO], delimiter: str, width: int, line: int, reading: Reading
) -> tuple[list[int], list[list[str]]]:
    """The lines of the rows, and their cells; rows end early where their last cells are empty."""
    lines, rows, n_short = list[int](), list[list[str]](), 0
    reader = csv.reader((written for text in texts for written in text), delimiter=delimiter)
    try:
        for cells in reader:
            if not any(cells):
                continue
            n_short += len(cells) < width
            cells += [""] * (width - len(cells))
            check_width(len(cells), width, line + reader.line_num, reading.name)
            lines.append(line + reader.line_num)
            rows.append([cell.strip() for cell in cells])
            reading.check(len(rows), width)
    except csv.Error as error:
        raise InputError(
            message(
                "Line {line} of '{file}' cannot be cut into cells ({error}): correct it.",
                line=line + reader.line_num,
                file=reading.name,
                error=error,
            )
        ) from error
    if n_short:
        reading.remarks.append(
            lambda: plural(
                n_short,
                "{n:,} row has fewer cells than columns: the others are missing.",
                "{n:,} rows have fewer cells than columns: the others are missing.",
            )
        )
    return lines, rows


def _series(column: _Column, written: list[str], lines: list[int], reading: Reading) -> pd.Series:
    """One column in its type. Cells of text keep marks such as ?, as Orange keeps them."""
    if column.kind == "text":
        return declared_column(column, [cell or None for cell in written], lines, reading.name)
    cells = [None if cell in _MISSING else cell for cell in written]
    if column.kind == "time":
        return _times(cells)
    if column.kind == "numeric":
        return declared_column(column, cells, lines, reading.name)
    if not column.kind:
        known = [cell for cell in cells if cell is not None]
        are_numbers = bool(known) and all(is_number(cell) and "," not in cell for cell in known)
        return declared_column(replace(column, kind="numeric" if are_numbers else "text"), cells, lines, reading.name)
    if column.takes_any:
        levels = tuple(sorted({cell for cell in cells if cell is not None}, key=_natural))
        return declared_column(replace(column, levels=levels, takes_any=False), cells, lines, reading.name)
    unknown = Counter(cell for cell in cells if cell is not None and cell not in column.levels)
    if unknown:
        _note_unknown(column.name, unknown, reading)
        cells = [None if cell in unknown else cell for cell in cells]
    return declared_column(column, cells, lines, reading.name)


def _natural(level: str) -> list[tuple[bool, int, str]]:
    """The order of levels that are not declared: numbers in a text count as numbers, and come first."""
    parts = [
        (i % 2 == 0, part if i % 2 == 0 else part.lstrip("0")) for i, part in enumerate(_DIGITS.split(level)) if part
    ]
    return [(is_text, 0 if is_text else len(part), part) for is_text, part in parts]


def _times(cells: list[str | None]) -> pd.Series:
    """Moments by ISO 8601; text where one is written otherwise."""
    try:
        return pd.Series(pd.to_datetime(pd.Series(cells, dtype=object), format="ISO8601"))
    except (ValueError, OverflowError):
        return pd.Series(cells, dtype="str")


def _note_unknown(column: str, unknown: Counter[str], reading: Reading) -> None:
    reading.remarks.append(
        lambda: plural(
            unknown.total(),
            "{n:,} cell of '{column}' is none of its declared levels and counts as missing, as in Orange: {levels}.",
            "{n:,} cells of '{column}' are none of its declared levels and count as missing, as in Orange: {levels}.",
            column=column,
            levels=listing_with_more((f"'{level[:40]}'" for level in list(unknown)[:5]), len(unknown) > 5),
        )
    )


def _note(columns: Sequence[_Column], ignored: list[str], reading: Reading) -> None:
    by_role = {role: [column.name for column in columns if column.role == role] for role in ("class", "weight", "meta")}
    reading.target_column, reading.weight_column = ((*by_role[role], "")[0] for role in ("class", "weight"))
    reading.remarks.append(lambda: message("Read as a table of Orange: its header gives types and roles."))
    if ignored:
        reading.remarks.append(
            lambda: message("Left out because the header says so: {columns}.", columns=listed_names(ignored))
        )
    reading.aside = tuple(by_role["meta"])
    if reading.aside:
        reading.remarks.append(
            lambda: message(
                "Not used as features, since the header calls them meta data: {columns}.",
                columns=listed_names(reading.aside),
            )
        )
