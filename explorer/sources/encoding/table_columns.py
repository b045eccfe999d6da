"""Columns of a table in a database: the type of their cells, how a query reads them, and their facts."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from explorer.data.cells import ALL_TEXTS, clean_value, is_mark
from explorer.data.codes.scale import Ordered
from explorer.data.encode import Kind
from explorer.errors import InputError
from explorer.messages import Words, message
from explorer.sources.encoding.column_codes import CategoryCoder, category_coder
from explorer.sources.sql.queries import DUCKDB, Dialect
from explorer.values import LEADING_ZERO, LONG_NUMBER, MISSING_MARKERS, PLAIN_NUMBER, Value, is_quantity, is_rounded

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
EXACT_DIGITS = 15
"""Decimal numbers of so many digits have a double each."""
FIRST_ROWS = 1000
"""Rows that tell of most columns of text that they are no numbers."""
_BLANKS = " \t\n\r"


@dataclass(frozen=True)
class TableColumn:
    """A column by its name and the database's type.

    A column that `is_declared` has categories by its type, in the order of `levels` where that counts. Text that
    `holds_numbers` is numeric (DEFINITIONS section 1).
    """

    name: str
    type: str
    levels: tuple[str, ...] = ()
    is_declared: bool = False
    holds_numbers: bool = False

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
        return self.is_whole or self.is_decimal or self.type in FLOATING or self.holds_numbers

    @property
    def is_date(self) -> bool:
        """Whether cells are dates, or dates with a time of day."""
        return self.type.startswith(("DATE", "TIMESTAMP"))

    @property
    def may_have_fractions(self) -> bool:
        """Whether cells are numbers or times, and not whole by their type."""
        return (self.is_number or self.is_date) and not self.is_whole and self.type != "DATE"

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
        if self.holds_numbers:
            return f"TRY_CAST({self.trimmed} AS DOUBLE)"
        if self.is_decimal and self.n_digits > EXACT_DIGITS:  # the cast of long ones is rounded twice
            return f"CAST(CAST({self.quoted} AS VARCHAR) AS DOUBLE)"
        return f"CAST({self.quoted} AS DOUBLE)"

    @property
    def texts(self) -> Container[Value | None]:
        """The texts that are categories: a mark among numbers is a missing cell."""
        return () if self.holds_numbers else ALL_TEXTS

    @property
    def known_cell(self) -> str:
        """The expression of a cell, NULL where it is missing."""
        if self.type in FLOATING or self.holds_numbers:
            return self.known_number
        return self.trimmed if self.type == "VARCHAR" else self.quoted

    @property
    def trimmed(self) -> str:
        """The expression of a text without blanks around it, NULL for a blank one."""
        return f"NULLIF(TRIM({self.quoted}, {DUCKDB.text(_BLANKS)}), '')"

    @property
    def known_number(self) -> str:
        """The same with NULL in place of nan."""
        return f"NULLIF({self.number}, CAST('nan' AS DOUBLE))" if self.type in FLOATING else self.number

    @property
    def category(self) -> str:
        """The expression of a cell as a category."""
        is_time = self.type.startswith("TIME") and not self.is_date
        if self.type.startswith("ENUM") or self.type == "UUID" or is_time:
            return f"CAST({self.quoted} AS VARCHAR)"
        return f"{self.quoted} + 0.0" if self.type in FLOATING else self.quoted

    @property
    def rounds(self) -> str:
        """The expression of whether a double has to round a whole number; a double may be too large for a cast."""
        differs = f"COALESCE(TRY_CAST({self.number} AS HUGEINT) <> {self.quoted}, TRUE)"
        is_whole = f" AND {self.quoted} = TRUNC({self.quoted})" if self.is_decimal else ""
        return f"{self.quoted} IS NOT NULL{is_whole} AND {differs}"

    @property
    def may_round(self) -> bool:
        """Whether a double may have to round a whole number of this type."""
        if self.is_decimal:
            return self.n_digits - int(self.type.rstrip(")").split(",")[1]) > EXACT_DIGITS
        return self.type in ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT")

    @property
    def text_facts(self) -> dict[str, str]:
        """What decides whether text holds numbers: all are (`plain`), one is (`some`), and names among them.

        Of names, `zero` have a leading zero, `long` are whole numbers that a double would change.
        """
        text, plain = self.trimmed, f"regexp_full_match({self.trimmed}, {DUCKDB.text(PLAIN_NUMBER)})"
        marks = ", ".join(map(DUCKDB.text, sorted(MISSING_MARKERS)))
        digits = f"regexp_replace(LTRIM({text}, '+'), '\\.0*$', '')"
        exact = f"CAST(TRY_CAST(TRY_CAST({text} AS DOUBLE) AS HUGEINT) AS VARCHAR)"
        is_long = f"regexp_full_match({text}, {DUCKDB.text(LONG_NUMBER)})"
        return {
            "plain": f"COALESCE(bool_and({plain} OR {text} IN ({marks})), FALSE)",
            "some": f"COALESCE(bool_or({plain}), FALSE)",
            "zero": f"COALESCE(bool_or(regexp_full_match({text}, {DUCKDB.text(LEADING_ZERO)})), FALSE)",
            "long": f"COALESCE(bool_or({is_long} AND COALESCE({exact} <> {digits}, TRUE)), FALSE)",
        }


@dataclass(frozen=True)
class ColumnFacts:
    """What a page shows of a column before anything is encoded.

    `kind` is "numeric", "categorical", or "" where cells are not single values. `n_distinct` is an estimate, which is
    within a few percent in most tables, and None for numbers of which it may not be needed (`TableReader.n_distinct`).
    `low` and `high` are those of a number; `has_fractions` says that some are not whole.
    """

    name: str
    type: str
    kind: str
    n_missing: int
    n_distinct: int | None
    low: float = float("nan")
    high: float = float("nan")
    is_rounded: bool = False
    """Whether it has whole numbers beyond 2⁵³ that a double would round."""
    has_fractions: bool = False


def kind_of(column: TableColumn, facts: ColumnFacts, given: Kind | None) -> str:
    """The kind "numeric" or "categorical". Raises InputError for a kind that does not exist."""
    if given == "ordered" or isinstance(given, Ordered):
        raise InputError(
            message(
                "Column '{column}' is to be ordered, which no column of a connected table is: give its levels as a "
                "list, which are then categories in this order, or read the rows into memory.",
                column=column.name,
            )
        )
    if isinstance(given, str):
        if given not in ("numeric", "categorical"):
            raise InputError(
                message(
                    "The type of column '{column}' is {type!r}: use 'numeric', 'categorical', 'ordered' or a list of "
                    "values.",
                    column=column.name,
                    type=given,
                )
            )
        return given
    return facts.kind if given is None else "categorical"


def _about(cell: str) -> str:
    """The expression of about how many different values there are."""
    return f"LEAST(approx_count_distinct({cell}), COUNT({cell}))"


def facts_query(columns: Sequence[TableColumn], where: str) -> str:
    """One query for the facts of all columns, by position: n<i>, d<i>, low<i>, high<i>, f<i>, r<i>.

    To estimate how many values are different takes longest, and seldom matters for numbers that need not be whole.
    """
    parts = ["COUNT(*) AS n_rows"]
    for i, column in enumerate(columns):
        if not column.is_flat:
            parts.append(f"COUNT({column.quoted}) AS n{i}")
            continue
        cell = column.known_cell
        parts.append(f"COUNT({cell}) AS n{i}")
        if column.may_have_fractions:
            parts.append(f"COALESCE(bool_or({column.known_number} % 1 <> 0), FALSE) AS f{i}")
        else:
            parts.append(f"{_about(cell)} AS d{i}")
        if column.is_number or column.is_date:
            number = column.known_number
            parts += [f"MIN({number}) AS low{i}", f"MAX({number}) AS high{i}"]
        if column.may_round:
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
    numeric = (column.is_number or column.is_date) and not rounded and not column.is_declared
    low, high = row.get(f"low{i}"), row.get(f"high{i}")
    return ColumnFacts(
        column.name,
        column.type,
        "numeric" if numeric else "categorical",
        n_missing,
        row.get(f"d{i}"),
        float("nan") if low is None else float(low),
        float("nan") if high is None else float(high),
        rounded,
        bool(row.get(f"f{i}")),
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
    _listed: dict[str, pa.Table] = field(default_factory=dict)
    """The different cells of columns, by the query that lists them."""

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
        if query not in self._listed:
            self._listed[query] = self.run(_categories_text(column.name), query)
        cells = self._listed[query]
        counts = cells.column("n").to_numpy()
        return category_coder(column.name, cells.column("value"), counts, given, column.levels, column.texts)

    def n_distinct(self, name: str) -> int:
        """About how many different values a column has."""
        facts = self.facts[name]
        if facts.n_distinct is not None:
            return facts.n_distinct
        query = f"SELECT {_about(self.column(name).known_cell)} AS d\nFROM origin{self.where}"
        found = int(self.run(_facts_text, query).column("d")[0].as_py())
        self.facts[name] = replace(facts, n_distinct=found)
        return found

    def use_facts_of_rows(self) -> None:
        """Find the facts of the rows that the conditions keep, and how many these are."""
        names = self._find_numbers_in_text()
        row = self.run(_facts_text, facts_query(self.columns, self.where)).to_pylist()[0]
        self.facts = {facts.name: facts for facts in facts_of(self.columns, row)}
        self.facts |= {name: replace(self.facts[name], is_rounded=True) for name in names}
        self.n_rows = int(row["n_rows"])

    def _find_numbers_in_text(self) -> list[str]:
        """Mark the columns of text that hold numbers; returns those whose numbers are too long to be numbers."""
        texts = [column for column in self.columns if column.type == "VARCHAR" and not column.is_declared]
        if not texts or self.dialect is not DUCKDB:
            return []
        listed = ", ".join(f"{column.quoted} AS x{i}" for i, column in enumerate(texts))
        first = self.run(_text_numbers_text, f"SELECT {listed}\nFROM origin{self.where}\nLIMIT {FIRST_ROWS}")
        texts = [c for i, c in enumerate(texts) if all(map(_may_be_number, first.column(f"x{i}").to_pylist()))]
        if not texts:
            return self._with_numbers_in_text({})
        facts = ((f"{fact}{i}", part) for i, c in enumerate(texts) for fact, part in c.text_facts.items())
        row = self.row(_text_numbers_text, "SELECT\n  " + ",\n  ".join(f"{part} AS {name}" for name, part in facts))
        of_column = {c.name: {fact: row[f"{fact}{i}"] for fact in c.text_facts} for i, c in enumerate(texts)}
        return self._with_numbers_in_text(of_column)

    def _with_numbers_in_text(self, facts: Mapping[str, Mapping[str, bool]]) -> list[str]:
        plain = {name: found for name, found in facts.items() if found["plain"] and found["some"]}
        numeric = {name for name, found in plain.items() if not (found["zero"] or found["long"])}
        self.columns = tuple(
            replace(c, holds_numbers=c.name in numeric) if c.type == "VARCHAR" else c for c in self.columns
        )
        return [name for name, found in plain.items() if found["long"]]


def _may_be_number(cell: object) -> bool:
    """Whether a text is a number, or missing in a column of numbers."""
    value = clean_value(cell, ALL_TEXTS)
    return value is None or is_mark(value) or is_quantity(value) or is_rounded(value)


def _text_numbers_text() -> str:
    return message("Look which columns of text hold numbers")


def _facts_text() -> str:
    return message("Count rows, missing cells and different values of every column")


def _categories_text(name: str) -> Words:
    return lambda: message("List the categories of '{column}'", column=name)
