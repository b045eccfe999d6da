"""Two trees walked together on the same rows to where they part first (DEFINITIONS section 11).

Two tests are *alike* when they ask the same feature and send the same training rows the same way, whatever they are
called: thresholds at different places between two values are, and so are two groups against a branch for each of two
values. Rows that lack a tested value are left out of that judgement. The trees *part* at the first node, level by
level, that is reached by tests alike and where they are not, or where one of the trees stops.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.quality import left_out_reason
from explorer.errors import InputError
from explorer.evaluation.comparison.why_different import Side, readable, way, why_different
from explorer.formatting import rows as rows_words
from explorer.growing.decide import Decision, decide
from explorer.recipe.condition import Condition
from explorer.recipe.missing import POLICIES
from explorer.tree.routing import Plan, plan_for
from explorer.tree.tree import Tree

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FirstDifference:
    """The first node at which two trees part: its id in either, what was known there, and one sentence why."""

    node_a: int
    node_b: int
    decision_a: Decision
    decision_b: Decision
    sentence: str


@dataclass(frozen=True, eq=False)
class Walk:
    """Two trees walked together: the nodes with tests alike, what is worth telling of them, and where they part."""

    alike: tuple[tuple[int, int], ...]
    """Ids (in a, in b) of the nodes whose tests are alike, down to where the trees part."""
    remarks: tuple[str, ...]
    """Where alike is not the same: other thresholds or forms, other ways for missing cells, empty branches."""
    divergence: FirstDifference | None


def first_difference(
    tree_a: Tree, tree_b: Tree, data: Dataset, names: tuple[str, str] | None = None
) -> FirstDifference | None:
    """Where two trees grown on `data` part first; None when they never do.

    `names` is what the sentence calls them: their recipes' names, unless given. Pruned trees part where one of them is
    pruned. Raises InputError for other rows, for trees with different targets, and for raised subtrees.

    >>> from explorer import CART, ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> found = first_difference(grow(data, ID3), grow(data, CART), data)
    >>> found.node_a, found.decision_a.chosen.condition.n_branches, found.decision_b.chosen.condition.n_branches
    (0, 3, 2)
    """
    return walk_together(tree_a, tree_b, data, names).divergence


def walk_together(tree_a: Tree, tree_b: Tree, data: Dataset, names: tuple[str, str] | None = None) -> Walk:
    """Go down two trees along tests alike, level by level, until they part."""
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
    """The walk in progress: a queue of pairs of nodes, each with the rows that come there for sure."""

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
            ways = None if a.is_leaf or b.is_leaf else self.ways(nodes, rows)
            if ways is None:
                return Walk(tuple(self.alike), tuple(self.remarks), self.parting(nodes))
            self.alike.append(nodes)
            self.note(nodes)
            waiting.extend(((a.children[i], b.children[j]), kept) for (i, j), kept in ways.items())
        return Walk(tuple(self.alike), tuple(self.remarks), None)

    def ways(self, nodes: tuple[int, int], rows: Rows) -> dict[tuple[int, int], Rows] | None:
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

    def parting(self, nodes: tuple[int, int]) -> FirstDifference:
        """What is known of the node where the trees part."""
        a, b = (
            Side(name, tree.node(node), decide(tree, self.data, node))
            for name, tree, node in zip(self.names, self.trees, nodes, strict=True)
        )
        columns = zip(self.data.features, self.data.codes, strict=True)
        let_in = frozenset(feature.name for feature, codes in columns if left_out_reason(feature, codes))
        return FirstDifference(*nodes, a.decision, b.decision, why_different(a, b, let_in))

    def note(self, nodes: tuple[int, int]) -> None:
        """Tell how two tests that are alike differ after all."""
        a, b = self.tests(nodes)
        own, other = self.names
        where = f"Node {nodes[0]}" if nodes[0] == nodes[1] else f"Node {nodes[0]} of {own}"
        if way(a) != way(b):
            forms = f"by {way(a)} in {own} and by {way(b)} in {other}"
            self.tell(f"{where} asks for {a.feature} {forms}: the same rows go the same way.")
        lacking = max(float(tree.missing_weight[node]) for tree, node in zip(self.trees, nodes, strict=True))
        first, second = (tree.recipe.missing for tree in self.trees)
        if first != second and lacking > 0:
            ways = f"{own} {POLICIES[first].action}, {other} {POLICIES[second].action}"
            self.tell(f"{where}: {rows_words(lacking)} without a value of {a.feature}; {ways}.")

    def tell(self, remark: str) -> None:
        """Keep a remark, its names as a reader can take them."""
        self.remarks.append(readable(remark, self.trees[0]))


def branches_taken(tree: Tree, plan: Plan, node: int, rows: Rows) -> NDArray[np.int64]:
    """The branch of each row [m] under a node's test; −1 where its value is missing or has no branch."""
    place = int(plan.slot[tree.feature[node]])
    if place >= 0:
        values = plan.numbers[rows, place]
        return np.where(np.isnan(values), -1, (values > tree.threshold[node]).astype(np.int64))
    pairs = slice(int(tree.cat_offset[node]), int(tree.cat_offset[node + 1]))
    branch = np.full(len(tree.features[tree.feature[node]].labels) + 2, -1, dtype=np.int64)
    branch[tree.cat_code[pairs]] = tree.cat_branch[pairs]
    branch[-2:] = -1  # the codes −2 and −1: unknown and missing
    return branch[plan.codes[rows, -place - 1]]


def counterpart(tree: Tree, node: int, other: Tree) -> int | None:
    """The node of another tree that is reached by the same path of tests, word for word; None if there is none.

    >>> from explorer import C45, ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> id3, stump = grow(data, ID3), grow(data, C45.replace(max_depth=1))
    >>> counterpart(id3, 3, stump), counterpart(id3, 5, stump)
    (3, None)
    """
    here = 0
    for step, branch in tree.path_to(node):
        condition, own = tree.condition(step), other.condition(here)
        assert condition is not None, "a node on a path has a test"
        words = [] if own is None else [own.word(i) for i in range(own.n_branches)]
        if condition.word(branch) not in words:
            return None
        here = other.children_of(here)[words.index(condition.word(branch))]
    return here
