"""Numbers stored as text: per cent, money, thousands separators, decimal commas, and other signs for digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from explorer.data.suggestions.cells import Cells, is_number
from explorer.data.suggestions.kind import ENOUGH, Column, ColumnKind, Converted, Finding, Options, one_of
from explorer.data.suggestions.written_numbers import (
    LARGEST_EXACT,
    Separators,
    Written,
    reader_of,
    separators_of,
    written,
)
from explorer.formatting import number_text
from explorer.messages import message, plural

_CURRENCY = re.compile(
    r"(?:(?:US|CA|C|AU|A|NZ|HK|S|NT|R|CN|MX)?[$¥€£]|[₹₽₺₩₪₫฿₱₦₴₸]|kr|zł|Kč|Ft|lei|Rs|Fr|元|円|원|руб|"
    r"USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|RUB|TRY|KRW|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|SGD|HKD)\.?",
    re.IGNORECASE,
)
_PER_CENT = ("%", "percent", "per cent", "pct", "Prozent", "pour cent", "％")


def is_currency(text: str) -> bool:
    """Whether a text is the sign or the code of a currency.

    >>> is_currency("US$"), is_currency("kg")
    (True, False)
    """
    return _CURRENCY.fullmatch(text) is not None


def is_per_cent(text: str) -> bool:
    """Whether a text says per cent."""
    return text.casefold() in {known.casefold() for known in _PER_CENT}


@dataclass(frozen=True)
class Style:
    """What a kind of written number accepts beside the digits, and what it says."""

    accepts: Callable[[Written], bool]
    needed: Callable[[Written], bool]
    sentence: Callable[[str, int], str]


def _is_percentage(parts: Written) -> bool:
    return not parts.before and (not parts.after or is_per_cent(parts.after))


def _is_money(parts: Written) -> bool:
    around = [text for text in (parts.before, parts.after) if text]
    return all(map(is_currency, around)) and len(around) < 2


def _is_bare(parts: Written) -> bool:
    return not parts.before and not parts.after


def _per_cent_text(column: str, n: int) -> str:
    return plural(
        n,
        "'{column}' looks like a percentage stored as text ({n:,} value). Convert it to a number?",
        "'{column}' looks like a percentage stored as text ({n:,} values). Convert it to a number?",
        column=column,
    )


PER_CENT = Style(_is_percentage, lambda parts: bool(parts.after), _per_cent_text)


def _find(style: Style, column: Column) -> Finding | None:
    """The finding of a style in a column: at least 95 % of the known cells are such numbers."""
    cells = column.cells
    if is_number(column.values) or not cells.texts:
        return None
    parts = [
        (text, found, int(n)) for text, n in zip(cells.texts, cells.counts, strict=True) if (found := written(text))
    ]
    fitting = [(text, found, n) for text, found, n in parts if style.accepts(found)]
    if not any(style.needed(found) for _, found, _ in fitting):
        return None
    n_fitting = sum(n for _, _, n in fitting)
    if n_fitting < ENOUGH * cells.n_known or any(_is_name(found) for _, found, _ in fitting):
        return None
    forms = separators_of([found.digits for _, found, _ in fitting], [n for _, _, n in fitting])
    return _finding(style, column, forms) if forms else None


def _is_name(parts: Written) -> bool:
    """Whether digits are a name rather than a quantity: a leading zero, or more of them than a float keeps."""
    digits = re.sub(r"\D", "", parts.digits)
    return len(digits) > LARGEST_EXACT or re.match(r"0\d", parts.digits) is not None


def _finding(style: Style, column: Column, forms: Sequence[Separators]) -> Finding | None:
    cells, value_of = column.cells, reader_of(forms[0], style.accepts)
    values = {text: value_of(text) for text in cells.texts}
    misfits = [text for text, value in values.items() if value is None]
    n_misfits = cells.count(misfits)
    if n_misfits > (1 - ENOUGH) * cells.n_known:
        return None
    examples = [(text, number_text(value)) for text, value in values.items() if value is not None][:3]
    n = cells.n_known - n_misfits
    return Finding(
        options=[{"decimal": form.decimal, "group": form.group} for form in forms],
        sentence=lambda: with_misfits(style.sentence(column.name, n), misfits, n_misfits),
        examples=examples,
        n_cells=n,
        is_question=len(forms) > 1,
    )


def with_misfits(sentence: str, misfits: Sequence[str], n_cells: int) -> str:
    """A sentence, and which cells become missing because they do not fit, if there are any."""
    if not misfits:
        return sentence
    listed = ", ".join(f"'{text}'" for text in misfits[:5]) + (", …" if len(misfits) > 5 else "")
    return plural(
        n_cells,
        "{sentence} {n:,} cell does not fit and becomes missing: {cells}.",
        "{sentence} {n:,} cells do not fit and become missing: {cells}.",
        sentence=sentence,
        cells=listed,
    )


def _convert(style: Style, column: pd.Series, options: Options) -> Converted:
    if is_number(column):
        return Converted({"": column})
    form = Separators(str(options["decimal"]), str(options["group"]))
    value_of, cells = reader_of(form, style.accepts), Cells.of(column)
    values = {text: value_of(text) for text in cells.texts}
    numbers = pd.Series(cells.numbers(values.get), index=column.index, name=column.name)
    return Converted({"": numbers}, [text for text, value in values.items() if value is None])


_SEPARATORS = {"decimal": one_of(".", ","), "group": one_of("", ",", ".", " ", "'")}


def _kind(name: str, style: Style, label: Callable[[Options], str]) -> ColumnKind:
    return ColumnKind(
        name,
        find=lambda column: _find(style, column),
        convert=lambda column, options: _convert(style, column, options),
        label=label,
        options=_SEPARATORS,
    )


def _written_in(options: Options, whole: str, fraction: str) -> str:
    """An example number with the separators of a repair."""
    return whole.replace("_", str(options["group"])) + str(options["decimal"]) + fraction


KIND_PER_CENT = _kind(
    "per_cent",
    PER_CENT,
    lambda options: message(
        "per cent as a number ({before} → {after})", before=_written_in(options, "11", "4%"), after="11.4"
    ),
)
