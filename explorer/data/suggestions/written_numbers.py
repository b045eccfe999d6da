"""Numbers as people write them: signs, currency, per cent, units, thousands separators, decimal commas.

A written number is taken apart once (`Written`): its sign, its digits with their separators, and the text before and
after them. How the separators are meant (`Separators`) is decided for a whole column.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from explorer.data.suggestions.cells import plain_signs
from explorer.values import have_open_points

_WRITTEN = re.compile(
    r"(?P<open>\()?\s*(?P<sign>[+-])?\s*(?P<before>[^\d\s()+.,'’-]{1,8}\.?)??\s*(?P<inner>[+-])?\s*(?P<bracket>\()?\s*"
    r"(?P<digits>(?:\d[\d.,'’ ]*\d|\d|[.,]\d+))(?:[.,]-{0,2})?(?P<power>[eE][+-]?\d{1,3})?"
    r"\s*(?P<after>[^\d\s()+.,'’-][^()+]{0,23})?\s*(?P<end>-)?\s*(?P<close>\))?\s*(?P<last>[^\d\s()+.,'’-]{1,8})?"
)
_LONGEST = 80
"""Signs of the longest cell that is taken for a number."""
_MANY_PLAIN, _FACTOR = 10, 10.0
"""Different numbers without separators that show the size of a column's numbers, and how far others are from them."""
LARGEST_EXACT = 15
"""Digits that a float always keeps; longer ones are names rather than quantities."""


@dataclass(frozen=True)
class Written:
    """The parts of a written number: `digits` with separators, whether it is negative, and what stands around it."""

    digits: str
    negative: bool
    before: str = ""
    after: str = ""
    power: str = ""


def written(text: str) -> Written | None:
    """The parts of a written number; None where the text is none.

    >>> written("(1,200)"), written("US$ -40.5")
    (Written(digits='1,200', negative=True, before='', after='', power=''), \
Written(digits='40.5', negative=True, before='US$', after='', power=''))
    """
    return _written(text) if len(text) <= _LONGEST else None


@lru_cache(maxsize=1 << 14)
def _written(text: str) -> Written | None:
    match = _WRITTEN.fullmatch(plain_signs(text))
    if match is None:
        return None
    part = {name: found or "" for name, found in match.groupdict().items()}
    in_brackets = bool(part["open"] or part["bracket"])
    if part["open"] and part["bracket"]:
        return None
    signs = [name for name in ("sign", "inner", "end") if part[name]]
    if (
        in_brackets != bool(part["close"])
        or len(signs) > 1
        or (in_brackets and signs)
        or (part["last"] and part["after"])
    ):
        return None
    negative = in_brackets or any(part[name] == "-" for name in signs)
    after = (part["after"] or part["last"]).strip()
    if part["end"] == "" and after.endswith("-"):
        negative, after = True, after[:-1].rstrip()
    return Written(part["digits"].replace("’", "'"), negative, part["before"], after, part["power"])


@dataclass(frozen=True)
class Separators:
    """How digits are grouped and where the fraction begins.

    >>> Separators(",", ".").number("1.200,50"), Separators(".", ",").number("1,2")
    (1200.5, None)
    """

    decimal: str
    group: str

    def number(self, digits: str) -> float | None:
        """The number that the digits stand for; None where they are not written in this way."""
        if self.pattern.fullmatch(digits) is None:
            return None
        if self.group:
            digits = digits.replace(self.group, "")
        return float(digits.replace(self.decimal, "."))

    @property
    def pattern(self) -> re.Pattern[str]:
        """What digits written in this way look like."""
        return _pattern(self.decimal, self.group)


@lru_cache
def _pattern(decimal: str, group: str) -> re.Pattern[str]:
    point = re.escape(decimal)
    fraction = rf"(?:{point}\d*)?"
    if not group:
        return re.compile(rf"\d+{fraction}|{point}\d+")
    sign = re.escape(group)
    indian = r"|[1-9]\d?(?:,\d{2})+,\d{3}" if group == "," else ""
    return re.compile(rf"(?:[1-9]\d{{0,2}}(?:{sign}\d{{3}})+{indian}|\d+){fraction}|{point}\d+")


FORMS = (
    *(Separators(".", ""), Separators(",", ""), Separators(".", ","), Separators(",", "."), Separators(".", " ")),
    *(Separators(",", " "), Separators(".", "'"), Separators(",", "'")),
)
"""The ways of writing, the plainest first."""


def separators_of(digits: Sequence[str], counts: Sequence[int]) -> tuple[Separators, ...]:
    """How the digits of a column are separated: the way that most of them fit; two ways where it cannot be told.

    >>> separators_of(["1.200,50", "12"], [1, 1])
    (Separators(decimal=',', group='.'),)
    >>> separators_of(["1,200", "15,300"], [1, 1])
    (Separators(decimal='.', group=','), Separators(decimal=',', group=''))
    >>> separators_of(["2.620", "146"], [1, 1])
    (Separators(decimal=',', group='.'), Separators(decimal='.', group=''))
    """
    fits = {form: _n_fitting(form, digits, counts) for form in FORMS}
    most = max(fits.values(), default=0)
    best = [form for form in FORMS if fits[form] == most]
    if most and best[0] == FORMS[0] and have_open_points(digits):
        return Separators(",", "."), Separators(".", "")
    if not most or best[0] == FORMS[0]:
        return tuple(best[:1])
    values = {form: tuple(map(form.number, digits)) for form in best}
    different = [form for i, form in enumerate(best) if all(values[form] != values[other] for other in best[:i])]
    return tuple(sorted(different, key=lambda form: not form.group))


def among_plain(forms: tuple[Separators, ...], digits: Sequence[str]) -> tuple[Separators, ...]:
    """Of two ways, the only one whose numbers lie among those without separators, within a factor of ten; else both.

    >>> among_plain(separators_of(["1,200"], [1]), ["1,200", *map(str, range(500, 510))])
    (Separators(decimal='.', group=','),)
    """
    plain = {float(text) for text in digits if text.isascii() and text.isdigit()}
    if len(forms) < 2 or len(plain) < _MANY_PLAIN:
        return forms
    least, most = min(plain) / _FACTOR, max(plain) * _FACTOR
    numbers = {form: [form.number(text) for text in digits] for form in forms}
    near = [form for form in forms if all(number is None or least <= number <= most for number in numbers[form])]
    return tuple(near) if len(near) == 1 else forms


def _n_fitting(form: Separators, digits: Sequence[str], counts: Sequence[int]) -> int:
    matches = form.pattern.fullmatch
    return sum(int(count) for text, count in zip(digits, counts, strict=True) if matches(text))


def reader_of(form: Separators, accepts: Callable[[Written], bool]) -> Callable[[str], float | None]:
    """A function from the text of a cell to its number, or None where its form or its affixes are others."""

    def number(text: str) -> float | None:
        parts = written(text)
        if parts is None or not accepts(parts):
            return None
        value = form.number(parts.digits)
        if value is None:
            return None
        value *= float(f"1{parts.power}") if parts.power else 1.0
        if not math.isfinite(value):
            return None
        return -value if parts.negative else value

    return number
