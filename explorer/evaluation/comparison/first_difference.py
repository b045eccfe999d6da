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
from explorer.evaluation.comparison.shared_out import leaves_with_other_predictions, shared_out_differently
from explorer.evaluation.comparison.why_different import Side, readable, split_form, why_different
from explorer.formatting import rows as rows_words
from explorer.growing.decide import Decision, decide
from explorer.messages import Worded, Words, message, worded
from explorer.recipe.condition import Condition
from explorer.recipe.missing import POLICIES
from explorer.sources.source import Source
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
    sentence: Worded = Worded()


@dataclass(frozen=True, eq=False)
class Walk:
    """Two trees compared from the root: the nodes with tests alike, remarks on them, and the first difference."""

    alike: tuple[tuple[int, int], ...]
    """Ids (in a, in b) of the nodes whose tests are alike, up to the first difference."""
    details: tuple[Words, ...]
    """How tests alike differ: other thresholds or forms, other policies for missing values."""
    difference: FirstDifference | None
    shared_otherwise: int = 0
    """Without a difference: how many rows, all with a missing value, are shared out otherwise among the leaves."""
    leaves_otherwise: int = 0
    """Without both: in how many leaves the predictions or probabilities differ."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The details as sentences in the language in force."""
        return tuple(worded(detail) for detail in self.details)


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


def walk_together(
    tree_a: Tree,
    tree_b: Tree,
    data: Dataset,
    names: tuple[str, str] | None = None,
    decided_on: Dataset | Source | None = None,
) -> Walk:
    """Compare two trees along tests alike, level by level, up to the first difference.

    The decisions there are those on `decided_on`, the table that `data` is a sample of; None: on `data`.
    """
    check_pair(tree_a, tree_b)
    if tree_a.origin is not None or tree_b.origin is not None:
        raise InputError(message("Subtree raising moved splits to other nodes: compare the trees as they were grown."))
    walker = _Walker(tree_a, tree_b, data, names or _names(tree_a, tree_b), data if decided_on is None else decided_on)
    return walker.walk()


def check_pair(tree_a: Tree, tree_b: Tree) -> None:
    """InputError unless both trees predict the same target with the same classes."""
    if (tree_a.target, tree_a.classes) != (tree_b.target, tree_b.classes):
        raise InputError(
            message(
                "The trees predict '{target_a}' and '{target_b}', or their classes differ: compare trees "
                "with the same target and classes.",
                target_a=tree_a.target,
                target_b=tree_b.target,
            )
        )


def _names(tree_a: Tree, tree_b: Tree) -> tuple[str, str]:
    """The recipes' names, or A and B where these are the same."""
    names = tree_a.recipe.name, tree_b.recipe.name
    return names if names[0] != names[1] else ("A", "B")


