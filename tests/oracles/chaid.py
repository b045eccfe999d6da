"""CHAID's test of one feature by its definition, with fractions and scipy: all pairs are compared at every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from scipy import stats

Rows = list[tuple[int, ...]]
"""Whole row weights by value and class."""
Group = tuple[int, ...]


def chi2(groups: Sequence[Sequence[int]]) -> tuple[Fraction, int]:
    """Pearson's χ² of groups and classes, and its degrees of freedom; empty ones count for nothing."""
    filled = [group for group in groups if sum(group)]
    classes = [column for column in zip(*filled, strict=True) if sum(column)]
    whole, statistic = sum(map(sum, filled)), Fraction(0)
    for column in classes:
        for group, observed in zip(filled, column, strict=True):
            expected = Fraction(sum(group) * sum(column), whole)
            statistic += (observed - expected) ** 2 / expected
    return statistic, max(len(filled) - 1, 0) * max(len(classes) - 1, 0)


def p_of(groups: Sequence[Sequence[int]]) -> float:
    """The p of that χ²; 1 where nothing can differ."""
    statistic, df = chi2(groups)
    return float(stats.chi2.sf(float(statistic), df)) if df else 1.0


def total(rows: Rows, group: Group) -> tuple[int, ...]:
    """Class weights of a group of values."""
    return tuple(map(sum, zip(*(rows[value] for value in group), strict=True)))


def may_merge(first: Group, second: Group, groups: list[Group], missing: int | None) -> bool:
    """Whether two groups of ordered values are neighbours: no known value of another group lies between them."""
    if (missing,) in (first, second):
        return True
    low, high = sorted((min(set(first) - {missing}), min(set(second) - {missing})))
    others = [value for group in groups if group not in (first, second) for value in group if value != missing]
    return not any(low < value < high for value in others)


def merged(rows: Rows, level: float, is_ordered: bool, missing: int | None) -> list[Group]:
    """The groups that are left, by their first value."""
    groups: list[Group] = [(value,) for value in range(len(rows))]
    while len(groups) > 1:
        pairs = [pair for pair in combinations(groups, 2) if not is_ordered or may_merge(*pair, groups, missing)]
        ps = [p_of([total(rows, group) for group in pair]) for pair in pairs]
        first = next(i for i, p in enumerate(ps) if p >= max(ps) * (1 - 1e-9))
        if ps[first] <= level:
            break
        joined = tuple(sorted((*pairs[first][0], *pairs[first][1])))
        groups = sorted([joined, *(group for group in groups if group not in pairs[first])])
    return groups


def partitions(values: list[int]) -> Iterator[list[list[int]]]:
    """Every way of putting values into groups."""
    if not values:
        yield []
        return
    for rest in partitions(values[1:]):
        yield [[values[0]], *rest]
        for i, group in enumerate(rest):
            yield [*rest[:i], [values[0], *group], *rest[i + 1 :]]


def ways(n_values: int, n_groups: int, is_ordered: bool, missing: int | None) -> int:
    """Kass's multiplier, by counting every partition that merging could have led to."""
    count = 0
    for partition in partitions(list(range(n_values))):
        known = [sorted(set(group) - {missing}) for group in partition]
        runs = [group == list(range(group[0], group[0] + len(group))) for group in known if group]
        count += len(partition) == n_groups and (all(runs) or not is_ordered)
    return count
