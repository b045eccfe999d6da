"""Monotone constraints: a prediction may only rise, or only fall, with a feature (ensembles/DEFINITIONS.md section 24).

What is constrained is the mean of a numeric target, or the share of the second of two classes. A split on a constrained
feature must order its branches, and each branch stays on its side of the middle between the two, with all below it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from explorer.errors import InputError
from explorer.jit import borrowing, kernel
from explorer.messages import message
from explorer.recipe.class_weights import items_of

Signs = tuple[tuple[str, int], ...]
"""Features with +1 (rising) or −1 (falling)."""
KEEPS_MONOTONE = ("drop", "most_common", "same_class")
"""Policies for missing values under which a split is chosen with all the rows of its branches."""
KEPT, WRONG_DIRECTION, OUT_OF_BOUNDS = range(3)
ROUNDING = 1e-9
"""Values closer than this share of the node's standard deviation (shares: than this) keep every constraint."""


def signs_of(monotone: Any) -> Signs | None:
    """A mapping, or pairs, of features to +1 or −1 as pairs; 0 stands for no constraint. InputError for another sign.

    >>> signs_of({"age": 1, "price": -1, "name": 0})
    (('age', 1), ('price', -1))
    """
    signs = [(str(name), _sign(name, sign)) for name, sign in items_of(monotone, "monotone")]
    return tuple((name, sign) for name, sign in signs if sign) or None


def _sign(name: object, sign: object) -> int:
    if isinstance(sign, (bool, np.bool_)) or not isinstance(sign, (int, float, np.number)) or sign not in (-1, 0, 1):
        raise InputError(
            message(
                "monotone gives {name!r} the value {value:.40}: give 1 where predictions must increase with the "
                "feature, or -1 where they must decrease.",
                name=str(name),
                value=repr(sign),
            )
        )
    return int(sign)


@borrowing
def violation(sign, first, second, lower, upper, slack):
    """Whether two branch values keep a feature's constraint (sign, 0 for none) and the bounds; which they violate."""
    if sign * (first - second) > slack:
        return WRONG_DIRECTION
    if min(first, second) < lower - slack or max(first, second) > upper + slack:
        return OUT_OF_BOUNDS
    return KEPT


@kernel
def violations(sign, first, second, lower, upper, slack):
    """`violation` of many tests at once, [tests]."""
    found = np.zeros(first.size, np.int64)
    for i in range(first.size):
        found[i] = violation(sign, first[i], second[i], lower, upper, slack)
    return found


@borrowing
def slack_of(parameters, stats):
    """How far values may miss a bound by rounding, at a node with these statistics."""
    return ROUNDING * np.sqrt(max(stats[2] / stats[0], 0.0)) if parameters.regression else ROUNDING


@borrowing
def value_of(parameters, stats):
    """What is constrained, from a node's statistics: its mean, or the share of the second class."""
    return stats[1] if parameters.regression else stats[1] / (stats[0] + stats[1])


class Bounds(NamedTuple):
    """Between which values the branches of a node must lie, by the constrained splits above it."""

    lower: float = -math.inf
    upper: float = math.inf

    def below(self, sign: int, branch: int, first: float, second: float) -> Bounds:
        """The bounds of a branch (0 or 1) of a split whose branches have these values.

        >>> Bounds().below(1, 0, 2.0, 5.0), Bounds().below(-1, 0, 5.0, 2.0).below(0, 1, 6.0, 4.0)
        (Bounds(lower=-inf, upper=3.5), Bounds(lower=3.5, upper=inf))
        """
        if sign == 0:
            return self
        middle = (first + second) / 2.0
        if (branch == 0) == (sign > 0):
            return Bounds(self.lower, min(self.upper, middle))
        return Bounds(max(self.lower, middle), self.upper)
