"""Dates and times as people write them → `datetime`, given the order of day, month and year.

The text of a month may be English, German, French, Spanish or Italian, or its first three letters. A time zone is read
over: the hour is the one on the clock.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

from explorer.data.suggestions.cells import plain_signs

ORDERS = ("ymd", "dmy", "mdy")
"""Orders of year, month and day in a date of numbers."""
_LONGEST = 60
"""Signs of the longest cell that is taken for a date or a time."""
POSIX_CENTURY = 1969
"""The first of the hundred years that two digits stand for, unless a column says otherwise."""
_LONGEST_SPAN = 60
"""Years up to which a column may run on into the future."""
_MONTHS = (
    ("january", "januar", "jänner", "janvier", "enero", "gennaio"),
    ("february", "februar", "février", "fév", "febrero", "febbraio"),
    ("march", "märz", "mrz", "mars", "marzo"),
    ("april", "avril", "abril", "aprile"),
    ("may", "mai", "mayo", "maggio"),
    ("june", "juni", "juin", "junio", "giugno"),
    ("july", "juli", "juillet", "julio", "luglio"),
    ("august", "août", "agosto"),
    ("september", "sept", "septembre", "septiembre", "settembre"),
    ("october", "oktober", "octobre", "octubre", "ottobre"),
    ("november", "novembre", "noviembre"),
    ("december", "dezember", "décembre", "diciembre", "dicembre"),
)


def _plain(word: str) -> str:
    """A word without accents, in lower case."""
    return "".join(sign for sign in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(sign))


_MONTH_OF = {_plain(word): number for number, words in enumerate(_MONTHS, 1) for word in words}
_MONTH_OF |= {word[:3]: number for word, number in _MONTH_OF.items() if word[:3] not in ("jui", "mar")} | {"mar": 3}

_TIME = (
    r"(?:[T, ]+(?:at )?(?P<hour>\d{1,2})(?::|h)(?P<minute>\d{2})(?::(?P<second>\d{2}(?:[.,]\d+)?))?"
    r" ?(?P<noon>[AaPp]\.?[Mm]\.?)?(?: ?Uhr)? ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}(?::\d{2})?)?)?"
)
_WEEKDAY = r"(?:[^\W\d_]{2,10}\.?,? )?"
_WORD = r"(?P<word>[^\W\d_]{3,12})\.?"
_SHAPES = tuple(
    re.compile(_WEEKDAY + shape + _TIME)
    for shape in (
        r"(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})",
        r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日",
        r"(?P<a>\d{1,2})(?P<sep>[-/.]) ?(?P<b>\d{1,2})(?P=sep) ?(?P<y>\d{4}|\d{2})",
        r"(?P<d>\d{1,2})(?:st|nd|rd|th|er|\.|º)?[ /-]?(?:of |de )?" + _WORD + r"(?:[ /,-]|\. | de )+(?P<y>\d{4}|\d{2})",
        _WORD + r" (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})",
        r"(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})",
    )
) + tuple(
    re.compile(shape)
    for shape in (
        r"(?P<y>\d{4})[-/](?P<m>\d{1,2})",
        r"(?P<y>\d{4})年(?P<m>\d{1,2})月",
        r"(?P<m>\d{1,2})[/.](?P<y>(?:19|20)\d{2})",
        _WORD + r"[ -/]?(?P<y>\d{4})",
        r"(?P<y>\d{4})[ -]?Q(?P<q>[1-4])",
        r"Q(?P<q>[1-4])[ -/]?(?P<y>\d{4})",
    )
)
_CLOCK = re.compile(r"(\d{1,3})(?::|h)(\d{2})(?::(\d{2}(?:[.,]\d+)?))? ?([AaPp]\.?[Mm]\.?)?(?: ?Uhr)?")


def date_of(text: str, order: str, century: int = POSIX_CENTURY) -> datetime.datetime | None:
    """The date (and time, else midnight) that a text stands for; months and quarters by their first day.

    `order` says how a date of three numbers is read that does not begin with the year: "dmy" or "mdy".

    >>> date_of("3/4/2024", "dmy").isoformat(), date_of("3/4/2024", "mdy").isoformat()
    ('2024-04-03T00:00:00', '2024-03-04T00:00:00')
    >>> date_of("5. März 2024 14:30", "dmy").isoformat(), date_of("31.02.2024", "dmy")
    ('2024-03-05T14:30:00', None)
    """
    return _date_of(text, order, century) if len(text) <= _LONGEST else None


@lru_cache(maxsize=1 << 16)
def _date_of(text: str, order: str, century: int) -> datetime.datetime | None:
    plain = plain_signs(text)
    if len(plain) < 6 or not any(sign.isdigit() for sign in plain):
        return None
    for shape in _SHAPES:
        match = shape.fullmatch(plain)
        if match is not None:
            return _as_date(
                {name: part for name, part in match.groupdict().items() if part is not None}, order, century
            )
    return None


def with_signs(digits: str) -> str:
    """The digits of a date in three parts, the year with two digits or, of eight, the last four; other texts stay.

    >>> with_signs("123194"), with_signs("10593"), with_signs("3011994"), with_signs("1994")
    ('12-31-94', '01-05-93', '03-01-1994', '1994')
    """
    if not digits.isdecimal() or not 5 <= len(digits) <= 8:
        return digits
    digits = digits.zfill(6 if len(digits) <= 6 else 8)
    return f"{digits[:2]}-{digits[2:4]}-{digits[4:]}"


def is_order_open(text: str) -> bool:
    """Whether a text is a date of three numbers that does not begin with the year.

    >>> is_order_open("3/4/2024"), is_order_open("2024-04-03")
    (True, False)
    """
    return len(text) <= _LONGEST and _SHAPES[2].fullmatch(plain_signs(text)) is not None


def _as_date(part: dict[str, str], order: str, century: int) -> datetime.datetime | None:
    month = part.get("m")
    day = part.get("d", "1")
    if "a" in part and order == "ymd":
        day, month, part = part["y"], part["b"], {**part, "y": part["a"]}
    elif "a" in part:
        day, month = (part["a"], part["b"]) if order != "mdy" else (part["b"], part["a"])
    if "word" in part:
        month = str(_MONTH_OF.get(_plain(part["word"]), 0))
    if "q" in part:
        month = str(3 * int(part["q"]) - 2)
    try:
        clock = _hours(part.get("hour", "0"), part.get("minute", "0"), part.get("second", "0"), part.get("noon"))
        if clock is None or clock > 24:
            return None
        midnight = datetime.datetime(_year(part["y"], century), int(month or 0), int(day))
        return midnight + datetime.timedelta(seconds=round(clock * 3600, 6))
    except (ValueError, OverflowError):
        return None


def _year(digits: str, century: int) -> int:
    year = int(digits)
    if len(digits) > 2:
        return year if 1000 <= year < 2900 else 0
    return century + (year - century) % 100


def centuries_of(years: Collection[int], this_year: int) -> tuple[int, ...]:
    """The first of the hundred years that years of two digits lie in; two where the column cannot tell.

    They end this year. Where the years are closest to each other if they run on into the future, they may do so.

    >>> centuries_of({45, 58, 64}, 2026), centuries_of({24, 31}, 2026)
    ((1927,), (1978, 1927))
    """
    known, past = sorted(years), this_year - 99
    gaps = [(after - year) % 100 or 100 for year, after in zip(known, [*known[1:], known[0]], strict=True)]
    widest = max(range(len(known)), key=gaps.__getitem__)
    first, span = known[(widest + 1) % len(known)], 100 - gaps[widest]
    start = this_year - (this_year - first) % 100
    is_past = start + span <= this_year or span > _LONGEST_SPAN
    return (past,) if is_past else (start - (99 - span) // 2, past)


def _hours(hour: str, minute: str, second: str, noon: str | None) -> float | None:
    """Hours since midnight; None for what no clock shows."""
    hours, minutes, seconds = int(hour), int(minute), float(second.replace(",", "."))
    if minutes > 59 or seconds >= 61:
        return None
    if noon:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if noon[0] in "Pp" else 0)
    return hours + minutes / 60 + seconds / 3600


def hours_of(text: str) -> float | None:
    """Hours since midnight (or a duration in hours) of a time such as "14:30" or "2:30 pm"; None where it is none.

    >>> hours_of("14:30"), hours_of("2:30 pm"), hours_of("14:75")
    (14.5, 14.5, None)
    """
    match = _CLOCK.fullmatch(plain_signs(text)) if len(text) <= _LONGEST else None
    if match is None:
        return None
    hour, minute, second, noon = match.groups()
    return _hours(hour, minute, second or "0", noon)
