"""What the tests of a grown tree cost beside the best ones: at every node, and for every candidate (section 27)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from explorer.candidates.candidates import Candidate
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.decide import decide
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.optimal.answers import OutOfTimeError, Part
from explorer.optimal.best_subtree import Run, request_of
from explorer.optimal.depth_two import UNLIMITED
from explorer.optimal.problem import Problem
from explorer.optimal.search import Search
from explorer.ranges import is_whole
from explorer.recipe.condition import SplitRequest
from explorer.tree.constraints import Choices
from explorer.tree.tree import Tree

MOST_DEPTH = 4


@dataclass(frozen=True)
class CandidateBelow:
    """A candidate test of a node with the losses of trees that begin with it.

    No such tree is below `lower`, one has `upper`, and `greedy` is that of greedy growth after this test.
    """

    candidate: Candidate
    lower: float
    upper: float
    greedy: float


@dataclass(frozen=True, eq=False)
class PriceOfGreed:
    """How far greedy growth below a node is from the best within some depth, and at which nodes that was paid.

    `loss` is that of the tree below the node, cut off at `depth`; no tree of that depth is below `lower`, and one has
    `upper`. `paid` says by node how much the best trees after its own test lose more than the best trees: over all
    nodes it adds up to `loss` − `upper`. It is empty where the search was ended before that was proven.
    """

    node: int
    depth: int
    loss: float
    lower: float
    upper: float
    candidates: tuple[CandidateBelow, ...]
    paid: dict[int, float]
    best: SplitRequest | None
    """The test at the root of the best tree; None where a leaf is as good."""

    @property
    def is_proven(self) -> bool:
        """Whether the best loss is known."""
        return self.upper <= self.lower

    def of_feature(self, feature: str) -> CandidateBelow | None:
        """The best candidate of a feature; None where it has none."""
        return next((below for below in self.candidates if below.candidate.feature == feature), None)


def price_of_greed(
    tree: Tree,
    data: Dataset,
    node: int = 0,
    depth: int = 3,
    seconds: float | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> PriceOfGreed:
    """Compare the tree below a node with the best tree of this depth on the node's rows, test by test.

    `data` are the rows that the tree was grown on. Losses are those of `best_subtree`, in weight of rows, cost, or
    squared errors. After `seconds`, or where `progress(lower, upper)` raises `Stopped`, what is known is given. Raises
    InputError for what the search does not cover.

    >>> from explorer import ID3, load_sample
    >>> data = Dataset.from_frame(load_sample("xor_six_rows").frame, "class")
    >>> price = price_of_greed(grow(data, ID3), data, depth=2)
    >>> price.loss, price.upper, price.paid, price.of_feature("B").upper
    (1.0, 0.0, {0: 1.0}, 0.0)
    """
    if not is_whole(depth, 1, MOST_DEPTH):
        raise InputError(
            message(
                "A depth of {depth!r} cannot be searched: give a whole number from 1 to {most}.",
                depth=depth,
                most=MOST_DEPTH,
            )
        )
    problem = Problem.of(data, tree.recipe, 0.0)
    whole = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool))
    nodes = _Below(Search(problem), whole, problem.data)
    part, own = nodes.part_of(node), decide(whole, data, node).best.values()
    loss, end = nodes.loss(node, depth), math.inf if seconds is None else time.monotonic() + seconds
    lower, answer = Run(nodes.search, part, depth, UNLIMITED, progress, loss).within(seconds)
    with nodes.search.ending_after(None if seconds is None else max(end - time.monotonic(), 0.001)):
        candidates = tuple(nodes.candidate(data, node, depth, candidate) for candidate in own)
        upper = min(answer.upper, loss)
        if lower < upper - nodes.search.tolerance:  # a candidate may have led to a better tree than was found before
            upper = min([upper, *(below.upper for below in candidates if below.candidate.rejection is None)])
        lower = upper if lower >= upper - nodes.search.tolerance else lower
        paid = dict(nodes.paid(node, depth)) if lower == upper else {}
    is_leaf = answer.test is None or answer.upper > upper
    return PriceOfGreed(
        node=node,
        depth=depth,
        loss=loss,
        lower=lower,
        upper=upper,
        candidates=candidates,
        paid={at: price for at, price in paid.items() if price > nodes.search.tolerance},
        best=None if is_leaf or answer.test is None else request_of(problem, part, answer.test),
    )


class _Below:
    """The nodes of a tree, each with the best trees for its rows."""

    def __init__(self, search: Search, tree: Tree, rows: Dataset) -> None:
        self.search, self.tree, self.rows = search, tree, rows

    def part_of(self, node: int) -> Part:
        """The rows of a node."""
        return self.search.part(self.tree.rows_at(self.rows, node))

    def loss(self, node: int, depth: int) -> float:
        """The loss of the tree below a node, cut off at a depth."""
        children = self.tree.children_of(node)
        if depth and children:
            return sum(self.loss(child, depth - 1) for child in children)
        return self.search.problem.leaf_loss(self.part_of(node).rows)

    def best(self, part: Part, depth: int) -> float:
        """The least loss for some rows."""
        return self.search.solve(part, depth, UNLIMITED, math.inf).upper if part.rows.size else 0.0

    def paid(self, node: int, depth: int) -> Iterator[tuple[int, float]]:
        """What each node's own test, or its being a leaf, costs; nothing where the time is over."""
        part, children = self.part_of(node), self.tree.children_of(node) if depth else ()
        with suppress(OutOfTimeError):
            if children:
                after = sum(self.best(self.part_of(child), depth - 1) for child in children)
            else:
                after = self.search.problem.leaf_loss(part.rows)
            yield node, after - self.best(part, depth)
            for child in children:
                yield from self.paid(child, depth - 1)

    def candidate(self, data: Dataset, node: int, depth: int, candidate: Candidate) -> CandidateBelow:
        """The best and the greedy trees that begin with a candidate."""
        level = int(self.tree.depth[node])
        choices = (self.tree.choices or Choices()).force(self.tree.place(node), candidate.condition)
        grown = grow(data, self.tree.recipe.replace(max_depth=level + depth), choices=choices)
        greedy = _Below(self.search, grown, self.rows)
        at = _node_at(grown, self.tree, node)
        loss, parts = greedy.loss(at, depth), [greedy.part_of(child) for child in grown.children_of(at)]
        lower = sum(self.search.problem.twin_loss(part.rows) for part in parts)
        with suppress(OutOfTimeError):
            lower = sum(self.best(part, depth - 1) for part in parts)
            return CandidateBelow(candidate, lower, lower, loss)
        return CandidateBelow(candidate, min(lower, loss), loss, loss)


def _node_at(tree: Tree, other: Tree, node: int) -> int:
    """The node of a tree on the path of a node of another, which is split alike above it."""
    at = 0
    for _, branch in other.path_to(node):
        at = tree.children_of(at)[branch]
    return at
