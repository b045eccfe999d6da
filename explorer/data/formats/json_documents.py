"""Where the records of a JSON document lie: in a list somewhere, under keys, or column by column as in pandas."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

_DEEPEST = 6
_MOST_PLACES = 10_000
"""So many places of a document are looked at."""


@dataclass(frozen=True)
class Taken:
    """The records found, the `path` of their list, and the `shape`: "list", "columns", "keys" or one "record"."""

    records: list[dict[str, Any]]
    shape: str
    path: str = ""


def records_of(document: Any) -> Taken:
    """The records of a document: its longest list of records, else its columns, its records under keys, or itself.

    >>> records_of({"meta": {"n": 2}, "data": {"rows": [{"x": 1}, {"x": 2}]}}).path
    'data.rows'
    >>> records_of({"x": {"0": 1, "1": 2}, "y": {"0": "a", "1": "b"}}).records
    [{'x': 1, 'y': 'a'}, {'x': 2, 'y': 'b'}]
    >>> records_of({"ann": {"x": 1}, "bo": {"x": 2}}).records
    [{'key': 'ann', 'x': 1}, {'key': 'bo', 'x': 2}]
    """
    if not isinstance(document, dict):
        return Taken([document], "record")
    columns = _split(document) or _columns(document)
    if columns is not None:
        return Taken(columns, "columns")
    path, records = max(_lists(document), key=lambda found: len(found[1]), default=("", []))
    if records:
        return Taken(records, "list", path)
    values = list(document.values())
    if len(values) > 1 and all(isinstance(value, dict) for value in values) and _share_keys(values):
        return Taken([{"key": key, **value} for key, value in document.items()], "keys")
    return Taken([document], "record")


def _lists(document: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The lists of records of a document and their paths, the outer ones first."""
    waiting, n_seen = deque([("", document, 0)]), 0
    while waiting and n_seen < _MOST_PLACES:
        prefix, record, depth = waiting.popleft()
        for key, value in islice(record.items(), _MOST_PLACES):
            n_seen += 1
            if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
                yield f"{prefix}{key}", value
            elif isinstance(value, dict) and depth < _DEEPEST:
                waiting.append((f"{prefix}{key}.", value, depth + 1))


def _is_single(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _split(document: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of pandas' orient="split": names, and lists of cells."""
    names, rows = document.get("columns"), document.get("data")
    if not isinstance(names, list) or not isinstance(rows, list) or not names:
        return None
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return None
    return [dict(zip(map(str, names), row, strict=True)) for row in rows]


def _columns(document: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of a document of columns: lists of one length, or records whose keys count the rows from 0 on."""
    columns = list(document.values())
    first = columns[0] if columns else None
    if isinstance(first, list) and first:
        if not all(isinstance(column, list) and len(column) == len(first) for column in columns):
            return None
        if not all(_is_single(cell) for column in columns for cell in column):
            return None
        return [dict(zip(document, row, strict=True)) for row in zip(*columns, strict=True)]
    if isinstance(first, dict) and first and list(first) == [str(i) for i in range(len(first))]:
        if not all(isinstance(column, dict) and list(column) == list(first) for column in columns):
            return None
        return [{name: document[name][row] for name in document} for row in first]
    return None


def _share_keys(values: list[dict[str, Any]]) -> bool:
    """Whether records are of one kind: most of their keys are those of the first."""
    return all(len(value.keys() & values[0].keys()) * 2 > len(value) for value in values)
