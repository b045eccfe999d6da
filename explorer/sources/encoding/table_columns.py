"""Columns of a table in a database: the type of their cells, how a query reads them, and their facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from explorer.data.encode import Kind
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.messages import Words, message
from explorer.sources.encoding.column_codes import CategoryCoder, category_coder
from explorer.sources.sql.queries import DUCKDB, Dialect

WHOLE = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
    "UHUGEINT",
)
FLOATING = ("FLOAT", "DOUBLE")
TEXT = ("VARCHAR", "UUID", "TIME", "BOOLEAN")
EMPTY = '"NULL"'
"""The type of a column of a Parquet file in which no cell has a value."""
DAYS = 24 * 60 * 60


@dataclass(frozen=True)
class TableColumn:
    """A column by its name and the database's type."""

    name: str
    type: str

    @property
    def quoted(self) -> str:
        """The name as it stands in a query."""
        return DUCKDB.identifier(self.name)

    @property
    def is_whole(self) -> bool:
        """Whether cells are whole numbers by their type."""
        return self.type in WHOLE

    @property
    def is_decimal(self) -> bool:
        """Whether cells are decimal numbers."""
        return self.type.startswith("DECIMAL")

    @property
    def n_digits(self) -> int:
        """How many digits a decimal number may have."""
        return int(self.type.split("(")[1].split(",")[0])

    @property
    def is_number(self) -> bool:
        """Whether cells are numbers."""
        return self.is_whole or self.is_decimal or self.type in FLOATING

    @property
    def is_date(self) -> bool:
        """Whether cells are dates, or dates with a time of day."""
        return self.type.startswith(("DATE", "TIMESTAMP"))

    @property
    def is_flat(self) -> bool:
        """Whether cells are single values."""
        if self.type.endswith("]"):
            return False
        return self.is_number or self.is_date or self.type.startswith((*TEXT, "ENUM", EMPTY))

    @property
    def number(self) -> str:
        """The expression of a number or date as a double; dates are days since 1970-01-01."""
        if self.type == "DATE":
            return f"CAST({self.quoted} - DATE '1970-01-01' AS DOUBLE)"
        if self.is_date:
            return f"epoch_us({self.quoted}) / {DAYS * 1_000_000}.0e0"
        return f"CAST({self.quoted} AS DOUBLE)"

    @property
    def known_number(self) -> str:
        """The same with NULL in place of nan."""
        return f"NULLIF({self.number}, CAST('nan' AS DOUBLE))" if self.type in FLOATING else self.number

    @property
    def category(self) -> str:
        """The expression of a cell as a category."""
        if self.type.startswith("ENUM") or self.type in ("UUID", "TIME"):
            return f"CAST({self.quoted} AS VARCHAR)"
        return f"{self.quoted} + 0.0" if self.type in FLOATING else self.quoted

    @property
    def rounds(self) -> str:
        """The expression of whether a double has to round a whole number."""
        return f"TRY_CAST({self.number} AS HUGEINT) <> {self.quoted}"


@dataclass(frozen=True)
class ColumnFacts:
    """What a page shows of a column before anything is encoded.

    `kind` is "numeric", "categorical", or "" where cells are not single values. `n_distinct` is an estimate, which is
    within a few percent in most tables; `low` and `high` are those of a number.
    """

    name: str
    type: str
    kind: str
    n_missing: int
    n_distinct: int
    low: float = float("nan")
    high: float = float("nan")
    is_rounded: bool = False
    """Whether it has whole numbers beyond 2⁵³ that a double would round."""


def kind_of(column: TableColumn, facts: ColumnFacts, given: Kind | None) -> str:
    """The kind "numeric" or "categorical". Raises InputError for a kind that does not exist."""
    if isinstance(given, str):
        if given not in ("numeric", "categorical"):
            raise InputError(
                message(
                    "The type of column '{column}' is {type!r}: use 'numeric', 'categorical' or a list of values.",
                    column=column.name,
                    type=given,
                )
            )
        return given
    return facts.kind if given is None else "categorical"


