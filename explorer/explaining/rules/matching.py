"""Which rows fulfil which rules: wholly, in part, or not at all (DEFINITIONS section 13).

A row fulfils a step (node, branch) if the node routes it to that branch. Where its value is missing or unseen and the
node sends such rows to all branches as fractional instances, it fulfils the step in part: by the branch's share.
"""

from __future__ import annotations

from collections.abc import Sequence

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
        self._rules = branching_rules(tree)
        self._branches: dict[int, NDArray[np.int64]] = {}

    def branches(self, node: int) -> NDArray[np.int64]:
        """The branch of every row at a node, [n]; STAY or SPREAD where it has none."""
        if node not in self._branches:
            self._branches[node] = _branches(self._rules[node], self._plan, self.n_rows)
        return self._branches[node]

    def fulfilled(self, step: Step) -> NDArray[np.float64]:
        """The part of every row that fulfils a step, [n]: 1, 0 or a share."""
        node, branch = step
        branches = self.branches(node)
        share = self._rules[node].shares[branch] if branch >= 0 else 0.0
        return np.where(branches == branch, 1.0, np.where(branches == SPREAD, share, 0.0))

    def spread(self, steps: Sequence[Step]) -> NDArray[np.bool_]:
        """Which rows fulfil one of the steps only in part, [n]."""
        is_spread = np.zeros(self.n_rows, dtype=bool)
        for node, _ in steps:
            is_spread |= self.branches(node) == SPREAD
        return is_spread

    def fit(self, steps: Sequence[Step]) -> NDArray[np.float64]:
        """The part of every row that fulfils all of the steps, [n]."""
        part = np.ones(self.n_rows)
        for step in steps:
            part *= self.fulfilled(step)
        return part


def _branches(rule: BranchingRule, plan: Plan, n_rows: int) -> NDArray[np.int64]:
    branch, is_missing = _branches_by_value(rule.test, plan)
    branch[~is_missing & (branch == UNKNOWN)] = rule.unseen
    if is_missing.any():
        for surrogate in rule.surrogates:
            undecided = is_missing & (branch == UNKNOWN)
            branch[undecided] = _branches_by_value(surrogate, plan)[0][undecided]
    branch[branch == UNKNOWN] = rule.missing
    return branch


def _branches_by_value(test: BranchTest, plan: Plan) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The branch of every row by its value, UNKNOWN without one; and which rows have a missing value."""
    slot = int(plan.slot[test.feature])
    if test.cut is not None:
        numbers = plan.numbers[:, slot]
        is_missing = np.isnan(numbers)
        branch = np.where(numbers <= test.cut, *test.sides)
        return np.where(is_missing, UNKNOWN, branch).astype(np.int64), is_missing
    codes = plan.codes[:, -slot - 1]
    branch = np.full(codes.size, UNKNOWN, dtype=np.int64)
    for code, its_branch in test.branch_of.items():
        branch[codes == code] = its_branch
    return branch, codes == MISSING
