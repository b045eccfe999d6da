"""Whole numbers under the name of a category, such as race 1, 2, 3: codes, to be split on as categories."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from explorer.data.suggestions.cells import is_text
from explorer.data.suggestions.kind import Column, ColumnKind, Converted, Finding, Options, listed
from explorer.messages import message, plural

_FEWEST, _MOST = 3, 50
"""Two codes split like two numbers; more than 50 are seldom a category that a tree can use."""
_LARGEST = 10**6
_NAMED = re.compile(
    r"(?:.*[\W_])?(?:race|ethnic(?:ity)?|religion|nationality|region|state|country|county|province|city|zone|site"
    r"|centre|center|inst|institution|hospital|clinic|ward|industry|occupation|job|brand|species|housing|purpose"
    r"|department|dept|channel|product|type|kind|category|code|land|branche|beruf)(?:[\W_]?(?:code|id|cd))?"
    r"|地区|省份|城市|民族|职业|行业|部门|类型|类别|代码",
    re.IGNORECASE,
)

_MEASURE = re.compile(
    r"mpg|kmh?|km|mi(?:les?)?|lbs?|kg|pct|percent|rate|ratio|share|price|cost|fare|wage|income|tax|sales|age|area|size"
    r"|weight|distance|dist|dis|time|hours?|days?|minutes?|num|number|n|no|count|cnt|avg|average|mean|median|max|min|sum"
    r"|total|pop(?:ulation)?|density|temp(?:erature)?|score|speed|consumption",
    re.IGNORECASE,
)
"""Words before the name of a category that make it a quantity, such as MPG_CITY and avg_state."""


def is_named_code(name: str) -> bool:
    """Whether a name is that of a category, and none of the words before it a measure's.

    >>> [is_named_code(name) for name in ("race", "home_state", "MPG_CITY", "price.region", "state_code")]
    [True, True, False, False, True]
    """
    words = re.split(r"[\W_]+", name)
    return _NAMED.fullmatch(name) is not None and not any(map(_MEASURE.fullmatch, words))


def _find(column: Column) -> Finding | None:
    """From 3 to 50 different whole numbers, none negative, under a name of categories."""
    values = column.values
    if not is_named_code(column.name) or is_text(values) or values.dtype.kind not in "iuf":
        return None
    numbers = values.dropna()
    codes = np.unique(numbers.to_numpy())
    if not _FEWEST <= len(codes) <= _MOST or codes[0] < 0 or codes[-1] > _LARGEST or (codes != np.floor(codes)).any():
        return None
    shown, n = listed([f"{int(code)}" for code in codes]), len(numbers)
    return Finding(
        options=[{}],
        sentence=lambda: plural(
            n,
            "'{column}' is named like a category and has the numbers {codes} ({n:,} value). If they are codes, split "
            "on them as categories.",
            "'{column}' is named like a category and has the numbers {codes} ({n:,} values). If they are codes, split "
            "on them as categories.",
            column=column.name,
            codes=shown,
        ),
        examples=[],
        n_cells=n,
        is_question=True,
    )


def _convert(column: pd.Series, options: Options) -> Converted:
    if is_text(column) or column.dtype.kind not in "iuf":
        return Converted({"": column})
    codes = np.unique(column.dropna().to_numpy())
    names = {code: f"{int(code)}" if code == np.floor(code) else f"{code}" for code in codes}
    return Converted({"": column.map(names).astype(pd.CategoricalDtype([names[code] for code in codes]))})


NAMED_CODES = ColumnKind("codes", _find, _convert, lambda options: message("numbers taken as categories"))
