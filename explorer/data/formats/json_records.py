"""JSON: one record a line, an array of records, or a document that holds records somewhere; nested ones are cut up."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

import pandas as pd

from explorer.data.arrow_frame import left_out_notes
from explorer.data.formats.columns import Columns
from explorer.data.formats.json_documents import records_of
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.text.encoding import encoding_of, open_text
from explorer.errors import InputError
from explorer.messages import message, plural

_RECORDS = re.compile(rb'\s*(\[\s*)?(\{\s*["}]|\[\s*\]$)')
_ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
_SPACE = re.compile(r"[\s,]*")
_LONGEST_NUMBER = 300
_DEEPEST = 8
"""So many records lie within each other at most; deeper ones are left out."""
_BYTES_PER_SIGN = 8
"""What a sign of a document takes, once it is values."""


def is_json(head: bytes, name: str) -> bool:
    """Return whether a text begins like JSON records, or is named so and begins with a bracket.

    >>> is_json(b'{"x": 1}', "a.txt"), is_json(b"[1, 2]", "a.csv")
    (True, False)
    """
    begin = head[:256].removeprefix(b"\xef\xbb\xbf")
    return bool(_RECORDS.match(begin)) or (name.lower().endswith(_ENDINGS) and begin.lstrip()[:1] in (b"{", b"["))


def read_json(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the records as a frame; keys in order of first appearance. `InputError` names the line that is wrong.

    A record within a record becomes columns whose names have a point, `address.city`; lists are left out and noted.
    """
    with reading.stage(0, 0.1):
        encoding, _ = encoding_of(source, reading)
    columns, lists, nested = Columns(reading), dict[str, str](), list[str]()
    with reading.stage(0.1, 1):
        is_array = source.head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["
        records = _array(source, encoding, reading) if is_array else _lines_or_document(source, encoding, reading)
        for line, record in records:
            if not isinstance(record, dict):
                raise InputError(_no_record(reading.name, line))
            columns.add(_flat(record, "", lists, nested, 0))
    reading.remarks.append(lambda: message("Read as JSON records."))
    frame = columns.frame()
    if nested:
        reading.remarks.append(
            lambda: message("Records within records are columns with a point in their name: '{name}'.", name=nested[0])
        )
    reading.remarks.extend(left_out_notes([(key, kind) for key, kind in lists.items() if key not in frame.columns]))
    if frame.columns.empty:
        raise InputError(_no_record(reading.name, 1))
    return frame


def _flat(
    record: dict[str, object], prefix: str, lists: dict[str, str], nested: list[str], depth: int
) -> dict[str, object]:
    """The values of a record and of those within it; lists, and what lies too deep, are noted by their names."""
    row: dict[str, object] = {}
    for key, value in record.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and depth < _DEEPEST:
            for inner, cell in _flat(value, f"{name}.", lists, nested, depth + 1).items():
                row.setdefault(inner, cell)
        elif isinstance(value, dict | list):
            lists.setdefault(name, "lists" if isinstance(value, list) else "records")
        else:
            row[name] = value
            if prefix and not nested:
                nested.append(name)
    return row


def _lines_or_document(source: Source, encoding: str, reading: Reading) -> Iterator[tuple[int, object]]:
    """Yield (line, record) of text with a record on each line, or of the one document that a text is."""
    with open_text(source, encoding, reading) as text:
        first = next((line for line in text if line.strip()), "")
        has_more = any(line.strip() for line in text)
    if has_more and _is_value(first):
        yield from _lines(source, encoding, reading)
        return
    with open_text(source, encoding, reading) as text:
        whole = text.read()
    reading.budget.check(reading.name, unpacked=_BYTES_PER_SIGN * len(whole))
    try:
        document = _DECODER.decode(whole)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise InputError(_damaged(reading.name, line, error)) from error
    taken = records_of(document)
    if taken.path:
        reading.remarks.append(
            lambda: plural(
                len(taken.records),
                "The document holds {n:,} record at '{path}', which was taken; the rest of it was left out.",
                "The document holds {n:,} records at '{path}', which were taken; the rest of it was left out.",
                path=taken.path,
            )
        )
    elif taken.shape != "record":
        reading.remarks.append(lambda: _shape_text(taken.shape, len(taken.records)))
    for record in taken.records:
        yield 1, record


def _is_value(line: str) -> bool:
    try:
        _DECODER.decode(line)
    except (ValueError, RecursionError):
        return False
    return True


def _shape_text(shape: str, n: int) -> str:
    if shape == "columns":
        return plural(
            n, "The document holds columns with {n:,} value.", "The document holds columns with {n:,} values."
        )
    return plural(
        n,
        "The document holds {n:,} record under its key, which is the column 'key'.",
        "The document holds {n:,} records under their keys, which are the column 'key'.",
    )


def _lines(source: Source, encoding: str, reading: Reading) -> Iterator[tuple[int, object]]:
    """Yield (line, value) of text with a value on each line."""
    with open_text(source, encoding, reading) as text:
        for line, written in enumerate(text, start=1):
            if written.strip():
                yield line, _value(written, line, reading.name)


def _value(written: str, line: int, name: str) -> object:
    try:
        return _DECODER.decode(written)
    except (ValueError, RecursionError) as error:
        raise InputError(_damaged(name, line, error)) from error


def _array(source: Source, encoding: str, reading: Reading) -> Iterator[tuple[int, object]]:
    """Yield (line, value) of the elements of one array."""
    with open_text(source, encoding, reading) as stream:
        text = stream.read()
    position, line, counted = text.index("[") + 1, 1, 0
    while True:
        position = _SPACE.match(text, position).end()  # type: ignore[union-attr]
        line, counted = line + text.count("\n", counted, position), position
        if text.startswith("]", position):
            return
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            raise InputError(_damaged(reading.name, line, error)) from error
        reading.at(position / len(text))
        yield line, value


def _damaged(name: str, line: int, error: Exception) -> str:
    reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    return message(
        "Line {line} of '{file}' is not valid JSON ({error}): write one record a line, or an array of records.",
        line=line,
        file=name,
        error=reason,
    )


def _no_record(name: str, line: int) -> str:
    return message(
        "'{file}' holds JSON, but line {line} is no flat record such as {example}: write one record a line.",
        file=name,
        line=line,
        example='{"age": 29, "sex": "female"}',
    )


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) < _LONGEST_NUMBER else digits


def _constant(name: str) -> float | None:
    return None if name == "NaN" else math.inf if name == "Infinity" else -math.inf


_DECODER = json.JSONDecoder(parse_int=_whole, parse_constant=_constant)
