"""How stable a tree is: what its nodes split on in trees grown on resamples of the rows (DEFINITIONS section 26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.drawing.thumbnail import Thumbnail, thumbnail
from explorer.drawing.tree_view.stability_layer import Layer
from explorer.ensembles.rounds import Progress
from explorer.ensembles.stability.resampling import Resampling, resampling_of
from explorer.ensembles.stability.tree_distance import features_of, matched, order_by_distance, partition_distances
from explorer.errors import InputError, Stopped
from explorer.growing.constraints import remembered
from explorer.growing.decide import decide
from explorer.growing.grow import grow
from explorer.growing.grow_many import GrowJob, Presorted, grow_many
from explorer.messages import message
from explorer.recipe.condition import parts_no_numbers
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark
from explorer.sources.source import Source
from explorer.tree.constraints import Choices
from explorer.tree.routing import Plan, plan_for, route
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
LEAF, NOT_REACHED = -1, -2
"""Instead of a feature: a resample's tree has a leaf there, or no node at this place."""
TOLERANCE = 0.1
"""Share of a node's rows that two splits may send to different branches and still lead to the same places."""
MOST_ROWS = 2_000
"""Rows on which partitions are compared: in larger tables so many, evenly spaced."""
MOST_ROWS_FOR_TIES = 500
"""Rows up to which resamples are searched for ties at the root: textbook tables have them, large ones hardly."""
TIE = 1e-9
"""Scores that differ by a smaller share are a tie."""


@dataclass(frozen=True)
class Alternative:
    """What resamples do at a node instead of the tree's own split.

    `feature` is the name of the feature they split on; None where they have a leaf (`is_leaf`), or where no node is at
    this place. `share` is that of all resamples.
    """

    feature: str | None
    is_leaf: bool
    count: int
    share: float


@dataclass(frozen=True, eq=False)
class Thresholds:
    """The thresholds of a node's feature in the trees that split on it at the node's place.

    `values` [m] ascend; `quartiles` are the 25 %, 50 % and 75 % quantiles (interpolated linearly); `own` is that of the
    tree in hand.
    """

    own: float
    values: NDArray[np.float64]
    quartiles: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class DistinctTree:
    """Resamples whose trees are alike: the same partition of the rows, by the same features in the drawn part.

    `resamples` are their numbers; `distance` is the partition distance to the tree in hand.
    """

    resamples: tuple[int, ...]
    picture: Thumbnail
    distance: float


