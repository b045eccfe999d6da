"""How the settings divide the rows of a table in memory: at random, by group, by time, or by a column of sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import explorer as ex
from explorer.data.division import in_order_of_sets
from explorer.values import Value
from pages.settings.settings import Settings

SMALL_TABLE = 100
"""Below this many rows a table grows on all rows unless the reader chooses a split."""
Rows = TypeVar("Rows", ex.Dataset, ex.MultiOutputData)


@dataclass(frozen=True)
class Division:
    """How the sets are made: by `shares` of the rows with a seed, at `times`, or by the `values` of the column.

    `kind` is one of `labels.DIVISIONS`; of rows at random `column` is "".
    """

    kind: str = "rows"
    column: str = ""
    shares: tuple[float, ...] = ()
    seed: int = 0
    times: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()

    @property
    def how(self) -> str:
        """What the sets are called: "all", "two" or "three"."""
        return {1: "all", 2: "two"}.get(len(self.values) or len(self.times or self.shares) + 1, "three")

    def split(self, rows: Rows) -> tuple[Rows, ...]:
        """The sets of these rows; raises InputError."""
        if self.kind == "sets":
            return rows.split_by(self.column, self.values or None)
        if self.times:
            return rows.split_at(*self.times)
        return rows.split(*self.shares, seed=self.seed) if self.shares else (rows,)


def named(settings: Settings) -> tuple[str, str]:
    """The kind of division and its column; a connected table has its own."""
    if settings.connected or settings.divide == "rows":
        return "rows", ""
    return settings.divide, settings.divide_by


def of(settings: Settings, whole: ex.Dataset) -> Division:
    """How the settings divide the rows of a table. Raises InputError where one group or time has them all."""
    kind, column = named(settings)
    if kind == "sets":
        found = whole.cells[column].dropna().unique().tolist() if column in whole.cells.columns else []
        return Division(kind, column, values=tuple(in_order_of_sets(found, settings.split_values)))
    if whole.division is not None:
        whole.division.check_count(2)
    how = settings.split
    if how not in ("all", "two", "three"):
        how = "all" if whole.n_rows < SMALL_TABLE else "two"
    shares = {"all": (), "two": (settings.share / 100,)}.get(how, (settings.share / 100, settings.valid_share / 100))
    times = settings.split_times if kind == "time" and len(settings.split_times) == len(shares) else ()
    return Division(kind, column, () if times else shares, settings.seed, times)
