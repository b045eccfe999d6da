"""Which rows of a connected table are used: those with a target and a weight above 0, and the part that each is in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.data.codes.feature import Feature
from explorer.data.codes.scale import Ordered
from explorer.data.encode import Kind
from explorer.data.notes import Note, without_target_text, without_weight_text
from explorer.errors import ColumnError, InputError
from explorer.formatting import rows as rows_text
from explorer.messages import message
from explorer.sources.encoding.column_codes import CategoryCoder, clean_cells, infinite_text, missing_cells
from explorer.sources.encoding.table_columns import TableColumn, TableReader, kind_of
from explorer.sources.source import Selection
from explorer.sources.splits import DIGITS, KeySplit, Split, parts_in_order, refuse_key, refuse_missing_part
from explorer.sources.sql.queries import Dialect
from explorer.values import Value

SMALLEST_WEIGHT, LARGEST_WEIGHTS = 1e-25, 1e25
MOST_ESTIMATED = 30
"""Columns with more different numbers by the estimate are no classes."""

Target = CategoryCoder | Feature
"""The coder of the classes, or the numeric target with its least and its greatest value."""


def use_rows(reader: TableReader, selection: Selection) -> tuple[Target, tuple[Note, ...]]:
    """Leave out rows without target or weight; returns the target in the other rows, and notes on those left out."""
    column = reader.column(selection.target)
    kind, given = _target_kind(reader, column, selection)
    known = _known_target(reader, column, kind, given)
    used = [*known, *_positive_weight(reader, selection.weights)]
    notes = _left_out(reader, selection.target, known, used)
    if notes:
        reader.conditions += used
        reader.use_facts_of_rows()
    if kind == "categorical":
        return reader.categories(column, given), notes
    return _numeric_target(reader, column), notes


def _target_kind(reader: TableReader, column: TableColumn, selection: Selection) -> tuple[str, Sequence[Value] | None]:
    """The kind of the target, and its classes where they are given."""
    given: Kind | None = dict(selection.kinds).get(column.name)
    if selection.classes is not None:
        given = selection.classes
    if not column.is_flat:
        raise ColumnError(_nested_target_text(column), column.name)
    given = given.levels if isinstance(given, Ordered) else given
    kind = kind_of(column, reader.facts[column.name], given)
    if kind == "numeric" and given is None and _is_few_whole(reader, column):
        kind = "categorical"
    if kind == "numeric" and not (column.is_number or column.is_date):
        raise ColumnError(_text_target_text(column.name), column.name)
    return kind, None if given is None or isinstance(given, str) else list(given)


def _is_few_whole(reader: TableReader, column: TableColumn) -> bool:
    """Whether a column of numbers has few different whole ones: they are then classes, as in a table in memory."""
    facts = reader.facts[column.name]
    if column.is_date or facts.has_fractions or reader.n_distinct(column.name) > MOST_ESTIMATED:
        return False
    query = f"SELECT DISTINCT {column.known_number} AS value\nFROM origin\nWHERE {column.known_number} IS NOT NULL"
    values = reader.run(_target_text, query).column("value").to_pylist()
    most = max(2, min(10, (reader.n_rows - facts.n_missing) // 2))
    return bool(values) and len(values) <= most and all(map(float.is_integer, values))


def _known_target(reader: TableReader, column: TableColumn, kind: str, given: Sequence[Value] | None) -> list[str]:
    """The conditions of a row whose target has a value."""
    if kind == "numeric":
        return [f"{column.known_number} IS NOT NULL"]
    found = [f"{column.quoted} IS NOT NULL"]
    if column.type in ("FLOAT", "DOUBLE"):
        found.append(f"NOT isnan({column.quoted})")
    elif not column.is_number or column.holds_numbers:
        bad = [reader.dialect.text(str(cell)) for cell in missing_cells(reader.categories(column, given))]
        found += [f"{column.category} NOT IN ({', '.join(bad)})"] if bad else []
    return found


def _numeric_target(reader: TableReader, column: TableColumn) -> Feature:
    facts = reader.facts[column.name]
    values = np.unique([value for value in (facts.low, facts.high) if not np.isnan(value)])
    if np.isinf(values).any():
        raise ColumnError(infinite_text(column.name), column.name)
    return Feature(column.name, "numeric", values)


def _positive_weight(reader: TableReader, name: str | None) -> list[str]:
    """The condition of a row of weight above 0. Refuses weights that are none, and sums that are not exact."""
    if name is None:
        return []
    column = reader.column(name)
    if not column.is_number:
        text = message("Column '{column}' holds the row weights but has text: give numbers.", column=name)
        raise ColumnError(text, name)
    w = column.number
    row = reader.row(
        _weights_text,
        f"SELECT SUM({w}) AS total, MIN({w}) AS low, MIN({w}) FILTER (WHERE {w} > 0) AS least,\n"
        f"  COUNT(*) FILTER (WHERE {w} IS NULL OR NOT {w} < CAST('inf' AS DOUBLE)) AS bad",
    )
    if row["bad"] or (row["low"] is not None and row["low"] < 0):
        raise ColumnError(_bad_weights_text(name), name)
    if (row["total"] or 0.0) > LARGEST_WEIGHTS or (row["least"] or 1.0) < SMALLEST_WEIGHT:
        raise ColumnError(_weights_range_text(name), name)
    return [f"{w} > 0"]


def _left_out(reader: TableReader, target: str, known: Sequence[str], used: Sequence[str]) -> tuple[Note, ...]:
    """Notes on rows left out. Raises InputError where none is left."""
    counted = [f"COUNT(*) FILTER (WHERE {' AND '.join(conditions)})" for conditions in (known, used)]
    row = reader.row(_rows_text, f"SELECT {counted[0]} AS known, {counted[1]} AS used")
    if not row["known"]:
        raise InputError(_no_target_text(target, reader.n_rows))
    if not row["used"]:
        raise InputError(_no_weight_text(target))
    notes = []
    if row["known"] < reader.n_rows:
        notes.append(Note(without_target_text(reader.n_rows - row["known"], target), "warning", (target,)))
    if row["used"] < row["known"]:
        notes.append(Note(without_weight_text(row["known"] - row["used"])))
    return tuple(notes)


@dataclass(frozen=True, eq=False)
class PartOfRow:
    """The expression of what a row's part depends on, the values of the parts in order, and their coder.

    Without a coder, the expression gives the part itself.
    """

    expression: str
    values: tuple[Value, ...] = ()
    coder: CategoryCoder | None = None


def part_of_row(reader: TableReader, split: Split) -> PartOfRow:
    """How the part of each row is found. Raises ColumnError for a column that cannot divide the rows."""
    column = reader.column(split.column)
    missing = int(reader.row(_parts_text, f"SELECT COUNT(*) - COUNT({column.quoted}) AS n")["n"])
    if missing:
        raise refuse_missing_part(column.name, missing)
    if isinstance(split, KeySplit):
        return PartOfRow(_hashed(column, split, reader.dialect))
    if column.type not in ("VARCHAR", "BOOLEAN") and not (column.is_whole or column.type.startswith("ENUM")):
        parts_in_order(split, [0.5], column.type)
    query = f"SELECT DISTINCT {column.category} AS value\nFROM origin{reader.where}\nLIMIT 4"
    found = [value for value in clean_cells(reader.run(_parts_text, query).column("value")) if value is not None]
    values = parts_in_order(split, found, column.type)
    coder = reader.categories(column, values)
    if reader.n_rows > coder.n_known:
        raise refuse_missing_part(column.name, reader.n_rows - coder.n_known)
    return PartOfRow(column.category, values, coder)


def _hashed(column: TableColumn, split: KeySplit, dialect: Dialect) -> str:
    """The part of a row by the hash of its key."""
    if not (column.is_whole or column.type == "VARCHAR" or column.type.startswith("ENUM")):
        raise refuse_key(column.name, column.type)
    text = f"concat('{int(split.seed)}:', CAST({column.quoted} AS {dialect.text_type}))"
    digits = f"left(md5({text}), {DIGITS})"
    cases = " ".join(f"WHEN {digits} < '{end}' THEN {part}" for part, end in enumerate(split.ends))
    return f"CASE {cases} ELSE {len(split.ends)} END"


def _target_text() -> str:
    return message("Look at the values of the target")


def _weights_text() -> str:
    return message("Check the row weights")


def _rows_text() -> str:
    return message("Count the rows that have a target and a weight")


def _parts_text() -> str:
    return message("Look at the column that divides the rows")


def _nested_target_text(column: TableColumn) -> str:
    return message(
        "Column '{column}' cannot be the target: its cells are {type}, not single values. Choose another target.",
        column=column.name,
        type=column.type[:80],
    )


def _text_target_text(name: str) -> str:
    return message(
        "The target '{column}' is text in the table and cannot be numeric: convert it to numbers there, or make it "
        "categorical.",
        column=name,
    )


def _bad_weights_text(name: str) -> str:
    return message(
        "Column '{column}' holds the row weights but has missing, negative or infinite ones: give finite weights from "
        "0 on.",
        column=name,
    )


def _weights_range_text(name: str) -> str:
    return message(
        "The row weights in column '{column}' are too large or too small for exact sums: scale them all.", column=name
    )


def _no_target_text(name: str, n_rows: int) -> str:
    return message(
        "Column '{column}' has no usable value in {rows}: choose another target.", column=name, rows=rows_text(n_rows)
    )


def _no_weight_text(name: str) -> str:
    return message("No row with a value of '{column}' has a weight above 0: give some rows weight.", column=name)
