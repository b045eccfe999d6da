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
    """How the sets are made: by `shares` of the rows with a seed, at `times`, or by the `values` of the column `sets`.

    `kind` is "rows", "groups" or "time": what they keep to, by `column`, which is "" for rows at random.
    """

    kind: str = "rows"
    column: str = ""
    sets: str = ""
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
        if self.sets:
            return rows.split_by(self.sets, self.values or None)
        if self.times:
            return rows.split_at(*self.times)
        return rows.split(*self.shares, seed=self.seed) if self.shares else (rows,)


def named(settings: Settings) -> tuple[str, str, str]:
    """What the rows are divided by, its column, and the column that names the sets; a connected table has its own."""
    if settings.connected:
        return "rows", "", ""
    if settings.divide == "sets":
        return "rows", "", settings.divide_by
    kind, column = ("rows", "") if settings.divide == "rows" else (settings.divide, settings.divide_by)
    return kind, column, settings.split_by if settings.split == "column" else ""


def dividing(settings: Settings) -> list[str]:
    """The columns that divide the rows of a table in memory."""
    return list(filter(None, named(settings)[1:]))


def changes(settings: Settings, kind: str, column: str, sets: str) -> dict[str, object]:
    """The changes of settings after which `named` gives these; none where it does."""
    if (kind, column, sets) == named(settings):
        return {}
    if kind == "rows" and sets:
        return {"divide": "sets", "divide_by": sets, "split": "auto", "split_by": ""}
    by: dict[str, object] = {"divide": kind, "divide_by": column}
    if sets:
        return by | {"split": "column", "split_by": sets}
    return by | ({"split": "auto", "split_by": ""} if settings.split == "column" else {})


def of(settings: Settings, whole: ex.Dataset) -> Division:
    """How the settings divide the rows of a table. Raises InputError where one group or time has them all."""
    kind, column, sets = named(settings)
    if whole.division is not None:
        whole.division.check_count(2)
    if sets:
        found = whole.cells[sets].dropna().unique().tolist() if sets in whole.cells.columns else []
        return Division(kind, column, sets, values=tuple(in_order_of_sets(found, settings.split_values)))
    how = settings.split
    if how not in ("all", "two", "three"):
        how = "all" if whole.n_rows < SMALL_TABLE else "two"
    shares = {"all": (), "two": (settings.share / 100,)}.get(how, (settings.share / 100, settings.valid_share / 100))
    times = settings.split_times if kind == "time" and len(settings.split_times) == len(shares) else ()
    return Division(kind, column, "", () if times else shares, settings.seed, times)
