"""Resamples of a table: bootstrap samples, subsamples, or all ways to leave k rows out (DEFINITIONS section 26).

Where rows are in groups, what is drawn or left out are whole groups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.rounds import checked_count
from explorer.ensembles.sample import MOST_SEED, times_drawn, times_drawn_once
from explorer.errors import InputError
from explorer.messages import listing, message, plural
from explorer.ranges import checked_seed

MOST_RESAMPLES = 5_000
"""The most trees that one look at stability grows."""
METHODS = ("bootstrap", "subsample")
_LEAVE_OUT = re.compile(r"leave-([1-9])-out")


@dataclass(frozen=True, eq=False)
class Resampling:
    """How many resamples of these rows there are, and which rows each one has.

    With `left_out` above 0 they are all ways to leave so many rows out, in lexicographic order. Else they are drawn:
    bootstrap samples with replacement, or subsamples of `n_drawn` different rows. Of rows in groups, all of this
    counts groups.
    """

    data: Dataset = field(repr=False)
    count: int
    method: str = "bootstrap"
    seed: int = 0
    n_drawn: int = 0
    left_out: int = 0

    @cached_property
    def _left_out(self) -> tuple[tuple[int, ...], ...]:
        return tuple(combinations(range(self.data.n_units), self.left_out))

    def rows_left_out(self, index: int) -> tuple[int, ...]:
        """Positions of the rows that a resample leaves out, where all ways are tried; else none."""
        return tuple(np.flatnonzero(self.times(index) == 0).tolist()) if self.left_out else ()

    def times(self, index: int) -> NDArray[np.float64]:
        """How often each row is in a resample, [n]."""
        if self.left_out:
            times = np.ones(self.data.n_units)
            times[list(self._left_out[index])] = 0.0
            return self.data.of_units(times)
        draw = times_drawn if self.method == "bootstrap" else times_drawn_once
        return self.data.of_units(draw(self.seed, index, self.data.n_units, self.n_drawn))


def resampling_of(data: Dataset, resamples: int | str, method: str, seed: int, share: float) -> Resampling:
    """The resamples that are asked for: a number of random ones, or "leave-1-out", "leave-2-out", ….

    A subsample has the `share` of the rows, rounded, at least one. Raises InputError for anything else, and for more
    than 5,000 resamples.

    >>> from explorer import load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> resampling_of(tennis, "leave-2-out", "bootstrap", 0, 0.5).count
    91
    """
    seed = checked_seed(seed, MOST_SEED)
    if isinstance(resamples, str):
        return _leaving_out(data, resamples)
    count = checked_count("resamples", resamples, most=MOST_RESAMPLES)
    if method not in METHODS:
        raise InputError(
            message(
                "There is no resampling '{method}': choose one of {methods}.", method=method, methods=listing(METHODS)
            )
        )
    if isinstance(share, bool) or not 0 < share < 1:
        raise InputError(message("The share of a subsample is {share!r}: give a number between 0 and 1.", share=share))
    n_drawn = data.n_units if method == "bootstrap" else max(round(share * data.n_units), 1)
    return Resampling(data, count, method, seed, n_drawn)


def _leaving_out(data: Dataset, resamples: str) -> Resampling:
    n_rows = data.n_units
    matched = _LEAVE_OUT.fullmatch(resamples)
    if matched is None:
        raise InputError(
            message(
                "'{resamples}' names no resamples: give a number, or leave-1-out, leave-2-out, ….", resamples=resamples
            )
        )
    left_out = int(matched[1])
    if left_out >= n_rows:
        raise InputError(
            plural(
                n_rows,
                "Leaving {left_out} out of {n} row leaves none: leave fewer out, or give more rows.",
                "Leaving {left_out} out of {n} rows leaves none: leave fewer out, or give more rows.",
                left_out=left_out,
            )
        )
    count = comb(n_rows, left_out)
    if count > MOST_RESAMPLES:
        raise InputError(
            message(
                "There are {count:,} ways to leave {left_out} of {rows:,} rows out, and at most {most:,} trees are "
                "grown: leave fewer out, or draw bootstrap samples.",
                count=count,
                left_out=left_out,
                rows=n_rows,
                most=MOST_RESAMPLES,
            )
        )
    return Resampling(data, count, "leave_out", left_out=left_out)
