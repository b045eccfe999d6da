"""Subtree raising: the largest branch replaces its node and gets all rows of it (Quinlan 1993, chapter 4).

Node ids are those of the grown tree. `raised_to[t]` is the child whose subtree replaced node t (−1: not replaced); that
child may have been replaced in turn. The rows of the other branches are routed through the raised subtree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.training_rows import training_rows_of, wrong_rows
from explorer.jit import borrowing, kernel
from explorer.messages import WordedTable, message
from explorer.pruning.pessimistic_step import KEPT, LEAF, RAISED, SLACK, PessimisticStep
from explorer.recipe.complete_rows import complete_rows
from explorer.recipe.impurity import impurity_of
from explorer.recipe.parameters import EMPTY, PURE
from explorer.recipe.parameters import RAISED as RAISED_STOP
from explorer.tree.routing import SPREAD, Plan, branch_taken, longer, plan_for
from explorer.tree.tree import Tree


@borrowing
def current_node(raised_to, node):
    """The node that is now in the position of a grown node."""
    while raised_to[node] >= 0:
        node = raised_to[node]
    return node


@borrowing
def heaviest_child(plan, raised_to, stats, node):
    """The current child with the most weight, the earlier one on a tie."""
    best, most = node, -1.0
    for child in range(plan.first_child[node], plan.first_child[node] + plan.child_count[node]):
        current, weight = current_node(raised_to, child), 0.0
        for k in range(stats.shape[1]):
            weight += stats[current, k]
        if weight > most:
            best, most = current, weight
    return best


@borrowing
def next_below(plan, raised_to, stats, row, node):
    """The child that a row goes to from an inner node, or −1 where its decision path ends."""
    branch = branch_taken(plan, row, node)
    if branch == SPREAD:  # in this plan: the heaviest branch, which raising may have changed
        return heaviest_child(plan, raised_to, stats, node)
    return current_node(raised_to, plan.first_child[node] + branch) if branch >= 0 else -1


@borrowing
def is_unreached(arriving, node):
    """Whether no row has reached a node yet."""
    weight = 0.0
    for k in range(arriving.shape[1]):
        weight += arriving[node, k]
    return weight == 0.0


@kernel
def route_raised(plan, begin, rows, classes, weights, raised_to, pruned, stats, arriving, ending):
    """Route rows down from the node `begin` through raised subtrees; `pruned` nodes are leaves.

    Returns the node where each row ends, the nodes that were reached [m], and their class weights: of all rows, and of
    those that end there, [m, K] each. `arriving` and `ending` [n, K] are buffers, zero before and after.
    """
    stops, reached, n_reached = np.empty(rows.size, np.int64), np.empty(16, np.int64), 0
    for i in range(rows.size):
        row, node, below = rows[i], begin, begin
        while below >= 0:
            node = below
            if is_unreached(arriving, node):
                reached = longer(reached, n_reached + 1)
                reached[n_reached] = node
                n_reached += 1
            arriving[node, classes[row]] += weights[row]
            is_last = pruned[node] or plan.first_child[node] < 0
            below = -1 if is_last else next_below(plan, raised_to, stats, row, node)
        ending[node, classes[row]] += weights[row]
        stops[i] = node
    reached = reached[:n_reached].copy()
    weight_arriving, weight_ending = arriving[reached], ending[reached]
    for node in reached:
        arriving[node], ending[node] = 0.0, 0.0
    return stops, reached, weight_arriving, weight_ending


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
    """Pruning with subtree raising in progress: which nodes are pruned or replaced, and the rows of each node now."""

    def __init__(self, tree: Tree, train: Dataset, upper: Callable[[Floats, Floats], Floats]) -> None:
        """Route the training rows down the tree; `upper` gives expected errors from errors and rows."""
        self.grown, self.data, self.upper = tree, training_rows_of(tree, train), upper
        field = cannot_raise(tree, self.data)
        if field is not None:
            raise InputError(_cannot_raise_text(tree, field))
        self.weights, self.classes = self.data.weight_of_rows(), np.asarray(self.data.y, dtype=np.int64)
        self.pruned, self.raised_to = tree.is_pruned.copy(), np.full(tree.n_nodes_grown, -1, dtype=np.int64)
        self.none_pruned = np.zeros(tree.n_nodes_grown, dtype=bool)
        self.stats, self.ending = tree.stats.copy(), np.zeros_like(tree.stats)
        self.has_new_rows = np.zeros(tree.n_nodes_grown, dtype=bool)
        self.preorder, self.subtree_size = _preorder(tree)
        self.plan = _plan(tree, self.data)
        self.buffers = np.zeros_like(tree.stats), np.zeros_like(tree.stats)
        stops, reached, _, ending = self._routed(0, np.arange(self.data.n_rows), self.none_pruned)
        self.sorted_rows = np.argsort(self.preorder[stops], kind="stable")
        self.sorted_stops = self.preorder[stops][self.sorted_rows]
        self.ending[reached] = ending
        self.errors, self.rows = wrong_rows(tree, self.stats)
        self.as_leaf = upper(self.errors, self.rows)
        self.expected_errors, self.leaves = self.as_leaf.copy(), np.ones(tree.n_nodes_grown, dtype=np.int64)
        self.decisions: list[PessimisticStep] = []

    def current_node(self, node: int) -> int:
        """The node that is now in the position of a grown node."""
        while self.raised_to[node] >= 0:
            node = int(self.raised_to[node])
        return node

    def children(self, node: int) -> list[int]:
        """The current children of a node."""
        return [self.current_node(child) for child in self.grown.children_of(node)]

    def is_inner(self, node: int) -> bool:
        """Whether a node still has a test."""
        return bool(self.grown.feature[node] >= 0 and not self.pruned[node])

    def run(self) -> None:
        """Decide every node, children before their parent; nodes of a raised branch once more, with their new rows."""
        undecided = np.flatnonzero(self.grown.is_inner).tolist()
        while undecided:
            node = undecided.pop()
            step = self._decide(node)
            self.decisions.append(step)
            if step.decision == LEAF:
                self.pruned[node] = True
                self.expected_errors[node], self.leaves[node] = step.upper_as_leaf, 1
            elif step.branch is not None and step.decision == RAISED:
                undecided.extend(self._raise(node, step.branch))

    def _decide(self, node: int) -> PessimisticStep:
        """Quinlan's three-way choice: a leaf, the subtree, or its largest branch with all rows of the node."""
        below = self.children(node)
        upper_below = float(self.expected_errors[below].sum()) + self._errors_of_ending(node)
        leaves = int(self.leaves[below].sum())
        self.expected_errors[node], self.leaves[node] = upper_below, leaves
        as_leaf = float(self.as_leaf[node])
        branch = below[int(np.argmax(self.rows[below]))]
        raised = self._with_all_rows(branch, node) if self.is_inner(branch) else None
        # C4.5 prefers a leaf, then the branch, even if it is expected to make up to 0.1 errors more
        decision = KEPT
        if as_leaf <= upper_below + SLACK and (raised is None or as_leaf <= raised + SLACK):
            decision = LEAF
        elif raised is not None and raised <= upper_below + SLACK:
            decision = RAISED
        tried, errors, rows = branch if raised is not None else None, float(self.errors[node]), float(self.rows[node])
        return PessimisticStep(node, rows, errors, as_leaf, upper_below, leaves, decision, tried, raised)

    def _expected(self, stats: Floats, ending: Floats) -> Floats:
        """Expected errors [m] of the rows that end at nodes [m, K], which predict by all their rows `stats` [m, K]."""
        return self.upper(*wrong_rows(self.grown, stats, ending))

    def _errors_of_ending(self, node: int) -> float:
        """Expected errors of the rows that have no branch at an inner node and get its own prediction."""
        if not self.ending[node].any():
            return 0.0
        return float(self._expected(self.stats[[node]], self.ending[[node]])[0])

    def _slice(self, node: int) -> slice:
        """Where the rows of a node are in `sorted_rows`."""
        begin = self.preorder[node]
        return slice(*np.searchsorted(self.sorted_stops, [begin, begin + self.subtree_size[node]]))

    def _routed(self, node: int, rows: Ids, pruned: NDArray[np.bool_]) -> tuple[Ids, Ids, Floats, Floats]:
        """Route rows down from a node: see `route_raised`."""
        training_set = self.classes, self.weights
        result = route_raised(self.plan, node, rows, *training_set, self.raised_to, pruned, self.stats, *self.buffers)
        return cast(tuple[Ids, Ids, Floats, Floats], result)

    def _outside(self, branch: int, node: int) -> Ids:
        """The rows of a node that are not in a branch of it."""
        whole, inside = self._slice(node), self._slice(branch)
        parts = self.sorted_rows[whole.start : inside.start], self.sorted_rows[inside.stop : whole.stop]
        return np.concatenate(parts)

    def _with_all_rows(self, branch: int, node: int) -> float:
        """Expected errors of a branch with all rows of a node above it; only the rows from outside it are routed."""
        _, reached, arriving, ending = self._routed(branch, self._outside(branch, node), self.pruned)
        is_leaf = self.pruned[reached] | (self.grown.feature[reached] < 0)
        stats = self.stats[reached]
        before = np.where(is_leaf[:, None], stats, self.ending[reached])
        expected = self._expected(np.concatenate([stats, stats + arriving]), np.concatenate([before, before + ending]))
        return float(self.expected_errors[branch] + expected[len(reached) :].sum() - expected[: len(reached)].sum())

    def _raise(self, node: int, branch: int) -> list[int]:
        """Replace a node by a branch, route all rows of the node through it, and return the nodes to decide again."""
        whole, inside, outside = self._slice(node), self._slice(branch), self._outside(branch, node)
        self.raised_to[node] = branch
        stops, reached, arriving, ending = self._routed(branch, outside, self.none_pruned)
        rows = np.concatenate([self.sorted_rows[inside], outside])
        stops_of_rows = np.concatenate([self.sorted_stops[inside], self.preorder[stops]])
        by_stop = np.argsort(stops_of_rows, kind="stable")
        self.sorted_rows[whole], self.sorted_stops[whole] = rows[by_stop], stops_of_rows[by_stop]
        stats = self.stats[reached] + arriving
        self.stats[reached], self.has_new_rows[reached] = stats, True
        self.ending[reached] += ending
        self.errors[reached], self.rows[reached] = wrong_rows(self.grown, stats)
        self.as_leaf[reached] = self.upper(self.errors[reached], self.rows[reached])
        subtree = [branch]
        for descendant in subtree:
            subtree.extend(self.children(descendant) if self.is_inner(descendant) else [])
        self.expected_errors[subtree], self.leaves[subtree] = self.as_leaf[subtree], 1
        return sorted(descendant for descendant in subtree if self.is_inner(descendant))

    def _assembled(self, root: int) -> Tree:
        """The current subtree of a node as a tree of its own, with no node pruned; `origin` in grown ids."""
        ids, parent, first, count = [root], [-1], [], []
        for position, node in enumerate(ids):
            below = self.children(node)
            first.append(len(ids) if below else -1)
            count.append(len(below))
            ids.extend(below)
            parent.extend([position] * len(below))
        return _renumbered(self.grown, np.array(ids), np.array(parent), np.array(first), np.array(count), self.stats)

    def tree(self) -> Tree:
        """The pruned tree as a new one; `origin` holds the ids of the grown tree."""
        subtree = self._assembled(self.current_node(0))
        ids = _origin(subtree)
        with_new_rows = np.flatnonzero(self.has_new_rows[ids])
        kind, unit = self.grown.recipe.impurity_for(False), self.grown.recipe.unit(False)
        impurity, stop, missing = subtree.impurity.copy(), subtree.stop.copy(), subtree.missing_weight.copy()
        for t in with_new_rows.tolist():
            impurity[t] = impurity_of(kind, subtree.stats[t]) * unit
            if (stop[t] == EMPTY and subtree.weight[t] > 0) or (stop[t] == PURE and impurity[t] > 0):
                stop[t] = RAISED_STOP
            missing[t] = self._missing_at(int(ids[t]))
        before = self.grown.origin
        return replace(
            subtree,
            is_pruned=self._outermost_pruned(subtree),
            impurity=impurity,
            stop=stop,
            missing_weight=missing,
            origin=ids.astype(np.int32) if before is None else before[ids],
        )

    def _outermost_pruned(self, subtree: Tree) -> NDArray[np.bool_]:
        pruned = subtree.with_pruned(self.pruned[_origin(subtree)])
        return pruned.is_pruned & pruned.is_kept

    def _missing_at(self, node: int) -> float:
        """Weight of the rows at a node whose value for its test is missing."""
        if self.grown.feature[node] < 0:
            return 0.0
        name = self.grown.features[self.grown.feature[node]].name
        column = next(i for i, feature in enumerate(self.data.features) if feature.name == name)
        rows = self.sorted_rows[self._slice(node)]
        is_missing = self.data.codes[column, rows] == self.data.features[column].n_values
        return float(self.weights[rows][is_missing].sum())