def facts_query(columns: Sequence[TableColumn], where: str) -> str:
    """One query for the facts of all columns, by position: n<i>, d<i>, low<i>, high<i>, r<i>."""
    parts = ["COUNT(*) AS n_rows"]
    for i, column in enumerate(columns):
        if not column.is_flat:
            parts.append(f"COUNT({column.quoted}) AS n{i}")
            continue
        cell = column.known_number if column.type in FLOATING else column.quoted
        parts += [f"COUNT({cell}) AS n{i}", f"LEAST(approx_count_distinct({cell}), COUNT({cell})) AS d{i}"]
        if column.is_number or column.is_date:
            number = cell if column.type in FLOATING else column.number
            parts += [f"MIN({number}) AS low{i}", f"MAX({number}) AS high{i}"]
        if column.type in ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"):
            parts.append(f"COALESCE(bool_or({column.rounds}), FALSE) AS r{i}")
    listed = ",\n  ".join(parts)
    return f"SELECT\n  {listed}\nFROM origin{where}"


def facts_of(columns: Sequence[TableColumn], row: Mapping[str, Any]) -> tuple[ColumnFacts, ...]:
    """The facts of all columns from the row that `facts_query` returns."""
    return tuple(_facts(i, column, row) for i, column in enumerate(columns))


def _facts(i: int, column: TableColumn, row: Mapping[str, Any]) -> ColumnFacts:
    n_missing = int(row["n_rows"] - row[f"n{i}"])
    if not column.is_flat:
        return ColumnFacts(column.name, column.type, "", n_missing, 0)
    rounded = bool(row.get(f"r{i}"))
    numeric = (column.is_number or column.is_date) and not rounded
    low, high = row.get(f"low{i}"), row.get(f"high{i}")
    return ColumnFacts(
        column.name,
        column.type,
        "numeric" if numeric else "categorical",
        n_missing,
        int(row[f"d{i}"]),
        float("nan") if low is None else float(low),
        float("nan") if high is None else float(high),
        rounded,
    )


@dataclass(eq=False)
class TableReader:
    """The view `origin` of one database: its columns, and facts of the rows that the conditions keep.

    `run` runs a query that is for what the words say. `facts` are by name.
    """

    columns: tuple[TableColumn, ...]
    run: Callable[[Words, str], pa.Table]
    facts: dict[str, ColumnFacts]
    n_rows: int
    conditions: list[str] = field(default_factory=list)
    dialect: Dialect = DUCKDB

    def column(self, name: str) -> TableColumn:
        """A column by its name."""
        return next(column for column in self.columns if column.name == name)

    @property
    def where(self) -> str:
        """The condition of the rows that are used, as it follows FROM."""
        return f"\nWHERE {' AND '.join(self.conditions)}" if self.conditions else ""

    def row(self, what: Words, select: str) -> dict[str, Any]:
        """The single row of a query on the rows in use; `select` stands before FROM."""
        found: dict[str, Any] = self.run(what, f"{select}\nFROM origin{self.where}").to_pylist()[0]
        return found

    def categories(self, column: TableColumn, given: Sequence[Value] | None) -> CategoryCoder:
        """All categories of a column among the rows in use."""
        query = f"SELECT {column.category} AS value, COUNT(*) AS n\nFROM origin{self.where}\nGROUP BY value"
        cells = self.run(_categories_text(column.name), query)
        return category_coder(column.name, cells.column("value"), cells.column("n").to_numpy(), given)

    def use_facts_of_rows(self) -> None:
        """Find the facts of the rows that the conditions keep, and how many these are."""
        row = self.run(_facts_text, facts_query(self.columns, self.where)).to_pylist()[0]
        self.facts = {facts.name: facts for facts in facts_of(self.columns, row)}
        self.n_rows = int(row["n_rows"])


def _facts_text() -> str:
    return message("Count rows, missing cells and different values of every column")


def _categories_text(name: str) -> Words:
    return lambda: message("List the categories of '{column}'", column=name)
