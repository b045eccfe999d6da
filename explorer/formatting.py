"""Names and numbers as a reader sees them: every character visible, long names shortened."""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np
from numpy.typing import NDArray

from explorer.messages import WordedTable, message, plural

_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
_CONTINUES = frozenset({"Mn", "Me", "Mc", "Cf"})
_JOINER = "\u200d"
_NO_CHARACTERS = frozenset("\ufffe\uffff")
"""Codes that stand for nothing and that XML forbids."""
_NO_WIDTH = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
)
"""Characters without width: names that look alike may differ by them."""
_UNSEEN = _DIRECTION | _NO_CHARACTERS | _NO_WIDTH
_JOINERS = frozenset("\u200c\u200d")
"""They shape letters of many scripts and join emojis; elsewhere they are without effect, and so made visible."""
_JOINED = frozenset({"Lo", "Mn", "Mc", "Me", "So", "Sk"})
"""Categories of characters that joiners may follow: letters without case, their marks, pictures and skin colours."""

METRIC_NAMES = WordedTable(
    {
        "accuracy": lambda: message("accuracy"),
        "error": lambda: message("error rate"),
        "log_loss": lambda: message("log loss"),
        "auc": "AUC",
        "expected_cost": lambda: message("expected cost"),
        "mse": lambda: message("mean squared error"),
        "mae": lambda: message("mean absolute error"),
        "quantile_loss": lambda: message("mean quantile loss"),
        "poisson_deviance": lambda: message("mean Poisson deviance"),
    }
)
"""The names of the metrics on pages and in figures."""


def visible(text: str) -> str:
    r"""The text with line breaks, control characters, changes of direction and what has no width shown as signs.

    >>> visible("two\nlines"), visible("tab\there"), visible("a\u202eb"), visible("a\u200b")
    ('two␊lines', 'tab␉here', 'a⟨U+202E⟩b', 'a⟨U+200B⟩')
    """
    if text.isprintable() and (text.isascii() or _UNSEEN.isdisjoint(text)):  # all else that is hidden is not printable
        return text
    before = " " + text
    return "".join(_sign(sign) if _hidden(sign, before[index]) else sign for index, sign in enumerate(text))


def _hidden(character: str, before: str) -> bool:
    """Whether a character after another one is not seen."""
    if character in _JOINERS:
        return unicodedata.category(before) not in _JOINED
    return (
        character in _UNSEEN
        or "\U000e0000" <= character <= "\U000e007f"
        or unicodedata.category(character) in _INVISIBLE
    )


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def shortened(text: str, limit: int) -> str:
    """The text, or as much of it as fits before an ellipsis; signs made of several characters stay whole.

    >>> shortened("Temperature", 8)
    'Tempera…'
    """
    if len(text) <= limit:
        return text
    end = limit - 1
    while end > 1 and (unicodedata.category(text[end]) in _CONTINUES or text[end - 1] == _JOINER):
        end -= 1
    return text[:end].rstrip() + "…"


def amount(weight: float) -> str:
    """A count, or a sum of weights with two decimals.

    >>> amount(9.0), amount(3.375), amount(1_234_567.0), amount(0.004)
    ('9', '3.38', '1234567', '0.004')
    """
    if abs(weight) < 1.0:
        return f"{weight + 0.0:.3g}"
    return f"{weight:.2f}".rstrip("0").rstrip(".")


def rows(weight: float) -> str:
    """A count with its noun, in groups of three digits.

    >>> rows(1), rows(14), rows(0), rows(209768.0), rows(1234.567)
    ('1 row', '14 rows', 'no rows', '209,768 rows', '1,234.57 rows')
    """
    if weight == 0:
        return message("no rows")
    grouped = f"{weight:,.2f}".rstrip("0").rstrip(".") if abs(weight) >= 1000 else amount(weight)
    return plural(weight, "1 row", "{amount} rows", amount=grouped)


