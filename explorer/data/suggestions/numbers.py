"""Numbers stored as text: per cent, money, thousands separators, decimal commas, and other signs for digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from explorer.data.codes.repeated_ids import most_rows_of
from explorer.data.suggestions.cells import Cells, are_plain, is_text
from explorer.data.suggestions.kind import (
    ENOUGH,
    Check,
    Column,
    ColumnKind,
    Converted,
    Finding,
    Options,
    fits,
    is_text_option,
    one_of,
    with_misfits,
)
from explorer.data.suggestions.quick_reading import is_long_text, quick_numbers
from explorer.data.suggestions.written_numbers import (
    LARGEST_EXACT,
    Separators,
    Written,
    among_plain,
    reader_of,
    separators_of,
    written,
)
from explorer.formatting import number_text
from explorer.messages import message, plural

_CURRENCY = re.compile(
    r"(?:(?:US|CA|C|AU|A|NZ|HK|S|NT|R|CN|MX)?[$¥€£]|[₹₽₺₩₪₫฿₱₦₴₸]|kr|zł|Kč|(?-i:Ft)|lei|Rs|Fr|元|円|원|руб|Euro?s?|"
    r"USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|RUB|TRY|KRW|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|SGD|HKD)\.?",
    re.IGNORECASE,
)
_PER_CENT = frozenset({"%", "percent", "per cent", "pct", "prozent", "pour cent", "v. h."})
_PHONE_OR_CODE = re.compile(r"phone|tel|fax|mobil|zip|postal|plz|iban|account|konto|电话|邮编", re.IGNORECASE)
ALMOST, LEAST_DIFFERENT = 0.8, 10
"""The share of the known cells that are plain numbers in a column worth asking about, with so many different ones."""
SEPARATORS: Mapping[str, Check] = {"decimal": one_of(".", ","), "group": one_of("", ",", ".", " ", "'")}
"""The checks of the options that say how digits are separated."""


def is_currency(text: str) -> bool:
    """Whether a text is the sign or the code of a currency.

    >>> is_currency("US$"), is_currency("kg")
    (True, False)
    """
    return _CURRENCY.fullmatch(text) is not None


def is_per_cent(text: str) -> bool:
    """Whether a text says per cent."""
    return text.casefold() in _PER_CENT


@dataclass(frozen=True, eq=False)
class WrittenCells:
    """The cells of a column that are written numbers: texts, parts and counts, in order of first appearance."""

    texts: tuple[str, ...]
    parts: tuple[Written, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, cells: Cells, accepts: Callable[[Written], bool]) -> WrittenCells:
        """The written numbers among some cells that a kind accepts."""
        counted = zip(cells.texts, map(written, cells.texts), cells.counts, strict=True)
        found = [(text, parts, int(n)) for text, parts, n in counted if parts is not None and accepts(parts)]
        return cls(*map(tuple, zip(*found, strict=True))) if found else cls((), (), ())

    def share_without(self, has_affix: Callable[[Written], bool]) -> float:
        """The share of the cells without an affix, zeros not counted."""
        bare = sum(
            n for parts, n in zip(self.parts, self.counts, strict=True) if not has_affix(parts) and not is_zero(parts)
        )
        return bare / max(sum(self.counts), 1)

    def separators(self) -> tuple[Separators, ...]:
        """How the digits are separated; two ways where it cannot be told."""
        return separators_of([parts.digits for parts in self.parts], self.counts)


def is_zero(parts: Written) -> bool:
    """Whether all digits are 0."""
    return not parts.digits.strip("0.,' ")


def has_affix(parts: Written) -> bool:
    """Whether a sign or a word stands before or after the digits."""
    return bool(parts.before or parts.after)


def number_finding(
    column: Column,
    values: Mapping[str, float | None],
    options: Sequence[Options],
    sentence: Callable[[int], str],
    enough: float = ENOUGH,
) -> Finding | None:
    """The finding of a column whose texts have these numbers; None where less than the share `enough` has one."""
    misfits = [text for text, value in values.items() if value is None]
    if not options or not fits(column.cells, misfits, enough):
        return None
    known = [(text, value) for text, value in values.items() if value is not None]
    n_misfits = column.cells.count(misfits)
    n = column.cells.n_known - n_misfits
    return Finding(
        options=options,
        sentence=lambda: with_misfits(sentence(n), misfits, n_misfits),
        examples=[(text, number_text(value)) for text, value in known[:3]],
        n_cells=n,
        is_question=len(options) > 1,
        n_lost=n_misfits,
    )


def read_numbers(
    column: pd.Series,
    value_of: Callable[[str], float | None],
    form: Separators | None = None,
    affixes: Sequence[str] = (),
    may_precede: bool = False,
) -> Converted:
    """A column of text as the numbers of its texts; one that holds no text stays as it is.

    Plain cells of a long column are read at once, if their form and affixes are given.
    """
    if not is_text(column):
        return Converted({"": column})
    numbers = np.full(len(column), np.nan)
    if form is not None and is_long_text(column):
        numbers = quick_numbers(column, form, affixes, may_precede)
    is_open = np.isnan(numbers)
    cells = Cells.of(column[is_open])
    values = {text: value_of(text) for text in cells.texts}
    numbers[is_open] = cells.numbers(values.get)
    return Converted(
        {"": pd.Series(numbers, index=column.index)}, [text for text, value in values.items() if value is None]
    )


def form_of(options: Options) -> Separators:
    """How the digits of a repair are separated."""
    return Separators(str(options["decimal"]), str(options["group"]))


def _forms(forms: Sequence[Separators], **more: str) -> list[Options]:
    return [{"decimal": form.decimal, "group": form.group, **more} for form in forms]


def _is_percentage(parts: Written) -> bool:
    return not parts.before and (not parts.after or is_per_cent(parts.after))


def _find_per_cent(column: Column) -> Finding | None:
    """Percentages: at most half of them without the sign, which are read as per cent too."""
    if not is_text(column.values):
        return None
    found = WrittenCells.of(column.cells, _is_percentage)
    if not any(map(has_affix, found.parts)) or found.share_without(has_affix) > 0.5:
        return None
    forms = found.separators()
    if len(forms) > 1 and forms[0].group == ".":
        forms = forms[1:]  # three decimals are a rate, thousands of per cent are none: 6.125 %
    values = {text: reader_of(forms[0], _is_percentage)(text) for text in column.cells.texts}
    return number_finding(
        column,
        values,
        _forms(forms),
        lambda n: plural(
            n,
            "'{column}' looks like a percentage stored as text ({n:,} value). Convert it to a number?",
            "'{column}' looks like a percentage stored as text ({n:,} values). Convert it to a number?",
            column=column.name,
        ),
    )


def _is_money(currency: str | None) -> Callable[[Written], bool]:
    """Whether a written number is an amount in one currency (None: in any); the currency may be left out."""

    def accepts(parts: Written) -> bool:
        around = [text for text in (parts.before, parts.after) if text]
        if len(around) > 1 or not all(map(is_currency, around)):
            return False
        return currency is None or not around or around[0].casefold() == currency.casefold()

    return accepts


def _currency_of(parts: Written) -> str:
    return (parts.before or parts.after).casefold()


def _find_money(column: Column) -> Finding | None:
    """Amounts of money in one currency; amounts in several cannot be compared."""
    if not is_text(column.values):
        return None
    found = WrittenCells.of(column.cells, _is_money(None))
    currencies = {_currency_of(parts): parts.before or parts.after for parts in found.parts if has_affix(parts)}
    if len(currencies) != 1 or found.share_without(has_affix) > 0.5:
        return None
    currency, forms = next(iter(currencies.values())), found.separators()
    if forms[0].group == ",":
        forms = forms[:1]  # three decimals after a comma are no price: $1,234
    values = {text: reader_of(forms[0], _is_money(currency))(text) for text in column.cells.texts}
    return number_finding(
        column,
        values,
        _forms(forms, currency=currency),
        lambda n: plural(
            n,
            "'{column}' looks like money stored as text ({n:,} value in {currency}). Convert it to a number?",
            "'{column}' looks like money stored as text ({n:,} values in {currency}). Convert it to a number?",
            column=column.name,
            currency=currency,
        ),
    )


def _is_bare(parts: Written) -> bool:
    return not has_affix(parts)


def _find_plain(column: Column) -> Finding | None:
    """Numbers that are stored as text; digits that are a name (ids, leading zeros, phone numbers) stay text.

    So do those that the file itself declares to be categories.
    """
    if not is_text(column.values) or isinstance(column.values.dtype, pd.CategoricalDtype) or most_rows_of(column.name):
        return None
    found = WrittenCells.of(column.cells, _is_bare)
    if not found.texts or any(map(_is_name, found.parts)) or (column.is_rest and are_plain(column.cells)):
        return None
    forms = among_plain(found.separators(), [parts.digits for parts in found.parts])
    if not forms or (forms[0].group == " " and _PHONE_OR_CODE.search(column.name)):
        return None
    values = {text: reader_of(forms[0], _is_bare)(text) for text in column.cells.texts}
    enough = ALMOST if len(found.texts) >= LEAST_DIFFERENT else ENOUGH
    return number_finding(column, values, _forms(forms), lambda n: _plain_text(column.name, n, forms), enough)


def _is_name(parts: Written) -> bool:
    """Whether digits are a name rather than a quantity: a leading zero, or more of them than a float keeps."""
    digits = re.sub(r"\D", "", parts.digits)
    return len(digits) > LARGEST_EXACT or re.match(r"0\d", parts.digits) is not None


def _plain_text(column: str, n: int, forms: Sequence[Separators]) -> str:
    if len(forms) > 1:
        return plural(
            n,
            "'{column}' holds numbers stored as text ({n:,} value). Is '{sign}' a thousands separator or a decimal "
            "sign?",
            "'{column}' holds numbers stored as text ({n:,} values). Is '{sign}' a thousands separator or a decimal "
            "sign?",
            column=column,
            sign=forms[0].group,
        )
    return plural(
        n,
        "'{column}' holds numbers stored as text ({n:,} value). Convert it to a number?",
        "'{column}' holds numbers stored as text ({n:,} values). Convert it to a number?",
        column=column,
    )


def separators_text(options: Options) -> str:
    """What the separators of a repair stand for; "" where the decimal sign is a point and nothing stands for thousands.

    >>> separators_text({"decimal": ",", "group": "."}), separators_text({"decimal": ",", "group": ""})
    ("'.' separates thousands", "',' is the decimal sign")
    """
    decimal, group = str(options["decimal"]), str(options["group"])
    if group == " ":
        return message("a space separates thousands")
    if group:
        return message("'{sign}' separates thousands", sign=group)
    return message("'{sign}' is the decimal sign", sign=decimal) if decimal != "." else ""


def separators_choice(options: Options) -> str:
    """What the separators stand for, the plain ones too."""
    return separators_text(options) or message("'{sign}' is the decimal sign", sign=options["decimal"])


def with_separators(label: str, options: Options) -> str:
    """A label, and in brackets what the separators stand for."""
    separators = separators_text(options)
    return message("{label} ({separators})", label=label, separators=separators) if separators else label


def _per_cent_label(options: Options) -> str:
    return with_separators(message("per cent as a number"), options)


def _money_label(options: Options) -> str:
    return with_separators(message("money as a number"), options)


def _plain_label(options: Options) -> str:
    return with_separators(message("text as a number"), options)


def _convert_money(column: pd.Series, options: Options) -> Converted:
    form, currency = form_of(options), str(options["currency"])
    return read_numbers(column, reader_of(form, _is_money(currency)), form, [currency], may_precede=True)


PER_CENT = ColumnKind(
    "per_cent",
    _find_per_cent,
    lambda column, options: read_numbers(column, reader_of(form_of(options), _is_percentage), form_of(options), ["%"]),
    _per_cent_label,
    SEPARATORS,
    choice=separators_choice,
)
MONEY = ColumnKind(
    "money",
    _find_money,
    _convert_money,
    _money_label,
    {**SEPARATORS, "currency": is_text_option},
    choice=separators_choice,
)
NUMBERS = ColumnKind(
    "numbers",
    _find_plain,
    lambda column, options: read_numbers(column, reader_of(form_of(options), _is_bare), form_of(options)),
    _plain_label,
    SEPARATORS,
    choice=separators_choice,
)
