"""A tree as lines that formulas follow: each is a test or an end, and names the line where a row goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import numpy as np

from explorer.data.codes.scale import Dates
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.tree.branching import SPREAD, STAY, BranchingRule, BranchTest, branching_rules
from explorer.tree.tree import Tree

FARTHEST = 9e307
"""The largest number that a cell may hold, about."""
_FIRST_DAY = date(1899, 12, 30)


@dataclass(frozen=True)
class ReadColumn:
    """A column that tests read: as a number, less `first_day`; or as the place of its value in `labels`, from 1 on.

    Numbers with `edges` are read as the bin that they are in, from 1 on.
    """

    encoding: FeatureEncoding

    @property
    def edges(self) -> tuple[float, ...]:
        """The upper ends of all bins but the last."""
        return self.encoding.edges if self.encoding.test == "bins" else ()

    @property
    def is_listed(self) -> bool:
        """Whether values are looked up in `labels`."""
        return self.encoding.test not in ("threshold", "bins")

    @property
    def is_number(self) -> bool:
        """Whether a cell that is neither a number nor missing is an error."""
        return self.encoding.kind == "numeric"

    @property
    def first_day(self) -> int:
        """The number that a workbook has for the day from which the column counts; 0 without dates."""
        scale = self.encoding.scale
        return (date.fromisoformat(scale.since) - _FIRST_DAY).days if isinstance(scale, Dates) else 0

    def labels(self) -> Iterator[tuple[int, str | None, float | None]]:
        """Place, text and number of every value."""
        for code, label in enumerate(self.encoding.labels):
            if label is None:
                continue
            text = None if self.is_number else str(label)
            yield code + 1, text, _number_of(str(label))


def _number_of(text: str) -> float | None:
    """The number that is written so as a category; None where it is a text."""
    try:
        number = float(text)
    except ValueError:
        return None
    if not abs(number) < FARTHEST:
        return None
    return number if text in (repr(number), str(int(number)) if number.is_integer() else "") else None


@dataclass
class Line:
    """A test, or an end without a column. Where a row goes on is a place in the list, from 0 on."""

    node: int
    words: str
    """How a row comes here."""
    column: int = -1
    threshold: float | None = None
    low: int = 0
    high: int = 0
    missing: int = 0
    unseen: int = 0
    offset: int = 0
    """Where the line's part of `FollowedLines.branches` begins."""


@dataclass
class FollowedLines:
    """All lines, the root first and "several branches" last; and the lines after each value, for the tests on values.

    A surrogate split is a line of its own, to which rows without a value go on.
    """

    tree: Tree
    columns: list[ReadColumn] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    branches: list[int] = field(default_factory=list)

    @cached_property
    def steps(self) -> int:
        """The tests on the longest path."""
        longest = np.zeros(len(self.lines), dtype=np.int64)
        waiting = [0]
        while waiting:
            at = waiting.pop()
            for to in self.after(at):
                if longest[at] + 1 > longest[to]:
                    longest[to] = longest[at] + 1
                    waiting.append(to)
        return int(longest.max())

    def after(self, at: int) -> set[int]:
        """The other lines where rows go on from a line."""
        line = self.lines[at]
        if line.column < 0:
            return set()
        known = {line.low, line.high} if line.threshold is not None else set(self._listed(line))
        return {*known, line.missing, line.unseen}

    def _listed(self, line: Line) -> list[int]:
        return self.branches[line.offset : line.offset + _size_of(self.columns[line.column])]


def _size_of(column: ReadColumn) -> int:
    return len(column.edges) + 1 if column.encoding.test == "bins" else len(column.encoding.labels)


def followed_lines(tree: Tree) -> FollowedLines:
    """The lines of a (pruned) tree."""
    rules = branching_rules(tree)
    made, at = FollowedLines(tree), dict[int, int]()
    column_of: dict[int, int] = {}
    for rule in rules.values():
        for test in (rule.test, *rule.surrogates):
            if test.feature not in column_of:
                column_of[test.feature] = len(made.columns)
                made.columns.append(ReadColumn(test.encoding))
    order, size = list(tree.preorder()), 0
    for node in order:
        at[node] = size
        size += 1 + (len(rules[node].surrogates) if node in rules else 0)
    ends = [node for node in order if node in rules and STAY in rules[node].branches_for_unknown]
    stops = {node: size + number for number, node in enumerate(ends)}
    for node in order:
        made.lines.append(Line(node, _words(tree, node)))
        if node in rules:
            rest = {STAY: stops.get(node, -1), SPREAD: size + len(ends)}
            _add(made, rules[node], [at[child] for child in rules[node].children], rest, column_of)
    made.lines += [Line(node, message("stopped above the leaves")) for node in ends]
    made.lines.append(Line(-1, message("several branches")))
    return made


def _words(tree: Tree, node: int) -> str:
    parent = int(tree.parent[node])
    condition = tree.condition(parent) if parent >= 0 else None
    if condition is None:
        return message("all rows")
    return condition.word(node - tree.children_of(parent).start)


def _add(
    made: FollowedLines, rule: BranchingRule, children: list[int], rest: dict[int, int], column_of: dict[int, int]
) -> None:
    """A node's test, and its surrogate splits behind it; `rest` is where rows go on that have no branch."""
    missing, unseen = (rest[to] if to in rest else children[to] for to in (rule.missing, rule.unseen))
    first, surrogates = len(made.lines) - 1, len(rule.surrogates)
    for number, test in enumerate((rule.test, *rule.surrogates)):
        if number:
            made.lines.append(Line(rule.node, message("surrogate split on {column}", column=test.encoding.name)))
        line = made.lines[-1]
        line.column = column_of[test.feature]
        line.missing = first + number + 1 if number < surrogates else missing
        line.unseen = line.missing if number else unseen
        _fill(made, line, test, children)


def _fill(made: FollowedLines, line: Line, test: BranchTest, children: list[int]) -> None:
    """Where rows with a value go on."""
    if test.cut is not None:
        line.threshold = float(np.clip(test.cut, -FARTHEST, FARTHEST))
        line.low, line.high = (children[side] for side in test.sides)
        return
    line.offset = len(made.branches)
    to = {code: children[branch] for code, branch in test.branch_of.items()}
    made.branches += [to.get(code, line.unseen) for code in range(_size_of(made.columns[line.column]))]