def weighed(weight: float) -> str:
    """A sum of weights that counts no rows, in groups of three digits.

    >>> weighed(8513948.0), weighed(0.0625)
    ('weight 8,513,948', 'weight 0.0625')
    """
    return message("weight {weight}", weight=f"{weight:,.0f}" if weight >= 1000 else number(weight, 4))


def rows_or_weight(weight: float, counts_rows: bool) -> str:
    """An amount of rows as a number of rows, or as their weight where weights count no rows."""
    return rows(weight) if counts_rows else weighed(weight)


def leaves(count: int) -> str:
    """A number of leaves with its noun.

    >>> leaves(1), leaves(1200)
    ('1 leaf', '1,200 leaves')
    """
    return plural(count, "{n:,} leaf", "{n:,} leaves")


def percent(share: float) -> str:
    """A share in per cent with one decimal, as pages and files write it; only the whole is 100 %, only none 0 %.

    >>> percent(0.6), percent(9 / 14), percent(1.0), percent(0.99996), percent(0.0003), percent(0.0)
    ('60.0 %', '64.3 %', '100 %', '> 99.9 %', '< 0.1 %', '0 %')
    """
    if abs(share) <= 1e-12 or abs(share - 1.0) <= 1e-12:
        return with_percent_sign(f"{100.0 * round(share):.0f}")
    if 0.9995 <= share < 1.0:
        return with_percent_sign("> 99.9")
    if 0.0 < share < 0.0005:
        return with_percent_sign("< 0.1")
    return with_percent_sign(f"{100.0 * share:.1f}")


def with_percent_sign(number: str) -> str:
    """A number with its per cent sign, which stands as far from it as the language has it.

    >>> with_percent_sign("64.3")
    '64.3 %'
    """
    return message("{number} %", number=number)


def number(value: float, digits: int = 6) -> str:
    """A mean or another measured number, to `digits` digits (large numbers to the unit).

    >>> number(7.3070000000001), number(-0.0), number(1e9 + 0.25)
    ('7.307', '0', '1000000000')
    """
    if math.isfinite(value) and abs(value) >= 10**digits:
        digits = len(str(int(abs(value))))
    return f"{value + 0.0:.{digits}g}" if abs(value) < 1e15 else f"{value:.6g}"


def figure(value: float, digits: int = 3) -> str:
    """A measured number as formulas, tables and sentences have it: three decimals, or three digits where it is small.

    >>> figure(0.9402859), figure(0.0), figure(3.0), figure(0.0292226), figure(0.00123456), figure(123456.789)
    ('0.940', '0', '3', '0.0292', '0.00123', '123456.789')
    """
    if abs(value) < 1e15 and is_rounding_of(value, round(value)):
        return f"{round(value)}"
    return f"{value:.{digits}f}" if 0.1 <= abs(value) < 1e9 else f"{value:.{digits}g}"


def is_rounding_of(value: float, other: float) -> bool:
    """Whether two numbers differ by rounding only."""
    return abs(value - other) <= 1e-12 * abs(other)


def relation(value: float, shown: str) -> str:
    """The sign between a calculation, as it stands there, and its result as shown.

    >>> relation(0.940 - 0.694, "0.247"), relation(1.0 - 0.459, "0.541")
    ('≈', '=')
    """
    return "=" if is_rounding_of(value, float(shown)) else "≈"


def spread(total_squares: float, weight: float, digits: int = 6) -> str:
    """Standard deviation of a node's target values from their sum of squares around the mean.

    >>> spread(8.0, 4.0)
    '1.41421'
    """
    return number(math.sqrt(max(total_squares, 0.0) / weight), digits) if weight > 0 else "0"


def number_text(number: float, digits: int | None = None) -> str:
    """The shortest decimal that is exactly this number, or one of `digits` digits (DEFINITIONS section 10).

    Whole numbers below 10¹⁶ are written as digits.

    >>> number_text(77.5), number_text(84.0), number_text(-0.0), number_text(1700000000125.0), number_text(1 / 3)
    ('77.5', '84', '0', '1700000000125', '0.3333333333333333')
    """
    if digits is not None:
        return f"{number + 0.0:.{digits}g}"
    exact = float(number) + 0.0
    return str(int(exact)) if exact.is_integer() and abs(exact) < 1e16 else repr(exact)


