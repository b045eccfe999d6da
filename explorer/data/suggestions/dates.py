"""Dates and times into numbers: days since the first date, and year, month, weekday and hour beside them."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.suggestions.cells import Cells, is_number, is_text
from explorer.data.suggestions.kind import (
    Check,
    Column,
    ColumnKind,
    Converted,
    Finding,
    Options,
    fits,
    one_of,
    texts,
    tuple_of,
    with_misfits,
)
from explorer.data.suggestions.numbers import number_finding, read_numbers
from explorer.data.suggestions.quick_reading import is_long_text, quick_dates
from explorer.data.suggestions.written_dates import ORDERS, date_of, hours_of, is_order_open
from explorer.formatting import number_text
from explorer.messages import listing, message, plural

PARTS: Mapping[str, Callable[[datetime.datetime], float]] = {
    "year": lambda date: date.year,
    "month": lambda date: date.month,
    "weekday": lambda date: date.isoweekday(),
    "hour": lambda date: date.hour + date.minute / 60 + date.second / 3600,
}
"""The parts of a date that become columns; a weekday counts from 1, Monday, to 7."""
_FIRST_COMPACT, _LAST_COMPACT = 19000101, 21001231

Dates = Mapping[str, datetime.datetime | None]


def _find_dates(column: Column) -> Finding | None:
    """Dates in one order of day and month; where both orders fit every date equally, the order is a question."""
    if not (is_text(column.values) or _is_dates(column.values) or _may_be_compact(column.values)):
        return None
    read = {order: _dates_of(column.cells, order) for order in _possible_orders(column.cells)}
    n_misfits = {order: column.cells.count(_misfits(dates)) for order, dates in read.items()}
    orders = [order for order in read if n_misfits[order] == min(n_misfits.values())]
    orders.sort(key=lambda order: _n_steps_back(read[order]))
    if not orders or not fits(column.cells, _misfits(read[orders[0]])):
        return None
    return _finding(column, [(order, read[order]) for order in orders])


def _is_dates(values: pd.Series) -> bool:
    return isinstance(values.dtype, pd.DatetimeTZDtype) or values.dtype.kind == "M"


def _may_be_compact(values: pd.Series) -> bool:
    """Whether whole numbers may be dates such as 20240305."""
    if values.dtype.kind != "i" or not len(values):
        return False
    return bool(values.iloc[0] >= _FIRST_COMPACT and values.min() >= _FIRST_COMPACT and values.max() <= _LAST_COMPACT)


def _possible_orders(cells: Cells) -> tuple[str, ...]:
    """The orders to try; dates with points have the day first, those with am or pm probably the month."""
    open_ones = [text for text in cells.texts[:1000] if is_order_open(text)]
    if not open_ones:
        return ("ymd",)
    if all("." in text.split(" ")[0] for text in open_ones):
        return ("dmy",)
    american = any(text.casefold().rstrip(". ").endswith(("am", "pm", "a.m", "p.m")) for text in open_ones)
    return ("mdy", "dmy") if american else ("dmy", "mdy")


def _dates_of(cells: Cells, order: str) -> Dates:
    return {text: date_of(text, order) for text in cells.texts}


def _misfits(dates: Dates) -> list[str]:
    return [text for text, date in dates.items() if date is None]


def _n_steps_back(dates: Dates) -> int:
    """How often a date is before the one of the row above: the right order of day and month has few of these."""
    known = [date for date in dates.values() if date is not None]
    return sum(later < date for date, later in pairwise(known))


def _finding(column: Column, read: Sequence[tuple[str, Dates]]) -> Finding:
    options = [*(_options(order, dates, True) for order, dates in read), *(_options(*one, False) for one in read)]
    order, dates = read[0]
    misfits = _misfits(dates)
    n_misfits = column.cells.count(misfits)
    n, is_open = column.cells.n_known - n_misfits, len(read) > 1
    known = [(text, date) for text, date in dates.items() if date is not None]
    known.sort(key=lambda pair: read[-1][1][pair[0]] == pair[1])  # where the orders differ, that is to be seen first
    origin = datetime.date.fromisoformat(str(options[0]["origin"]))
    return Finding(
        options=options,
        sentence=lambda: with_misfits(_sentence(column.name, n, order, is_open, options[0]), misfits, n_misfits),
        examples=[(text, number_text(_days(date, origin))) for text, date in known[:3]],
        n_cells=n,
        is_question=is_open,
    )


def _options(order: str, dates: Dates, with_parts: bool) -> Options:
    """Origin and parts: only parts that differ between dates, and an hour only where there are times."""
    known = [date for date in dates.values() if date is not None]
    varying = [part for part, value_of in PARTS.items() if len({value_of(date) for date in known}) > 1]
    if len({date.day for date in known}) == 1 and "weekday" in varying:
        varying.remove("weekday")  # months and quarters, written as such
    parts = tuple(varying) if with_parts else ()
    return {"order": order, "origin": min(known).date().isoformat(), "parts": parts}


def _sentence(column: str, n: int, order: str, is_open: bool, options: Options) -> str:
    if is_open:
        return plural(
            n,
            "'{column}' holds dates ({n:,} value), but whether the day or the month comes first cannot be told. "
            "Convert it to days since the first date?",
            "'{column}' holds dates ({n:,} values), but whether the day or the month comes first cannot be told. "
            "Convert them to days since the first date?",
            column=column,
        )
    return plural(
        n,
        "'{column}' holds dates ({n:,} value{order}). Convert it to days since {origin}{with_columns}?",
        "'{column}' holds dates ({n:,} values{order}). Convert them to days since {origin}{with_columns}?",
        column=column,
        order=_order_text(order),
        origin=options["origin"],
        with_columns=_with_columns_text(options),
    )


def _with_columns_text(options: Options) -> str:
    parts = texts(options["parts"])
    return message(", with columns for {parts}", parts=_listed_parts(parts)) if parts else ""


def _listed_parts(parts: Sequence[str]) -> str:
    """The names of the new columns: "year, month and weekday"."""
    *first, last = parts
    return message("{parts} and {last}", parts=listing(first), last=last) if first else last


def _order_text(order: str) -> str:
    if order == "dmy":
        return message(", the day before the month")
    if order == "mdy":
        return message(", the month before the day")
    return ""


def _days(date: datetime.datetime, origin: datetime.date) -> float:
    since = date - datetime.datetime.combine(origin, datetime.time())
    return since / datetime.timedelta(days=1)


def _convert_dates(column: pd.Series, options: Options) -> Converted:
    """Days since the origin under the column's own name, and a column per part."""
    if is_number(column) and not _may_be_compact(column.dropna()):
        return Converted({"": column})
    order, parts = str(options["order"]), texts(options["parts"])
    origin = datetime.date.fromisoformat(str(options["origin"]))
    columns = _quick_columns(column, order, origin, parts)
    is_open = np.isnan(columns[""])
    cells = Cells.of(column[is_open])
    dates = _dates_of(cells, order)
    for name, numbers in _columns(cells, dates, origin, parts):
        columns[name][is_open] = numbers
    return Converted(
        {name: pd.Series(numbers, index=column.index) for name, numbers in columns.items()}, _misfits(dates)
    )


