"""C4.5 and C5.0: a .names file declares the classes and columns of a .data file, which has one row a line.

The grammar is that of Quinlan's getnames.c: a name ends at a comma, a colon, a line end, or a point before a blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TextIO

import pandas as pd

from explorer.data.formats.declared.columns import Declared, check_width, declared_column, declared_frame, free_name
from explorer.data.notes import listed_names
from explorer.data.reading import Reading
from explorer.data.source import HEAD_BYTES, Source
from explorer.data.text.encoding import encoding_of, open_text
from explorer.errors import InputError
from explorer.messages import message, plural

_BLANK = re.compile(r"(?:\s|\|[^\n]*)*+")
"""Blanks, line ends, and comments, which begin with a vertical bar."""
_NAME = re.compile(r"((?:\\.|\.(?![\s|]|\Z)|[^\\.,:\n|])*+)(,|:=|:|\.(?=[\s|]|\Z)|(?=\|)|\n|\Z)", re.DOTALL)
_FORMULA = re.compile(r".*?(?:\.(?=\s|\Z)|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BEFORE_COMMENT = re.compile(r"(?:\\.|[^\\|])*+", re.DOTALL)
_CELL = re.compile(r"((?:\\.|[^\\,])*+\\?)(,|\Z)", re.DOTALL)
_KEYWORD = re.compile(r":\s*(?:continuous|discrete\s+\d+|ignore)\s*(?:[.|\r\n]|$)", re.IGNORECASE)
_OF_CODES = re.compile(r"discrete\s+\d+", re.IGNORECASE)
_ORDERED = re.compile(r"\[ordered\]\s*", re.IGNORECASE)
_TEXTS = ("date", "time", "timestamp", "label")
_WEIGHT = "case weight"
_NOT_APPLICABLE = "N/A"
_ENDING, _ROWS = ".names", (".data", ".test", ".cases")
_PROBED = 20
"""So many declarations tell a .names file."""


@dataclass
class _Names:
    """What a .names file says: its classes, or the attribute that has them, and the columns in order."""

    classes: list[str] = field(default_factory=list)
    has_thresholds: bool = False
    columns: list[Declared] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)


def is_c45_names(head: bytes, name: str = "") -> bool:
    """Return whether a text begins with classes and columns as C4.5 declares them.

    Lists of values alone are told from other texts by the file's name only.

    >>> is_c45_names(b"Play, Don't Play.\\n\\nwindy: true, false.\\nheat: continuous.\\n"), is_c45_names(b"a,b\\n1\\n")
    (True, False)
    """
    text = head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    is_named = name.lower().endswith(_ENDING)
    if not (is_named or _KEYWORD.search(text)):
        return False
    number = 0
    try:
        for number, _ in _entries(text, name, len(head) < HEAD_BYTES):
            if number == _PROBED:
                break
    except InputError:
        return is_named and number > 0
    return number > 0


def names_of(source: Source) -> Source | None:
    """The .names file of a .data file: packed with it, or beside it on the disk; None where there is none."""
    if source.companion is not None or source.path is None or source.path.suffix.lower() not in _ROWS:
        return source.companion
    beside = source.path.with_suffix(_ENDING)
    names = Source.of_path(beside) if beside.is_file() else None
    return names if names is not None and is_c45_names(names.head, beside.name) else None


def rows_of(names: Source) -> Source | None:
    """The .data file beside a .names file on the disk; None where there is none."""
    beside = names.path.with_suffix(_ROWS[0]) if names.path is not None else None
    return Source.of_path(beside) if beside is not None and beside.is_file() else None


def read_c45(source: Source, reading: Reading, names: Source) -> pd.DataFrame:
    """Return the rows of a .data file as its .names file declares them; `InputError` names the line that is wrong."""
    with reading.stage(0, 0.1), _text(names, reading) as text:
        declared = _declared(text.read(), reading)
    columns = declared.columns
    with reading.stage(0.1, 1), _text(source, reading) as text:
        lines, rows = _rows(text, columns, reading)
    n_not_applicable = 0
    for i, column in enumerate(columns):
        if _NOT_APPLICABLE not in column.levels:
            for row in rows:
                if row[i] == _NOT_APPLICABLE:
                    row[i], n_not_applicable = None, n_not_applicable + 1
    kept = [i for i, column in enumerate(columns) if column.name not in declared.left_out]
    series = [declared_column(columns[i], [row[i] for row in rows], lines, reading.name) for i in kept]
    _note(declared, n_not_applicable, reading)
    return declared_frame([columns[i] for i in kept], series)


def without_data(name: str) -> InputError:
    """The error for a .names file alone."""
    return InputError(
        message("'{file}' declares columns but has no rows: load it together with its .data file.", file=name)
    )


def _text(source: Source, reading: Reading) -> TextIO:
    return open_text(source, encoding_of(source, reading)[0], reading)


def _name_at(text: str, position: int) -> tuple[str, str, int]:
    """The next name, the sign that ends it ("" at the end of a line), and where that is."""
    begin = _BLANK.match(text, position).end()  # type: ignore[union-attr]
    match = _NAME.match(text, begin)
    if match is None:  # a backslash at the very end
        return "", "", len(text)
    name = " ".join(_ESCAPED.sub(r"\1", match.group(1)).split())
    return name, match.group(2).strip("\n"), match.end()


def _list_at(text: str, position: int) -> tuple[list[str], str, int]:
    """Names between commas, the sign that ends them, and where that is."""
    names = list[str]()
    while True:
        name, sign, position = _name_at(text, position)
        names.append(name)
        if sign != ",":
            return names, sign, position


def _entries(text: str, file: str, is_whole: bool = True) -> Iterator[tuple[int, tuple[str, str, list[str]]]]:
    """Yield (number, (name, sign, values)): the classes first, whose name is "", then each column.

    Raises `InputError` for what is no declaration, but not for one that the end of a part cuts.
    """
    values, sign, position = _list_at(text, 0)
    if sign == ":=" or not all(values):
        raise _wrong(text, 0, file)
    name = ""
    if sign == ":":
        name, (values, sign, position) = values[0], _list_at(text, position)
    number = 0
    yield number, (name, sign, values)
    while (begin := _BLANK.match(text, position).end()) < len(text):  # type: ignore[union-attr]
        name, sign, position = _name_at(text, begin)
        if not name or sign not in (":", ":="):
            if not is_whole and position >= len(text):
                return
            raise _wrong(text, begin, file)
        if sign == ":=":
            position = _FORMULA.match(text, position).end()  # type: ignore[union-attr]
            values = list[str]()
        else:
            values, _, position = _list_at(text, position)
            if not all(values):
                raise _wrong(text, begin, file)
        if not is_whole and position >= len(text):
            return
        number += 1
        yield number, (name, sign, values)


def _wrong(text: str, position: int, file: str) -> InputError:
    line = 1 + text.count("\n", 0, position)
    return InputError(
        message(
            "Line {line} of the .names file of '{file}' declares nothing ('{text}'): write 'name: continuous.' or "
            "'name: value, value.'.",
            line=line,
            file=file,
            text=text[position : position + 60].split("\n")[0],
        )
    )


def _declared(text: str, reading: Reading) -> _Names:
    found = _Names()
    entries = _entries(text.removeprefix("\ufeff"), reading.name)
    _, (name, _, classes) = next(entries)
    found.classes, found.has_thresholds = ([name] if name else classes), bool(name)
    for _, (name, sign, values) in entries:
        if sign == ":=":
            found.formulas.append(name)
        elif name.lower() == "attributes excluded":
            found.left_out += values
        elif name.lower() != "attributes included":
            found.columns.append(_column(name, values))
            if values[0].lower() == "ignore":
                found.left_out.append(name)
            reading.check(0, len(found.columns))
    _settle_target(found, reading)
    return found


def _column(name: str, values: Sequence[str]) -> Declared:
    kind = values[0].lower() if len(values) == 1 else ""
    if kind == "continuous":
        return Declared(name, "numeric")
    if kind in _TEXTS or kind == "ignore":
        return Declared(name, "text")
    if _OF_CODES.fullmatch(kind):
        return Declared(name, "nominal", takes_any=True)
    is_ordered = bool(_ORDERED.match(values[0]))
    levels = dict.fromkeys((_ORDERED.sub("", values[0], count=1), *values[1:]))
    return Declared(name, "nominal", tuple(level for level in levels if level != "?"), is_ordered)


def _settle_target(found: _Names, reading: Reading) -> None:
    """The class is the last column, or the column that the first line names (C5.0)."""
    names = [column.name for column in found.columns]
    if len(found.classes) == 1 and found.classes[0] in names:
        reading.target_column = found.classes[0]
    else:
        reading.target_column = free_name("class", names)
        found.columns.append(Declared(reading.target_column, "nominal", tuple(dict.fromkeys(found.classes))))
    if _WEIGHT in names:
        reading.weight_column = _WEIGHT
    if len(set(names)) < len(names) or {reading.target_column, *found.left_out} >= set(names):
        raise InputError(
            message(
                "The .names file of '{file}' declares a column twice, or none that a tree can use: correct it.",
                file=reading.name,
            )
        )


def _rows(text: TextIO, columns: Sequence[Declared], reading: Reading) -> tuple[list[int], list[list[str | None]]]:
    """The lines of the rows, and their cells, None for a missing one."""
    lines, rows = list[int](), list[list[str | None]]()
    for line, raw in enumerate(text, start=1):
        written = _BEFORE_COMMENT.match(raw).group() if "|" in raw else raw  # type: ignore[union-attr]
        written = written.strip().removesuffix(".")
        if not written:
            continue
        cells = [_cell(cell) for cell in (_cut(written) if "\\" in written else written.split(","))]
        check_width(len(cells), len(columns), line, reading.name)
        lines.append(line)
        rows.append(cells)
        reading.check(len(rows), len(columns))
    return lines, rows


def _cut(written: str) -> list[str]:
    """The cells of a row between commas; one after a backslash is part of its cell.

    >>> _cut("a,b"), _cut("a\\\\,b,"), _cut("a\\\\\\\\,b")
    (['a', 'b'], ['a\\\\,b', ''], ['a\\\\\\\\', 'b'])
    """
    cells = list[str]()
    for match in _CELL.finditer(written):
        cells.append(match.group(1))
        if not match.group(2):
            break
    return cells


def _cell(written: str) -> str | None:
    cell = " ".join((_ESCAPED.sub(r"\1", written) if "\\" in written else written).split())
    return None if cell in ("?", "") else cell


def _note(declared: _Names, n_not_applicable: int, reading: Reading) -> None:
    left_out = [column.name for column in declared.columns if column.name in declared.left_out]
    reading.remarks.append(lambda: message("Read as C4.5: the .names file declares the columns and the class."))
    if left_out:
        reading.remarks.append(
            lambda: message("Left out because the .names file says so: {columns}.", columns=listed_names(left_out))
        )
    if declared.formulas:
        reading.remarks.append(
            lambda: message(
                "Columns that the .names file computes by a formula are left out: {columns}.",
                columns=listed_names(declared.formulas),
            )
        )
    if declared.has_thresholds:
        reading.remarks.append(
            lambda: message(
                "The .names file cuts '{column}' into classes at thresholds, which are not used: it stays a number.",
                column=declared.classes[0],
            )
        )
    if n_not_applicable:
        reading.remarks.append(
            lambda: plural(
                n_not_applicable,
                "{n:,} cell is N/A, not applicable, and counts as missing.",
                "{n:,} cells are N/A, not applicable, and count as missing.",
            )
        )
