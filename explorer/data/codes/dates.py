"""Days since a date as the date itself: how thresholds and cells of a column of dates are written.

The date that a column counts from is a text: `2023-01-31` where its dates have no times of day, `2023-01-31 00:00`
where they have.
"""

from __future__ import annotations

import datetime
import math

from explorer.formatting import number_text

EPOCH = "1970-01-01"
"""The date that dates of a table count from where no repair has chosen another."""
WITH_TIMES = " 00:00"
"""What stands behind the date where there are times of day."""
_DAY = datetime.timedelta(days=1)


def has_times(days_since: str) -> bool:
    """Whether the dates have times of day."""
    return days_since.endswith(WITH_TIMES)


def with_times(days_since: str, numbers_are_whole: bool) -> str:
    """The date to count from, marked where the numbers of days are not all whole.

    >>> with_times("2023-01-01", True), with_times("2023-01-01", False)
    ('2023-01-01', '2023-01-01 00:00')
    """
    origin = days_since.removesuffix(WITH_TIMES)
    return origin if numbers_are_whole else origin + WITH_TIMES


def moment_of(days: float, days_since: str) -> datetime.datetime | None:
    """The moment so many days later; None where the calendar has none."""
    try:
        return datetime.datetime.fromisoformat(days_since) + days * _DAY
    except (OverflowError, ValueError):
        return None


def days_to(moment: datetime.date, days_since: str) -> float:
    """The number of days from the date that a column counts from.

    >>> days_to(datetime.date(2023, 9, 6), "2023-01-01")
    248.0
    """
    if not isinstance(moment, datetime.datetime):
        moment = datetime.datetime.combine(moment, datetime.time())
    return (moment - datetime.datetime.fromisoformat(days_since)) / _DAY


def date_text(days: float, days_since: str) -> str:
    """A number of days as the date: x ≤ it holds for the same dates, since a part of a day (a second) is cut off.

    >>> date_text(248.5, "2023-01-01"), date_text(248.5, "2023-01-01 00:00")
    ('2023-09-06', '2023-09-06 12:00')
    >>> date_text(1e300, "2023-01-01")
    '1e+300'
    """
    is_whole = not has_times(days_since)
    moment = moment_of(math.floor(days) if is_whole else days, days_since)
    if moment is None:
        return number_text(days)
    if is_whole:
        return moment.date().isoformat()
    return moment.isoformat(" ", "seconds").removesuffix(":00")
