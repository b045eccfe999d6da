"""Rows and columns of a table as it was read: cells taken out of it late, and which of them an error has to name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.errors import ColumnError
from explorer.messages import listing_with_more

MOST_CELLS = 20
"""How many cells an error holds."""
MOST_ROWS = 5
"""How many rows its sentence names."""
LONGEST_TEXT = 80


@dataclass(frozen=True, eq=False)
class FrameRows:
    """Rows of a frame [n], taken out of it when they are read: training rows are worked on by their codes alone.

    `rows` are positions; None for all.
    """

    whole: pd.DataFrame
    rows: NDArray[np.intp] | None = None

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.whole) if self.rows is None else len(self.rows)

    def __getitem__(self, name: str) -> pd.Series:
        """One column."""
        return self.whole[name] if self.rows is None else self.whole[name].iloc[self.rows]

    @property
    def columns(self) -> pd.Index:
        """The names of the columns."""
        return self.whole.columns

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The rows as a frame of their own."""
        return self.whole if self.rows is None else self.whole.iloc[self.rows]

    def take(self, rows: NDArray[np.intp]) -> FrameRows:
        """Some of the rows, by their position among these."""
        return FrameRows(self.whole, rows if self.rows is None else self.rows[rows])


@dataclass(frozen=True, eq=False)
class SourceColumn:
    """A column with the positions of its cells in the table; `rows` None stands for 0 to n − 1."""

    column: pd.Series
    rows: NDArray[np.intp] | None = None

    @property
    def name(self) -> str:
        """The column's name."""
        return str(self.column.name)

    def row(self, position: int) -> int:
        """The row of a cell in the table, from 1 on."""
        return 1 + int(position if self.rows is None else self.rows[position])

    def cells(self, bad: NDArray[np.bool_]) -> tuple[tuple[int, str], ...]:
        """The first cells of a mask [n]: (row from 1 on, text as written).

        >>> column = SourceColumn(pd.Series(["1", "two", "three"], name="x"), np.array([4, 6, 9]))
        >>> column.cells(np.array([False, True, True]))
        ((7, 'two'), (10, 'three'))
        """
        positions = np.flatnonzero(bad)[:MOST_CELLS].tolist()
        return tuple((self.row(i), str(self.column.iloc[i])[:LONGEST_TEXT]) for i in positions)

    def error(self, text: str, bad: NDArray[np.bool_]) -> ColumnError:
        """The error of this column, with the cells of a mask [n]."""
        return ColumnError(text, self.name, self.cells(bad))


def rows_text(cells: tuple[tuple[int, str], ...], count: int) -> str:
    """The first rows of `count` offending cells, for a sentence.

    >>> rows_text(((2, "a"), (7, "b")), 2), rows_text(tuple((row, "") for row in range(1, 9)), 12)
    ('2, 7', '1, 2, 3, 4, 5, …')
    """
    return listing_with_more((str(row) for row, _ in cells[:MOST_ROWS]), count > MOST_ROWS)
