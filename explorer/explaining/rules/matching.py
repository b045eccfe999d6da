"""How far rows fulfil rules: wholly, in part, or not at all (DEFINITIONS section 13).

A row fulfils a step (node, branch) where the node sends it down that branch. Where its value is missing or was never
seen and the node spreads such rows over all branches, it does so in part: by the branch's share.
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
"""In place of a branch, while it is looked for."""


class Rows:
    """Some rows, and where each of them goes at every node of a tree; worked out when a node is asked for."""

    def __init__(self, tree: Tree, rows: pd.DataFrame | Dataset) -> None:
        frame, self._plan = plan_for(tree, rows)
        self.n_rows = len(frame)
        self._forks = branching_rules(tree)
        self._branches: dict[int, NDArray[np.int64]] = {}

    def branches(self, node: int) -> NDArray[np.int64]:
        """The branch of every row at a node, [n]; STAY or SPREAD where it has none."""
        if node not in self._branches:
            self._branches[node] = _branches(self._forks[node], self._plan, self.n_rows)
        return self._branches[node]

    def fulfilled(self, step: Step) -> NDArray[np.float64]:
        """The part of every row that fulfils a step, [n]: 1, 0 or a share."""
        node, branch = step
        taken = self.branches(node)
        share = self._forks[node].shares[branch] if branch >= 0 else 0.0
        return np.where(taken == branch, 1.0, np.where(taken == SPREAD, share, 0.0))

    def spread(self, steps: Sequence[Step]) -> NDArray[np.bool_]:
        """Which rows fulfil one of the steps in part only, [n]."""
        found = np.zeros(self.n_rows, dtype=bool)
        for node, _ in steps:
            found |= self.branches(node) == SPREAD
        return found

    def fit(self, steps: Sequence[Step]) -> NDArray[np.float64]:
        """The part of every row that fulfils all of the steps, [n]."""
        part = np.ones(self.n_rows)
        for step in steps:
            part *= self.fulfilled(step)
        return part


def _branches(fork: BranchingRule, plan: Plan, n_rows: int) -> NDArray[np.int64]:
    branch, lacking = _asked(fork.question, plan)
    branch[~lacking & (branch == UNKNOWN)] = fork.unseen
    if lacking.any():
        for surrogate in fork.surrogates:
            waiting = lacking & (branch == UNKNOWN)
            branch[waiting] = _asked(surrogate, plan)[0][waiting]
    branch[branch == UNKNOWN] = fork.missing
    return branch


def _asked(question: BranchTest, plan: Plan) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The branch of every row by its value, UNKNOWN without one; and which rows lack a value."""
    place = int(plan.slot[question.feature])
    if question.cut is not None:
        numbers = plan.numbers[:, place]
        lacking = np.isnan(numbers)
        branch = np.where(numbers <= question.cut, *question.sides)
        return np.where(lacking, UNKNOWN, branch).astype(np.int64), lacking
    codes = plan.codes[:, -place - 1]
    branch = np.full(codes.size, UNKNOWN, dtype=np.int64)
    for code, to in question.branch_of.items():
        branch[codes == code] = to
    return branch, codes == MISSING
