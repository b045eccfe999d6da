"""Numbers → fine codes, batch by batch: edges from a sample, and a compiled search among them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LOOKUP_CELLS = 1 << 14
"""Equal-width cells between the outer edges: a number's cell leaves few edges to search."""
UNSEEN, SINGLE, SEVERAL = 0, 1, 2
"""What is known of a fine code: no row yet, rows of one value, rows of several."""


@kernel
def encode_batch(numbers, edges, first, origin, scale, codes, state, only_value):
    """Write the fine code of every number (nan: one past the last), and what values the codes have.

    `first` [cells + 1] says how many edges lie in the cells before each one. −0.0 in `numbers` becomes 0.0. Returns
    how many numbers are missing, and the position of the first infinite one, −1 without any.
    """
    n_cells, n_missing, infinite = first.size - 1, 0, -1
    for row in range(numbers.size):
        x = numbers[row] + 0.0
        numbers[row] = x
        if np.isnan(x):
            n_missing += 1
            codes[row] = edges.size + 1
            continue
        if np.isinf(x) and infinite < 0:
            infinite = row
        at = (x - origin) * scale
        cell = np.int64(0)
        if at > 0.0:
            cell = n_cells - 1 if at >= n_cells else np.int64(at)
        low, high = first[cell], first[cell + 1]
        while low < high:  # how many edges lie below x
            middle = (low + high) >> 1
            if edges[middle] < x:
                low = middle + 1
            else:
                high = middle
        codes[row] = low
        if state[low] == UNSEEN:
            state[low] = SINGLE
            only_value[low] = x
        elif only_value[low] != x:
            state[low] = SEVERAL
    return n_missing, infinite


@dataclass(eq=False)
class NumberCoder:
    """The fine codes of one numeric column: c codes by c − 1 ascending edges, and bins of neighbouring codes.

    After all batches are coded, `n_missing` and `only_value` describe the whole column.
    """

    edges: Floats
    bin_starts: Ints
    n_missing: int = 0
    _state: NDArray[np.uint8] = field(init=False, repr=False)
    _only: Floats = field(init=False, repr=False)
    _bin_of_code: NDArray[np.uint8] = field(init=False, repr=False)
    _lookup: tuple[Ints, float, float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay out the lookup table, and the memory of what values each code has."""
        n_codes = len(self.edges) + 1
        self._state = np.zeros(n_codes, dtype=np.uint8)
        self._only = np.full(n_codes, np.nan)
        sizes = np.diff([*self.bin_starts, n_codes, n_codes + 1])  # missing cells have a code and a bin of their own
        self._bin_of_code = np.repeat(np.arange(len(sizes)), sizes).astype(np.uint8)
        self._lookup = lookup_table(self.edges)

    def encode(self, numbers: Floats) -> tuple[NDArray[np.uint16], NDArray[np.uint8], int]:
        """Fine codes and bins of some numbers, missing cells in one past the last, and the first infinite position.

        −0.0 among the numbers becomes 0.0 in place; −1 stands for no infinite number.
        """
        codes = np.empty(len(numbers), dtype=np.uint16)
        first, origin, scale = self._lookup
        counts = encode_batch(numbers, self.edges, first, origin, scale, codes, self._state, self._only)
        self.n_missing += int(counts[0])
        return codes, self._bin_of_code[codes], int(counts[1])

    @property
    def only_value(self) -> Floats:
        """The value of each fine code where all its rows have the same one, else nan."""
        return np.where(self._state == SINGLE, self._only, np.nan)

    @property
    def n_distinct(self) -> int | None:
        """How many different numbers there are; None where a code has several."""
        return None if (self._state == SEVERAL).any() else int(np.count_nonzero(self._state))


def lookup_table(edges: Floats) -> tuple[Ints, float, float]:
    """How many edges lie before each of some equal-width cells, and the origin and the cells per unit.

    The outer hundredth of the edges at either end shares the outer cells, so that a long tail does not spoil them. A
    number's cell grows with the number, so edges in cells before its own lie below it: the search is exact.
    """
    if not len(edges):
        return np.zeros(2, dtype=np.int64), 0.0, 0.0
    low, high = edges[len(edges) // 100], edges[len(edges) - 1 - len(edges) // 100]
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        scale = LOOKUP_CELLS / (high - low)
        scale = float(scale) if np.isfinite(scale) else 0.0
        from_low = (edges - low) * scale if scale else np.zeros(len(edges))  # infinite × 0 would be no number
        cells = np.clip(from_low, 0, LOOKUP_CELLS - 1).astype(np.int64)
    return np.searchsorted(cells, np.arange(LOOKUP_CELLS + 1)).astype(np.int64), float(low), scale


def number_coder(sample: Floats, bins: int, codes_per_bin: int) -> NumberCoder:
    """A coder with edges from a sample: every value has its own code if they are few, else codes hold equal shares.

    A value that fills more than one code is given one of its own.

    >>> number_coder(np.array([3.0, 1.0, 1.0, 2.0]), 4, 4).edges.tolist()
    [1.0, 2.0]
    """
    known = np.sort(sample[np.isfinite(sample)]) + 0.0
    values, counts = np.unique(known, return_counts=True)
    most = bins * codes_per_bin
    if len(values) > most:
        values, counts = _shares(values, counts, most)
    edges = values[:-1].copy()
    return NumberCoder(edges, _bin_starts(counts, bins) if len(counts) else np.zeros(1, dtype=np.int64))


def _shares(values: Floats, counts: Ints, most: int) -> tuple[Floats, Ints]:
    """At most so many of the values, as upper ends of codes that hold about equal shares of the rows, with counts."""
    below = np.cumsum(counts)
    share = 2.0 * below[-1] / most
    frequent = counts > share  # at most half of the codes
    quantile = np.unique(np.ceil(below / share), return_index=True)[1] - 1  # the last value before each new share
    ends = np.zeros(len(values), dtype=bool)
    ends[quantile[quantile >= 0]] = True
    ends |= frequent
    ends[:-1] |= frequent[1:]
    ends[-1] = True
    chosen = _thinned(np.flatnonzero(ends), most)
    return values[chosen], np.diff(np.append(0, below[chosen]))


def _thinned(positions: Ints, most: int) -> Ints:
    """At most so many of the positions, the last among them."""
    if len(positions) <= most:
        return positions
    return positions[np.unique(np.linspace(0, len(positions) - 1, most).astype(np.int64))]


def _bin_starts(counts: Ints, bins: int) -> Ints:
    """The first code of each of at most so many bins of about equal numbers of rows."""
    if len(counts) <= bins:
        return np.arange(len(counts), dtype=np.int64)
    before = np.append(0, np.cumsum(counts)[:-1])
    return np.unique(np.floor(before * (bins / counts.sum())), return_index=True)[1].astype(np.int64)
