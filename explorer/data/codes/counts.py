"""Columns of counts: a row of a table of counts stands for as many cases as they say (DEFINITIONS section 9)."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from numpy.typing import NDArray

MOST_LEVELS, MOST_CASES = 100, 1_000_000
"""Values that a column beside counts has at most, and cases that rows are repeated to."""
_NAME = re.compile(r"freq(uency|uencies|s)?|counts?|n|cases|anzahl|häufigkeit|频数|频次|计数|人数|次数", re.IGNORECASE)

_ROW_NAMES = re.compile(r"column[ _]?1|unnamed: ?0|(?:row[ _.]?names?|index|x)?", re.IGNORECASE)
"""What the column of row names is called that R and pandas write first, without a heading."""


def count_column(frame: pd.DataFrame) -> str | None:
    """The column that says how many cases each row of a table of counts stands for; None for another table.

    Numbers of the rows may stand before the rest.

    >>> counts = pd.DataFrame({"sex": ["f", "f", "m", "m"], "ill": ["no", "yes"] * 2, "Freq": [20, 3, 18, 0]})
    >>> count_column(counts), count_column(pd.concat([counts, counts]))
    ('Freq', None)
    """
    named = [name for name in frame.columns if _NAME.fullmatch(str(name).strip())]
    return next((str(name) for name in named if _counts_cases(frame, name)), None)


def counts_of(column: pd.Series) -> NDArray[np.int64] | None:
    """Whole numbers from 0 on, one for each row, of which some is above 1 and the sum is not too large; else None."""
    if column.dtype.kind not in "iuf":
        return None
    numbers = column.to_numpy(np.float64, na_value=np.nan)
    if not (np.isfinite(numbers) & (numbers >= 0) & (numbers == np.floor(numbers))).all():
        return None
    return numbers.astype(np.int64) if len(numbers) < numbers.sum() <= MOST_CASES else None


def row_numbers(frame: pd.DataFrame) -> list[str]:
    """The first column where it numbers the rows and has no heading of its own, in a list; else none.

    >>> row_numbers(pd.DataFrame({"rownames": [1, 2, 4], "n": [1, 2, 3]})), row_numbers(pd.DataFrame({"n": [1, 2]}))
    (['rownames'], [])
    """
    if not _ROW_NAMES.fullmatch(str(frame.columns[0]).strip()):
        return []
    first = frame.iloc[:, 0]
    return [str(frame.columns[0])] if first.dtype.kind in "iu" and first.is_unique else []


def _counts_cases(frame: pd.DataFrame, name: str) -> bool:
    """Whether no two rows have the same values beside the counts, in two columns or more of few values each.

    A number that is not needed to tell the rows apart, such as the deaths among the cases, is what was counted.
    """
    others = frame.drop(columns=[name, *row_numbers(frame)])
    if frame.columns.has_duplicates or others.shape[1] < 2 or counts_of(frame[name]) is None:
        return False
    most = min(MOST_LEVELS, len(frame) // 2)
    try:
        are_few = all(others[column].nunique(dropna=False) <= most for column in others.columns)
        if not are_few or others.duplicated().any():
            return False
        numbers = [column for column in others if others[column].dtype.kind in "iuf"]
        return all(others.drop(columns=column).duplicated().any() for column in numbers)
    except TypeError:  # cells that cannot be compared, such as lists
        return False
