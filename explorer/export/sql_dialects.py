"""How databases write names, values and the cells of a table: what differs between them stands here.

A cell of a numeric feature is missing unless it holds a finite number: NaN is above every number in DuckDB and
PostgreSQL, and SQLite compares a number in a text column as text, unless it is compared with a result of CAST.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.ranges import LARGEST
from explorer.values import EXACT_WHOLE, MISSING_MARKERS, Value


def column(name: str) -> str:
    """A quoted name.

    >>> column('the "x" axis')
    '"the ""x"" axis"'
    """
    return '"' + _writable(str(name)).replace('"', '""') + '"'


def cell(name: str) -> str:
    """A column of the table, which is always called t.

    >>> cell("age")
    't."age"'
    """
    return f"t.{column(name)}"


def literal(value: Value) -> str:
    """A value: text in quotes, whole numbers as they are, others with an exponent.

    >>> literal("it's"), literal(3), literal(2.45), literal(True)
    ("'it''s'", '3', '2.45e0', 'TRUE')
    """
    if isinstance(value, str):
        return "'" + _writable(value).replace("'", "''") + "'"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    text = repr(value)
    return text if isinstance(value, int) or "e" in text else f"{text}e0"


def _writable(text: str) -> str:
    """The text; InputError where it has a character that SQL or UTF-8 cannot hold."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(
            message("{text!r} has a character that SQL cannot write. Rename it in the table.", text=text[:40])
        )
    return text


def any_of(choices: Iterable[str]) -> str:
    """The condition that one of the choices holds; empty ones never do.

    >>> any_of(["a", "", "b"]), any_of([])
    ('(a OR b)', '1 = 0')
    """
    possible = [choice for choice in choices if choice]
    if not possible:
        return "1 = 0"
    return possible[0] if len(possible) == 1 else "(" + " OR ".join(possible) + ")"


def among(name: str, values: Iterable[str]) -> str:
    """The condition that something is one of these values; empty where there is none.

    >>> among('"x"', ["1"]), among('"x"', ["1", "2"])
    ('"x" = 1', '"x" IN (1, 2)')
    """
    listed = list(values)
    if not listed:
        return ""
    return f"{name} = {listed[0]}" if len(listed) == 1 else f"{name} IN ({', '.join(listed)})"


TRUE, FALSE = ("true", "True", "TRUE", "1", "1.0"), ("false", "False", "FALSE", "0", "0.0")
"""Truth values as texts: SQLite stores 1 and 0, and text columns have the words of the program that wrote them."""


@dataclass(frozen=True)
class Dialect:
    """One way to write conditions on cells.

    `number` is a cell as something to compare with numbers, `date` a date as days since 1970-01-01. `numeric` is the
    condition that it equals a number that is also a category; "{x}" stands for the cell, "{n}" for the number.
    `ignores_case` says that names of columns that differ by case only are one.
    """

    number: str
    date: str
    numeric: str
    ignores_case: bool = True
    date_columns: frozenset[str] = frozenset()

    def _number(self, name: str) -> str:
        """A cell as something to compare with numbers."""
        return (self.date if name in self.date_columns else self.number).format(x=cell(name))

    def missing_number(self, name: str) -> str:
        """The condition that a cell has no finite number."""
        x = self._number(name)
        return f"({x} IS NULL OR {x} NOT BETWEEN {_bound(-LARGEST)} AND {_bound(LARGEST)})"

    def between(self, name: str, low: float | None = None, high: float | None = None) -> str:
        """The condition that a cell has a number above `low` and up to `high`; None for no bound.

        >>> DIALECTS["duckdb"].between("x", 1.5, 2.5)
        'TRY_CAST(t."x" AS DOUBLE) > CAST(1.5e0 AS FLOAT8) AND TRY_CAST(t."x" AS DOUBLE) <= CAST(2.5e0 AS FLOAT8)'
        """
        x = self._number(name)
        if any(EXACT_WHOLE <= abs(bound) < LARGEST for bound in (low, high) if bound is not None):
            # SQLite compares whole numbers with all their digits, but the tree has read them as doubles.
            is_number, x = [self.between(name)], f"CAST({x} AS FLOAT8)"
        else:
            is_number = []
        if low is None:
            bounds = [f"{x} BETWEEN {_bound(-LARGEST)} AND {_bound(LARGEST if high is None else high)}"]
        else:
            bounds = [f"{x} > {_bound(low)}", f"{x} <= {_bound(LARGEST if high is None else high)}"]
        return " AND ".join([*is_number, *bounds])

    def among_numbers(self, name: str, values: Sequence[float], *, without: bool = False) -> str:
        """The condition that a cell has one of these numbers, or with `without` another number."""
        is_number = self.between(name)
        if not values:
            return is_number if without else ""
        numbers = f"CAST({self._number(name)} AS FLOAT8)"
        listed = ", ".join(_bound(float(value)) for value in values)
        return f"{is_number} AND {numbers} {'NOT IN' if without else 'IN'} ({listed})"

    def missing_text(self, name: str, labels: Iterable[Value | None]) -> str:
        """The condition that a cell has no category: it is NULL, or a mark such as "NA" that is none of the labels."""
        return f"({cell(name)} IS NULL OR {among(_text(name), map(literal, _marks(labels)))})"

    def among_texts(self, name: str, labels: Sequence[Value]) -> str:
        """The condition that a cell is one of these categories; empty without any."""
        texts = dict.fromkeys(text for label in labels for text in self._texts(label))
        return any_of([among(_text(name), map(literal, texts)), *self._as_numbers(name, labels)]) if labels else ""

    def other_text(self, name: str, known: Sequence[Value], labels: Iterable[Value | None]) -> str:
        """The condition that a cell has a category, but none of those that are known; `labels` are all of the tree."""
        texts = dict.fromkeys(text for label in known for text in self._texts(label))
        listed = ", ".join(map(literal, [*texts, *_marks(labels)]))
        return " AND ".join([f"{_text(name)} NOT IN ({listed})", *(f"NOT {x}" for x in self._as_numbers(name, known))])

    def _as_numbers(self, name: str, labels: Sequence[Value]) -> list[str]:
        """The conditions that a cell is the number of one of the labels, as far as this dialect has any."""
        numbers = [number for number in map(_number_of, labels) if number is not None] if self.numeric else []
        return [f"({self.numeric.format(x=cell(name), n=literal(number))})" for number in numbers]

    @staticmethod
    def _texts(label: Value) -> tuple[str, ...]:
        if isinstance(label, bool):
            return TRUE if label else FALSE
        is_whole_number = isinstance(label, int) and abs(label) < EXACT_WHOLE
        return (str(label), str(float(label))) if is_whole_number else (str(label),)


