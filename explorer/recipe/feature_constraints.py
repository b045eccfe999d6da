"""Monotone and interaction constraints on features (ensembles/DEFINITIONS.md section 24).

Monotone: a prediction may only rise, or only fall, with a feature. What is constrained is the mean of a numeric target,
or the share of the second of two classes. A split on a constrained feature must order its branches, and each branch
stays on its side of the middle between the two, with all below it.

Interactions: all features tested on one path are in one of the recipe's sets.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np

from explorer.errors import InputError
from explorer.jit import borrowing, kernel
from explorer.messages import message
from explorer.recipe.class_weights import items_of

Signs = tuple[tuple[str, int], ...]
"""Features with +1 (rising) or −1 (falling)."""
FeatureSets = tuple[tuple[str, ...], ...]
"""Sets of features that may be tested on one path."""
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


def feature_sets_of(interactions: Any) -> FeatureSets | None:
    """Sets of features as tuples, None without any. InputError for what is no set of names, and for an empty one.

    >>> feature_sets_of([{"b", "a"}, ["c", "a", "c"]])
    (('a', 'b'), ('c', 'a'))
    """
    if interactions is None:
        return None
    if not _is_collection(interactions) or not all(map(_is_collection, interactions)):
        raise InputError(
            message(
                "Recipe field 'interactions' is {value:.60}: give sets of columns such as [['age', 'sex'], ['fare']].",
                value=repr(interactions),
            )
        )
    if not all(interactions):
        raise InputError(
            message(
                "Recipe field 'interactions' has an empty set: name the columns that may be tested on one path, or "
                "leave the set out."
            )
        )
    in_order = (sorted(map(str, names)) if isinstance(names, Set) else map(str, names) for names in interactions)
    return tuple(tuple(dict.fromkeys(names)) for names in in_order) or None


def _is_collection(value: object) -> bool:
    return isinstance(value, Collection) and not isinstance(value, (str, bytes, Mapping))


def sets_of_features(interactions: FeatureSets, names: Sequence[str]) -> list[frozenset[int]]:
    """The positions of the sets that hold each feature; the features that no set names form one more, as a last set.

    >>> [sorted(sets) for sets in sets_of_features((("a", "b"), ("b", "c")), ["a", "b", "d", "e"])]
    [[0], [0, 1], [2], [2]]
    """
    held: dict[str, set[int]] = {}
    for position, members in enumerate(interactions):
        for name in members:
            held.setdefault(name, set()).add(position)
    return [frozenset(held.get(name, {len(interactions)})) for name in names]


def common_sets(sets: Sequence[frozenset[int] | None], tested: Collection[int]) -> frozenset[int] | None:
    """The sets that hold all features tested on a path; None where all do, as nothing is tested or constrained yet."""
    of_tested = [own for each in tested if (own := sets[each]) is not None]
    return frozenset.intersection(*of_tested) if of_tested else None


def not_beside(sets: Sequence[frozenset[int] | None], tested: Collection[int]) -> dict[int, tuple[int, ...]]:
    """The features that no set holds together with all those tested on a path, each with those that keep it out.

    These are the first tested one that shares no set with it, or all where only several together do. `sets` are those
    of every feature, None without constraints.

    >>> sets = [frozenset({0}), frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 2})]
    >>> not_beside(sets, [0]), not_beside(sets, [2, 1]), not_beside(sets, [])
    ({2: (0,)}, {0: (2,), 3: (2, 1)}, {})
    """
    common = common_sets(sets, tested)
    if common is None:
        return {}
    out = [feature for feature, own in enumerate(sets) if own is not None and own.isdisjoint(common)]
    return {feature: _keeping_out(sets, tested, feature) for feature in out}


def _keeping_out(sets: Sequence[frozenset[int] | None], tested: Collection[int], feature: int) -> tuple[int, ...]:
    own = sets[feature] or frozenset()
    alone = next((each for each in tested if own.isdisjoint(sets[each] or ())), None)
    return tuple(dict.fromkeys(tested)) if alone is None else (alone,)
