"""Which rows fulfil which rules: wholly, in part, or not at all (DEFINITIONS section 13).

A row fulfils a step (node, branch) if the node routes it to that branch. Where its value is missing or unseen and the
node sends such rows to all branches as fractional instances, it fulfils the step in part: by the branch's share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.tree.branching import SPREAD, BranchingRule, BranchTest, branching_rules
from explorer.tree.routing import MISSING, Plan, plan_for
from explorer.tree.tree import Tree

Step = tuple[int, int]
"""A node and the branch taken there; STAY for a value that has no branch."""
UNKNOWN = -9
"""Stands for a branch that is not determined yet."""


class Rows:
    """Rows and their branches at every node of a tree; computed when a node is first needed."""

    def __init__(self, tree: Tree, rows: pd.DataFrame | Dataset) -> None:
        frame, self._plan = plan_for(tree, rows)
        self.n_rows = len(frame)
        self._rules = branching_rules(tree, by_level=False)
        self._at_node: dict[int, _RowsAtNode] = {}

    def fulfilling(self, steps: Sequence[Step]) -> Match:
        """The rows that fulfil all of the steps, ascending."""
        if not steps:
            return Match(np.arange(self.n_rows), np.ones(self.n_rows), np.zeros(self.n_rows, dtype=bool))
        first, *others = sorted(steps, key=lambda step: self._rows_at(step[0]).size_of(step[1]))
        match = self._rows_at(first[0]).match(first[1], self._share(first))
        for node, branch in others:
            match = match.narrowed(self._rows_at(node).branches[match.rows], branch, self._share((node, branch)))
        return match

    def matches(self, steps_of_rules: Sequence[Sequence[Step]]) -> Iterator[tuple[int, Match]]:
        """The rows that fulfil each rule, by its index; rules that no row fulfils are left out.

        Rules that begin with the same tests share the rows that fulfil these, and rows are divided among all branches
        of a node at once: the work grows with the rows and the depth, not with rows times rules.
        """
        waiting = [(self.fulfilling(()), list(range(len(steps_of_rules))), 0)]
        while waiting:
            match, indices, position = waiting.pop()
            by_node: dict[int, dict[int, list[int]]] = {}
            for index in indices:
                if len(steps_of_rules[index]) == position:
                    yield index, match
                else:
                    node, branch = steps_of_rules[index][position]
                    by_node.setdefault(node, {}).setdefault(branch, []).append(index)
            for node, by_branch in by_node.items():
                at_node = _RowsAtNode(_branches(self._rules[node], self._plan, match.rows))
                for branch, some in by_branch.items():
                    taken = at_node.match(branch, self._share((node, branch)))
                    if taken.rows.size:
                        waiting.append((match.followed_by(taken), some, position + 1))

    def _rows_at(self, node: int) -> _RowsAtNode:
        if node not in self._at_node:
            self._at_node[node] = _RowsAtNode(_branches(self._rules[node], self._plan, slice(None)))
        return self._at_node[node]

    def _share(self, step: Step) -> float:
        """The part of a row that follows a branch where the row is divided."""
        node, branch = step
        return self._rules[node].shares[branch] if branch >= 0 else 0.0


@dataclass(frozen=True, eq=False)
class Match:
    """Positions of rows [m], the part of each that fulfils something, 0 to 1, and whether the row was divided."""

    rows: NDArray[np.intp]
    parts: NDArray[np.float64]
    divided: NDArray[np.bool_]

    def narrowed(self, branches: NDArray[np.int32], branch: int, share: float) -> Match:
        """The rows that also take a branch of a node, from the branch of each row there, [m]."""
        is_spread = (branches == SPREAD) & (share > 0)
        kept = np.flatnonzero((branches == branch) | is_spread)
        parts = np.where(is_spread[kept], self.parts[kept] * share, self.parts[kept])
        return Match(self.rows[kept], parts, self.divided[kept] | is_spread[kept])

    def followed_by(self, taken: Match) -> Match:
        """The rows that also fulfil `taken`, whose rows are positions in this match."""
        kept = taken.rows
        return Match(self.rows[kept], self.parts[kept] * taken.parts, self.divided[kept] | taken.divided)


class _RowsAtNode:
    """Some rows divided among the branches of a node."""

    def __init__(self, branches: NDArray[np.int32]) -> None:
        self.branches = branches
        self._order = np.argsort(branches, kind="stable")
        taken, starts = np.unique(branches[self._order], return_index=True)
        ends = [*starts[1:].tolist(), branches.size]
        self._bounds = dict(zip(taken.tolist(), zip(starts.tolist(), ends, strict=True), strict=True))

    def size_of(self, branch: int) -> int:
        """How many rows take a branch as a whole."""
        start, end = self._bounds.get(branch, (0, 0))
        return end - start

    def match(self, branch: int, share: float) -> Match:
        """The rows that take a branch: as a whole, or by this share."""
        whole = self._taking(branch)
        spread = self._taking(SPREAD) if share > 0 else whole[:0]
        if not spread.size:
            return Match(whole, np.ones(whole.size), np.zeros(whole.size, dtype=bool))
        rows = np.concatenate([whole, spread])
        divided = np.arange(rows.size) >= whole.size
        order = np.argsort(rows, kind="stable")
        return Match(rows[order], np.where(divided, share, 1.0)[order], divided[order])

    def _taking(self, branch: int) -> NDArray[np.intp]:
        start, end = self._bounds.get(branch, (0, 0))
        return self._order[start:end]


def _branches(rule: BranchingRule, plan: Plan, rows: NDArray[np.intp] | slice) -> NDArray[np.int32]:
    """The branch of some rows at a node, [m]; STAY or SPREAD where they have none."""
    branch, is_missing = _branches_by_value(rule.test, plan, rows)
    branch[~is_missing & (branch == UNKNOWN)] = rule.unseen
    if is_missing.any():
        for surrogate in rule.surrogates:
            undecided = is_missing & (branch == UNKNOWN)
            branch[undecided] = _branches_by_value(surrogate, plan, rows)[0][undecided]
    branch[branch == UNKNOWN] = rule.missing
    return branch


def _branches_by_value(
    test: BranchTest, plan: Plan, rows: NDArray[np.intp] | slice
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The branch of some rows by their value, UNKNOWN without one; and which rows have a missing value."""
    slot = int(plan.slot[test.feature])
    if test.cut is not None:
        numbers = plan.numbers[rows, slot]
        is_missing = np.isnan(numbers)
        branch = np.where(numbers <= test.cut, *test.sides)
        return np.where(np.isfinite(numbers), branch, UNKNOWN).astype(np.int32), is_missing  # inf: an unknown level
    codes = plan.codes[rows, -slot - 1]
    known = np.fromiter(test.branch_of, dtype=np.int64, count=len(test.branch_of))
    branch_of_code = np.full(max(int(codes.max(initial=0)), int(known.max(initial=0))) + 1, UNKNOWN, dtype=np.int32)
    branch_of_code[known] = list(test.branch_of.values())
    return np.where(codes >= 0, branch_of_code[np.maximum(codes, 0)], UNKNOWN).astype(np.int32), codes == MISSING