class _Walker:
    """The comparison in progress: a queue of pairs of nodes, each with the rows that surely reach both."""

    def __init__(
        self, tree_a: Tree, tree_b: Tree, data: Dataset, names: tuple[str, str], decided_on: Dataset | Source
    ) -> None:
        self.trees, self.data, self.names, self.decided_on = (tree_a, tree_b), data, names, decided_on
        self.plans = tuple(plan_for(tree, data)[1] for tree in self.trees)
        self.alike: list[tuple[int, int]] = []
        self.details: list[Words] = []

    def walk(self) -> Walk:
        """Level by level from the root."""
        waiting: deque[tuple[tuple[int, int], Rows]] = deque([((0, 0), np.arange(self.data.n_rows))])
        met: list[tuple[int, int]] = []
        while waiting:
            nodes, rows = waiting.popleft()
            met.append(nodes)
            a, b = (tree.node(node) for tree, node in zip(self.trees, nodes, strict=True))
            if a.is_leaf and b.is_leaf:
                continue
            rows_of_pair = None if a.is_leaf or b.is_leaf else self.matched_branches(nodes, rows)
            if rows_of_pair is None:
                return Walk(tuple(self.alike), tuple(self.details), self.difference_at(nodes))
            self.alike.append(nodes)
            self.add_details(nodes)
            waiting.extend(((a.children[i], b.children[j]), shared) for (i, j), shared in rows_of_pair.items())
        shared_otherwise = shared_out_differently(*self.trees, self.data, met)
        leaves_otherwise = 0 if shared_otherwise else leaves_with_other_predictions(*self.trees, met)
        return Walk(tuple(self.alike), tuple(self.details), None, shared_otherwise, leaves_otherwise)

    def matched_branches(self, nodes: tuple[int, int], rows: Rows) -> dict[tuple[int, int], Rows] | None:
        """Rows by pair of branches, if the tests are alike; None if they are not."""
        a, b = self.tests(nodes)
        if a.feature != b.feature:
            return None
        taken = [branches_taken(*pair, rows) for pair in zip(self.trees, self.plans, nodes, strict=True)]
        known = (taken[0] >= 0) & (taken[1] >= 0)
        if not known.any():
            return {(i, i): rows[:0] for i in range(a.n_branches)} if a == b else None
        width = b.n_branches
        numbers = np.flatnonzero(np.bincount(taken[0][known] * width + taken[1][known]))
        pairs = [divmod(number, width) for number in numbers.tolist()]
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
            Side(name, tree.node(node), decide(tree, self.decided_on, node))
            for name, tree, node in zip(self.names, self.trees, nodes, strict=True)
        )
        columns = zip(self.data.features, self.data.codes, strict=True)
        included = frozenset(feature.name for feature, codes in columns if left_out_reason(feature, codes))
        return FirstDifference(*nodes, a.decision, b.decision, lambda: why_different(a, b, included))

    def add_details(self, nodes: tuple[int, int]) -> None:
        """Add how two tests that are alike differ in form or in their policy for missing values."""
        pair = _AlikeTests(self.trees, self.names, nodes, self.tests(nodes))
        if len(set(map(split_form, pair.tests))) > 1:
            self.details.append(pair.form_text)
        if len({tree.recipe.missing for tree in self.trees}) > 1 and pair.missing_weight > 0:
            self.details.append(pair.missing_text)


@dataclass(frozen=True, eq=False)
class _AlikeTests:
    """Two tests that are alike; it keeps no rows, as what it says is worded long after the walk."""

    trees: tuple[Tree, Tree]
    names: tuple[str, str]
    nodes: tuple[int, int]
    tests: tuple[Condition, Condition]

    @property
    def missing_weight(self) -> float:
        """Weight of the rows without a value, in the tree that has more of them."""
        return max(float(tree.missing_weight[node]) for tree, node in zip(self.trees, self.nodes, strict=True))

    @property
    def node_text(self) -> str:
        """The first tree's node, and its tree where the second has another id."""
        if self.nodes[0] == self.nodes[1]:
            return message("Node {node}", node=self.nodes[0])
        return message("Node {node} of {tree}", node=self.nodes[0], tree=self.names[0])

    def form_text(self) -> str:
        """The forms of the tests."""
        sentence = message(
            "{node} splits on {feature} by {split_a} in {tree_a} and by {split_b} in {tree_b}: the same rows go to the "
            "same branches.",
            node=self.node_text,
            feature=self.tests[0].feature,
            split_a=split_form(self.tests[0]),
            tree_a=self.names[0],
            split_b=split_form(self.tests[1]),
            tree_b=self.names[1],
        )
        return readable(sentence, self.trees[0])

    def missing_text(self) -> str:
        """What becomes of the rows without a value of the feature."""
        first, second = (POLICIES[tree.recipe.missing].action for tree in self.trees)
        sentence = message(
            "{node}: {rows} without a value of {feature}; {policy_a}; {policy_b}.",
            node=self.node_text,
            rows=rows_words(self.missing_weight),
            feature=self.tests[0].feature,
            policy_a=first(self.names[0]),
            policy_b=second(self.names[1]),
        )
        return readable(sentence, self.trees[0])


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
