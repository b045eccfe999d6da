"""Subtree raising: the largest branch takes its node's place, with all rows of the node (Quinlan 1993, chapter 4).

The work is done in ids of the grown tree. A node that is *raised over* is passed by: its place is taken by one of its
branches, which may itself be passed by. The rows of the other branches are *hung* under the one that rose.
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
from explorer.pruning.pessimistic_step import KEPT, LEAF, RAISED, SLACK, PessimisticStep
from explorer.recipe.complete_rows import complete_rows
from explorer.recipe.impurity import impurity_of
from explorer.recipe.parameters import EMPTY, PURE
from explorer.recipe.parameters import RAISED as RAISED_STOP
from explorer.tree.routing import SPREAD, Plan, branch_taken, longer, plan_for
from explorer.tree.tree import Tree


@borrowing
def standing(risen, node):
    """The node that stands in the place of a grown node."""
    while risen[node] >= 0:
        node = risen[node]
    return node


@borrowing
def heaviest_child(plan, risen, stats, node):
    """The child that stands below a node with most weight, the earlier one on a tie."""
    best, most = node, -1.0
    for child in range(plan.first_child[node], plan.first_child[node] + plan.child_count[node]):
        here, weight = standing(risen, child), 0.0
        for k in range(stats.shape[1]):
            weight += stats[here, k]
        if weight > most:
            best, most = here, weight
    return best


@borrowing
def next_below(plan, risen, stats, row, node):
    """Where a row goes from an inner node: to a child, or −1 where its way ends."""
    branch = branch_taken(plan, row, node)
    if branch == SPREAD:  # here it stands for the heaviest branch, which raising may have changed
        return heaviest_child(plan, risen, stats, node)
    return standing(risen, plan.first_child[node] + branch) if branch >= 0 else -1


@borrowing
def is_new(summed, node):
    """Whether no row has met a node yet."""
    weight = 0.0
    for k in range(summed.shape[1]):
        weight += summed[node, k]
    return weight == 0.0


@kernel
def hang(plan, begin, rows, classes, weights, risen, closed, stats, summed, own):
    """Send rows down from the node `begin`, `closed` nodes being leaves.

    Returns the node where each row ends, the nodes that were met [m], and their class weights: of all rows, and of
    those that end there, [m, K] each. `summed` and `own` [n, K] are working memory and zero before and after.
    """
    stops, met, n_met = np.empty(rows.size, np.int64), np.empty(16, np.int64), 0
    for i in range(rows.size):
        row, node, below = rows[i], begin, begin
        while below >= 0:
            node = below
            if is_new(summed, node):
                met = longer(met, n_met + 1)
                met[n_met] = node
                n_met += 1
            summed[node, classes[row]] += weights[row]
            below = -1 if closed[node] or plan.first_child[node] < 0 else next_below(plan, risen, stats, row, node)
        own[node, classes[row]] += weights[row]
        stops[i] = node
    met = met[:n_met].copy()
    found, ending = summed[met], own[met]
    for node in met:
        summed[node], own[node] = 0.0, 0.0
    return stops, met, found, ending


Floats = NDArray[np.float64]
Ids = NDArray[np.int64]


WHY_NOT = {
    "missing": "parts rows with missing cells in its own way",
    "unseen": "gives a row no branch of its own",
}
"""What a recipe's field does that whole rows cannot be hung elsewhere."""


def cannot_raise(tree: Tree, used: Dataset) -> str | None:
    """The recipe's field that keeps rows from being hung elsewhere as a whole (see `WHY_NOT`); None if none does."""
    missing, unseen = tree.recipe.missing, tree.recipe.unseen
    if missing in ("fractional", "same_class") and len(complete_rows(used, tree.recipe)) < used.n_rows:
        return "missing"
    if unseen in ("fractional", "random"):
        return "unseen"
    return None