@dataclass(frozen=True, eq=False)
class Stability:
    """The trees of all resamples beside the tree in hand, node by node.

    `feature_at` [b, nodes] is the feature that each resample's tree splits on at the place of each node of `tree`, as
    its index in `tree.features`, or LEAF or NOT_REACHED; `threshold_at` is its threshold, nan where it has none.
    `n_constant` counts the resamples with one class or one number, whose trees are a leaf; `root_ties` those in which
    two features tie for the root (None in tables of more than 500 rows, where it is not looked for). `ended` says why
    there are fewer resamples than asked for.
    """

    tree: Tree
    resampling: Resampling
    feature_at: NDArray[np.int32] = field(repr=False)
    threshold_at: NDArray[np.float64] = field(repr=False)
    pictures: tuple[Thumbnail, ...] = field(repr=False)
    leaves: NDArray[np.int32] = field(repr=False)
    """The leaf of each compared row in the tree in hand (first line) and in every resample's tree, [b + 1, rows]."""
    row_weights: NDArray[np.float64] = field(repr=False)
    """The weights of the compared rows."""
    row_numbers: NDArray[np.intp] = field(repr=False)
    """Where the rows are in the table, [n]."""
    n_constant: int
    root_ties: int | None
    ended: Remark | None
    regrow: Callable[[int], Tree] = field(repr=False)

    @property
    def n_resamples(self) -> int:
        """How many resamples have a tree."""
        return len(self.feature_at)

    @cached_property
    def root_counts(self) -> dict[str | None, int]:
        """How many trees split the root on each feature, the most frequent first; None counts trees that are a leaf."""
        counts = Counter(picture.root_feature or None for picture in self.pictures)
        order = {feature.name: position for position, feature in enumerate(self.tree.features)}
        return dict(sorted(counts.items(), key=lambda item: (-item[1], order.get(item[0] or "", -1))))

    @property
    def root_shares(self) -> dict[str | None, float]:
        """The share of resamples with each root feature, the most frequent first; None is a tree that is a leaf."""
        return {feature: count / self.n_resamples for feature, count in self.root_counts.items()}

    @cached_property
    def node_counts(self) -> NDArray[np.intp]:
        """How many trees split on the same feature at the same place as each node, or are a leaf there too, [nodes]."""
        own = np.where(self.tree.is_inner, self.tree.feature, LEAF)
        return np.where(self.tree.is_kept, (self.feature_at == own).sum(axis=0), 0)

    @property
    def node_shares(self) -> NDArray[np.float64]:
        """The share of all resamples that split alike at each node, or are a leaf there too, [nodes].

        It is nan for pruned nodes, and for empty branches: no row leads there.
        """
        counts = self.tree.is_kept & (self.tree.weight > 0)
        return np.where(counts, self.node_counts / self.n_resamples, np.nan)

    def reached(self, node: int) -> int:
        """How many trees have a node at the place of this one."""
        return int((self.feature_at[:, self.tree.node(node).id] != NOT_REACHED).sum())

    @property
    def n_same(self) -> int:
        """How many trees divide the compared rows as the tree in hand does."""
        return int((self.leaves[1:] == self.leaves[0]).all(axis=1).sum())

    def first_difference(self, resample: int) -> int | None:
        """The first node, level by level, at whose place a resample's tree does otherwise; None where all are alike."""
        own = np.where(self.tree.is_inner, self.tree.feature, LEAF)
        counts = self.tree.is_kept & (self.tree.weight > 0)
        nodes = np.flatnonzero(counts & (self.feature_at[resample] != own))
        return int(nodes[0]) if nodes.size else None

    @cached_property
    def thresholds(self) -> dict[int, Thresholds]:
        """The spread of the threshold of every node that has one and keeps its feature in some resample, by node."""
        has_one = self.tree.is_inner & ~np.isnan(self.tree.threshold) & ~parts_no_numbers(self.tree.threshold)
        spreads = {}
        for node in np.flatnonzero(has_one).tolist():
            values = self.threshold_at[self.feature_at[:, node] == self.tree.feature[node], node]
            values = np.sort(values[np.isfinite(values)])
            if values.size:
                low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
                spreads[node] = Thresholds(float(self.tree.threshold[node]), values, (low, middle, high))
        return spreads

    @property
    def layer(self) -> Layer:
        """Shares and spreads as the interactive view draws them over the tree, and `to_html` keeps them."""
        spreads = {
            node: (*spread.values[[0, -1]].tolist(), *spread.quartiles) for node, spread in self.thresholds.items()
        }
        return Layer(self.n_resamples, self.node_counts, self.node_shares, spreads)

    def alternatives(self, node: int) -> tuple[Alternative, ...]:
        """What the other resamples do at a node, the most frequent first; places not reached are the last line.

        Their counts and that of the node itself (`node_counts`) add up to the number of resamples.
        """
        own = int(self.tree.feature[node]) if self.tree.is_inner[self.tree.node(node).id] else LEAF
        counts = Counter(self.feature_at[:, node].tolist())
        order = sorted((code for code in counts if code != own), key=lambda code: (code == NOT_REACHED, -counts[code]))
        return tuple(
            Alternative(
                self.tree.features[code].name if code >= 0 else None,
                code == LEAF,
                counts[code],
                counts[code] / self.n_resamples,
            )
            for code in order
        )

    def grown_tree(self, resample: int) -> Tree:
        """The whole tree of a resample, grown again: only its picture and its partition are kept."""
        if not 0 <= resample < self.n_resamples:
            raise InputError(
                message(
                    "There is no resample {resample}: they go from 0 to {last}.",
                    resample=resample,
                    last=self.n_resamples - 1,
                )
            )
        return self.regrow(resample)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The resamples whose trees are alike, the largest group first: see `DistinctTree`."""
        members: dict[bytes, list[int]] = {}
        for index, (leaves, picture) in enumerate(zip(self.leaves[1:], self.pictures, strict=True)):
            members.setdefault(leaves.tobytes() + picture.feature.tobytes(), []).append(index)
        return tuple(sorted(map(tuple, members.values()), key=lambda group: (-len(group), group[0])))

    def distinct_trees(self, most: int = 200) -> tuple[DistinctTree, ...]:
        """The different trees among the resamples in the order of their distances, at most the most frequent ones.

        Similar trees stand side by side: average linkage by the partition distance. The end that is nearer to the tree
        in hand comes first.
        """
        groups = self.groups[:most]
        distances = partition_distances(self.leaves[[0, *(group[0] + 1 for group in groups)]], self.row_weights)
        order = order_by_distance(distances[1:, 1:])
        if distances[0, order[0] + 1] > distances[0, order[-1] + 1]:
            order.reverse()
        return tuple(DistinctTree(groups[i], self.pictures[groups[i][0]], float(distances[0, i + 1])) for i in order)


def stability(
    data: Dataset,
    recipe: Recipe,
    resamples: int | str = 200,
    method: str = "bootstrap",
    seed: int = 0,
    progress: Progress | None = None,
    *,
    share: float = 0.5,
    tolerance: float = TOLERANCE,
    tree: Tree | None = None,
    validation: Dataset | Source | None = None,
    choices: Choices | None = None,
) -> Stability:
    """Grow a tree on every resample of the rows and compare it with the tree of all rows, node by node.

    `resamples` is a number of random ones (`method` "bootstrap", or "subsample" of the `share` of the rows), or
    "leave-1-out", "leave-2-out", … for all ways to leave so many rows out. `tree` is the tree in hand: that of all rows
    unless given. A node of another tree is at the *same place* when splits alike lead to both: on the same feature,
    with at most the share `tolerance` of the rows there in other branches; 0 asks for equivalent splits (DEFINITIONS
    section 11). `progress(trees, in all)` may raise `Stopped`: the trees so far are kept. `validation` and `choices`
    are those of `grow`. Raises InputError for arguments that do not suit the rows.

    >>> from explorer import ID3, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> stability(tennis, ID3, "leave-1-out").root_counts
    {'Outlook': 11, 'Humidity': 3}
    """
    if isinstance(tolerance, bool) or not 0 <= tolerance < 1:
        raise InputError(message("The tolerance is {tolerance!r}: give a number from 0 to 1.", tolerance=tolerance))
    if data.n_rows == 0:
        raise InputError(message("Stability needs rows: give at least one."))
    plan = resampling_of(data, resamples, method, seed, share)
    tree = grow(data, recipe, validation, choices=choices) if tree is None else tree
    remembered_choices = remembered(tree) if choices else None

    def weights(index: int) -> Floats:
        return plan.times(index) * data.weight_of_rows()

    def regrow(index: int) -> Tree:
        return grow(data.with_weights(weights(index)), recipe, validation, choices=remembered_choices)

    comparison = _Comparison(tree, data, tolerance)

    def report(*_: int) -> None:
        if progress is not None:
            progress(len(comparison.pictures), plan.count)

    def regrow_and_report(index: int) -> Tree:
        return grow(data.with_weights(weights(index)), recipe, validation, report, choices=remembered_choices)

    report()
    jobs = (GrowJob(weights(index)) for index in range(plan.count))
    is_plain = validation is None and remembered_choices is None
    grown = grow_many(Presorted(data, recipe), jobs, report) if is_plain else map(regrow_and_report, range(plan.count))
    return comparison.result(plan, comparison.add_all(grown, plan, report), regrow)


class _Comparison:
    """The tree in hand, and what is kept of the trees that were compared with it so far."""

    def __init__(self, tree: Tree, data: Dataset, tolerance: float) -> None:
        self.tree, self.data, self.tolerance = tree, data, tolerance
        self.plan = plan_for(tree, data)[1]
        self.compared = np.arange(0, data.n_rows, max(-(-data.n_rows // MOST_ROWS), 1))
        self.pictures: list[Thumbnail] = []
        self.features: list[NDArray[np.int32]] = []
        self.thresholds: list[NDArray[np.float64]] = []
        self.leaves = [self.leaf_of_rows(tree, self.plan)]
        self.n_constant = self.n_ties = 0

    def add_all(self, grown: Iterable[Tree], plan: Resampling, report: Callable[[], None]) -> Remark | None:
        """Compare the trees of all resamples as they are grown; why there are fewer, if they are not waited for."""
        try:
            for index, other in enumerate(grown):
                self.add(other, plan.times(index))
                report()
        except Stopped:
            if not self.pictures:
                raise
        n_compared = len(self.pictures)
        return Remark("resamples_stopped", (n_compared, plan.count)) if n_compared < plan.count else None

    def add(self, other: Tree, times: NDArray[np.float64]) -> None:
        """Compare one resample's tree, on the rows that it has in common with the tree in hand."""
        rows = np.flatnonzero(times)
        plan = plan_for(other, self.data)[1]
        feature, threshold = self.at_places(other, plan, rows)
        self.features.append(feature)
        self.thresholds.append(threshold)
        self.pictures.append(thumbnail(other))
        self.leaves.append(self.leaf_of_rows(other, plan))
        self.n_constant += int(np.ptp(self.data.y[rows]) == 0)
        if self.looks_for_ties:
            weights = times * self.data.weight_of_rows()
            self.n_ties += has_root_tie(other, self.data.with_weights(weights))

    @property
    def looks_for_ties(self) -> bool:
        """Whether the table is small enough to look for ties at the roots."""
        return self.data.n_rows <= MOST_ROWS_FOR_TIES

    def at_places(
        self, other: Tree, plan: Plan, rows: NDArray[np.intp]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Feature and threshold of another tree at the place of every node, [nodes] each."""
        index = features_of(self.tree, other)
        partner, _, _ = matched(self.plan, plan, index, rows, self.data, self.tolerance)
        reached = partner >= 0
        is_split = reached & other.is_inner[partner]
        feature = np.where(reached, LEAF, NOT_REACHED).astype(np.int32)
        feature[is_split] = index[other.feature[partner[is_split]]]
        return feature, np.where(is_split, other.threshold[partner], np.nan)

    def leaf_of_rows(self, tree: Tree, plan: Plan) -> NDArray[np.int32]:
        """The leaf of each compared row, leaves numbered in the order of the rows that come first, [rows]."""
        rows = self.compared
        ends = route(plan._replace(numbers=plan.numbers[rows], codes=plan.codes[rows]), rows.size)
        if (ends < 0).any():  # a row that follows several branches
            ends = tree.apply(self.data.take(rows))
        _, first, leaves = np.unique(ends, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first)).astype(np.int32)[leaves]

    def result(self, resampling: Resampling, ended: Remark | None, regrow: Callable[[int], Tree]) -> Stability:
        """Everything side by side."""
        return Stability(
            tree=self.tree,
            resampling=resampling,
            feature_at=np.stack(self.features),
            threshold_at=np.stack(self.thresholds),
            pictures=tuple(self.pictures),
            leaves=np.stack(self.leaves),
            row_weights=self.data.weight_of_rows()[self.compared],
            row_numbers=self.data.row_numbers,
            n_constant=self.n_constant,
            root_ties=self.n_ties if self.looks_for_ties else None,
            ended=ended,
            regrow=regrow,
        )


def has_root_tie(tree: Tree, data: Dataset) -> bool:
    """Whether two features tie for the split of the root, so that the earlier column wins."""
    if not tree.is_inner[0]:
        return False
    decision = decide(tree, data, 0)
    if decision.chosen is None or decision.chosen.score is None or decision.margin is None:
        return False
    return bool(abs(decision.margin) <= TIE * abs(decision.chosen.score))