def _with_first_date(column: pd.Series, options: Options) -> Options:
    """The options with the earliest date of all cells as the origin."""
    if is_number(column):
        return options
    first = _convert_dates(column, {**options, "parts": ()}).columns[""].min()
    if not np.isfinite(first):
        return options
    origin = datetime.date.fromisoformat(str(options["origin"]))
    return {**options, "origin": (origin + datetime.timedelta(days=math.floor(first))).isoformat()}


def _quick_columns(
    column: pd.Series, order: str, origin: datetime.date, parts: Sequence[str]
) -> dict[str, NDArray[np.float64]]:
    """The numbers of the dates that can be read at once, by part, [n]; nan for the others."""
    if not (is_long_text(column) or _is_dates(column)):
        return {name: np.full(len(column), np.nan) for name in ("", *parts)}
    dates = quick_dates(column, order) if is_long_text(column) else column
    if isinstance(dates.dtype, pd.DatetimeTZDtype):
        dates = dates.dt.tz_localize(None)
    columns = {"": (dates - pd.Timestamp(origin)) / pd.Timedelta(days=1)}
    for part in parts:
        columns[part] = _QUICK_PARTS[part](dates.dt)
    return {name: np.array(numbers.to_numpy(np.float64, na_value=np.nan)) for name, numbers in columns.items()}


_QUICK_PARTS: Mapping[str, Callable[[Any], pd.Series]] = {
    "year": lambda dates: dates.year,
    "month": lambda dates: dates.month,
    "weekday": lambda dates: dates.day_of_week + 1,
    "hour": lambda dates: dates.hour + dates.minute / 60 + dates.second / 3600,
}
"""The parts of many dates at once, as `PARTS` has them for one."""


def _columns(
    cells: Cells, dates: Dates, origin: datetime.date, parts: Sequence[str]
) -> Iterator[tuple[str, np.ndarray]]:
    def numbers(value_of: Callable[[datetime.datetime], float]) -> np.ndarray:
        return cells.numbers(lambda text: None if (date := dates[text]) is None else value_of(date))

    yield "", numbers(lambda date: _days(date, origin))
    for part in parts:
        yield part, numbers(PARTS[part])


def _dates_label(options: Options) -> str:
    return message(
        "dates as days since {origin}{order}{with_columns}",
        origin=options["origin"],
        order=_order_text(str(options["order"])),
        with_columns=_with_columns_text(options),
    )


def _dates_choice(options: Options) -> str:
    """The order of day and month, where it is one, and what the dates become."""
    order, parts = options["order"], texts(options["parts"])
    if order == "ymd":
        return message("With {parts}", parts=_listed_parts(parts)) if parts else message("Number only")
    first = message("Day first") if order == "dmy" else message("Month first")
    if not parts:
        return message("{first}, number only", first=first)
    return message("{first}, with {parts}", first=first, parts=_listed_parts(parts))


def _is_day(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(datetime.date.fromisoformat(value))
    except ValueError:
        return False


_DATE_OPTIONS: Mapping[str, Check] = {"order": one_of(*ORDERS), "origin": _is_day, "parts": tuple_of(one_of(*PARTS))}


def _find_times(column: Column) -> Finding | None:
    """Times of the day, or durations in hours and minutes."""
    if not is_text(column.values):
        return None
    values = {text: hours_of(text) for text in column.cells.texts}
    return number_finding(
        column,
        values,
        [{}],
        lambda n: plural(
            n,
            "'{column}' holds times ({n:,} value). Convert it to hours?",
            "'{column}' holds times ({n:,} values). Convert them to hours?",
            column=column.name,
        ),
    )


DATES = ColumnKind(
    "dates", _find_dates, _convert_dates, _dates_label, _DATE_OPTIONS, None, _dates_choice, _with_first_date
)
TIMES = ColumnKind(
    "times",
    _find_times,
    lambda column, options: read_numbers(column, hours_of),
    lambda options: message("times as hours"),
)
