"""The first difference of two trees, compared node by node on the same rows (DEFINITIONS section 11).

Two tests are *alike* when they test the same feature and put the same training rows into the same branches, whatever
their form: different thresholds between the same two values are, and so are two groups against a branch for each of two
values. Rows whose tested value is missing do not count. The *first difference* is the first node, level by level, that
is reached by tests alike and where the tests are not, or where one of the trees stops.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.quality import left_out_reason
from explorer.errors import InputError
from explorer.evaluation.comparison.why_different import Side, readable, split_form, why_different
from explorer.formatting import rows as rows_words
from explorer.growing.decide import Decision, decide
from explorer.recipe.condition import Condition
from explorer.recipe.missing import POLICIES
from explorer.tree.routing import Plan, plan_for
from explorer.tree.tree import Tree

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FirstDifference:
    """The first node at which two trees differ: its id in either, both decisions, and one sentence why."""

    node_a: int
    node_b: int
    decision_a: Decision
    decision_b: Decision
    sentence: str


@dataclass(frozen=True, eq=False)
class Walk:
    """Two trees compared from the root: the nodes with tests alike, remarks on them, and the first difference."""

    alike: tuple[tuple[int, int], ...]
    """Ids (in a, in b) of the nodes whose tests are alike, up to the first difference."""
    remarks: tuple[str, ...]
    """How tests alike differ: other thresholds or forms, other policies for missing values."""
    difference: FirstDifference | None


def first_difference(
    tree_a: Tree, tree_b: Tree, data: Dataset, names: tuple[str, str] | None = None
) -> FirstDifference | None:
    """The first difference of two trees grown on `data`; None when there is none.

    `names` are their names in the sentence: those of their recipes, unless given. Pruned trees differ where one of them
    is pruned. Raises InputError for other rows, for trees with different targets, and for raised subtrees.

    >>> from explorer import CART, ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> first = first_difference(grow(data, ID3), grow(data, CART), data)
    >>> first.node_a, first.decision_a.chosen.condition.n_branches, first.decision_b.chosen.condition.n_branches
    (0, 3, 2)
    """
    return walk_together(tree_a, tree_b, data, names).difference


def walk_together(tree_a: Tree, tree_b: Tree, data: Dataset, names: tuple[str, str] | None = None) -> Walk:
    """Compare two trees along tests alike, level by level, up to the first difference."""
    check_pair(tree_a, tree_b)
    if tree_a.origin is not None or tree_b.origin is not None:
        raise InputError("Subtrees were raised to where other tests had won: compare the trees as they were grown.")
    walker = _Walker(tree_a, tree_b, data, names or _names(tree_a, tree_b))
    return walker.walk()


def check_pair(tree_a: Tree, tree_b: Tree) -> None:
    """InputError unless both trees predict the same target with the same classes."""
    if (tree_a.target, tree_a.classes) != (tree_b.target, tree_b.classes):
        raise InputError(
            f"One tree predicts '{tree_a.target}' and the other '{tree_b.target}', or other classes: "
            "compare trees with one target."
        )


def _names(tree_a: Tree, tree_b: Tree) -> tuple[str, str]:
    """The recipes' names, or A and B where these are the same."""
    names = tree_a.recipe.name, tree_b.recipe.name
    return names if names[0] != names[1] else ("A", "B")


