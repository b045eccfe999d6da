"""The arrays of a grown tree and what follows from them alone.

Ids are breadth-first positions: the root is 0, and the children of a node follow each other in branch order. The tree
holds no rows. Pruning marks nodes and changes nothing else, so ids mean the same in every pruned subtree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.candidates.surrogates import Surrogates
from explorer.data.codes.scale import NUMBERS
from explorer.errors import InputError
from explorer.formatting import rows_or_weight
from explorer.messages import message
from explorer.recipe.class_weights import as_row_weights, cost_matrix, predicted_classes_of, with_true_priors
from explorer.recipe.columns import FeatureEncoding, kind_of
from explorer.recipe.condition import Condition
from explorer.recipe.impurity import FOR_NUMBERS
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import WEIGHED, Remark, is_of_strict_tests, library_of
from explorer.tree.constraints import Choices
from explorer.tree.leaf_mixture import Cutoffs, Decision, predictions_of_shares
from explorer.tree.smoothing import Smoothing
from explorer.values import Value

MOST_LETTERS = 200
"""The longest action of a node."""


def is_action(text: object) -> bool:
    """Whether it can say what to do with rows: a text, not too long, and not empty."""
    return isinstance(text, str) and bool(text.strip()) and len(text) <= MOST_LETTERS


@dataclass(frozen=True)
class Evidence:
    """The best candidate of every feature at every node, kept while growing: arrays [n, F], nan where there is none."""

    gain: NDArray[np.float64]
    split_info: NDArray[np.float64]
    cut: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BaseTree:
    """All grown nodes, and which of them are pruned to leaves. `stats` is [n, K] class weights, or (W, mean, M2)."""

    features: tuple[FeatureEncoding, ...]
    target: str
    classes: tuple[Value, ...]
    recipe: Recipe
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    child_count: NDArray[np.int32]
    depth: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    cat_offset: NDArray[np.int64]
    cat_code: NDArray[np.int32]
    cat_branch: NDArray[np.int32]
    missing_branch: NDArray[np.int32]
    weight: NDArray[np.float64]
    stats: NDArray[np.float64]
    impurity: NDArray[np.float64]
    stop: NDArray[np.int8]
    missing_weight: NDArray[np.float64]
    is_pruned: NDArray[np.bool_]
    validation: NDArray[np.float64] | None = None
    """With pre-pruning, [n, 2]: score on the validation rows before and after each evaluated split, else nan."""
    class_factors: NDArray[np.float64] | None = None
    """Growing weight per row weight of each class, [K]; None where all rows grow by their own weight."""
    remarks: tuple[Remark, ...] = ()
    evidence: Evidence | None = field(default=None, repr=False)
    origin: NDArray[np.int32] | None = None
    """Ids in the grown tree, where subtree raising has renumbered the nodes."""
    surrogates: Surrogates | None = field(default=None, repr=False)
    choices: Choices | None = None
    """The manual constraints of this tree."""
    refusals: tuple[Remark | None, ...] = ()
    """The reason why each constraint is not in force; None for those in force."""
    forced: NDArray[np.bool_] | None = None
    """Nodes whose test a person chose, [n]; None where there is none."""
    predictions: NDArray[np.float64] | None = None
    """What each node predicts instead of the mean of its rows, [n]: a member of a boosted ensemble, else None."""
    smoothing: Smoothing | None = None
    """How class probabilities are smoothed; None: they are the shares of the rows."""
    unseen_branch: NDArray[np.int32] | None = None
    """The branch of unseen values at every node, [n], −1 where the row stays; None: as the recipe says."""
    decision: Decision | Cutoffs | None = None
    """From which probability on one of two classes is predicted; None: the heaviest class, or the cheapest."""
    actions: tuple[tuple[int, str], ...] = ()
    """What to do with rows that end at or below a node, by its id: of several on a path the last holds."""
    table_settings: Mapping[str, list[str]] | None = field(default=None, repr=False)
    """How the app read and divided the table, as parameters of its links: kept with a saved tree, and of no effect."""

    def __repr__(self) -> str:
        """One line: what it predicts and how large it is."""
        return f"<Tree for {self.target!r} by {self.recipe.name}: {self.n_leaves} leaves, depth {self.max_depth}>"

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks as sentences in the language in force."""
        return tuple(remark.text for remark in self.remarks)

    @property
    def not_in_force(self) -> tuple[str, ...]:
        """Why each constraint is not in force, in the language in force; an empty text for those in force."""
        return tuple("" if remark is None else remark.text for remark in self.refusals)

    @property
    def counts_rows(self) -> bool:
        """Whether amounts are numbers of rows: rows have no weights of a column, and weights are no shares of 1."""
        is_weighed = any(remark.code in WEIGHED for remark in self.remarks)
        return not is_weighed and bool(self.n_nodes_grown == 1 or self.weight[0] >= 1.0 + 1e-9)

    @property
    def is_recounted(self) -> bool:
        """Whether its splits come from a file, and its counts from other rows than it was grown on (`recount`)."""
        return any(remark.code == "recounted" for remark in self.remarks)

    @cached_property
    def _is_strict(self) -> bool:
        """Whether the library that grew it tests x < t."""
        return any(is_of_strict_tests(remark) for remark in self.remarks)

    @property
    def source(self) -> str:
        """The library that grew it, with its version as far as its file tells; "" for a tree grown here."""
        return next(filter(None, map(library_of, self.remarks)), "")

    @property
    def amount_name(self) -> str:
        """What an amount of rows is a number of: the heading of such numbers in tables and charts."""
        return message("rows") if self.counts_rows else message("weight")

    def rows_text(self, weight: float) -> str:
        """An amount of rows as the tree counts them: a number of rows, or their weight."""
        return rows_or_weight(weight, self.counts_rows)

    @property
    def is_regression(self) -> bool:
        """Whether leaves hold means instead of classes."""
        return not self.classes

    @property
    def n_nodes_grown(self) -> int:
        """How many nodes were grown, pruned ones included."""
        return len(self.parent)

    @cached_property
    def is_kept(self) -> NDArray[np.bool_]:
        """Which nodes are part of the tree: no ancestor is pruned to a leaf."""
        if not self.is_pruned.any():
            return np.ones(self.n_nodes_grown, dtype=bool)
        shown = np.ones(self.n_nodes_grown, dtype=bool)
        for level in self.levels[1:]:
            above = self.parent[level]
            shown[level] = shown[above] & ~self.is_pruned[above]
        return shown

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which kept nodes are leaves."""
        return self.is_kept & ((self.feature < 0) | self.is_pruned)

    @cached_property
    def is_inner(self) -> NDArray[np.bool_]:
        """Which kept nodes have a test."""
        return self.is_kept & ~self.is_leaf

    @cached_property
    def n_nodes(self) -> int:
        """How many nodes are kept."""
        return int(self.is_kept.sum())

    @cached_property
    def n_leaves(self) -> int:
        """How many leaves the pruned tree has."""
        return int(self.is_leaf.sum())

    @cached_property
    def max_depth(self) -> int:
        """Edges on the longest path of the pruned tree."""
        return int(self.depth[self.is_kept].max())

    @cached_property
    def levels(self) -> list[slice]:
        """The ids of each depth, which are contiguous."""
        ends = np.searchsorted(self.depth, np.arange(int(self.depth[-1]) + 1), side="right")
        return [slice(int(start), int(end)) for start, end in zip([0, *ends[:-1]], ends, strict=True)]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Class probabilities of every node, without the costs, [n, K]; empty branches have their parent's."""
        totals = self.prior_stats.sum(axis=1)
        shares = self.prior_stats / np.where(totals > 0, totals, 1.0)[:, None]
        empty = np.flatnonzero(self.weight == 0)
        shares[empty] = shares[self.parent[empty]]
        return shares

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Predicted class probabilities of every node, [n, K]: the shares, smoothed where the tree has a rule for it.

        Empty branches have their parent's.
        """
        return self.shares if self.smoothing is None else self.smoothed_by(self.smoothing)

    def smoothed_by(self, smoothing: Smoothing) -> NDArray[np.float64]:
        """The shares of every node as this rule smooths them, [n, K]."""
        smoothed = smoothing.probabilities(self.prior_stats, self.shares[0])
        empty = np.flatnonzero(self.weight == 0)
        smoothed[empty] = smoothed[self.parent[empty]]
        return smoothed

    @property
    def row_stats(self) -> NDArray[np.float64]:
        """Row weight of every class at every node, [n, K]."""
        return as_row_weights(self.stats, self.class_factors)

    @cached_property
    def costs(self) -> NDArray[np.float64] | None:
        """The cost of predicting class k (column) for a row of class j, [K, K]; None where the recipe has no costs."""
        return None if self.recipe.cost_pairs is None else cost_matrix(self.recipe.cost_pairs, self.classes)

    @cached_property
    def prior_stats(self) -> NDArray[np.float64]:
        """Class weights under the true priors (class weights in, costs out), on the scale of all weight, [n, K]."""
        return self.stats if self.costs is None else with_true_priors(self.stats, self.costs)

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """Class code of every node: the heaviest class (least expected cost), the earlier one on a tie."""
        if self.is_regression:
            raise InputError(message("This tree predicts numbers and has no class labels: use `values`."))
        if self.decision is None:
            labels = predicted_classes_of(self.stats, self.costs)
        else:
            labels = predictions_of_shares(self.deciding_shares, self.deciding_costs)
        empty = np.flatnonzero(self.weight == 0)
        labels[empty] = labels[self.parent[empty]]
        return labels

    @property
    def deciding_costs(self) -> NDArray[np.float64] | None:
        """The costs by which a class is predicted, [K, K]: those of the recipe, or those that mean thresholds."""
        return self.costs if self.decision is None else self.decision.costs(self.classes)

    @property
    def deciding_shares(self) -> NDArray[np.float64]:
        """The class probabilities by which a class is predicted, [n, K]: a threshold is one of smoothed ones too."""
        return self.shares if self.decision is None else self.probabilities

    @cached_property
    def node_actions(self) -> NDArray[np.object_]:
        """What to do with rows that end at each node, [n]: its own action or that of the nearest node above, or ""."""
        texts = np.full(self.n_nodes_grown, "", dtype=object)
        own = dict(self.actions)
        for level in self.levels if own else ():
            for node in range(level.start, level.stop):
                texts[node] = own.get(node, texts[self.parent[node]] if node else "")
        return texts

    @property
    def values(self) -> NDArray[np.float64]:
        """Predicted number of every node, [n]: its mean (an empty branch has its parent's), or `predictions`."""
        if self.predictions is not None:
            return self.predictions
        means = self.stats[:, 1].copy()
        empty = np.flatnonzero(self.weight == 0)
        means[empty] = means[self.parent[empty]]
        return means

    @property
    def has_deviations(self) -> bool:
        """Whether the loss of a node's rows is their squared error, so that it has a standard deviation."""
        return self.is_regression and self.predictions is None and self.recipe.impurity in (None, FOR_NUMBERS)

    def children_of(self, node: int) -> range:
        """Ids of the children that a node was grown with, in branch order."""
        first = int(self.first_child[node])
        return range(first, first + int(self.child_count[node])) if first >= 0 else range(0)

    def leaves(self) -> NDArray[np.intp]:
        """Ids of the leaves, ascending."""
        return np.flatnonzero(self.is_leaf)

    def tested_features(self) -> list[int]:
        """Positions in `features` of those that the (pruned) tree tests, in splits and surrogates, ascending."""
        tested = set(self.feature[self.is_inner].tolist())
        if self.surrogates is not None:
            tested |= set(self.surrogates.feature[self.is_inner[self.surrogates.node]].tolist())
        return sorted(tested)

    def preorder(self) -> Iterator[int]:
        """Ids of the kept nodes in preorder: from the root down, each branch to its end before the next."""
        stack = [0]
        while stack:
            node = stack.pop()
            yield node
            if not self.is_pruned[node]:
                stack.extend(reversed(self.children_of(node)))

    def path_to(self, node: int) -> list[tuple[int, int]]:
        """The decision path from the root to a node: (node, branch) per step."""
        steps = []
        while node > 0:
            above = int(self.parent[node])
            steps.append((above, node - int(self.first_child[above])))
            node = above
        return steps[::-1]

    def condition(self, node: int) -> Condition | None:
        """The test that a node was grown with; None where it was never split."""
        if self.feature[node] < 0:
            return None
        encoding = self.features[self.feature[node]]
        if encoding.test == "threshold":
            return Condition(
                encoding.name,
                "threshold",
                float(self.threshold[node]),
                has_missing_branch=int(self.child_count[node]) > 2,
                is_strict=self._is_strict and encoding.scale == NUMBERS,
                scale=encoding.scale,
            )
        known = self._conditions_on_categories.get(node)
        if known is None:
            known = self._conditions_on_categories[node] = self._condition_on_categories(node)
        return known

    @cached_property
    def _conditions_on_categories(self) -> dict[int, Condition]:
        """The tests made so far on lists of values, by node: a walk over the branches asks for the same one again."""
        return {}

    def _condition_on_categories(self, node: int) -> Condition:
        encoding = self.features[self.feature[node]]
        pairs = slice(int(self.cat_offset[node]), int(self.cat_offset[node + 1]))
        groups: list[list[Value | None]] = [[] for _ in range(int(self.child_count[node]))]
        for code, branch in zip(self.cat_code[pairs], self.cat_branch[pairs], strict=True):
            groups[branch].append(encoding.labels[code])
        kind = kind_of(encoding.test, [len(group) for group in groups])
        missing = int(self.missing_branch[node])
        unseen = missing if self.unseen_branch is None else int(self.unseen_branch[node])
        if missing not in (-1, unseen) and not groups[missing]:
            groups[missing].append(None)  # a branch of its own, though missing is no category
        branches = tuple(tuple(group) for group in groups)
        return Condition(encoding.name, kind, None, branches, has_intervals=encoding.is_binned)

    def with_pruned(self, pruned: ArrayLike) -> Self:
        """The same tree with these nodes [n] made leaves (those never split stay as they are)."""
        mask = np.asarray(pruned, dtype=bool) & (self.feature >= 0)
        return replace(self, is_pruned=mask)
