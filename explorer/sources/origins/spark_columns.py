"""Columns of a Spark DataFrame: their types by the names that DuckDB gives them, and how a query reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from explorer.sources.encoding.table_columns import DAYS, FLOATING, TableColumn
from explorer.sources.sql.queries import SPARK

TYPES = {
    "tinyint": "TINYINT",
    "smallint": "SMALLINT",
    "int": "INTEGER",
    "bigint": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "string": "VARCHAR",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp_ntz": "TIMESTAMP",
    "timestamp": "TIMESTAMP WITH TIME ZONE",
    "void": "VARCHAR",
}
NAN = "CAST('nan' AS DOUBLE)"


@dataclass(frozen=True)
class SparkColumn(TableColumn):
    """A column by its name and DuckDB's name of its type; `alias` is what it is called in queries."""

    alias: str = ""

    @property
    def quoted(self) -> str:
        """The name as it stands in a query."""
        return SPARK.identifier(self.alias)

    @property
    def number(self) -> str:
        """The expression of a number or date as a double; dates are days since 1970-01-01."""
        if self.type == "DATE":
            return f"CAST(unix_date({self.quoted}) AS DOUBLE)"
        if self.type == "TIMESTAMP":
            start = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"
            return f"timestampdiff(MICROSECOND, {start}, {self.quoted}) / {DAYS * 1_000_000}.0e0"
        if self.is_date:
            return f"unix_micros({self.quoted}) / {DAYS * 1_000_000}.0e0"
        return f"CAST({self.quoted} AS DOUBLE)"

    @property
    def category(self) -> str:
        """The expression of a cell as a category."""
        if self.type in FLOATING:
            return f"NULLIF({self.number} + 0.0e0, {NAN})"
        return f"CAST({self.quoted} AS STRING)" if self.type == "VARCHAR" else self.quoted

    @property
    def rounds(self) -> str:
        """The expression of whether a double has to round a whole number."""
        return f"TRY_CAST({self.number} AS DECIMAL(38, 0)) <> {self.quoted}"


def columns_of(frame: Any) -> tuple[SparkColumn, ...]:
    """The columns of a DataFrame. Names that differ by case only, repeat or are empty get another name in queries."""
    names = [field.name for field in frame.schema.fields]
    folded = [name.casefold() for name in names]
    taken, found = set(folded), []
    for i, field in enumerate(frame.schema.fields):
        alias = field.name
        if not alias or folded.index(folded[i]) < i:
            alias = next(text for k in range(len(names) + 1) if (text := f"column {i + 1 + k}") not in taken)
            taken.add(alias)
        found.append(SparkColumn(field.name, _type_name(field.dataType.simpleString()), alias=alias))
    return tuple(found)


def _type_name(text: str) -> str:
    """DuckDB's name of a type of Spark; a type without one as it is."""
    if text.startswith("decimal"):
        return text.upper()
    return TYPES.get("string" if text.startswith(("string ", "varchar(", "char(")) else text, text)
