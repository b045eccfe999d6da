"""The counts of a numeric feature at a node by cells: bins, fine codes or single values, ascending.

A cell whose rows all have the same value is *exact*. Between two exact neighbours lies a threshold of the recipe; the
end of any other cell is the edge of its last fine code, which divides the rows as that threshold would.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import Bools, Floats
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.condition import fill_thresholds
from explorer.sources.counting import ColumnLayout

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells with rows, ascending: first and last fine code [v], the only value or nan [v], counts [v, K].

    `missing` [K] are the counts of the rows without a value.
    """

    first: Ints
    last: Ints
    value: Floats
    table: Floats
    missing: Floats

    def __len__(self) -> int:
        """How many cells there are."""
        return len(self.first)

    @property
    def is_exact(self) -> Bools:
        """Which cells have a single value, [v]."""
        return ~np.isnan(self.value)

    @property
    def has_decided(self) -> Bools:
        """Which boundaries lie between two exact cells, [v − 1]."""
        return self.is_exact[:-1] & self.is_exact[1:]

    def looked_into(self, which: Bools, parts: Cells) -> Cells:
        """The cells with some of them replaced by their `parts`."""
        arrays = zip(self._arrays(), parts._arrays(), strict=True)
        first, last, value, table = (np.concatenate([own[~which], new]) for own, new in arrays)
        order = np.lexsort((value, first))
        return Cells(first[order], last[order], value[order], table[order], self.missing)

    def _arrays(self) -> tuple[Ints, Ints, Floats, Floats]:
        return self.first, self.last, self.value, self.table


def cells_of_bins(layout: ColumnLayout, counts: Floats) -> Cells:
    """The bins of a column that have rows; `counts` [bins + 1, K], those of missing cells last."""
    present = np.flatnonzero(counts[:-1].any(axis=1))
    ends = np.append(layout.bin_starts[1:], layout.n_codes) - 1
    first, last = layout.bin_starts[present], ends[present]
    value = np.where(first == last, _only_value(layout)[first], np.nan)
    return Cells(first, last, value, counts[:-1][present], counts[-1])


def cells_of_codes(layout: ColumnLayout, codes: Ints, counts: Floats) -> Cells:
    """Fine codes with these counts as cells."""
    return Cells(codes, codes, _only_value(layout)[codes], counts, np.zeros(counts.shape[1]))


def cells_of_values(layout: ColumnLayout, values: Floats, counts: Floats) -> Cells:
    """Single values with these counts as cells."""
    codes = np.searchsorted(layout.edges, values).astype(np.int64)
    return Cells(codes, codes, values, counts, np.zeros(counts.shape[1]))


def codes_in(cells: Cells, which: Bools) -> Ints:
    """The fine codes of some cells, ascending."""
    pairs = zip(cells.first[which].tolist(), cells.last[which].tolist(), strict=True)
    return np.array([code for first, last in pairs for code in range(first, last + 1)], dtype=np.int64)


def bins_of(layout: ColumnLayout, codes: Ints) -> Ints:
    """The bins that hold these fine codes, ascending."""
    return np.unique(np.searchsorted(layout.bin_starts, codes, side="right") - 1)


def column_of(column: TrainingColumn, cells: Cells, layout: ColumnLayout, threshold_at: int) -> TrainingColumn:
    """The column with cells for values: a code each, the only value or the upper end, and the thresholds between."""
    ends = np.append(layout.edges, np.inf)[cells.last]
    values, cuts = np.where(cells.is_exact, cells.value, ends), ends[:-1].copy()
    fill_thresholds(values, np.flatnonzero(cells.has_decided), threshold_at, cuts)
    seen = np.append(np.ones(len(cells), dtype=bool), column.lacks_values)
    return replace(column, n_values=len(cells), listed=values, cuts=cuts, seen=seen)


def _only_value(layout: ColumnLayout) -> Floats:
    """The only value of every fine code, nan where it has several or that is not known."""
    return layout.only_value if len(layout.only_value) else np.full(layout.n_codes, np.nan)
