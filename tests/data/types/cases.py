"""A column of each type: its cells, how the formats write it, and what it may become."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

TARGET = ["a", "b", "a", "a", "b", "b"]
"""The class of each row of every column."""


@dataclass(frozen=True)
class Case:
    """Six cells, None for a missing one, with what they are as numbers and as categories.

    `numbers` and `texts` are those of the known cells, in order; `levels` the categories in their declared order. The
    other fields say how a format writes the type; None where it has no such type.
    """

    name: str
    cells: Sequence[Any]
    arrow: pa.DataType | None
    duckdb: str | None
    texts: Sequence[str]
    numbers: Sequence[float] = ()
    unit: str = "numbers"
    levels: Sequence[str] = ()
    sqlite: str | None = None
    arff: str | None = None
    is_in_json: bool = True
    is_in_sheets: bool = True
    pandas: Any = None
    polars: Any = None

    @property
    def written(self) -> list[str]:
        """The cells as a text file has them."""
        return ["" if cell is None else str(cell) for cell in self.cells]


def case(name: str, cells: Sequence[Any], arrow: pa.DataType | None, duckdb: str | None, **more: Any) -> Case:
    """A case whose categories are the texts of its cells unless they are given."""
    return Case(name, cells, arrow, duckdb, **({"texts": [str(c) for c in cells if c is not None]} | more))


DAY = dt.date(2024, 2, 29)
STAMPS = [dt.datetime(2024, 2, 29, 12), dt.datetime(1969, 12, 31), None, dt.datetime(2024, 2, 29, 18)] * 2
TIMES = [dt.time(8, 30), dt.time(23, 0, 0, 500_000), None, dt.time(0)] * 2
WAITS = [dt.timedelta(minutes=5), dt.timedelta(days=2, milliseconds=500), None, dt.timedelta(0)] * 2
LONG = [1234567890123456789, 1234567890123456788, None, 5, 5, None]
PRICES = [Decimal("0.35"), Decimal("1.10"), None, Decimal("2.00"), Decimal("0.35"), Decimal("0.07")]
HUGE = [12345678901234567890123, 12345678901234567890124, None, 5, 5, None]
TEXT, NOMINAL = "string", "nominal"

CASES = [
    case(
        "whole numbers",
        [3, 1, 2, 1, 7, 3],
        pa.int64(),
        "BIGINT",
        numbers=[3, 1, 2, 1, 7, 3],
        sqlite="INTEGER",
        arff="integer",
    ),
    case(
        "whole numbers with gaps",
        [3, 1, None, 1, 7, 3],
        pa.int32(),
        "INTEGER",
        numbers=[3, 1, 1, 7, 3],
        sqlite="INTEGER",
        arff="numeric",
    ),
    case(
        "numbers with a fraction",
        [0.1, 2.5, None, -1e-9, 2.5, 1e15],
        pa.float64(),
        "DOUBLE",
        numbers=[0.1, 2.5, -1e-9, 2.5, 1e15],
        sqlite="REAL",
        arff="real",
    ),
    case(
        "decimals",
        PRICES,
        pa.decimal128(12, 2),
        "DECIMAL(12,2)",
        numbers=[0.35, 1.1, 2.0, 0.35, 0.07],
        is_in_json=False,
        is_in_sheets=False,
    ),
    case(
        "whole numbers beyond 2⁵³",
        LONG,
        pa.int64(),
        "BIGINT",
        sqlite="INTEGER",
        is_in_sheets=False,
    ),
    case(
        "whole numbers beyond 2⁶³",
        HUGE,
        pa.decimal128(38, 0),
        "HUGEINT",
        is_in_sheets=False,
        pandas=pd.Series(HUGE, dtype=object),
    ),
    case("words", ["low", "b c", None, "ä", "low", "b c"], pa.string(), "VARCHAR", sqlite="TEXT", arff=TEXT),
    case(
        "digits as text",
        ["3", "10", None, "2.5", "3", "1e1"],
        pa.string(),
        "VARCHAR",
        numbers=[3, 10, 2.5, 3, 10],
        sqlite="TEXT",
        arff=TEXT,
    ),
    case(
        "digits with leading zeros",
        ["01067", "1067", None, "02627", "1", "1067"],
        pa.string(),
        "VARCHAR",
        sqlite="TEXT",
        arff=TEXT,
    ),
    case(
        "long digits as text",
        [None if cell is None else str(cell) for cell in LONG],
        pa.string(),
        "VARCHAR",
        sqlite="TEXT",
        arff=TEXT,
    ),
    case("“NA” among words", ["NA", "EU", None, "US", "EU", "NA"], pa.string(), "VARCHAR", sqlite="TEXT", arff=TEXT),
    case(
        "“?” among digits as text",
        ["3", "?", None, "2.5", "3", "10"],
        pa.string(),
        "VARCHAR",
        numbers=[3, 2.5, 3, 10],
        sqlite="TEXT",
        arff=None,
    ),
    case("truth values", [True, False, None, True, False, False], pa.bool_(), "BOOLEAN"),
    case(
        "dates",
        [DAY, dt.date(1969, 12, 31), None, dt.date(9999, 12, 31), DAY, DAY],
        pa.date32(),
        "DATE",
        numbers=[19782, -1, 2932896, 19782, 19782],
        unit="days",
        is_in_json=False,
    ),
    case(
        "time stamps",
        STAMPS[:6],
        pa.timestamp("us"),
        "TIMESTAMP",
        numbers=[19782.5, -1, 19782.75, 19782.5, -1],
        unit="days",
        is_in_json=False,
        texts=["2024-02-29 12:00:00", "1969-12-31", "2024-02-29 18:00:00"],
    ),
    case(
        "times of day",
        TIMES[:6],
        pa.time64("us"),
        "TIME",
        is_in_json=False,
        is_in_sheets=False,
        texts=["08:30:00", "23:00:00.5", "00:00:00"],
    ),
    case(
        "durations",
        WAITS[:6],
        pa.duration("ms"),
        None,
        numbers=[300, 172800.5, 0, 300, 172800.5],
        unit="seconds",
        is_in_json=False,
        is_in_sheets=False,
    ),
    case(
        "declared categories of digits",
        ["3", "1", None, "2", "1", "3"],
        pa.dictionary(pa.int32(), pa.string()),
        None,
        numbers=[3, 1, 2, 1, 3],
        arff=NOMINAL,
        is_in_json=False,
        is_in_sheets=False,
        pandas=pd.Categorical(["3", "1", None, "2", "1", "3"], ["1", "2", "3"]),
        polars=pl.Series(["3", "1", None, "2", "1", "3"], dtype=pl.Categorical),
    ),
    case(
        "ordered levels",
        ["mid", "low", None, "high", "low", "mid"],
        pa.dictionary(pa.int32(), pa.string(), ordered=True),
        "ENUM('low', 'mid', 'high', 'none')",
        levels=["low", "mid", "high"],
        is_in_json=False,
        is_in_sheets=False,
        pandas=pd.Categorical(["mid", "low", None, "high", "low", "mid"], ["low", "mid", "high", "none"], ordered=True),
        polars=pl.Series(["mid", "low", None, "high", "low", "mid"], dtype=pl.Enum(["low", "mid", "high", "none"])),
    ),
]
