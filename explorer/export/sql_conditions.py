"""The conditions under which a row takes the branches of a tree, in SQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from explorer.export.sql_dialects import Dialect, any_of, literal
from explorer.tree.branching import SPREAD, BranchingRule, BranchTest
from explorer.values import Value

Step = tuple[BranchingRule, int]
"""A node and the branch taken there; STAY for a value that has no branch."""


@dataclass(frozen=True)
class Conditions:
    """Writes conditions in one dialect."""

    dialect: Dialect

    def fulfils(self, steps: Sequence[Step]) -> str:
        """The condition that a row as a whole takes all of these branches; empty without any.

        Steps that only bound a feature, or only select among its categories, become one condition.
        """
        groups: dict[object, list[Step]] = {}
        for rule, branch in steps:
            groups.setdefault(_kind_of(rule, branch), []).append((rule, branch))
        return " AND ".join(
            self._taking(*group[0]) if len(group) == 1 else self._merged(group) for group in groups.values()
        )

    def part(self, step: Step) -> str:
        """The weight of a row that follows a branch, 0 to 1."""
        rule, branch = step
        lines = f"WHEN {self._taking(rule, branch)} THEN 1e0"
        spread = [self._by_no_value(rule.test)] if rule.unseen == SPREAD else []
        spread += [self._missing(rule.test)] if rule.missing == SPREAD else []
        if any(spread) and branch >= 0:
            lines += f" WHEN {any_of(spread)} THEN {literal(rule.shares[branch])}"
        return f"(CASE {lines} ELSE 0e0 END)"

    def _merged(self, group: Sequence[Step]) -> str:
        """Several steps of one kind as one condition."""
        return self._common_values(group) if group[0][0].test.cut is None else self._interval(group)

    def _common_values(self, group: Sequence[Step]) -> str:
        """The values of one feature that take all of these branches."""
        listed = [rule.test.codes_of.get(branch, []) for rule, branch in group if branch != rule.unseen]
        excluded = dict.fromkeys(
            code
            for rule, branch in group
            if branch == rule.unseen
            for code, to in rule.test.branch_of.items()
            if to != branch
        )
        test = group[0][0].test
        if listed:
            common = set(listed[-1]).intersection(*listed).difference(excluded)
            choices = [self._values(test, [code for code in listed[-1] if code in common])]
        else:
            choices = [self._other_values(test, excluded)]
        choices += [self._missing(test)] if all(rule.missing == branch for rule, branch in group) else []
        return any_of(choices)

    def _interval(self, group: Sequence[Step]) -> str:
        """Several thresholds of one feature as one interval."""
        cuts = [[rule.test.cut for rule, branch in group if branch == side] for side in (0, 1)]
        up_to, above = ([cut for cut in side if cut is not None] for side in cuts)
        rule, branch = group[0]
        interval = self.dialect.between(
            rule.test.encoding.name, max(above) if above else None, min(up_to) if up_to else None
        )
        return any_of([interval, self._missing(rule.test)]) if rule.missing == branch else interval

    def _taking(self, rule: BranchingRule, branch: int) -> str:
        """The condition that a row as a whole follows a branch; for STAY, that it stops."""
        choices = [self._by_value(rule.test, branch)] if branch >= 0 else []
        choices += [self._by_no_value(rule.test)] if branch == rule.unseen else []
        return any_of([*choices, self._without_value(rule, branch)])

    def _without_value(self, rule: BranchingRule, branch: int) -> str:
        """The condition that a row without a value follows a branch, by surrogates or by default; empty for never."""
        absent = self._missing(rule.test)
        if not rule.surrogates:
            return absent if rule.missing == branch else ""
        reached = [
            (surrogate, to)
            for surrogate in rule.surrogates
            for to in sorted({*surrogate.sides} if surrogate.cut is not None else {*surrogate.branch_of.values()})
        ]
        if branch not in {rule.missing, *(to for _, to in reached)}:
            return ""
        choices = " ".join(f"WHEN {self._by_value(surrogate, to)} THEN {to}" for surrogate, to in reached)
        return f"({absent} AND CASE {choices} ELSE {rule.missing} END = {branch})"

    def _missing(self, test: BranchTest) -> str:
        """The condition that a row has no value."""
        name, labels = test.encoding.name, test.encoding.labels
        if test.encoding.kind == "numeric":
            return self.dialect.missing_number(name)
        return self.dialect.missing_text(name, labels)

    def _by_value(self, test: BranchTest, branch: int) -> str:
        """The condition that a value has this branch; empty where none has."""
        if test.cut is None:
            return self._values(test, test.codes_of.get(branch, []))
        below, above = (side == branch for side in test.sides)
        if not below and not above:
            return ""
        return self.dialect.between(test.encoding.name, None if below else test.cut, None if above else test.cut)

    def _by_no_value(self, test: BranchTest) -> str:
        """The condition that there is a value, but none that has a branch; empty where all have."""
        if test.cut is not None:
            return ""
        if test.encoding.test == "bins":
            return self._values(test, [b for b in range(len(test.encoding.edges) + 1) if b not in test.branch_of])
        return self._other_values(test, test.branch_of)

    def _values(self, test: BranchTest, codes: Sequence[int]) -> str:
        """The condition that a value has one of these codes; empty without codes."""
        name, encoding = test.encoding.name, test.encoding
        if encoding.test == "bins":
            bounds = list(pairwise([None, *encoding.edges, None]))
            return any_of([self.dialect.between(name, *bounds[code]) for code in codes]) if codes else ""
        labels = _labels(test, codes)
        if encoding.kind == "numeric":
            return self.dialect.among_numbers(name, [float(label) for label in labels])
        return self.dialect.among_texts(name, labels)

    def _other_values(self, test: BranchTest, codes: Iterable[int]) -> str:
        """The condition that there is a value with none of these codes."""
        name, labels = test.encoding.name, _labels(test, codes)
        if test.encoding.kind == "numeric":
            return self.dialect.among_numbers(name, [float(label) for label in labels], without=True)
        return self.dialect.other_text(name, labels, test.encoding.labels)


def _kind_of(rule: BranchingRule, branch: int) -> object:
    """Steps of the same kind can be merged: thresholds with the same branch for missing cells, or lists of values."""
    if rule.surrogates or rule.test.encoding.test == "bins":
        return "node", rule.node
    if rule.test.cut is None:
        return "values", rule.test.feature
    return ("interval", rule.test.feature, rule.missing == branch) if branch in (0, 1) else ("node", rule.node)


def _labels(test: BranchTest, codes: Iterable[int]) -> list[Value]:
    labels = [test.encoding.labels[code] for code in codes]
    return [label for label in labels if label is not None]
