"""Rules that can never decide: a row that fulfils one, even in part, fulfils an earlier rule wholly (section 13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf

from explorer.explaining.rules.rule import Rule
from explorer.tree.branching import SPREAD, BranchingRule, branching_rules
from explorer.tree.tree import Tree

_MISSING, _OTHER = -1, -2
"""Stand among the codes of a feature for a missing value, and for one that is none of its labels."""


def split_off_idle(tree: Tree, listed: Sequence[Rule]) -> tuple[tuple[Rule, ...], tuple[tuple[Rule, Rule], ...]]:
    """The rules that some row may take first, and each of the others with the earlier rule that has all of its rows.

    Sufficient, not necessary: a rule whose rows are divided among several earlier ones stays.

    >>> from explorer import ID3, Dataset, grow, load_sample, rules
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> kept, idle = split_off_idle(tree, [rules(tree.with_pruned([0])).default, *rules(tree)])
    >>> len(kept), [(rule.words, earlier.words) for rule, earlier in idle][:1]
    (1, [('Outlook = Sunny and Humidity = High', 'all rows')])
    """
    branching = branching_rules(tree, by_level=False)
    values_at = cache(lambda node: _values_of_branches(branching[node]))
    kept: dict[_Shape, dict[tuple[int, ...], list[tuple[Rule, dict[int, _Values]]]]] = {}
    in_order, idle = list[Rule](), list[tuple[Rule, Rule]]()
    for rule in listed:
        values = _values_by_feature(
            (branching[node].test.feature, values_at(node)(branch)) for node, branch in rule.steps
        )
        wider = (
            each
            for (tested, single), rules_of in kept.items()
            if tested <= values.keys() and all(len(values[f].may) == 1 for f in single)
            for each in rules_of.get(tuple(min(values[f].may) for f in single), ())
        )
        earlier = next((other for other, surely in wider if all(values[f].within(surely[f]) for f in surely)), None)
        if earlier is not None:
            idle.append((rule, earlier))
            continue
        in_order.append(rule)
        single = tuple(f for f in sorted(values) if len(values[f].surely) == 1 and min(values[f].surely) >= 0)
        only = tuple(min(values[f].surely) for f in single)
        kept.setdefault((frozenset(values), single), {}).setdefault(only, []).append((rule, values))
    return tuple(in_order), tuple(idle)


_Shape = tuple[frozenset[int], tuple[int, ...]]
"""The features that a rule tests, and those of which only one label surely fulfils it: rules are found by these."""


@dataclass(frozen=True)
class _Values:
    """The values of a feature with which a row may fulfil some tests, and those with which it surely does so wholly.

    Of thresholds the numbers are low < x ≤ high; codes are those of labels, and of missing and other values.
    """

    low: float
    high: float
    may: frozenset[int]
    surely: frozenset[int]

    def and_then(self, other: _Values) -> _Values:
        """Those with which a row fulfils the tests of both."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return _Values(low, high, self.may & other.may, self.surely & other.surely)

    def within(self, wider: _Values) -> bool:
        """Whether a row that may fulfil these tests surely fulfils the wider ones."""
        return wider.low <= self.low and self.high <= wider.high and self.may <= wider.surely


def _values_by_feature(tests: Iterable[tuple[int, _Values]]) -> dict[int, _Values]:
    by_feature: dict[int, _Values] = {}
    for feature, values in tests:
        by_feature[feature] = by_feature[feature].and_then(values) if feature in by_feature else values
    return by_feature


def _values_of_branches(rule: BranchingRule) -> Callable[[int], _Values]:
    """The values that a node sends to each of its branches, as `matching` routes them."""
    test = rule.test
    codes: dict[int, set[int]] = {}
    codes.setdefault(rule.missing, set()).add(_MISSING)
    codes.setdefault(rule.unseen, set()).add(_OTHER)
    if test.cut is None:
        for code in range(len(test.encoding.labels)):
            codes.setdefault(test.branch_of.get(code, rule.unseen), set()).add(code)

    def values_of(branch: int) -> _Values:
        surely = frozenset(codes.get(branch, ()))
        may = surely | codes.get(SPREAD, frozenset())
        if rule.surrogates:  # they may send a row without a value to any branch
            may, surely = may | {_MISSING}, surely - {_MISSING}
        low, high = -inf, inf
        if test.cut is not None:  # a third branch is for missing values alone
            limits = {test.sides[0]: (-inf, test.cut), test.sides[1]: (test.cut, inf)}
            low, high = limits.get(branch, (inf, -inf))
        return _Values(low, high, may, surely)

    return cache(values_of)