def range_ends(low: float, high: float) -> tuple[float, float]:
    """The ends of a range with few digits, rounded outwards: each value of the range lies within them.

    >>> range_ends(0.1, 49.5677952), range_ends(0.42, 80.0), range_ends(-12345.678, 1013.2)
    ((0.1, 49.57), (0.42, 80.0), (-12346.0, 1014.0))
    """
    if low >= high or max(abs(low), abs(high)) >= 1e15:
        return low, high
    return _outwards(low, high - low, ROUND_FLOOR), _outwards(high, high - low, ROUND_CEILING)


def _outwards(end: float, width: float, rounding: str) -> float:
    """An end to a thousandth of the range, and at least to four digits of its own and to the unit."""
    exact = Decimal(repr(float(end)))
    exponent = min(0, Decimal(width).adjusted() - 3, exact.adjusted() - 3)
    return end if end == 0.0 else float(exact.quantize(Decimal(1).scaleb(exponent), rounding))


def value_text(value: object) -> str:
    """A category as text; None is the missing value."""
    return message("missing") if value is None else str(value)


_DIVIDES_NAMES = re.compile(r'[,，、{}]|^["\s]|\s$|^$')


def quoted_text(value: object) -> str:
    """A category as text that cannot be taken for two, nor for the missing value: in quotes where it could be.

    >>> quoted_text("sun"), quoted_text("a, b"), quoted_text("missing"), quoted_text(None), quoted_text('O"Hare')
    ('sun', '"a, b"', '"missing"', 'missing', 'O"Hare')
    """
    text = value_text(value)
    if value is None or not (_DIVIDES_NAMES.search(text) or text in ("missing", message("missing"))):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def cell_text(value: object) -> str:
    """A cell with all digits; None is the missing value.

    >>> cell_text(0.1), cell_text("missing"), cell_text(None)
    ('0.1', '"missing"', 'missing')
    """
    return number_text(value) if isinstance(value, float) else quoted_text(value)


def set_text(values: Iterable[object]) -> str:
    """Categories as a set.

    >>> set_text(["a, b", "c"]), set_text(["a", "b, c"])
    ('{"a, b", c}', '{a, "b, c"}')
    """
    return "{" + ", ".join(map(quoted_text, values)) + "}"


CLASSES_SHOWN = 4


def class_counts(weights: NDArray[np.float64], classes: Sequence[object], limit: int | None = None) -> str:
    """The classes present and their weights in class order; beyond a few, the heaviest, and the rest together.

    `limit` is the length that names are shortened to, and shortens the list too; None shows everything.

    >>> class_counts(np.array([9.0, 0.0, 5.0]), ("No", "Maybe", "Yes"))
    '9 No · 5 Yes'
    """
    present = np.flatnonzero(weights > 0)
    shown = present
    if limit is not None and len(present) > CLASSES_SHOWN:
        shown = np.sort(present[np.argsort(-weights[present], kind="stable")[:CLASSES_SHOWN]])
    parts = [_class_count(float(weights[k]), classes[int(k)], limit) for k in shown]
    if len(shown) < len(present):
        others = float(weights[present].sum() - weights[shown].sum())
        parts.append(message("{amount} others", amount=amount(others)))
    return " · ".join(parts)


def _class_count(weight: float, value: object, limit: int | None) -> str:
    """A count beside its class; a class that is a number itself comes first, with a colon."""
    name = name_text(value, limit)
    is_word = isinstance(value, str) and not name.replace(".", "", 1).lstrip("-").isdigit()
    return f"{amount(weight)} {name}" if is_word else f"{name}: {amount(weight)}"


def name_text(value: object, limit: int | None) -> str:
    """A name or a category with everything in it visible, shortened to `limit` letters unless that is None."""
    text = str(value)
    if limit is None:
        return visible(text)
    return shortened(visible(text[: limit + 1]), limit)  # a branch may list thousands of categories