def _plan(tree: Tree, data: Dataset) -> Plan:
    """The routes down the whole grown tree; where unseen values go to the heaviest branch, `SPREAD` marks them."""
    unseen = "fractional" if tree.recipe.unseen == "heaviest" else tree.recipe.unseen
    marked = replace(tree, recipe=tree.recipe.replace(unseen=unseen))
    return plan_for(marked.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool)), data)[1]


def _origin(tree: Tree) -> Ids:
    assert tree.origin is not None
    return tree.origin.astype(np.int64)


def _preorder(tree: Tree) -> tuple[Ids, Ids]:
    """Position of every grown node in depth-first order, and how many nodes its subtree has, itself included."""
    size, first = np.ones(tree.n_nodes_grown, dtype=np.int64), np.zeros(tree.n_nodes_grown, dtype=np.int64)
    for node in range(tree.n_nodes_grown - 1, 0, -1):
        size[tree.parent[node]] += size[node]
    filled = first + 1
    for node in range(1, tree.n_nodes_grown):
        above = tree.parent[node]
        first[node] = filled[above]
        filled[above] += size[node]
        filled[node] = first[node] + 1
    return first, size


def _renumbered(grown: Tree, ids: Ids, parent: Ids, first: Ids, count: Ids, stats: Floats) -> Tree:
    """The grown nodes `ids`, breadth-first, as one tree."""
    pairs = [np.arange(grown.cat_offset[node], grown.cat_offset[node + 1]) for node in ids.tolist()]
    chosen = np.concatenate(pairs).astype(np.int64)
    depth = np.zeros(len(ids), dtype=np.int32)
    for position in range(1, len(ids)):
        depth[position] = depth[parent[position]] + 1
    per_node = ["feature", "threshold", "missing_branch", "impurity", "stop", "missing_weight"]
    per_node += [name for name in ("validation", "forced") if getattr(grown, name) is not None]
    return replace(
        grown,
        parent=parent.astype(np.int32),
        first_child=first.astype(np.int32),
        child_count=count.astype(np.int32),
        depth=depth,
        cat_offset=np.concatenate([[0], np.cumsum([len(pair) for pair in pairs])]).astype(np.int64),
        cat_code=grown.cat_code[chosen],
        cat_branch=grown.cat_branch[chosen],
        weight=stats[ids].sum(axis=1),
        stats=stats[ids],
        is_pruned=np.zeros(len(ids), dtype=bool),
        evidence=None,
        origin=ids.astype(np.int32),
        surrogates=None if grown.surrogates is None else grown.surrogates.taken(ids, grown.feature[ids] >= 0),
        **{name: getattr(grown, name)[ids] for name in per_node},
    )
