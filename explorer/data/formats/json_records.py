"""JSON: one record a line, or an array of records; a record's values are numbers, texts, booleans or null."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

import pandas as pd

from explorer.data.arrow_frame import left_out_notes
from explorer.data.formats.columns import Columns
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.text.encoding import encoding_of, open_text
from explorer.errors import InputError
from explorer.messages import message

_RECORDS = re.compile(rb'\s*(\[\s*)?(\{\s*["}]|\[\s*\]$)')
_ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
_SPACE = re.compile(r"[\s,]*")
_LONGEST_NUMBER = 300


def is_json(head: bytes, name: str) -> bool:
    """Return whether a text begins like JSON records, or is named so and begins with a bracket.

    >>> is_json(b'{"x": 1}', "a.txt"), is_json(b"[1, 2]", "a.csv")
    (True, False)
    """
    begin = head[:256].removeprefix(b"\xef\xbb\xbf")
    return bool(_RECORDS.match(begin)) or (name.lower().endswith(_ENDINGS) and begin.lstrip()[:1] in (b"{", b"["))


def read_json(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the records as a frame; keys in order of first appearance. `InputError` names the line that is wrong."""
    with reading.stage(0, 0.1):
        encoding, _ = encoding_of(source, reading)
    columns, nested = Columns(reading), dict[str, str]()
    with reading.stage(0.1, 1):
        is_array = source.head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["
        records = _array(source, encoding, reading) if is_array else _lines(source, encoding, reading)
        for line, record in records:
            if not isinstance(record, dict):
                raise InputError(_no_record(reading.name, line))
            for key, value in record.items():
                if isinstance(value, dict | list):
                    nested.setdefault(key, "lists" if isinstance(value, list) else "records")
            columns.add({key: value for key, value in record.items() if not isinstance(value, dict | list)})
    reading.remarks.append(lambda: message("Read as JSON records."))
    frame = columns.frame()
    reading.remarks.extend(left_out_notes([(key, kind) for key, kind in nested.items() if key not in frame.columns]))
    if frame.columns.empty:
        raise InputError(_no_record(reading.name, 1))
    return frame


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
