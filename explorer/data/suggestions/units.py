"""Numbers with a unit ("12 kg"): one unit is dropped, several of one quantity are converted to one, and it is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import pandas as pd

from explorer.data.suggestions.cells import is_text, plain_signs
from explorer.data.suggestions.kind import (
    Column,
    ColumnKind,
    Converted,
    Finding,
    Options,
    is_number_option,
    is_text_option,
    pair_of,
    pairs,
    tuple_of,
)
from explorer.data.suggestions.numbers import (
    SEPARATORS,
    WrittenCells,
    form_of,
    has_affix,
    number_finding,
    read_numbers,
    separators_choice,
    with_separators,
)
from explorer.data.suggestions.written_numbers import Separators, Written, reader_of, written
from explorer.formatting import number_text
from explorer.messages import listing, message, plural

_UNIT = re.compile(
    r"[^\W\d_°µ/'\"]{1,12}\.?[²³23]?|[°µμΩÅ'\"′″]{1,2}[A-Za-z]{0,3}"
    r"|[^\W\d_µ²³]{1,8}[²³23]? ?/ ?[^\W\d_]{1,8}[²³23]?|[★⭐]"
)
_SCALES: Mapping[str, float] = {
    "K": 1e3,
    "k": 1e3,
    "M": 1e6,
    "Mio": 1e6,
    "Mio.": 1e6,
    "Mrd": 1e9,
    "Mrd.": 1e9,
    "bn": 1e9,
}
"""Thousands and more; a number beside them without one is in ones."""
_QUANTITIES: tuple[Mapping[str, float], ...] = (
    {"mg": 1e-6, "g": 1e-3, "kg": 1.0, "t": 1e3, "oz": 0.028349523125, "lb": 0.45359237, "lbs": 0.45359237},
    {"mm": 1e-3, "cm": 1e-2, "dm": 0.1, "m": 1.0, "km": 1e3, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344},
    {"ml": 1e-3, "cl": 1e-2, "dl": 0.1, "l": 1.0},
    {
        "ms": 1e-3,
        "s": 1.0,
        "sec": 1.0,
        "second": 1.0,
        "seconds": 1.0,
        "min": 60.0,
        "mins": 60.0,
        "minute": 60.0,
        "minutes": 60.0,
        "h": 3600.0,
        "hr": 3600.0,
        "hrs": 3600.0,
        "hour": 3600.0,
        "hours": 3600.0,
        "d": 86400.0,
        "day": 86400.0,
        "days": 86400.0,
        "week": 604800.0,
        "weeks": 604800.0,
    },
    {"month": 1.0, "months": 1.0, "mo": 1.0, "year": 12.0, "years": 12.0, "yr": 12.0, "yrs": 12.0},
    {"b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12},
)
"""Units that can be converted into each other, by what one of them is worth."""
_FEET = re.compile(
    r"(?P<feet>[1-9])(?: ?(?P<sign>['’′`]|ft\.?|feet|foot) ?|[- ])"
    r"(?:(?P<inches>\d{1,2}(?:\.\d+)?) ?(?:[\"”″]|''|in\.?|inch(?:es)?)?)?",
    re.IGNORECASE,
)
_SIGNS_OF_FEET = frozenset("'’′`ft")
_HEIGHT = re.compile(r"height|(?<![^\W_])h(?:gh?)?t(?![^\W_])|stature|tall", re.IGNORECASE)
_ENDINGS = ("", "s", "e", "n", "en", ".")
_ORDINALS = {"st", "nd", "rd", "th"}


def _is_measured(parts: Written) -> bool:
    return not parts.before and (not parts.after or _UNIT.fullmatch(parts.after) is not None)


def _find(column: Column) -> Finding | None:
    """Numbers with one unit, at most half of them without it; or with several units that can be converted."""
    if not is_text(column.values):
        return None
    found = WrittenCells.of(column.cells, _is_measured)
    worth = _worth(_counted(found)) if found.share_without(has_affix) <= 0.5 else {}
    forms, is_mixed = found.separators(), len(set(worth.values())) > 1
    if not worth or not forms or (is_mixed and not worth.keys() <= _SCALES.keys() and found.share_without(has_affix)):
        return None
    value_of = _reader(forms[0], worth)
    values = {text: value_of(text) for text in column.cells.texts}
    options = [_options(form, worth) for form in forms]
    n_bare = sum(n for parts, n in zip(found.parts, found.counts, strict=True) if not has_affix(parts))
    finding = number_finding(column, values, options, lambda n: _sentence(column.name, n, worth, n_bare))
    if finding is None or not is_mixed:
        return finding
    return replace(finding, is_question=True, examples=_one_of_each(found, values))


def _one_of_each(found: WrittenCells, values: Mapping[str, float | None]) -> list[tuple[str, str]]:
    """The first text of each unit with its number, and of cells without one, three at most."""
    first: dict[str, tuple[str, str]] = {}
    for text, parts in zip(found.texts, found.parts, strict=True):
        value = values[text]
        if value is not None:
            first.setdefault(parts.after, (text, number_text(value)))
    return list(first.values())[:3]


def _counted(found: WrittenCells) -> dict[str, int]:
    """How many cells have each unit, the most frequent first."""
    counts: dict[str, int] = {}
    for parts, n in zip(found.parts, found.counts, strict=True):
        if parts.after:
            counts[parts.after] = counts.get(parts.after, 0) + n
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))


def _worth(counts: Mapping[str, int]) -> dict[str, float]:
    """What each unit is worth in the most frequent one; empty where they cannot be converted."""
    units = list(counts)
    if not units or set(units) <= _ORDINALS:
        return {}
    if len({_stem(unit) for unit in units}) == 1 or _are_plurals(units):
        return _scaled(units) or dict.fromkeys(units, 1.0)
    return _scaled(units)


def _stem(unit: str) -> str:
    return unit.casefold().rstrip(".").replace(" ", "")


def _are_plurals(units: list[str]) -> bool:
    """Whether all units are one word with different endings ("day", "days")."""
    shortest = min(map(_stem, units), key=len)
    return len(shortest) > 2 and all(_stem(unit) in {shortest + ending for ending in _ENDINGS} for unit in units)


def _scaled(units: list[str]) -> dict[str, float]:
    """The units in terms of the first one; thousands and millions in ones."""
    if set(units) <= _SCALES.keys():
        return {unit: _SCALES[unit] for unit in units}
    stems = {unit: _stem(unit) for unit in units}
    for quantity in _QUANTITIES:
        if set(stems.values()) <= quantity.keys():
            first = quantity[stems[units[0]]]
            return {unit: float(number_text(quantity[stem] / first, 15)) for unit, stem in stems.items()}
    return {}


def _options(form: Separators, worth: Mapping[str, float]) -> Options:
    return {"decimal": form.decimal, "group": form.group, "units": tuple(worth.items())}


def _reader(form: Separators, worth: Mapping[str, float]) -> Callable[[str], float | None]:
    """The number of a text in the first unit; one without a unit is in that unit."""
    read = reader_of(form, lambda parts: not parts.before and (not parts.after or parts.after in worth))

    def number(text: str) -> float | None:
        value, parts = read(text), written(text)
        if value is None or parts is None or not parts.after:
            return value
        factor = worth[parts.after]
        return value if factor == 1.0 else float(number_text(value * factor, 15))

    return number


def _sentence(column: str, n: int, worth: Mapping[str, float], n_bare: int) -> str:
    unit = next(iter(worth))
    several = len(set(worth.values())) > 1
    if several:
        text = plural(
            n,
            "'{column}' mixes units ({units}; {n:,} value). Convert it to a number with {factors}?",
            "'{column}' mixes units ({units}; {n:,} values). Convert them to numbers with {factors}?",
            column=column,
            units=listing(worth),
            factors=_factors(worth),
        )
    else:
        text = plural(
            n,
            "'{column}' holds numbers with the unit {unit} ({n:,} value). Convert it to a number?",
            "'{column}' holds numbers with the unit {unit} ({n:,} values). Convert them to numbers?",
            column=column,
            unit=unit,
        )
    if not n_bare:
        return text
    return plural(
        n_bare,
        "{text} {n:,} cell without a unit is taken as it is.",
        "{text} {n:,} cells without a unit are taken as they are.",
        text=text,
    )


def _factors(worth: Mapping[str, float]) -> str:
    return listing(f"{unit} × {number_text(factor)}" for unit, factor in worth.items())


def _worth_of(options: Options) -> dict[str, float]:
    return {unit: float(factor) for unit, factor in pairs(options["units"]) if isinstance(factor, int | float)}


def _label(options: Options) -> str:
    worth = _worth_of(options)
    if len(set(worth.values())) > 1:
        return message("units as one number ({factors})", factors=_factors(worth))
    return with_separators(message("numbers without the unit {unit}", unit=next(iter(worth))), options)


def _convert(column: pd.Series, options: Options) -> Converted:
    form, worth = form_of(options), _worth_of(options)
    if set(worth.values()) != {1.0}:
        return read_numbers(column, _reader(form, worth))
    return read_numbers(column, _reader(form, worth), form, list(worth))


def _is_units(value: object) -> bool:
    return value != () and tuple_of(pair_of(is_text_option, is_number_option))(value)


def inches_of(text: str) -> float | None:
    """The inches of a height in feet and inches; None where it is none.

    >>> inches_of("5'11\\""), inches_of("5 ft 6.5 in"), inches_of("5-11"), inches_of("6'"), inches_of("5'12")
    (71.0, 66.5, 71.0, 72.0, None)
    """
    match = _FEET.fullmatch(plain_signs(text))
    if match is None:
        return None
    feet, inches = float(match["feet"]), float(match["inches"] or 0)
    return 12 * feet + inches if inches < 12 and (match["sign"] or match["inches"]) else None


def _find_feet(column: Column) -> Finding | None:
    """Heights in feet and inches; without a sign of feet, as in 5-11, only where the column is called a height."""
    if not is_text(column.values):
        return None
    values = {text: inches_of(text) for text in column.cells.texts}
    if not (_HEIGHT.search(column.name) or any(set(text) & _SIGNS_OF_FEET for text in column.cells.texts)):
        return None
    return number_finding(
        column,
        values,
        [{}],
        lambda n: plural(
            n,
            "'{column}' holds feet and inches ({n:,} value). Convert it to inches?",
            "'{column}' holds feet and inches ({n:,} values). Convert them to inches?",
            column=column.name,
        ),
    )


FEET = ColumnKind(
    "feet",
    _find_feet,
    lambda column, options: read_numbers(column, inches_of),
    lambda options: message("feet and inches as inches"),
)
UNITS = ColumnKind(
    "units",
    _find,
    _convert,
    _label,
    {**SEPARATORS, "units": _is_units},
    choice=separators_choice,
)
