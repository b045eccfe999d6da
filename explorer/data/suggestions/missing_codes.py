"""Codes for missing cells: words such as "unknown", and numbers such as −999 that lie far from the rest."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.suggestions.cells import Cells, as_read, folded, is_dates, is_number, is_text
from explorer.data.suggestions.kind import (
    Column,
    ColumnKind,
    Converted,
    Finding,
    Options,
    is_number_option,
    is_text_option,
    listed,
    texts,
    tuple_of,
)
from explorer.formatting import number_text
from explorer.messages import message, plural
from explorer.values import is_plain_number

_WORDS = frozenset(
    [
        "unknown",
        "unk",
        "n/a",
        "na",
        "n.a.",
        "n.a",
        "#n/a",
        "#na",
        "n/d",
        "s/d",
        "-",
        "--",
        "---",
        "_",
        ".",
        "..",
        "...",
        "*",
        "?",
        "??",
        "missing",
        "notavailable",
        "notknown",
        "notapplicable",
        "notspecified",
        "unspecified",
        "nodata",
        "noanswer",
        "notstated",
        "notrecorded",
        "undefined",
        "null",
        "nan",
        "nat",
        "(blank)",
        "(null)",
        "[null]",
        "(missing)",
        "tbd",
        "k.a.",
        "k.a",
        "keineangabe",
        "unbekannt",
        "inconnu",
        "nonrenseigné",
        "desconocido",
        "sindato",
        "sindatos",
        "未知",
        "不详",
        "缺失",
        "暂无",
        "无数据",
        "#ref!",
        "#value!",
        "#div/0!",
        "#null!",
        "#name?",
        "#num!",
        *("#spill!", "#calc!", "#getting_data", "#field!", "#unknown!", "#blocked!", "#connect!", "#error!"),
        *("#nv", "#wert!", "#bezug!", "#zahl!", "#überlauf!", "#valeur!", "#nom?", "#nombre!", "#valor!", "#¡valor!"),
        *("#¡ref!", "#¡num!", "#¡div/0!", "#¿nombre?", "#n/d", "#nombre?", "#valore!", "#rif!", "#nome?"),
        "0000-00-00",
        "00.00.0000",
        "00/00/0000",
        "1900-01-00",
    ]
)
"""Words for a missing cell, folded."""
_WORDS_AMONG_NUMBERS = _WORDS | {
    "none",
    "nil",
    "no",
    "x",
    "err",
    "error",
    "fail",
    "off",
    "keine",
    "ohne",
    "aucun",
    "无",
}
"""Further words that mean a missing cell where all others are numbers."""
_LARGE_CODE = frozenset(float(sign + digit * n) for digit in "987" for n in (2, 3, 4, 5, 6) for sign in ("", "-"))
_CODES = _LARGE_CODE | {
    -9.0,
    -8.0,
    -7.0,
    9.0,
    97.0,
    98.0,
    997.0,
    998.0,
    9997.0,
    9998.0,
    999.9,
    -999.9,
    99.9,
    -99.9,
    9999.9,
    -9999.9,
    999.99,
    -999.99,
    -999.25,
}
_MOST_CODES = 6
_ERROR_OF_CALC = re.compile(r"err:\d{3}")
_NO_DATE = re.compile(
    r"(?:(?:9999|2999)([-/.])12\1?31|31([-/.])12\2(?:9999|2999)|12/31/(?:9999|2999)|(?:0001|9999)([-/.])01\3?01"
    r"|01([-/.])01\4(?:0001|9999))(?:t?00:00(?::00(?:\.0+)?)?)?(?:z|utc|\+00:?00)?"
)
"""The first and the last day of calendars, folded, with or without midnight: they stand for no date."""


def _find_words(column: Column) -> Finding | None:
    """Words for missing cells; at least two other texts must be left, and beside "+" a dash is no such word."""
    if not (is_text(column.values) or is_dates(column.values)):
        return None
    cells = column.cells
    words = _WORDS_AMONG_NUMBERS if _are_numbers_beside(cells) else _WORDS
    if any(folded(text) in ("+", "++") for text in cells.texts):
        words = words - {"-", "--", "---"}
    codes = [text for text in cells.texts if _is_word(folded(text), words)]
    if not codes or len(codes) > len(cells.texts) - 2:
        return None
    n = cells.count(codes)
    return Finding(
        options=[{"codes": tuple(sorted({folded(text) for text in codes})), "numbers": ()}],
        sentence=lambda: _sentence(column.name, codes, n),
        examples=[(text, "") for text in codes[:3]],
        n_cells=n,
    )


def _is_word(text: str, words: Container[str]) -> bool:
    """Whether a folded text means a missing cell."""
    is_code = text in words or not text
    return is_code or _ERROR_OF_CALC.fullmatch(text) is not None or _NO_DATE.fullmatch(text) is not None


def _are_numbers_beside(cells: Cells) -> bool:
    """Whether all texts are plain numbers, but for the words that may mean missing."""
    others = [text for text in cells.texts if not _is_word(folded(text), _WORDS_AMONG_NUMBERS)]
    return bool(others) and all(is_plain_number(text.strip()) for text in others)


def _sentence(column: str, codes: Sequence[str], n: int) -> str:
    return plural(
        n,
        "'{column}' seems to write {codes} for a missing cell ({n:,} cell). Make it missing?",
        "'{column}' seems to write {codes} for missing cells ({n:,} cells). Make them missing?",
        column=column,
        codes=listed(codes),
    )


def _find_numbers(column: Column) -> Finding | None:
    """Numbers such as −999 and 9999 at the ends of a column, far from the rest.

    A code is nines (or eights, or sevens) only, or one of 97, 98, 997 and so on. It must lie farther from the nearest
    other number than these are spread; ten times as far if it occurs once. A code of −99 or less also counts
    where no other number is negative and it occurs at least twice.
    """
    if not is_number(column.values):
        return None
    if not _has_code_at_an_end(column.values):
        return None
    known = column.values.to_numpy(np.float64, na_value=np.nan)
    known = known[np.isfinite(known)]
    codes = _isolated(_codes_at_the_ends(known), known)
    if not codes:
        return None
    n = int(np.isin(known, codes).sum())
    shown = [number_text(code) for code in codes]
    return Finding(
        options=[{"codes": (), "numbers": tuple(sorted(codes))}],
        sentence=lambda: _sentence(column.name, shown, n),
        examples=[(text, "") for text in shown[:3]],
        n_cells=n,
        is_question=n > len(known) / 2,  # as often as that, 999 may be a bound that is not there
    )


def _has_code_at_an_end(values: pd.Series) -> bool:
    """Whether the least or the greatest number is a code; a look that spares most columns the rest."""
    return len(values) > 0 and not _CODES.isdisjoint({float(values.min()), float(values.max())})


def _codes_at_the_ends(known: NDArray[np.float64]) -> list[float]:
    codes: list[float] = []
    for _ in range(_MOST_CODES):
        ends = [float(end) for end in (known.min(), known.max())] if len(known) else []
        possible = [end for end in ends if end in _CODES]
        if not possible:
            break
        codes += possible
        known = known[~np.isin(known, possible)]
    return codes


def _isolated(codes: Sequence[float], known: NDArray[np.float64]) -> list[float]:
    """The codes that lie far from the rest."""
    rest = known[~np.isin(known, codes)]
    if len(rest) == 0:
        return []
    low, high = float(rest.min()), float(rest.max())
    return [code for code in codes if low < high and _is_far(code, int((known == code).sum()), low, high)]


def _is_far(code: float, n: int, low: float, high: float) -> bool:
    distance = low - code if code < low else code - high
    if abs(code) < 10:
        return n >= 2 and distance >= 2 * (high - low)
    if code <= -99 and low >= 0 and n >= 2:
        return True
    return distance > (high - low) * (1 if n >= 2 else 10)


def _find(column: Column) -> Finding | None:
    return _find_words(column) or _find_numbers(column)


def _convert(column: pd.Series, options: Options) -> Converted:
    numbers = np.array(options["numbers"], dtype=np.float64)
    if is_number(column):
        gone = np.isin(column.to_numpy(np.float64, na_value=np.nan), numbers)
        return Converted({"": column.mask(gone) if gone.any() else column})
    if is_dates(column):
        cells, words = Cells.of(column), set(texts(options["codes"]))
        far = cells.mapped(lambda text: text if folded(text) in words else None, column.index)
        return Converted({"": column.mask(far.notna())})
    if not is_text(column):
        return Converted({"": column})
    words, cells = set(texts(options["codes"])), Cells.of(column)
    codes = {text for text in cells.texts if folded(text) in words or _number(text) in numbers}
    kept = cells.mapped(lambda text: None if text in codes else text, column.index)
    return Converted({"": as_read(kept)})


def _number(text: str) -> float:
    return float(text) if is_plain_number(text.strip()) else math.nan


def _rest(column: Column, options: Options) -> Column:
    words = set(texts(options["codes"]))
    return column.without([text for text in column.cells.texts if folded(text) in words])


def _label(options: Options) -> str:
    numbers = options["numbers"] if isinstance(options["numbers"], tuple) else ()
    codes = [*texts(options["codes"]), *map(number_text, numbers)]
    return message("{codes} → missing", codes=listed(codes))


MISSING_CODES = ColumnKind(
    "missing_codes",
    _find,
    _convert,
    _label,
    {"codes": tuple_of(is_text_option), "numbers": tuple_of(is_number_option)},
    _rest,
)
