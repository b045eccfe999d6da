"""Subtree raising: the largest branch replaces its node and gets all rows of it (Quinlan 1993, chapter 4).

Node ids are those of the grown tree. `raised_to[t]` is the child whose subtree replaced node t (−1: not replaced); that
child may have been replaced in turn. The rows of the other branches are routed through the raised subtree.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import cast

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.training_rows import training_rows_of
from explorer.messages import WordedTable, message
from explorer.pruning.error_bound import limit_for
from explorer.pruning.pessimistic_step import KEPT, LEAF, RAISED, SLACK, PessimisticStep
from explorer.pruning.raised_tree import raised_tree
from explorer.pruning.raising.decisions import decide_nodes, find_rows
from explorer.pruning.raising.limits import beta_quantile_pointer
from explorer.pruning.raising.pruning_state import PruningState, Training
from explorer.pruning.raising.row_division import in_order, plan_by_column
from explorer.pruning.raising.rows_of_nodes import depth_first
from explorer.recipe.complete_rows import complete_rows
from explorer.threads import shared_pool
from explorer.tree.routing import Plan
from explorer.tree.tree import Tree

ROWS_TOGETHER, PARTS = 5_000, 8
"""Nodes with more rows than both this and this part of all are decided last."""
ROWS_LIKE_A_NODE = 40
"""Rows of a node above the subtrees that take as long to send down as a node of a subtree to decide."""
DECISIONS = LEAF, RAISED, KEPT
"""In the order of their numbers in the loops."""

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]


WHY_NOT = WordedTable(
    {
        "missing": lambda: message("treats rows with missing cells in its own way"),
        "unseen": lambda: message("gives a row no branch of its own"),
    }
)
"""Why a field of the recipe rules raising out: whole rows cannot be routed through a raised subtree."""


def cannot_raise(tree: Tree, used: Dataset) -> str | None:
    """The recipe's field that rules raising out on the rows `used` (see `WHY_NOT`); None if none does."""
    missing, unseen = tree.recipe.missing, tree.recipe.unseen
    if missing in ("fractional", "same_class") and len(complete_rows(used, tree.recipe)) < used.n_rows:
        return "missing"
    if unseen in ("fractional", "random"):
        return "unseen"
    return None


def _cannot_raise_text(tree: Tree, field: str) -> str:
    if field == "missing":
        return message(
            "Raising a subtree moves whole rows to it, but missing='{policy}' treats rows with missing cells "
            "otherwise: prune without raising, or grow with missing='most_common'.",
            policy=tree.recipe.missing,
        )
    return message(
        "Raising a subtree moves whole rows to it, but unseen='{policy}' gives a row no branch of its own: prune "
        "without raising, or grow with unseen='node'.",
        policy=tree.recipe.unseen,
    )