class _Walker:
    """The comparison in progress: a queue of pairs of nodes, each with the rows that surely reach both."""

    def __init__(self, tree_a: Tree, tree_b: Tree, data: Dataset, names: tuple[str, str]) -> None:
        self.trees, self.data, self.names = (tree_a, tree_b), data, names
        self.plans = tuple(plan_for(tree, data)[1] for tree in self.trees)
        self.alike: list[tuple[int, int]] = []
        self.remarks: list[str] = []

    def walk(self) -> Walk:
        """Level by level from the root."""
        waiting: deque[tuple[tuple[int, int], Rows]] = deque([((0, 0), np.arange(self.data.n_rows))])
        while waiting:
            nodes, rows = waiting.popleft()
            a, b = (tree.node(node) for tree, node in zip(self.trees, nodes, strict=True))
            if a.is_leaf and b.is_leaf:
                continue
            rows_of_pair = None if a.is_leaf or b.is_leaf else self.matched_branches(nodes, rows)
            if rows_of_pair is None:
                return Walk(tuple(self.alike), tuple(self.remarks), self.difference_at(nodes))
            self.alike.append(nodes)
            self.compare_details(nodes)
            waiting.extend(((a.children[i], b.children[j]), shared) for (i, j), shared in rows_of_pair.items())
        return Walk(tuple(self.alike), tuple(self.remarks), None)

    def matched_branches(self, nodes: tuple[int, int], rows: Rows) -> dict[tuple[int, int], Rows] | None:
        """Rows by pair of branches, if the tests are alike; None if they are not."""
        a, b = self.tests(nodes)
        if a.feature != b.feature:
            return None
        taken = [branches_taken(*pair, rows) for pair in zip(self.trees, self.plans, nodes, strict=True)]
        known = (taken[0] >= 0) & (taken[1] >= 0)
        if not known.any():
            return {(i, i): rows[:0] for i in range(a.n_branches)} if a == b else None
        pairs = sorted(set(zip(taken[0][known].tolist(), taken[1][known].tolist(), strict=True)))
        if not len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs):
            return None
        return {(i, j): rows[(taken[0] == i) & (taken[1] == j)] for i, j in pairs}

    def tests(self, nodes: tuple[int, int]) -> tuple[Condition, Condition]:
        """The tests of two nodes that are split."""
        a, b = (tree.condition(node) for tree, node in zip(self.trees, nodes, strict=True))
        assert a is not None, "a split node has a test"
        assert b is not None, "a split node has a test"
        return a, b

    def difference_at(self, nodes: tuple[int, int]) -> FirstDifference:
        """The first difference at a pair of nodes, with both decisions."""
        a, b = (
            Side(name, tree.node(node), decide(tree, self.data, node))
            for name, tree, node in zip(self.names, self.trees, nodes, strict=True)
        )
        columns = zip(self.data.features, self.data.codes, strict=True)
        included = frozenset(feature.name for feature, codes in columns if left_out_reason(feature, codes))
        return FirstDifference(*nodes, a.decision, b.decision, why_different(a, b, included))

    def compare_details(self, nodes: tuple[int, int]) -> None:
        """Add remarks on how two tests that are alike differ in form or in their policy for missing values."""
        a, b = self.tests(nodes)
        own, other = self.names
        where = f"Node {nodes[0]}" if nodes[0] == nodes[1] else f"Node {nodes[0]} of {own}"
        if split_form(a) != split_form(b):
            forms = f"by {split_form(a)} in {own} and by {split_form(b)} in {other}"
            self.add_remark(f"{where} splits on {a.feature} {forms}: the same rows go to the same branches.")
        missing_weight = max(float(tree.missing_weight[node]) for tree, node in zip(self.trees, nodes, strict=True))
        first, second = (tree.recipe.missing for tree in self.trees)
        if first != second and missing_weight > 0:
            policies = f"{own} {POLICIES[first].action}, {other} {POLICIES[second].action}"
            self.add_remark(f"{where}: {rows_words(missing_weight)} without a value of {a.feature}; {policies}.")

    def add_remark(self, remark: str) -> None:
        """Add a remark, long names shortened."""
        self.remarks.append(readable(remark, self.trees[0]))


def branches_taken(tree: Tree, plan: Plan, node: int, rows: Rows) -> NDArray[np.int64]:
    """The branch of each row [m] under a node's test; −1 where its value is missing or has no branch."""
    slot = int(plan.slot[tree.feature[node]])
    if slot >= 0:
        values = plan.numbers[rows, slot]
        return np.where(np.isnan(values), -1, (values > tree.threshold[node]).astype(np.int64))
    pairs = slice(int(tree.cat_offset[node]), int(tree.cat_offset[node + 1]))
    branch = np.full(len(tree.features[tree.feature[node]].labels) + 2, -1, dtype=np.int64)
    branch[tree.cat_code[pairs]] = tree.cat_branch[pairs]
    branch[-2:] = -1  # the codes −2 and −1: unknown and missing
    return branch[plan.codes[rows, -slot - 1]]


def counterpart(tree: Tree, node: int, other: Tree) -> int | None:
    """The node of another tree with the same decision path, word for word; None if there is none.

    >>> from explorer import C45, ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> id3, stump = grow(data, ID3), grow(data, C45.replace(max_depth=1))
    >>> counterpart(id3, 3, stump), counterpart(id3, 5, stump)
    (3, None)
    """
    current = 0
    for step, branch in tree.path_to(node):
        condition, own = tree.condition(step), other.condition(current)
        assert condition is not None, "a node on a path has a test"
        words = [] if own is None else [own.word(i) for i in range(own.n_branches)]
        if condition.word(branch) not in words:
            return None
        current = other.children_of(current)[words.index(condition.word(branch))]
    return current
