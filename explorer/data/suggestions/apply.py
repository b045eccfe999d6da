"""A table and repairs → a new table; what a repair could not do becomes a remark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.dates import moment_of
from explorer.data.codes.scale import order_of
from explorer.data.notes import LinesBelow, MissingCells
from explorer.data.reading import AS_FOUND, ReadingOptions
from explorer.data.suggestions.cells import as_read
from explorer.data.suggestions.dates import DATES, PARTS
from explorer.data.suggestions.extra_rows import FOOTERS, TOTALS
from explorer.data.suggestions.kind import ColumnKind, Converted, listed, texts
from explorer.data.suggestions.levels import LEVELS
from explorer.data.suggestions.repair import KINDS, Repair
from explorer.messages import Words, message, plural, worded

_OF_LINES_BELOW = (FOOTERS.name, TOTALS.name)


@dataclass(frozen=True)
class RepairedDate:
    """A column that a repair has made days since a date, and the columns of its parts, by part."""

    column: str
    days_since: str
    parts: tuple[tuple[str, str], ...] = ()

    def part_cells(self, days: float | None) -> dict[str, float | None]:
        """The cells of the parts' columns on a day; None where it is missing or no date.

        >>> RepairedDate("since", "2023-01-01", (("month", "since (month)"),)).part_cells(248.0)
        {'since (month)': 9.0}
        """
        moment = None if days is None else moment_of(days, self.days_since)
        return {column: None if moment is None else float(PARTS[part](moment)) for part, column in self.parts}


@dataclass(frozen=True, eq=False)
class BaseTable:
    """A table as read: `frame` (pandas), a remark per assumption, `name` (of the file).

    `sheets` are the sheets, database tables or archive members to choose from (empty where a file holds one table by
    nature), and `sheet` is the one read. `header_line` is the line of the text or the row of the sheet with the column
    names, counted from 1. `weight_column` holds the weights that the file gives its rows, and `target_column` what it
    declares to be predicted ("" where it has none). `read_as` is how a text was read, None for other files, and
    `options` are what was set by hand to read it. `repairs` are those applied since, `dates` the columns that they have
    made days since a date. `ordered` are the columns whose levels the file puts in order, `aside` those that it keeps
    out of the features; `described` are (column, label) pairs, what the file says of a column.
    """

    frame: pd.DataFrame
    remarks: tuple[Words, ...]
    name: str
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    header_line: int = 1
    weight_column: str = ""
    target_column: str = ""
    repairs: tuple[Repair, ...] = ()
    read_as: ReadingOptions | None = None
    options: ReadingOptions = AS_FOUND
    dates: tuple[RepairedDate, ...] = ()
    ordered: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    described: tuple[tuple[str, str], ...] = ()

    @property
    def days_since(self) -> dict[str, str]:
        """The date that each column of days counts from, as `Dataset.from_frame` takes it."""
        return {date.column: date.days_since for date in self.dates}

    @property
    def kinds(self) -> dict[str, str]:
        """The types of columns as `Dataset.from_frame` takes them: those that the file or a repair puts in order."""
        names = [*self.ordered, *(repair.column for repair in self.repairs if repair.kind == LEVELS.name)]
        return {name: "ordered" for name in names if name in self.frame and order_of(self.frame[name])}

    def made_of(self, column: str) -> tuple[str, ...]:
        """The columns that repairs have made of one beside it: the parts of a date."""
        return tuple(name for date in self.dates if date.column == column for _, name in date.parts)

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks as sentences in the language in force."""
        return tuple(worded(remark) for remark in self.remarks)


AnyTable = TypeVar("AnyTable", bound=BaseTable)


def apply_repairs(table: AnyTable, repairs: Iterable[Repair]) -> AnyTable:
    """The table with repairs applied in order; the given table stays as it is.

    A column that is not there, and cells that do not fit a repair, become remarks, and the missing cells are counted
    again; nothing is raised.
    """
    repairs, remarks, dates = tuple(repairs), list[Words](), {date.column: date for date in table.dates}
    frame = table.frame.copy(deep=False)
    for repair in repairs:
        before, frame = frame, _repaired(frame, repair, remarks)
        if repair.kind == DATES.name and repair.column in before:
            dates[repair.column] = _date(repair, before, frame)
    are_gone = any(repair.kind in _OF_LINES_BELOW for repair in repairs)
    open_remarks = [remark for remark in table.remarks if not (are_gone and isinstance(remark, LinesBelow))]
    earlier = _recounted(open_remarks, frame) if repairs else table.remarks
    return replace(
        table,
        frame=frame,
        remarks=(*earlier, *remarks),
        repairs=(*table.repairs, *repairs),
        dates=tuple(dates.values()),
    )


