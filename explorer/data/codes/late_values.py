"""The list of values of a column in which most rows have one of their own: made from its cells when it is asked for.

Such a list is as long as the column, and growing needs it at the end alone, for the thresholds of one column at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.ranks import list_values
from explorer.errors import InputError
from explorer.messages import message

ROWS_AT_ONCE = 1 << 14


@dataclass(frozen=True, eq=False)
class LateValues:
    """The distinct numbers of a column [n], ascending, of which `codes` [n] are the positions, nan's one past them.

    `np.asarray` makes the list and keeps nothing; `kept` is made once. Pandas copies a frame that is written to, so the
    cells stay those that were encoded, unless the frame shares an array that is written to: an InputError then.
    """

    column: pd.Series
    codes: NDArray[np.int32]
    n_values: int

    def __len__(self) -> int:
        """How many values there are."""
        return self.n_values

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> NDArray[np.float64]:
        """The list [n_values]."""
        if "kept" in self.__dict__:
            return self.kept
        numbers, values = floats_of(self.column), np.empty(self.n_values + 1)
        for start in range(0, len(numbers), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            list_values(numbers[rows].copy(), self.codes[rows], values)  # a copy: loops refuse what is read-only
        if not (values[1:-1] > values[:-2]).all():
            text = message(
                "The numbers of '{column}' were changed after the table was read: give it a copy of them.",
                column=str(self.column.name),
            )
            raise InputError(text)
        return values[:-1]

    @cached_property
    def kept(self) -> NDArray[np.float64]:
        """The same list for everyone who asks again."""
        return np.asarray(self)


Listed = NDArray[np.float64] | LateValues


def values_of(listed: Listed) -> NDArray[np.float64]:
    """The list itself, kept for the next time."""
    return listed.kept if isinstance(listed, LateValues) else listed


def floats_of(column: pd.Series) -> NDArray[np.float64]:
    """The numbers of a column, nan where one is missing; not to be written to."""
    if column.dtype == np.float64:
        return column.to_numpy()  # several times as fast as the way for all types
    return column.to_numpy(np.float64, na_value=np.nan)
