"""Ranges of numbers: what is within them, and those whose length may overflow, as from −1.7e308 to 1.7e308."""

from __future__ import annotations

import math
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import message

Floats = NDArray[np.float64]
LARGEST = float(np.finfo(np.float64).max)
LARGEST_SUMMED = 1e100
"""Numbers above this overflow in products of their sums."""
_QUARTER = 0.25
"""Numbers times this can be added and subtracted, without rounding, where the numbers themselves would overflow."""


def is_whole(value: object, least: int, most: float = math.inf) -> TypeGuard[int]:
    """Whether this is a whole number within the limits; truth values are none.

    >>> is_whole(np.int64(3), 1), is_whole(3, 0, 2), is_whole(True, 0), is_whole(3.0, 0)
    (True, False, False, False)
    """
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and least <= int(value) <= most


def checked_seed(seed: object, most: int = 2**32 - 1) -> int:
    """The seed as a whole number from 0 on; InputError for anything else."""
    if not is_whole(seed, 0, most):
        raise InputError(message("The seed is {seed!r}: give a whole number from 0 to {most}.", seed=seed, most=most))
    return int(seed)


def scale_of(values: Floats) -> float:
    """A power of two, 1 but for the largest numbers, times which these can be added and subtracted.

    >>> scale_of(np.array([-5.0, 3.0])), scale_of(np.array([-1.7e308, 1.7e308]))
    (1.0, 0.25)
    """
    return _QUARTER if len(values) and float(np.abs(values).max()) > LARGEST * _QUARTER else 1.0


def middles(edges: Floats) -> Floats:
    """Halfway between each number and the next, [n − 1].

    >>> middles(np.array([-1.7e308, 1.7e308, 1.7e308])).tolist()
    [0.0, 1.7e+308]
    """
    return np.asarray(edges[:-1] + (edges[1:] / 2.0 - edges[:-1] / 2.0))


def between(low: float, high: float, shares: Floats) -> Floats:
    """The numbers at these shares of the way from `low` to `high`.

    >>> between(-1.7e308, 1.7e308, np.array([0.0, 0.5, 1.0])).tolist()
    [-1.7e+308, 0.0, 1.7e+308]
    """
    if abs(low) < LARGEST * _QUARTER and abs(high) < LARGEST * _QUARTER:
        return np.asarray(low + shares * (high - low))
    return np.asarray(low * (1.0 - shares) + high * shares)


def widened(low: float, high: float, share: float) -> tuple[float, float]:
    """The range with this share of its length added at both ends, so that no number stands at an edge.

    >>> widened(0.0, 10.0, 0.1), widened(3.0, 3.0, 0.1)
    ((-1.0, 11.0), (2.0, 4.0))
    """
    beyond = share * high - share * low if math.isinf(high - low) else share * (high - low)
    beyond = max(beyond or 1.0, math.ulp(max(abs(low), abs(high))))
    return max(low - beyond, -LARGEST), min(high + beyond, LARGEST)


def unit_of(values: Floats) -> float:
    """A power of two near the largest of these sizes; 1 in the usual range, where fourth powers are normal numbers.

    >>> unit_of(np.array([-5.0, 0.1])), unit_of(np.array([3e99])) / 3e99 > 0.5, unit_of(np.zeros(2))
    (1.0, True, 1.0)
    """
    largest = float(np.abs(values).max(initial=0.0))
    return 1.0 if largest == 0.0 or 1e-60 < largest < 1e60 else math.ldexp(1.0, math.frexp(largest)[1] - 1)


def deviation(values: Floats, axis: int | None = None, ddof: int = 0) -> NDArray[np.float64]:
    """The standard deviation, whose squares neither overflow nor vanish.

    >>> float(deviation(np.array([0.0, 2e200]))), float(deviation(np.array([0.0, 2.0])))
    (1e+200, 1.0)
    """
    unit = unit_of(values)
    return np.asarray((values / unit).std(axis=axis, ddof=ddof) * unit)