class Raising:
    """The state of pruning with raising: which nodes are closed or passed by, and the rows as they hang now."""

    def __init__(self, tree: Tree, train: Dataset, upper: Callable[[Floats, Floats], Floats]) -> None:
        """Hang the training rows as they were grown; `upper` gives expected errors from errors and rows."""
        self.grown, self.data, self.upper = tree, training_rows_of(tree, train), upper
        field = cannot_raise(tree, self.data)
        if field is not None:
            problem = f"{field}='{getattr(tree.recipe, field)}' {WHY_NOT[field]}"
            raise InputError(
                f"Raising a subtree hangs whole rows elsewhere, but {problem}: prune without raising, or grow with "
                "missing='most_common' and unseen='node'."
            )
        self.weights, self.classes = self.data.weight_of_rows(), np.asarray(self.data.y, dtype=np.int64)
        self.closed, self.risen = tree.is_pruned.copy(), np.full(tree.n_nodes_grown, -1, dtype=np.int64)
        self.open = np.zeros(tree.n_nodes_grown, dtype=bool)
        self.stats, self.stopping = tree.stats.copy(), np.zeros_like(tree.stats)
        self.touched = np.zeros(tree.n_nodes_grown, dtype=bool)
        self.first, self.size = _preorder(tree)
        self.plan = _plan(tree, self.data)
        self.room = np.zeros_like(tree.stats), np.zeros_like(tree.stats)
        stops, met, _, ending = self._sent(0, np.arange(self.data.n_rows), self.open)
        self.order = np.argsort(self.first[stops], kind="stable")
        self.keys = self.first[stops][self.order]
        self.stopping[met] = ending
        self.errors, self.rows = wrong_rows(tree, self.stats)
        self.as_leaf = upper(self.errors, self.rows)
        self.cost, self.leaves = self.as_leaf.copy(), np.ones(tree.n_nodes_grown, dtype=np.int64)
        self.decisions: list[PessimisticStep] = []

    def now(self, node: int) -> int:
        """The node that stands in the place of a grown node."""
        while self.risen[node] >= 0:
            node = int(self.risen[node])
        return node

    def children(self, node: int) -> list[int]:
        """The nodes that stand below a node now."""
        return [self.now(child) for child in self.grown.children_of(node)]

    def is_inner(self, node: int) -> bool:
        """Whether a node still has a test."""
        return bool(self.grown.feature[node] >= 0 and not self.closed[node])

    def run(self) -> None:
        """Decide every node, children before their parent; nodes of a raised branch once more, with their new rows."""
        agenda = np.flatnonzero(self.grown.is_inner).tolist()
        while agenda:
            node = agenda.pop()
            decided = self._decide(node)
            self.decisions.append(decided)
            if decided.decision == LEAF:
                self.closed[node] = True
                self.cost[node], self.leaves[node] = decided.upper_as_leaf, 1
            elif decided.branch is not None and decided.decision == RAISED:
                agenda.extend(self._raise(node, decided.branch))

    def _decide(self, node: int) -> PessimisticStep:
        below = self.children(node)
        upper_below, leaves = float(self.cost[below].sum()) + self._of_stopped(node), int(self.leaves[below].sum())
        self.cost[node], self.leaves[node] = upper_below, leaves
        as_leaf = float(self.as_leaf[node])
        branch = below[int(np.argmax(self.rows[below]))]
        raised = self._with_all_rows(branch, node) if self.is_inner(branch) else None
        decision = KEPT
        if as_leaf <= upper_below + SLACK and (raised is None or as_leaf <= raised + SLACK):
            decision = LEAF
        elif raised is not None and raised <= upper_below + SLACK:
            decision = RAISED
        found, errors, rows = branch if raised is not None else None, float(self.errors[node]), float(self.rows[node])
        return PessimisticStep(node, rows, errors, as_leaf, upper_below, leaves, decision, found, raised)

    def _expected(self, stats: Floats, ending: Floats) -> Floats:
        """Expected errors of the rows that end at nodes [m, K], which answer what suits all their rows `stats`, [m]."""
        return self.upper(*wrong_rows(self.grown, stats, ending))

    def _of_stopped(self, node: int) -> float:
        """Expected errors of the rows that have no branch at an inner node and get its own answer."""
        if not self.stopping[node].any():
            return 0.0
        return float(self._expected(self.stats[[node]], self.stopping[[node]])[0])

    def _slice(self, node: int) -> slice:
        """Where the rows of a node lie in `order`."""
        begin = self.first[node]
        return slice(*np.searchsorted(self.keys, [begin, begin + self.size[node]]))

    def _sent(self, node: int, rows: Ids, closed: NDArray[np.bool_]) -> tuple[Ids, Ids, Floats, Floats]:
        """Send rows down from a node: see `hang`."""
        hung = hang(self.plan, node, rows, self.classes, self.weights, self.risen, closed, self.stats, *self.room)
        return cast(tuple[Ids, Ids, Floats, Floats], hung)

    def _beside(self, branch: int, node: int) -> Ids:
        """The rows of a node that are not in a branch of it."""
        whole, inside = self._slice(node), self._slice(branch)
        return np.concatenate([self.order[whole.start : inside.start], self.order[inside.stop : whole.stop]])

    def _with_all_rows(self, branch: int, node: int) -> float:
        """Expected errors of a branch as it stands, with the rows of a node above it: only those that come are sent."""
        _, met, came, ending = self._sent(branch, self._beside(branch, node), self.closed)
        ends = self.closed[met] | (self.grown.feature[met] < 0)
        stats, before = self.stats[met], np.where(ends[:, None], self.stats[met], self.stopping[met])
        expected = self._expected(np.concatenate([stats, stats + came]), np.concatenate([before, before + ending]))
        return float(self.cost[branch] + expected[len(met) :].sum() - expected[: len(met)].sum())

    def _raise(self, node: int, branch: int) -> list[int]:
        """Put a branch in its node's place, hang all rows of the node there, and name the nodes to decide again."""
        place, inside, coming = self._slice(node), self._slice(branch), self._beside(branch, node)
        self.risen[node] = branch
        stops, met, came, ending = self._sent(branch, coming, self.open)
        rows = np.concatenate([self.order[inside], coming])
        keys = np.concatenate([self.keys[inside], self.first[stops]])
        by_place = np.argsort(keys, kind="stable")
        self.order[place], self.keys[place] = rows[by_place], keys[by_place]
        stats = self.stats[met] + came
        self.stats[met], self.touched[met] = stats, True
        self.stopping[met] += ending
        self.errors[met], self.rows[met] = wrong_rows(self.grown, stats)
        self.as_leaf[met] = self.upper(self.errors[met], self.rows[met])
        shown = [branch]
        for one in shown:
            shown.extend(self.children(one) if self.is_inner(one) else [])
        self.cost[shown], self.leaves[shown] = self.as_leaf[shown], 1
        return sorted(one for one in shown if self.is_inner(one))

    def _assembled(self, root: int) -> Tree:
        """What stands below a node as a tree of its own, all of it open; `origin` in grown ids."""
        ids, parent, first, count = [root], [-1], [], []
        for place, node in enumerate(ids):
            below = self.children(node)
            first.append(len(ids) if below else -1)
            count.append(len(below))
            ids.extend(below)
            parent.extend([place] * len(below))
        return _renumbered(self.grown, np.array(ids), np.array(parent), np.array(first), np.array(count), self.stats)

    def tree(self) -> Tree:
        """The pruned tree as a new one: `origin` leads back to the ids of the grown tree."""
        subtree = self._assembled(self.now(0))
        ids = _origin(subtree)
        touched = np.flatnonzero(self.touched[ids])
        kind, unit = self.grown.recipe.impurity_for(False), self.grown.recipe.unit(False)
        impurity, stop, missing = subtree.impurity.copy(), subtree.stop.copy(), subtree.missing_weight.copy()
        for t in touched.tolist():
            impurity[t] = impurity_of(kind, subtree.stats[t]) * unit
            if (stop[t] == EMPTY and subtree.weight[t] > 0) or (stop[t] == PURE and impurity[t] > 0):
                stop[t] = RAISED_STOP
            missing[t] = self._missing_at(int(ids[t]))
        before = self.grown.origin
        return replace(
            subtree,
            is_pruned=self._outermost_closed(subtree),
            impurity=impurity,
            stop=stop,
            missing_weight=missing,
            origin=ids.astype(np.int32) if before is None else before[ids],
        )

    def _outermost_closed(self, subtree: Tree) -> NDArray[np.bool_]:
        closed = subtree.with_pruned(self.closed[_origin(subtree)])
        return closed.is_pruned & closed.is_kept

    def _missing_at(self, node: int) -> float:
        """Weight of the rows that come to a node without a value for its test."""
        if self.grown.feature[node] < 0:
            return 0.0
        name = self.grown.features[self.grown.feature[node]].name
        place = next(i for i, feature in enumerate(self.data.features) if feature.name == name)
        rows = self.order[self._slice(node)]
        lacking = self.data.codes[place, rows] == self.data.features[place].n_values
        return float(self.weights[rows][lacking].sum())


def _plan(tree: Tree, data: Dataset) -> Plan:
    """The ways down the whole grown tree; an unseen value that goes to the heaviest branch is marked for `hang`."""
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
    for place in range(1, len(ids)):
        depth[place] = depth[parent[place]] + 1
    per_node = ["feature", "threshold", "missing_branch", "impurity", "stop", "missing_weight"]
    per_node += [name for name in ("validation", "forced") if getattr(grown, name) is not None]
    return replace(
        grown,
        parent=parent.astype(np.int32),
        first_child=first.astype(np.int32),
        child_count=count.astype(np.int32),
        depth=depth,
        cat_offset=np.concatenate([[0], np.cumsum([len(found) for found in pairs])]).astype(np.int64),
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
