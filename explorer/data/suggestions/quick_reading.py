"""Long columns read at once by Arrow and pandas, where each cell has a plain form; the other cells are left open.

What is read here equals what `written_numbers` and `written_dates` read from the same text, cell by cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from explorer.data.suggestions.cells import is_text
from explorer.data.suggestions.written_numbers import Separators

LONG = 20_000
"""Rows from which a column is read at once."""
_NO_AFFIX = re.compile(r"[\d.,' -]")
_DATE_FORMS = (
    (r"^(?:1[0-9]|2[0-8])[0-9]{2}-[0-9]{2}-[0-9]{2}$", "%Y-%m-%d", None),
    (r"^(?:1[0-9]|2[0-8])[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$", "%Y-%m-%d %H:%M:%S", None),
    (r"^(?:1[0-9]|2[0-8])[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$", "%Y-%m-%dT%H:%M:%S", None),
    *(
        (rf"^[0-9]{{2}}{re.escape(sign)}[0-9]{{2}}{re.escape(sign)}(?:1[0-9]|2[0-8])[0-9]{{2}}$", form, order)
        for sign in "./-"
        for order, form in (("dmy", f"%d{sign}%m{sign}%Y"), ("mdy", f"%m{sign}%d{sign}%Y"))
    ),
)
"""Patterns of dates with their formats, and the order of day and month that a format stands for."""


def is_long_text(column: pd.Series) -> bool:
    """Whether a column of text has so many rows that it is worth reading at once."""
    return len(column) >= LONG and isinstance(column.dtype, pd.StringDtype) and is_text(column)


def quick_numbers(
    column: pd.Series, form: Separators, affixes: Sequence[str], may_precede: bool
) -> NDArray[np.float64]:
    """The numbers of a column, [n]; nan for cells that are not written with these separators and affixes.

    One of the affixes may follow a number or, if they may precede it, stand before it.
    """
    numbers = np.full(len(column), np.nan)
    if form.decimal == form.group or any(_NO_AFFIX.search(affix) for affix in affixes):
        return numbers
    cells = pa.array(column)
    fits = _matches(cells, _number_pattern(form, affixes, may_precede))
    digits = pc.replace_substring_regex(cells.filter(pa.array(fits)), f"[^0-9{form.decimal}-]", "")
    if form.decimal != ".":
        digits = pc.replace_substring(digits, form.decimal, ".")
    numbers[fits] = digits.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return numbers


def _matches(cells: pa.Array, pattern: str) -> NDArray[np.bool_]:
    return np.asarray(pc.fill_null(pc.match_substring_regex(cells, pattern), False))


def _number_pattern(form: Separators, affixes: Sequence[str], may_precede: bool) -> str:
    point, group = re.escape(form.decimal), re.escape(form.group)
    grouped = rf"[1-9][0-9]{{0,2}}(?:{group}[0-9]{{3}}){{1,5}}|" if form.group else ""
    number = rf"(?:{grouped}[0-9]{{1,17}})(?:{point}[0-9]{{1,17}})?"
    if not affixes:
        return f"^-?{number}$"
    affix = f"(?:{'|'.join(map(re.escape, affixes))})"
    before = f"{affix} ?{number}|" if may_precede else ""
    return f"^-?(?:{before}{number}(?: ?{affix})?)$"


def quick_dates(column: pd.Series, order: str) -> pd.Series:
    """The dates of a column whose first known cell is of a common form, by row; NaT for other cells."""
    cells = pa.array(column)
    first = column.dropna().head(1).tolist()
    for pattern, form, own_order in _DATE_FORMS:
        if first and re.match(pattern, first[0]) and own_order in (None, order):
            fits = _matches(cells, pattern)
            dates = pd.Series(pd.NaT, index=column.index, dtype="datetime64[us]")
            dates[fits] = pd.to_datetime(column[fits], format=form, errors="coerce").astype("datetime64[us]")
            return dates
    return pd.Series(pd.NaT, index=column.index, dtype="datetime64[us]")