def _date(repair: Repair, before: pd.DataFrame, after: pd.DataFrame) -> RepairedDate:
    """What a repair of dates has made of its column; its parts are the new columns, in their order."""
    added = [str(name) for name in after.columns if name not in before.columns]
    parts = zip(texts(repair.settings["parts"]), added, strict=False)  # none for numbers, which stay as they are
    return RepairedDate(repair.column, str(repair.settings["origin"]), tuple(parts))


def settled(table: BaseTable, repairs: Iterable[Repair]) -> tuple[Repair, ...]:
    """The repairs, to be applied in order, as all rows of the table have them: dates count from the earliest of all.

    All columns of dates count from one day.
    """
    frame, found = table.frame.copy(deep=False), list[Repair]()
    for repair in repairs:
        kind = KINDS[repair.kind]
        is_there = list(frame.columns).count(repair.column) == 1
        if is_there and isinstance(kind, ColumnKind) and kind.settle is not None:
            repair = replace(repair, options=kind.settle(frame[repair.column], repair.settings))
        frame = _repaired(frame, repair, [])
        found.append(repair)
    return with_one_origin(found)


def with_one_origin(repairs: Iterable[Repair], known: Iterable[RepairedDate] = ()) -> tuple[Repair, ...]:
    """The repairs; those of dates count from the first known date, else from the earliest of them.

    >>> options = {"order": "ymd", "parts": []}
    >>> days = [Repair("dates", name, {**options, "origin": f"20{name}-05-01"}) for name in ("23", "21")]
    >>> [repair.settings["origin"] for repair in with_one_origin(days)]
    ['2021-05-01', '2021-05-01']
    """
    repairs = tuple(repairs)
    own = [str(repair.settings["origin"]) for repair in repairs if repair.kind == DATES.name]
    origin = next((date.days_since for date in known), min(own, default=""))
    return tuple(
        replace(repair, options={**repair.settings, "origin": origin}) if repair.kind == DATES.name else repair
        for repair in repairs
    )


def _recounted(remarks: Iterable[Words], frame: pd.DataFrame) -> Iterator[Words]:
    """The remarks, with the cells that are missing now in place of those that were."""
    counted = MissingCells(int(frame.isna().to_numpy().sum()), is_repaired=True)
    is_open = counted.n > 0
    for remark in remarks:
        if not isinstance(remark, MissingCells):
            yield remark
        elif is_open:
            yield counted
            is_open = False
    if is_open:
        yield counted


def _repaired(frame: pd.DataFrame, repair: Repair, remarks: list[Words]) -> pd.DataFrame:
    """The frame, itself changed or a new one, after a repair; remarks are added."""
    kind = KINDS[repair.kind]
    if not isinstance(kind, ColumnKind):
        if kind.carry_out is not None:
            return kind.carry_out(frame, repair.settings)
        return without_rows(frame, kind.keep(frame, repair.settings))
    if list(frame.columns).count(repair.column) != 1:
        remarks.append(_no_column_text(repair))
        return frame
    column = frame[repair.column]
    converted = kind.convert(column, repair.settings)
    if converted.misfits:
        remarks.append(_misfits_text(repair.column, converted, int(column.isin(set(converted.misfits)).sum())))
    if list(converted.columns) == [""]:
        frame[repair.column] = converted.columns[""]
        return frame
    return _replaced(frame, repair.column, converted.columns)


def without_rows(frame: pd.DataFrame, kept: NDArray[np.bool_]) -> pd.DataFrame:
    """The rows of a mask; columns that were text only because of the other rows become numbers."""
    if kept.all():
        return frame
    frame = frame[kept].reset_index(drop=True)
    return pd.DataFrame({name: as_read(column) for name, column in frame.items()}, index=frame.index)


def _replaced(frame: pd.DataFrame, name: str, columns: Mapping[str, pd.Series]) -> pd.DataFrame:
    """The frame with columns in place of one; a new name that is taken gets a number."""
    taken, result = set(frame.columns), {}
    for column in frame.columns:
        if column != name:
            result[column] = frame[column]
            continue
        for suffix, values in columns.items():
            new = name if not suffix else _free_name(f"{name} ({suffix})", taken)
            taken.add(new)
            result[new] = values
    return pd.DataFrame(result, index=frame.index)


def _free_name(name: str, taken: set[str]) -> str:
    """The name, with the first number from 2 on that makes it free."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def _no_column_text(repair: Repair) -> Words:
    return lambda: message(
        "Not repaired ({repair}): there is no column '{column}'.", repair=repair.label, column=repair.column
    )


def _misfits_text(column: str, converted: Converted, n: int) -> Words:
    return lambda: plural(
        n,
        "Column '{column}': {n:,} cell did not fit and is missing now: {cells}.",
        "Column '{column}': {n:,} cells did not fit and are missing now: {cells}.",
        column=column,
        cells=listed(converted.misfits),
    )
