"""Dates and times into numbers: days since the first date, and year, month, weekday and hour beside them."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.suggestions.cells import Cells, is_dates, is_number, is_text
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
from explorer.data.suggestions.written_dates import (
    ORDERS,
    POSIX_CENTURY,
    centuries_of,
    date_of,
    hours_of,
    is_order_open,
    with_signs,
)
from explorer.formatting import number_text
from explorer.messages import listing, message, plural

PARTS: Mapping[str, Callable[[datetime.datetime], float]] = {
    "year": lambda date: date.year,
    "month": lambda date: date.month,
    "weekday": lambda date: date.isoweekday(),
    "hour": lambda date: date.hour + date.minute / 60 + date.second / 3600,
}
"""The parts of a date that become columns; a weekday counts from 1, Monday, to 7."""
_NAMED = re.compile(r".*date\d?|.*[\W_]dt|dt|datum|fecha|日期", re.IGNORECASE)
"""Names of columns of dates."""
_SPREADSHEET = 20_000, 60_000
"""Days as spreadsheets count them, from 1954 to 2064."""
_YEAR_AND_MONTH = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[012])")
_FEWEST_NUMBERS, _SHORT_YEAR = 3, 6
"""Different numbers that show dates, and the most digits of one whose year has two."""
_FIRST_COMPACT, _LAST_COMPACT = 19000101, 21001231

Dates = Mapping[str, datetime.datetime | None]


@dataclass(frozen=True)
class _Reading:
    """The dates of a column in one order of day and month, with years of two digits in one century."""

    order: str
    century: int
    dates: Dates


def _find_dates(column: Column) -> Finding | None:
    """Dates in one order of day and month; where both orders fit every date equally, the order is a question."""
    if not (is_text(column.values) or is_dates(column.values) or _may_be_compact(column.values)):
        return _find_in_numbers(column)
    return _find_written(column, _possible_orders(column.cells))


def _find_in_numbers(column: Column) -> Finding | None:
    """Whole numbers under the name of a date that are all dates of six or eight digits, such as 123194: a question."""
    if not _NAMED.fullmatch(column.name) or column.values.dtype.kind not in "iuf":
        return None
    if _SPREADSHEET[0] <= column.values.min() <= column.values.max() <= _SPREADSHEET[1]:
        return None
    cells = _with_signs(column.cells)
    orders = [order for order in ("mdy", "dmy", "ymd") if None not in _dates_of(cells, order).values()]
    if len(cells.texts) < _FEWEST_NUMBERS or not orders or all(map(_YEAR_AND_MONTH.fullmatch, column.cells.texts)):
        return None
    found = _find_written(replace(column, given=cells), orders)
    year = "YYYY" if max(map(len, column.cells.texts)) > _SHORT_YEAR else "YY"
    return found and replace(
        found, sentence=lambda: _numbers_sentence(column.name, found.options, year), is_question=True
    )


def _with_signs(cells: Cells) -> Cells:
    """The cells with their digits in three parts."""
    return Cells(tuple(map(with_signs, cells.texts)), cells.counts, cells.codes)


def _numbers_sentence(column: str, options: Sequence[Options], year: str) -> str:
    forms = {"mdy": f"MMDD{year}", "dmy": f"DDMM{year}", "ymd": f"{year}MMDD"}
    return message(
        "The numbers of '{column}' are all dates if they are written {forms}. Convert them to days since the first "
        "date?",
        column=column,
        forms=listing(dict.fromkeys(forms[str(each["order"])] for each in options)),
    )


def _find_written(column: Column, possible: Sequence[str]) -> Finding | None:
    read = {order: _dates_of(column.cells, order) for order in possible}
    if not any(fits(column.cells, _misfits(dates)) for dates in read.values()):
        read = {"ymd": _dates_of(column.cells, "ymd")}
    n_misfits = {order: column.cells.count(_misfits(dates)) for order, dates in read.items()}
    orders = [order for order in read if n_misfits[order] == min(n_misfits.values())]
    orders.sort(key=lambda order: _n_steps_back(read[order]))
    if not orders or not fits(column.cells, _misfits(read[orders[0]])):
        return None
    centuries = _centuries(read[orders[0]], orders[0])
    found = [
        _Reading(order, century, _dates_of(column.cells, order, century)) for order in orders for century in centuries
    ]
    return _finding(column, found, len(orders) > 1)


def _centuries(dates: Dates, order: str) -> tuple[int, ...]:
    """The first of the hundred years that years of two digits lie in, the most likely first."""
    years = {date.year % 100 for text, date in dates.items() if date is not None and _is_short(text, date, order)}
    return centuries_of(years, _today().year) if years else (POSIX_CENTURY,)


def _is_short(text: str, date: datetime.datetime, order: str) -> bool:
    """Whether the year of a date is written with two digits."""
    other = date_of(text, order, POSIX_CENTURY + 100)
    return other is None or other.year != date.year


def _today() -> datetime.date:
    return datetime.date.today()


def _may_be_compact(values: pd.Series) -> bool:
    """Whether whole numbers may be dates such as 20240305."""
    if values.dtype.kind != "i" or not len(values):
        return False
    return bool(values.iloc[0] >= _FIRST_COMPACT and values.min() >= _FIRST_COMPACT and values.max() <= _LAST_COMPACT)


def _may_be_signless(values: pd.Series) -> bool:
    """Whether numbers are whole and have as many digits as a date without signs between its parts."""
    numbers = values.to_numpy(np.float64)
    return len(numbers) > 0 and bool(((numbers >= 0) & (numbers < 10**8) & (numbers == np.floor(numbers))).all())


def _possible_orders(cells: Cells) -> tuple[str, ...]:
    """The orders to try; dates with points have the day first, those with am or pm probably the month."""
    open_ones = [text for text in cells.texts[:1000] if is_order_open(text)]
    if not open_ones:
        return ("ymd",)
    if all("." in text.split(" ")[0] for text in open_ones):
        return ("dmy",)
    american = any(text.casefold().rstrip(". ").endswith(("am", "pm", "a.m", "p.m")) for text in open_ones)
    return ("mdy", "dmy") if american else ("dmy", "mdy")


def _dates_of(cells: Cells, order: str, century: int = POSIX_CENTURY) -> Dates:
    return {text: date_of(text, order, century) for text in cells.texts}


def _misfits(dates: Dates) -> list[str]:
    return [text for text, date in dates.items() if date is None]


def _n_steps_back(dates: Dates) -> int:
    """How often a date is before the one of the row above: the right order of day and month has few of these."""
    known = [date for date in dates.values() if date is not None]
    return sum(later < date for date, later in pairwise(known))


def _finding(column: Column, read: Sequence[_Reading], is_open: bool) -> Finding:
    options = [_options(one, with_parts) for with_parts in (True, False) for one in read]
    order, dates = read[0].order, read[0].dates
    misfits = _misfits(dates)
    n_misfits = column.cells.count(misfits)
    n, is_old_or_new = column.cells.n_known - n_misfits, len({one.century for one in read}) > 1
    known = [(text, date) for text, date in dates.items() if date is not None]
    known.sort(key=lambda pair: read[-1].dates[pair[0]] == pair[1])  # where the orders differ, that is to be seen first
    origin = datetime.date.fromisoformat(str(options[0]["origin"]))
    short = [date.year for text, date in known if _is_short(text, date, order)]
    return Finding(
        options=options,
        sentence=lambda: with_misfits(
            _with_years(_sentence(column.name, n, order, is_open, options[0]), short, is_old_or_new), misfits, n_misfits
        ),
        examples=[(text, number_text(_days(date, origin))) for text, date in known[:3]],
        n_cells=n,
        is_question=is_open or is_old_or_new,
        n_lost=n_misfits,
    )


def _with_years(sentence: str, years: Sequence[int], is_old_or_new: bool) -> str:
    """A sentence, and what years of two digits stand for."""
    if not years:
        return sentence
    if is_old_or_new:
        return message(
            "{sentence} Its years have two digits: are those to come a hundred years old?", sentence=sentence
        )
    return message(
        "{sentence} Its years have two digits and count as {first} to {last}.",
        sentence=sentence,
        first=min(years),
        last=max(years),
    )


def _options(read: _Reading, with_parts: bool) -> Options:
    """Origin and parts: only parts that differ between dates, and an hour only where there are times."""
    known = [date for date in read.dates.values() if date is not None]
    varying = [part for part, value_of in PARTS.items() if len({value_of(date) for date in known}) > 1]
    if len({date.day for date in known}) == 1 and "weekday" in varying:
        varying.remove("weekday")  # months and quarters, written as such
    parts = tuple(varying) if with_parts else ()
    origin = min(known).date().isoformat()
    return {"order": read.order, "origin": origin, "parts": parts, "century": read.century}


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
        "'{column}' holds dates ({n:,} value{order}). Convert it to days since the first date{with_columns}?",
        "'{column}' holds dates ({n:,} values{order}). Convert them to days since the first date{with_columns}?",
        column=column,
        order=_order_text(order),
        with_columns=_with_columns_text(options),
    )


def _with_columns_text(options: Options) -> str:
    parts = texts(options["parts"])
    if len(parts) == 1:
        return message(", with a column for {part}", part=parts[0])
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
    are_signless = is_number(column) and not _may_be_compact(column.dropna())
    if are_signless and not _may_be_signless(column.dropna()):
        return Converted({"": column})
    order, parts, century = str(options["order"]), texts(options["parts"]), int(str(options["century"]))
    origin = datetime.date.fromisoformat(str(options["origin"]))
    columns = _quick_columns(column, order, origin, parts)
    is_open = np.isnan(columns[""])
    cells = Cells.of(column[is_open])
    if are_signless:
        cells = _with_signs(cells)
    dates = _dates_of(cells, order, century)
    for name, numbers in _columns(cells, dates, origin, parts):
        columns[name][is_open] = numbers
    return Converted(
        {name: pd.Series(numbers, index=column.index) for name, numbers in columns.items()}, _misfits(dates)
    )


def _with_first_date(column: pd.Series, options: Options) -> Options:
    """The options with the earliest date of all cells as the origin, if it is before the origin that they have."""
    if is_number(column):
        return options
    first = _convert_dates(column, {**options, "parts": ()}).columns[""].min()
    if not first < 0:
        return options
    origin = datetime.date.fromisoformat(str(options["origin"]))
    return {**options, "origin": (origin + datetime.timedelta(days=math.floor(first))).isoformat()}


def _quick_columns(
    column: pd.Series, order: str, origin: datetime.date, parts: Sequence[str]
) -> dict[str, NDArray[np.float64]]:
    """The numbers of the dates that can be read at once, by part, [n]; nan for the others."""
    if not (is_long_text(column) or is_dates(column)):
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
    """The order of day and month, where it is one, what the dates become, and in which years they lie."""
    text, century = _order_choice(options), int(str(options["century"]))
    if century == POSIX_CENTURY:
        return text
    return message("{text} ({first} to {last})", text=text, first=century, last=century + 99)


def _order_choice(options: Options) -> str:
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


def _is_century(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1000 <= value <= 2800


_DATE_OPTIONS: Mapping[str, Check] = {
    "order": one_of(*ORDERS),
    "origin": _is_day,
    "parts": tuple_of(one_of(*PARTS)),
    "century": _is_century,
}


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
    "dates",
    _find_dates,
    _convert_dates,
    _dates_label,
    _DATE_OPTIONS,
    choice=_dates_choice,
    settle=_with_first_date,
    defaults={"century": POSIX_CENTURY},
)
TIMES = ColumnKind(
    "times",
    _find_times,
    lambda column, options: read_numbers(column, hours_of),
    lambda options: message("times as hours"),
)