def _marks(labels: Iterable[Value | None]) -> list[str]:
    return sorted(MISSING_MARKERS.difference(map(str, labels)))


def _text(name: str) -> str:
    return f"TRIM(CAST({cell(name)} AS VARCHAR))"


def _bound(number: float) -> str:
    return f"CAST({literal(number)} AS FLOAT8)"


def _number_of(label: Value) -> int | float | None:
    """The number that a category stands for, if cells of another type can hold it too.

    >>> [_number_of(label) for label in (3, "3", "03", "a", True, 2.5)]
    [3, 3, None, None, None, 2.5]
    """
    if isinstance(label, str):
        is_whole = label.removeprefix("-").isdecimal() and label.isascii() and str(int(label)) == label
        return int(label) if is_whole and abs(int(label)) < EXACT_WHOLE else None
    if isinstance(label, bool) or not math.isfinite(label) or abs(label) >= EXACT_WHOLE:
        return None
    return label


_RAW = "{x}"
_TYPE_IS_KNOWN = "TYPEOF({x}) NOT IN ('VARCHAR', 'BOOLEAN') AND TRY_CAST({x} AS DOUBLE) IS NOT DISTINCT FROM {n}"
_DAYS_IN_SQLITE = (
    "(CASE WHEN {x} GLOB '[0-9][0-9][0-9][0-9]-*' THEN "
    "(strftime('%s', {x}) + strftime('%f', {x}) - strftime('%S', {x})) / 86400e0 ELSE {x} END)"
)
"""Dates are texts in SQLite; what is no date but a number counts as days."""
_DAYS_IN_DUCKDB = "(EPOCH_US(TRY_CAST(CAST({x} AS VARCHAR) AS TIMESTAMP)) / 86400e6)"
_DAYS_IN_POSTGRESQL = "(CAST(EXTRACT(EPOCH FROM {x}) AS FLOAT8) / 86400e0)"
DIALECTS = {
    "sqlite": Dialect(_RAW, _DAYS_IN_SQLITE, "{x} = {n}"),
    "duckdb": Dialect("TRY_CAST({x} AS DOUBLE)", _DAYS_IN_DUCKDB, _TYPE_IS_KNOWN),
    "postgresql": Dialect(_RAW, _DAYS_IN_POSTGRESQL, "", ignores_case=False),
}
"""Databases that a query can be written for."""
EVERY = Dialect(_RAW, _RAW, "")
"""The same text for all of them, where columns have the types of their values."""


def dialect_named(name: str | None) -> Dialect:
    """The dialect of this name; InputError for one that is not known."""
    if name is None:
        return EVERY
    if name.casefold() not in DIALECTS:
        raise InputError(
            message(
                "The query cannot be written for '{dialect}', which may read backslashes and quotes in another way. "
                "Choose one of {dialects}, or use to_python.",
                dialect=name,
                dialects=listing(DIALECTS),
            )
        )
    return DIALECTS[name.casefold()]
