"""The numbers of the exercises by their definitions, in plain Python on rows of values."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

Row = dict[str, object]


def entropy(values: Sequence[object]) -> float:
    counts = Counter(values).values()
    return sum(-Fraction(n, len(values)) * math.log2(Fraction(n, len(values))) for n in counts) + 0.0


def gini(values: Sequence[object]) -> Fraction:
    return 1 - sum(Fraction(n, len(values)) ** 2 for n in Counter(values).values())


def branches(rows: Sequence[Row], feature: str, target: str) -> list[list[object]]:
    """The target's values by the feature's, in order of first appearance."""
    groups: dict[object, list[object]] = defaultdict(list)
    for row in rows:
        groups[row[feature]].append(row[target])
    return list(groups.values())


def remaining(groups: Sequence[Sequence[object]], impurity) -> float:
    n = sum(map(len, groups))
    return sum(Fraction(len(group), n) * impurity(group) for group in groups)


def squares(values: Sequence[float]) -> float:
    mean = Fraction(sum(map(Fraction, values)), len(values))
    return float(sum((Fraction(value) - mean) ** 2 for value in values))
