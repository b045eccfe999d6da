"""Subtree raising done literally on nested nodes that carry their rows: the tests' naive peer (C4.5, chapter 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import explorer as ex

Rows = list[int]


@dataclass
class Hung:
    """One node: its id in the grown tree, the rows that come to it, and its branches (none: a leaf)."""

    id: int
    rows: Rows
    branches: list[Hung] = field(default_factory=list)


class Literal:
    """Pruning with subtree raising by plain recursion; `upper(errors, rows)` gives expected errors."""

    def __init__(self, tree: ex.Tree, data: ex.Dataset, upper: Callable[[float, float], float]) -> None:
        """Route every row through the nodes on its path."""
        self.tree, self.data, self.upper = tree, data, upper
        self.branch_of = [[self._branch(node, row) for row in range(data.n_rows)] for node in range(tree.n_nodes_grown)]
        self.root = self._with_rows(0, list(range(data.n_rows)))

    def _branch(self, node: int, row: int) -> int | None:
        """Which branch of a node a row takes, by its own value there; None stops."""
        if self.tree.feature[node] < 0:
            return None
        condition = self.tree.condition(node)
        value = self.data.frame[condition.feature].iloc[row]
        if condition.kind == "threshold":
            return 0 if value <= condition.threshold else 1
        return next((b for b, group in enumerate(condition.branches) if value in group), None)

    def _with_rows(self, node: int, rows: Rows) -> Hung:
        parts = [[row for row in rows if self.branch_of[node][row] == b] for b in range(self.tree.child_count[node])]
        below = [self._with_rows(child, part) for child, part in zip(self.tree.children_of(node), parts, strict=True)]
        return Hung(node, rows, below)

    def counts(self, rows: Rows) -> list[float]:
        """Class weights of some rows."""
        counts = [0.0] * len(self.data.classes)
        for row in rows:
            counts[self.data.y[row]] += float(self.data.weight_of_rows()[row])
        return counts

    def as_leaf(self, rows: Rows) -> float:
        """Expected errors with one prediction for these rows."""
        counts = self.counts(rows)
        return self.upper(sum(counts) - max(counts), sum(counts))

    def expected(self, node: Hung) -> float:
        """Expected errors of a subtree with the rows it has; rows without a branch get the node's prediction."""
        if not node.branches:
            return self.as_leaf(node.rows)
        routed = {row for branch in node.branches for row in branch.rows}
        stopped, counts = self.counts([row for row in node.rows if row not in routed]), self.counts(node.rows)
        own = self.upper(sum(stopped) - stopped[counts.index(max(counts))], sum(stopped))
        return own + sum(self.expected(branch) for branch in node.branches)

    def rerouted(self, node: Hung, rows: Rows) -> Hung:
        """The same subtree with other rows."""
        parts = [[row for row in rows if self.branch_of[node.id][row] == b] for b in range(len(node.branches))]
        return Hung(node.id, rows, [self.rerouted(b, part) for b, part in zip(node.branches, parts, strict=True)])

    def pruned(self, node: Hung) -> Hung:
        """Branches first; then the least of leaf, largest branch and subtree, 0.1 errors being nothing."""
        if not node.branches:
            return node
        node = Hung(node.id, node.rows, [self.pruned(branch) for branch in node.branches])
        largest = max(node.branches, key=lambda branch: sum(self.counts(branch.rows)))
        raised = self.rerouted(largest, node.rows)
        leaf, subtree, after_raising = self.as_leaf(node.rows), self.expected(node), self.expected(raised)
        if leaf <= subtree + 0.1 and leaf <= after_raising + 0.1:
            return Hung(node.id, node.rows)
        return self.pruned(raised) if after_raising <= subtree + 0.1 else node
