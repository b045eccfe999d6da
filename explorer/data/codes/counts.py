"""Columns of counts: a row of a table of counts stands for as many cases as they say (DEFINITIONS section 9)."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.target_names import is_of_row_names

MOST_LEVELS, MOST_CASES = 100, 1_000_000
"""Values that a column beside counts has at most, and cases that rows are repeated to."""
_NAME = re.compile(r"freq(uency|uencies|s)?|counts?|n|cases|anzahl|häufigkeit|频数|频次|计数|人数|次数", re.IGNORECASE)


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
    """The first column where it names the rows by numbers and has no heading of its own, in a list; else none.

    >>> row_numbers(pd.DataFrame({"rownames": [1, 2, 4], "n": [1, 2, 3]})), row_numbers(pd.DataFrame({"n": [1, 2]}))
    (['rownames'], [])
    """
    name, first = str(frame.columns[0]), frame.iloc[:, 0]
    if first.dtype.kind not in "iu" or not len(first):
        return []
    are_names = is_of_row_names(name, float(first.max()) - float(first.min()), len(first)) and first.is_unique
    return [name] if are_names else []


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
