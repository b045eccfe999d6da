"""Bagging with exact numbers: three stumps on given bootstrap samples, and bias and variance over all samples.

No function of the package averages over all possible samples, so that is done here: every tree is the package's, the
averages are fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np
import pandas as pd

import explorer as ex
from explorer.growing.grow_many import GrowJob, Presorted, grow_many
from pages.results.cache import kept
from pages.results.lessons import trees

DAYS = 14
BOOTSTRAPS = (
    (1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
    (2, 3, 3, 4, 5, 6, 6, 8, 9, 10, 11, 13, 14, 14),
    (1, 2, 4, 4, 5, 7, 8, 9, 9, 10, 12, 12, 13, 14),
)
"""Three bootstrap samples of the 14 days, by the numbers of the days."""
ALLOWED = (("Outlook", "Wind"), ("Temperature", "Humidity"), ("Humidity", "Wind"))
"""The two features that each stump may ask for."""

TRUTH, NOISE = (0, 1, 4, 10), 1
"""The true values at x = 1, 2, 3, 4; each is seen with +1 or −1, both with chance one half."""
SAMPLES = tuple(range(2 ** len(TRUTH)))
_DENOMINATOR = 12
"""Means of up to four whole numbers have denominators up to four: every leaf value is a fraction with one below 12."""

Values = tuple[Fraction, ...]


def counts_of(bootstrap: Sequence[int]) -> tuple[int, ...]:
    """How often each day is drawn."""
    return tuple(bootstrap.count(day) for day in range(1, DAYS + 1))


def bootstrap_rows(member: int) -> ex.Dataset:
    """The 14 days with the features that a stump may ask for, weighted by how often they are drawn."""
    return trees.rows("play_tennis", ALLOWED[member]).with_weights(np.array(counts_of(BOOTSTRAPS[member]), float))


@kept()
def stump(member: int) -> ex.Tree:
    """One of the three stumps."""
    return ex.grow(bootstrap_rows(member), ex.ID3.replace(max_depth=1))


@kept()
def gains(member: int) -> dict[str, float]:
    """The gains of its two features."""
    return {name: found.gain for name, found in ex.decide(stump(member), bootstrap_rows(member), 0).best.items()}


@kept()
def out_of_bag() -> tuple[Fraction | None, ...]:
    """For every day the mean share of Yes that the stumps which have not drawn it give; None where all have."""
    rows = trees.rows("play_tennis")
    shares: list[Fraction | None] = []
    for day in range(DAYS):
        members = [member for member, drawn in enumerate(BOOTSTRAPS) if day + 1 not in drawn]
        given = [_share(stump(member), rows.take([day])) for member in members]
        shares.append(sum(given, Fraction(0)) / len(given) if given else None)
    return tuple(shares)


def _share(tree: ex.Tree, row: ex.Dataset) -> Fraction:
    stats = tree.row_stats[int(tree.apply(row)[0])]
    return Fraction(int(stats[1]), int(stats.sum()))


def out_of_bag_wrong() -> tuple[int, ...]:
    """The days, from 0 on, whose larger out-of-bag share is the wrong class; of two equal shares No counts."""
    y = trees.rows("play_tennis").y
    return tuple(
        day for day, share in enumerate(out_of_bag()) if share is not None and (share > Fraction(1, 2)) != y[day]
    )


def chance_out(n: int) -> Fraction:
    """The chance that a row is in none of n draws from n rows."""
    return Fraction(n - 1, n) ** n


@dataclass(frozen=True)
class Spread:
    """Fits by sample, and what they miss on average over the points: squared bias and variance."""

    fits: tuple[Values, ...]
    mean: Values
    bias: Fraction
    variance: Fraction


@kept()
def single(depth: int) -> Spread:
    """One tree of this depth on each of the 16 samples."""
    return _spread([_fits(sample, depth, [(1, 1, 1, 1)])[0] for sample in SAMPLES])


@kept()
def bagged(depth: int) -> Spread:
    """The mean of the trees on all 256 bootstrap samples, on each of the 16 samples.

    Bootstrap samples that draw every point equally often give the same tree: there are 35 of them, each with its
    multinomial number.
    """
    drawn = [counts for counts in product(range(5), repeat=4) if sum(counts) == 4]
    chances = [Fraction(factorial(4), prod(map(factorial, counts)) * 4**4) for counts in drawn]
    means = []
    for sample in SAMPLES:
        fits = _fits(sample, depth, drawn)
        means.append(
            tuple(
                sum((c * fit[i] for c, fit in zip(chances, fits, strict=True)), Fraction()) for i in range(len(TRUTH))
            )
        )
    return _spread(means)


def _rows(sample: int) -> ex.Dataset:
    """The four points of a sample: bit i of its number says whether point i is above the truth."""
    y = [value + (NOISE if sample >> i & 1 else -NOISE) for i, value in enumerate(TRUTH)]
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": np.array(y, dtype=float)})
    return ex.Dataset.from_frame(frame, "y", features=["x"], kinds={"x": "numeric", "y": "numeric"})


def _fits(sample: int, depth: int, weights: Sequence[Sequence[int]]) -> list[Values]:
    """The fits at the four points of regression trees on a sample with these row weights."""
    rows = _rows(sample)
    jobs = (GrowJob(np.array(counts, dtype=float)) for counts in weights)
    grown = grow_many(Presorted(rows, ex.CART.replace(max_depth=depth)), jobs, lambda *_: None)
    return [
        tuple(Fraction(float(value)).limit_denominator(_DENOMINATOR) for value in tree.predict(rows)) for tree in grown
    ]


def _spread(fits: Sequence[Values]) -> Spread:
    """Bias and variance of fits that are equally likely, both as means over the points."""
    n, points = len(fits), range(len(TRUTH))
    mean = tuple(sum((fit[i] for fit in fits), Fraction(0)) / n for i in points)
    bias = sum(((mean[i] - TRUTH[i]) ** 2 for i in points), Fraction(0)) / len(TRUTH)
    variance = sum(((fit[i] - mean[i]) ** 2 for fit in fits for i in points), Fraction(0)) / n / len(TRUTH)
    return Spread(tuple(fits), mean, bias, variance)
