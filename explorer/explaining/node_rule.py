"""The rule of a node: all tests from the root down to it, with those on one feature merged into one term."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from explorer.data.values import Value
from explorer.formatting import number_text, value_text
from explorer.recipe.condition import MISSING_WORD, Condition
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class Term:
    """What a rule asks of one feature: low < x ≤ high, one of `values`, or none of `excluded`; None asks nothing.

    Among categories None is the missing value; where a threshold has a branch for it, it is all of `values`.

    >>> Term("age", low=3.0, high=5.0).words
    '3 < age ≤ 5'
    >>> Term("colour", excluded=("red", "blue")).words
    'colour ∉ {red, blue}'
    """

    feature: str
    low: float | None = None
    high: float | None = None
    values: tuple[Value | None, ...] | None = None
    excluded: tuple[Value | None, ...] = ()
    is_interval: bool = False
    """Whether the value is a bin, which words itself."""

    @property
    def words(self) -> str:
        """The term as a reader says it."""
        if self.values is not None:
            return self._words_of_values(self.values)
        if self.excluded:
            known = self.excluded == (None,)
            return f"{self.feature} " + ("is known" if known else _listed("≠", "∉", self.excluded))
        if self.low is not None and self.high is not None:
            return f"{number_text(self.low)} < {self.feature} ≤ {number_text(self.high)}"
        if self.low is not None:
            return f"{self.feature} > {number_text(self.low)}"
        return self.feature if self.high is None else f"{self.feature} ≤ {number_text(self.high)}"

    def _words_of_values(self, values: tuple[Value | None, ...]) -> str:
        if values == (None,):
            return f"{self.feature} {MISSING_WORD}"
        return f"{self.feature} {values[0]}" if self.is_interval else f"{self.feature} {_listed('=', '∈', values)}"

    def narrowed(self, condition: Condition, branch: int) -> Term:
        """The term after one more test on its feature, of which this branch was taken."""
        if condition.threshold is not None:
            if branch == 2:
                return replace(self, values=(None,))
            return self._cut(condition.threshold, branch)
        group = condition.branches[branch]
        if condition.kind == "one_vs_rest" and len(group) != 1:
            others = [value for i, one in enumerate(condition.branches) if i != branch for value in one]
            return replace(self, excluded=tuple(dict.fromkeys((*self.excluded, *others))))
        kept = group if self.values is None else tuple(value for value in self.values if value in group)
        return replace(self, values=kept, is_interval=condition.kind == "bins")

    def _cut(self, threshold: float, branch: int) -> Term:
        if branch == 0:
            return replace(self, high=threshold if self.high is None else min(self.high, threshold))
        return replace(self, low=threshold if self.low is None else max(self.low, threshold))


def _listed(one: str, several: str, values: Iterable[Value | None]) -> str:
    """Values behind the sign for a single one, or as a set."""
    names = [value_text(value) for value in values]
    return f"{one} {names[0]}" if len(names) == 1 else several + " {" + ", ".join(names) + "}"


def rule_terms(tree: Tree, node: int) -> list[Term]:
    """What a row must fulfil to come to a node: one term per feature, by its first place on the path."""
    return terms_of(tree, tree.path_to(node))


def terms_of(tree: Tree, steps: Iterable[tuple[int, int]]) -> list[Term]:
    """What a row must fulfil to take these branches, (node, branch) each: one term per feature, by its first place."""
    terms: dict[str, Term] = {}
    for step, branch in steps:
        condition = tree.condition(step)
        assert condition is not None, "a node on a path has a test"
        term = terms.get(condition.feature, Term(condition.feature))
        terms[condition.feature] = term.narrowed(condition, branch)
    return list(terms.values())


def rule_words(tree: Tree, node: int) -> str:
    """The rule of a node in one line; "all rows" at the root.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> rule_words(tree, 5), rule_words(tree, 0)
    ('Outlook = Sunny and Humidity = Normal', 'all rows')
    """
    return " and ".join(term.words for term in rule_terms(tree, node)) or "all rows"


def path_words(tree: Tree, node: int) -> list[str]:
    """The outcome of every test on the way from the root to a node, in that order; nothing is merged.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> path_words(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3), 5)
    ['Outlook = Sunny', 'Humidity = Normal']
    """
    tests = [(tree.condition(step), branch) for step, branch in tree.path_to(node)]
    return [condition.word(branch) for condition, branch in tests if condition is not None]


def reached_by(tree: Tree, node: int) -> str:
    """The last test before a node and its outcome; "all rows" at the root."""
    above = int(tree.parent[node])
    condition = tree.condition(above) if above >= 0 else None
    return "all rows" if condition is None else condition.word(node - int(tree.first_child[above]))
