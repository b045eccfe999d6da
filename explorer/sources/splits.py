"""How the rows of a connected table are divided into parts: by a hash of a key, or by the values of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from explorer.errors import ColumnError
from explorer.messages import listing, message, plural
from explorer.values import Value

DIGITS = 13
"""Hexadecimal digits of a hash that are compared: 52 bits, which a share given as a double holds exactly."""
MOST_PARTS = 3
"""Training, validation and test set."""


@dataclass(frozen=True)
class KeySplit:
    """Parts by a hash of the column `key`, so that rows of one key stay together and no row is copied.

    The hash is md5 of the text "{seed}:{key}" in UTF-8, as 32 lower-case hexadecimal digits; whole numbers are written
    in decimal. It is the same in every engine. A row is in part i where `ends[i − 1]` ≤ hash < `ends[i]`, compared as
    text; the first part has no lower end, the last no upper end.
    """

    key: str
    shares: tuple[float, ...]
    seed: int = 0

    @property
    def column(self) -> str:
        """The column that decides."""
        return self.key

    @property
    def n_parts(self) -> int:
        """How many parts there are."""
        return len(self.shares) + 1

    @property
    def ends(self) -> tuple[str, ...]:
        """The upper ends of all parts but the last, as the first digits of a hash.

        >>> KeySplit("customer_id", (0.5, 0.25)).ends
        ('8000000000000', 'c000000000000')
        """
        return tuple(f"{round(end * 16**DIGITS):0{DIGITS}x}" for end in accumulate(self.shares))


@dataclass(frozen=True)
class ColumnSplit:
    """One part per value of a column, which is then no feature; `values` None stands for all of them, sorted."""

    column: str
    values: tuple[Value, ...] | None = None


Split = KeySplit | ColumnSplit


def check_part_values(column: str, values: Sequence[Value]) -> None:
    """ColumnError unless these are two or three different values, one for each part."""
    if not 2 <= len(values) <= MOST_PARTS or len(set(values)) < len(values):
        text = message(
            "The values {values} do not divide a table: name each of the two or three values of '{column}' once.",
            values=_listed(values) or "–",
            column=column,
        )
        raise ColumnError(text, column)


def refuse_key(column: str, kind: str) -> ColumnError:
    """The error for a key that is neither text nor whole numbers; `kind` is the engine's name of its type."""
    text = message(
        "Column '{column}' is of type {kind}, whose text differs from engine to engine: split by a key of text or "
        "whole numbers.",
        column=column,
        kind=kind,
    )
    return ColumnError(text, column)


def refuse_missing_part(column: str, n_rows: int) -> ColumnError:
    """The error for rows that belong to no part, since the column has no value there."""
    text = plural(
        n_rows,
        "Column '{column}' has no value in {n:,} row, which would be in no part: fill it, or split by another column.",
        "Column '{column}' has no value in {n:,} rows, which would be in no part: fill them, or split by another "
        "column.",
        column=column,
    )
    return ColumnError(text, column)


def parts_in_order(split: ColumnSplit, found: Sequence[Value], kind: str = "") -> tuple[Value, ...]:
    """The values of the parts in order, from those that the column has (four are enough to refuse it).

    Raises ColumnError for numbers that are not whole, fewer than two or more than three values, and values that the
    column does not have, or that are not named.

    >>> parts_in_order(ColumnSplit("set"), ["valid", "train"])
    ('train', 'valid')
    """
    name = split.column
    if any(isinstance(value, float) for value in found):
        text = message(
            "Column '{column}' is of type {kind}: divide the rows by a column of text, whole numbers or true and "
            "false.",
            column=name,
            kind=kind or "float",
        )
        raise ColumnError(text, name)
    if not 2 <= len(found) <= MOST_PARTS:
        text = message(
            "Column '{column}' has {values}, but a table is divided into two or three parts: use another column, or "
            "a key.",
            column=name,
            values=_count_text(len(found)),
        )
        raise ColumnError(text, name)
    if split.values is None:
        return tuple(sorted(found))
    if set(split.values) != set(found):
        text = message(
            "Column '{column}' has the values {found}, not {given}: name all of them.",
            column=name,
            found=_listed(sorted(found)),
            given=_listed(split.values),
        )
        raise ColumnError(text, name)
    return split.values


def _count_text(count: int) -> str:
    if count > MOST_PARTS:
        return message("more than {most} values", most=MOST_PARTS)
    return plural(count, "{n} value", "{n} values")


def _listed(values: Sequence[Value]) -> str:
    return listing(f"'{value}'" for value in values)