class Raising:
    """Pruning with subtree raising: every node is decided, and the tree that is left can be made."""

    def __init__(self, tree: Tree, train: Dataset, confidence: float, limit: str) -> None:
        """Send the training rows down the tree; `confidence` and `limit` as in `upper_error`."""
        self.grown, self.data = tree, training_rows_of(tree, train)
        field = cannot_raise(tree, self.data)
        if field is not None:
            raise InputError(_cannot_raise_text(tree, field))
        training = shared_pool().submit(_training, tree, self.data)
        state = shared_pool().submit(_pruning_state, tree, self.data.n_rows)
        self.plan, self.limit = _plan(tree, self.data), limit_for(confidence, limit, SLACK)
        self.training, self.state = training.result(), state.result()
        self.above, self.subtrees = self._in_parts()
        self._find_rows(self.above)
        self._put_in_order()

    def _in_parts(self) -> tuple[Ids, list[Ids]]:
        """Nodes with a test that have a large part of the rows, and the other nodes by subtree.

        Parents come before their children, in the subtrees one branch after the other, as their rows lie. First come
        subtrees from which the way to the end is the longest: their own nodes, then one by one all above them.
        """
        weight, parent, first, size = self.grown.weight, self.grown.parent, self.state.first, self.state.size
        is_large = weight > max(ROWS_TOGETHER / self.data.n_rows, 1 / PARTS) * weight[0]
        is_above, depth_first = is_large & (self.grown.feature >= 0), np.empty_like(first)
        roots = np.flatnonzero(~is_above & is_above[parent]) if is_above[0] else np.zeros(1, dtype=np.int64)
        work = size.astype(np.float64)
        for node in np.flatnonzero(is_above):
            work[node] = weight[node] / weight[0] * self.data.n_rows / ROWS_LIKE_A_NODE
            work[node] += work[parent[node]] if node > 0 else 0.0
        roots = roots[np.argsort(-size[roots] - work[parent[roots]], kind="stable")]
        depth_first[first] = np.arange(first.size)
        return np.flatnonzero(is_above), [depth_first[first[root] : first[root] + size[root]] for root in roots]

    def _find_rows(self, nodes: Ids) -> None:
        """Send the rows of nodes to their children, once; later only the rows move that a raised branch receives."""
        find_rows(self.plan, self.training, self.state, self.limit, beta_quantile_pointer(), nodes)

    def _put_in_order(self) -> None:
        """Number rows anew once the first nodes are divided: those of a subtree then lie side by side in memory."""
        self.order, (classes, weights) = in_order(
            self.plan, self.state.rows, self.training.classes, self.training.weights
        )
        self.training = self.training._replace(classes=classes, weights=weights)

    def run(self) -> Tree:
        """Decide every node, children before their parent; nodes of a raised branch once more, with their new rows.

        Subtrees with a small part of the rows are decided side by side. Who decides the last child of a node above them
        decides that node next. The root comes last; the tree is made meanwhile, as few roots change. Returns the tree.
        """
        is_inner, undecided, lock = self.grown.is_inner, self.grown.child_count.copy(), Lock()
        root, tried_last = np.zeros(1, dtype=np.int64), self.above.size > 0 and is_inner[0]

        def decide(nodes: Ids) -> None:
            self._find_rows(nodes)
            self._decide(nodes[is_inner[nodes]], False)
            node = self.grown.parent[nodes[0]]
            while node > 0:
                with lock:
                    undecided[node] -= 1
                    if undecided[node] > 0:
                        return
                if is_inner[node]:
                    self._decide(np.array([node], dtype=np.int64), False)
                node = self.grown.parent[node]

        list(shared_pool().map(decide, self.subtrees))
        if not tried_last:
            return self.tree()
        last, draft = shared_pool().submit(self._decide, root, False), shared_pool().submit(self.tree)
        last.result()
        return draft.result() if self.state.raised_to[0] < 0 and not self.state.pruned[0] else self.tree()

    def steps(self) -> list[PessimisticStep]:
        """As `run`, one after the other, with every decision in order."""
        list(map(self._find_rows, self.subtrees))
        steps, numbers = self._decide(np.flatnonzero(self.grown.is_inner), True)
        return [
            _step(ints, floats, self.grown.counts_rows)
            for ints, floats in zip(steps.tolist(), numbers.tolist(), strict=True)
        ]

    def _decide(self, nodes: Ids, keeps_steps: bool) -> tuple[Ids, Floats]:
        result = decide_nodes(
            self.plan, self.training, self.state, self.limit, beta_quantile_pointer(), nodes, keeps_steps
        )
        return cast(tuple[Ids, Floats], result)

    def tree(self) -> Tree:
        """The tree that the decisions so far leave, as a new one; `origin` holds the ids of the grown tree."""
        return raised_tree(self.grown, self.data, self.order, self.state)


def _step(ints: list[int], numbers: list[float], counts_rows: bool) -> PessimisticStep:
    node, decision, branch, leaves = ints
    rows, errors, as_leaf, below, raised = numbers
    tried: tuple[int | None, float | None] = (branch, raised) if branch >= 0 else (None, None)
    return PessimisticStep(node, rows, errors, as_leaf, below, leaves, DECISIONS[decision], *tried, counts_rows)


def _plan(tree: Tree, data: Dataset) -> Plan:
    """The routes down the whole grown tree; where unseen values go to the heaviest branch, `SPREAD` marks them."""
    unseen = "fractional" if tree.recipe.unseen == "heaviest" else tree.recipe.unseen
    marked = replace(tree, recipe=tree.recipe.replace(unseen=unseen))
    return plan_by_column(marked.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool)), data, by_rank=True)


def _training(tree: Tree, data: Dataset) -> Training:
    """The training rows, and how leaves predict: see `predicted_classes_of`."""
    n_classes = len(tree.classes)
    factors, costs = tree.class_factors, np.empty((0, 0))
    if tree.costs is not None:
        costs = tree.costs / np.where(tree.costs.sum(axis=1) > 0, tree.costs.sum(axis=1), np.inf)[:, None]
    elif factors is not None:
        costs = 1.0 - np.eye(n_classes)
    own = np.empty(0) if factors is None else factors
    weights = data.weight_of_rows()
    has_whole_rows = not (own.size or costs.size) and bool((weights == np.floor(weights)).all())
    return Training(np.asarray(data.y), weights, has_whole_rows, own, costs)


def _pruning_state(tree: Tree, n_rows: int) -> PruningState:
    """The grown nodes before anything is decided."""
    n = tree.n_nodes_grown
    first, size = depth_first(tree.parent)
    begins = np.zeros(n + 1, dtype=np.int64)
    begins[-1] = n_rows
    return PruningState(
        raised_to=np.full(n, -1, dtype=np.int64),
        pruned=tree.is_pruned.copy(),
        stats=tree.stats.copy(),
        ending=np.zeros_like(tree.stats),
        as_leaf=np.zeros(n),
        expected=np.zeros(n),
        inside=np.zeros(n),
        leaves=np.ones(n, dtype=np.int64),
        has_new_rows=np.zeros(n, dtype=bool),
        first=first,
        size=size,
        rows=np.arange(n_rows, dtype=np.uint32),
        begins=begins,
    )
