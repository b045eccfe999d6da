"""The rule of a node: all tests from the root down to it, with the tests on a feature merged into a term."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce

from explorer.data.codes.scale import NUMBERS, Scale
from explorer.formatting import quoted_text, set_text, shortened
from explorer.messages import message
from explorer.recipe.condition import Condition, intervals_text, limit_text
from explorer.tree.tree import Tree
from explorer.values import Value


@dataclass(frozen=True)
class Term:
    """The condition of a rule on one feature: low < x ≤ high, one of `values`, none of `excluded`; None: no condition.

    Among categories None is the missing value; where a threshold has a branch for it, it is all of `values`.

    >>> Term("age", low=3.0, high=5.0).words
    '3 < age ≤ 5'
    >>> Term("colour", excluded=("red", "blue")).words
    'colour ∉ {red, blue}'
    >>> Term("age", values=("10 < … ≤ 20",), is_interval=True).words
    '10 < age ≤ 20'
    >>> from explorer.data.codes.scale import Ordered
    >>> Term("size", low=1.5, high=2.5, scale=Ordered(["small", "medium", "large"])).words
    'size = medium'
    """

    feature: str
    low: float | None = None
    high: float | None = None
    values: tuple[Value | None, ...] | None = None
    excluded: tuple[Value | None, ...] = ()
    is_interval: bool = False
    """Whether the values are intervals, whose texts are complete."""
    is_strict: bool = False
    """Whether the limits are those of tests x < t (see `Condition`): low ≤ x < high."""
    scale: Scale = NUMBERS
    """What the limits stand for (see `Condition`)."""

    @property
    def words(self) -> str:
        """The term as text."""
        if self.values is not None:
            return self._words_of_values(self.values)
        if self.excluded and self.low is None and self.high is None:
            if self.excluded == (None,):
                return message("{feature} is known", feature=self.feature)
            return f"{self.feature} {_listed('≠', '∉', self.excluded)}"
        limits = (self.low, self.high)
        if self.low is not None and self.high is not None and not self.is_strict:
            level = self.scale.only_level(self.low, self.high)
            if level:
                return f"{self.feature} = {level}"
        low, high = (None if one is None else limit_text(one, self.is_strict, self.scale) for one in limits)
        below, up_to, above = ("≤", "<", "≥") if self.is_strict else ("<", "≤", ">")
        if low is not None and high is not None:
            return f"{low} {below} {self.feature} {up_to} {high}"
        if low is not None:
            return f"{self.feature} {above} {low}"
        return self.feature if high is None else f"{self.feature} {up_to} {high}"

    def _words_of_values(self, values: tuple[Value | None, ...]) -> str:
        if values == (None,):
            return message("{feature} is missing", feature=self.feature)
        if self.is_interval:
            return intervals_text(values, self.feature)
        return f"{self.feature} {_listed('=', '∈', values)}"

    def cut(self, longest: int, most_values: int | None) -> Term:
        """The term with a name of so many letters, and the first of its categories."""
        values, excluded = self.values, self.excluded[:most_values]
        if values is not None and not self.is_interval:
            values = values[:most_values]
        return replace(self, feature=shortened(self.feature, longest), values=values, excluded=excluded)

    def narrowed(self, condition: Condition, branch: int) -> Term:
        """The term after another test on its feature, with this branch."""
        if condition.threshold is not None:
            if condition.is_missing(branch):
                return replace(self, values=(None,))
            if condition.tests_missing:
                return replace(self, excluded=(None,))
            term = replace(self, is_strict=condition.is_strict, scale=condition.scale)
            return term._bounded(condition.threshold, branch)
        group = condition.branches[branch]
        if condition.kind == "one_vs_rest" and len(group) != 1:
            others = [value for i, other in enumerate(condition.branches) if i != branch for value in other]
            return replace(self, excluded=tuple(dict.fromkeys((*self.excluded, *others))))
        values = group if self.values is None else _common(self.values, set(group))
        return replace(self, values=values, is_interval=condition.has_intervals)

    def _bounded(self, threshold: float, branch: int) -> Term:
        if branch == 0:
            return replace(self, high=threshold if self.high is None else min(self.high, threshold))
        return replace(self, low=threshold if self.low is None else max(self.low, threshold))


def _common(values: tuple[Value | None, ...], others: set[Value | None]) -> tuple[Value | None, ...]:
    return tuple(value for value in values if value in others)


def _listed(single: str, several: str, values: Iterable[Value | None]) -> str:
    """Values after the sign: a single one, or a set."""
    listed = list(values)
    return f"{single} {quoted_text(listed[0])}" if len(listed) == 1 else f"{several} {set_text(listed)}"


def conjunction(conditions: Iterable[str]) -> str:
    """The conditions in one line; empty without any.

    >>> conjunction(["a", "b", "c"])
    'a and b and c'
    """
    joined = list(conditions)
    return reduce(lambda first, last: message("{first} and {last}", first=first, last=last), joined) if joined else ""


def rule_terms(tree: Tree, node: int) -> list[Term]:
    """The conditions of a node: one term per feature, in the order of the decision path."""
    return terms_of(tree, tree.path_to(node))


def terms_of(tree: Tree, steps: Iterable[tuple[int, int]]) -> list[Term]:
    """The conditions of these branches, (node, branch) each: one term per feature, in their order."""
    terms: dict[str, Term] = {}
    for node, branch in steps:
        terms = _with_test(tree, terms, node, branch)
    return list(terms.values())


def every_rule(tree: Tree) -> Iterator[tuple[int, tuple[Term, ...]]]:
    """Every kept node in preorder with its conditions; each test narrows the terms of the node above it.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> [(node, [term.words for term in terms]) for node, terms in every_rule(tree)][2]
    (4, ['Outlook = Sunny', 'Humidity = High'])
    """
    terms_at: list[dict[str, Term]] = [{}]
    for node in tree.preorder():
        above = int(tree.parent[node])
        if above >= 0:
            del terms_at[int(tree.depth[node]) :]
            terms_at.append(_with_test(tree, terms_at[-1], above, node - int(tree.first_child[above])))
        yield node, tuple(terms_at[-1].values())


def _with_test(tree: Tree, terms: dict[str, Term], node: int, branch: int) -> dict[str, Term]:
    condition = tree.condition(node)
    assert condition is not None, "a node on a path has a test"
    term = terms.get(condition.feature, Term(condition.feature))
    return {**terms, condition.feature: term.narrowed(condition, branch)}


def rule_words(tree: Tree, node: int) -> str:
    """The rule of a node in one line; "all rows" at the root.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> rule_words(tree, 5), rule_words(tree, 0)
    ('Outlook = Sunny and Humidity = Normal', 'all rows')
    """
    return words_of(rule_terms(tree, node))


def words_of(terms: Iterable[Term]) -> str:
    """The terms in one line; "all rows" without any."""
    return conjunction(term.words for term in terms) or message("all rows")


def path_words(tree: Tree, node: int) -> list[str]:
    """The outcome of every test on the decision path of a node, in order; nothing is merged.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> path_words(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3), 5)
    ['Outlook = Sunny', 'Humidity = Normal']
    """
    tests = [(tree.condition(ancestor), branch) for ancestor, branch in tree.path_to(node)]
    return [condition.word(branch) for condition, branch in tests if condition is not None]


def reached_by(tree: Tree, node: int) -> str:
    """The last test before a node and its outcome; "all rows" at the root."""
    parent = int(tree.parent[node])
    condition = tree.condition(parent) if parent >= 0 else None
    return message("all rows") if condition is None else condition.word(node - int(tree.first_child[parent]))
