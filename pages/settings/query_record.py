"""Records whose fields are parameters of a web address: every field has its default, its key and its format together.

Only fields that differ from their default are written, so that an address stays short.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Self

from explorer.tree.base_tree import is_action
from explorer.tree.leaf_mixture import LEAST
from pages.settings.query_reader import LARGEST, QueryReader

Query = dict[str, list[str]]


@dataclass(frozen=True)
class Format:
    """How a value is read (reader, key, default) and written (key, value)."""

    read: Callable[[QueryReader, str, Any], Any]
    write: Callable[[str, Any], Query]


@dataclass(frozen=True)
class QueryRecord:
    """A frozen record whose fields are declared by `in_query`; they are read in the order of their declaration."""

    def to_query(self) -> Query:
        """The fields that differ from their default, as query parameters."""
        query: Query = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                query |= field.metadata["format"].write(field.metadata["key"], value)
        return query

    @classmethod
    def from_query(cls, reader: QueryReader) -> Self:
        """The record that query parameters describe."""
        return cls(
            **{
                field.name: field.metadata["format"].read(reader, field.metadata["key"], field.default)
                for field in dataclasses.fields(cls)
            }
        )


def in_query(default: object, key: str, form: Format) -> Any:
    """A field of a record with this default, written under this key in this format."""
    return dataclasses.field(default=default, metadata={"key": key, "format": form})


def as_text(text_of: Callable[[Any], str] = str) -> Callable[[str, Any], Query]:
    """Writes a value as one parameter."""
    return lambda key, value: {key: [text_of(value)]}


TEXT = Format(QueryReader.text, as_text())
TEXTS = Format(lambda reader, key, _: reader.texts(key), lambda key, values: {key: list(values)})
"""Several texts, one parameter each."""
OPTIONAL_WHOLE = Format(lambda reader, key, _: next(iter(reader.wholes(key, 1) or ()), None), as_text())
PAIR = Format(lambda reader, key, _: reader.wholes(key, 2), as_text(lambda pair: "-".join(map(str, pair))))
"""Two class codes, written 0-2."""
YES_NO = ("yes", "no")


def choice(allowed: Collection[str]) -> Format:
    """One of these words."""
    return Format(lambda reader, key, default: reader.choice(key, default, allowed), as_text())


def switch(on: str = YES_NO[0], off: str = YES_NO[1]) -> Format:
    """True or false, by a word for each."""
    return Format(
        lambda reader, key, default: reader.switch(key, default, on, off),
        as_text(lambda is_on: on if is_on else off),
    )


def whole(least: int = 0, most: int = LARGEST) -> Format:
    """A whole number between two bounds."""
    return Format(lambda reader, key, default: reader.whole(key, default, least, most), as_text())


def number(least: float = 0.0, most: float = float("inf")) -> Format:
    """A number between two bounds, with all its digits."""
    return Format(lambda reader, key, default: reader.number(key, default, least, most), as_text(repr))


def parsed(parse: Callable[[str], Any], text_of: Callable[[Any], str] = str) -> Format:
    """What a function makes of the text; None refuses it."""
    return Format(lambda reader, key, default: reader.parsed(key, default, parse), as_text(text_of))


def nested(record: type[QueryRecord]) -> Format:
    """A record within a record; its fields have keys of their own."""
    return Format(lambda reader, _, __: record.from_query(reader), lambda _, value: value.to_query())


def _parse_decision(text: str) -> tuple[float, ...] | None:
    """The code of one of two classes and the probability from which on it is predicted, written 1:0.25, or cutoffs."""
    if not text:
        return ()
    found = re.fullmatch(r"([01]):(0?\.\d{1,20}|1(?:\.0)?)", text, re.ASCII)
    if found:
        return (int(found[1]), float(found[2])) if float(found[2]) > 0 else None
    parts = text.split(":")
    if len(parts) < 3 or not all(re.fullmatch(r"\d{1,7}(\.\d{1,24})?(e-?\d{1,2})?", part, re.ASCII) for part in parts):
        return None
    cutoffs = tuple(map(float, parts))
    return cutoffs if all(LEAST <= cutoff <= 1 / LEAST for cutoff in cutoffs) else None


def _decision_text(decision: tuple[float, ...]) -> str:
    if len(decision) == 2:
        return f"{decision[0]:.0f}:{decision[1]:.12f}".rstrip("0").rstrip(".")
    return ":".join(f"{cutoff:.12g}" for cutoff in decision)


DECISION = parsed(_parse_decision, _decision_text)


def _read_actions(reader: QueryReader, key: str, default: tuple[()]) -> tuple[tuple[int, str], ...]:
    """Pairs of node and text, written node:text."""
    found = [re.fullmatch(r"(\d{1,7}):(.*)", text, re.ASCII | re.DOTALL) for text in reader.texts(key)]
    pairs = {int(each[1]): each[2] for each in found if each is not None and is_action(each[2])}
    if len(pairs) == len(found):
        return tuple(sorted(pairs.items()))
    reader.refuse(key, None)
    return default


ACTIONS = Format(_read_actions, lambda key, actions: {key: [f"{node}:{text}" for node, text in actions]})
