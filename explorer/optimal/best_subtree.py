"""The best tree of a given depth, or how far from it a tree can be at most (section 27)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from explorer.candidates.missing_rows import threshold_of
from explorer.data.dataset import Dataset
from explorer.errors import InputError, Stopped
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.optimal.answers import Answer, OutOfTimeError, Part, Test
from explorer.optimal.certificate import as_plain
from explorer.optimal.depth_two import UNLIMITED
from explorer.optimal.problem import Problem, loss_of
from explorer.optimal.search import ROUNDING, Bounding, Search
from explorer.optimal.stumps import side_of
from explorer.ranges import is_whole
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.condition import SplitRequest
from explorer.recipe.parameters import parameters_for
from explorer.recipe.recipe import CART, Recipe
from explorer.tree.constraints import Choices
from explorer.tree.tree import Tree

DEEPEST = 6
Progress = Callable[[float, float], None]
"""Takes the lower bound and the loss of the best tree so far; may raise `Stopped`."""


@dataclass(frozen=True, eq=False)
class BestSubtree:
    """The best tree of at most some depth that a search found, and what it proved (section 27).

    `loss` is that of the tree on its training rows: the weight of misclassified rows, their cost where errors have
    costs, or the sum of squared errors. With a price per leaf, `objective` adds it for every leaf; without one the two
    are equal. No tree is below `lower_bound`, in the unit of the objective. `greedy_loss` is the objective of what
    greedy growth finds within the same depth and leaves.
    """

    tree: Tree
    loss: float
    objective: float
    lower_bound: float
    greedy: Tree
    greedy_loss: float
    depth: int
    max_leaves: int | None
    price_per_leaf: float
    _problem: Problem
    _shape: Shape

    @property
    def is_proven(self) -> bool:
        """Whether no tree is better, but for rounding."""
        return self.objective <= self.lower_bound

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The proof as plain values for `check_certificate`; searches once more, below the loss that is known.

        Raises InputError where the search was stopped before it proved anything.
        """
        if not self.is_proven:
            raise InputError(
                message(
                    "The search was stopped between {lower:,.6g} and {upper:,.6g}, so nothing is proven: give it more "
                    "seconds, or less depth.",
                    lower=self.lower_bound,
                    upper=self.objective,
                )
            )
        search = Search(self._problem, claims=[])
        answer = search.solve(search.root, self.depth, self.max_leaves or UNLIMITED, self.objective)
        return as_plain(
            self._problem,
            search.claims or [],
            answer.claim,
            tree=self._shape.plain(self._problem),
            depth=self.depth,
            max_leaves=self.max_leaves,
            price_per_leaf=self.price_per_leaf,
            objective=self.objective,
            claim=0 if answer.claim >= 0 else -1,
        )


@dataclass(frozen=True)
class Shape:
    """A tree as tests: None is a leaf."""

    test: Test | None
    branches: tuple[Shape, ...] = ()

    def walk(
        self, search: Search, part: Part, path: tuple[int, ...] = ()
    ) -> Iterator[tuple[tuple[int, ...], Part, Shape]]:
        """Every node with its path and its rows, parents first."""
        yield path, part, self
        if self.test is not None:
            for place, (branch, rows) in enumerate(zip(self.branches, search.children(part, self.test), strict=True)):
                yield from branch.walk(search, rows, (*path, place))

    def objective(self, search: Search, part: Part) -> float:
        """Loss and price of the leaves."""
        problem = search.problem
        leaves = [rows.rows for _, rows, node in self.walk(search, part) if node.test is None]
        return sum(problem.leaf_loss(rows) + problem.price for rows in leaves)

    def plain(self, problem: Problem) -> Any:
        """The same as lists: column, test, branches; an empty list is a leaf."""
        return [] if self.test is None else [*self.test, [branch.plain(problem) for branch in self.branches]]


def best_subtree(
    data: Dataset,
    depth: int,
    recipe: Recipe = CART,
    max_leaves: int | None = None,
    price_per_leaf: float = 0.0,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> BestSubtree:
    """Search all trees with at most `depth` splits from root to leaf for the one of least loss.

    The tests are those of the recipe (thresholds between values, groupings of up to 10 categories, one category
    against the rest, a branch for each), in leaves and nodes of its minimum sizes; its rules for stopping are not
    used. `max_leaves` limits the leaves; `price_per_leaf` adds that share of the weight of all rows for each (α of
    section 7 with risk "error"). After `seconds` the search gives its bounds. `progress(lower bound, objective)` may
    raise `Stopped`. Raises InputError for what the search does not cover: monotone constraints, drawn tests, missing
    cells that follow other rows.

    Sources: Bertsimas and Dunn 2017 (the problem), Demirović and others 2022 and van der Linden and others 2023
    (dynamic programming over sets of rows), Mazumder and others 2022 (intervals of thresholds).

    >>> from explorer import ID3, Dataset, load_sample
    >>> data = Dataset.from_frame(load_sample("xor_six_rows").frame, "class")
    >>> best = best_subtree(data, depth=2, recipe=ID3)
    >>> best.loss, best.greedy_loss, best.is_proven
    (0.0, 1.0, True)
    """
    _check(depth, max_leaves, price_per_leaf, seconds)
    problem = Problem.of(data, recipe, price_per_leaf)
    greedy = _pruned_by_price(grow(data, _within(recipe, depth, max_leaves)), problem)
    greedy_loss = _loss(greedy, problem) + problem.price * greedy.n_leaves
    search = Search(problem)
    lower, answer = Run(search, search.root, depth, max_leaves or UNLIMITED, progress, greedy_loss).within(seconds)
    shape = _shape_of(search, search.root, depth, max_leaves or UNLIMITED, answer)
    objective = shape.objective(search, search.root)
    tree = greedy
    if objective < greedy_loss - search.tolerance:
        tree = _grown(data, problem, search, shape, depth)
    objective = min(objective, greedy_loss)
    return BestSubtree(
        tree=tree,
        loss=_loss(tree, problem),
        objective=objective,
        lower_bound=objective if lower >= objective - search.tolerance else lower,
        greedy=greedy,
        greedy_loss=greedy_loss,
        depth=depth,
        max_leaves=max_leaves,
        price_per_leaf=price_per_leaf,
        _problem=problem,
        _shape=shape,
    )


def _check(depth: int, max_leaves: int | None, price: float, seconds: float | None) -> None:
    """InputError for limits that are none."""
    if not is_whole(depth, 0, DEEPEST):
        raise InputError(
            message(
                "A depth of {depth!r} cannot be searched: give a whole number from 0 to {most}.",
                depth=depth,
                most=DEEPEST,
            )
        )
    if max_leaves is not None and not is_whole(max_leaves, 1, UNLIMITED - 1):
        raise InputError(
            message("max_leaves is {leaves!r}: give None, or a whole number from 1 on.", leaves=max_leaves)
        )
    if not (price >= 0.0 and math.isfinite(price)) or not (seconds is None or seconds > 0.0):
        raise InputError(message("Give a price per leaf from 0 on, and seconds above 0."))


def _within(recipe: Recipe, depth: int, max_leaves: int | None) -> Recipe:
    """The recipe with the limits of the search; a single leaf is a tree of depth 0."""
    if max_leaves == 1:
        return recipe.replace(max_depth=0)
    return recipe.replace(max_depth=depth, max_leaf_nodes=max_leaves)


@dataclass
class Run:
    """One search for some rows, which always has an answer: the best tree so far, and a bound below all trees."""

    search: Search
    part: Part
    depth: int
    leaves: int
    progress: Progress | None
    known: float = math.inf
    """A loss that some tree has: worse ones are not looked for."""

    def within(self, seconds: float | None) -> tuple[float, Answer]:
        """The lower bound and the best tree when the search ends, or the clock or `progress` ends it."""
        search, part = self.search, self.part
        depth, leaves = search.settled(self.depth, self.leaves)
        leaf = search.problem.leaf_loss(part.rows) + search.problem.price
        limit = self.known + 2.0 * search.tolerance
        self.bounding = Bounding(search, part, depth, leaves, limit, leaf)
        with search.ending_after(seconds), suppress(OutOfTimeError, Stopped):
            search.tick = self._report
            for shallower in range(min(depth, 2)):
                self.bounding.take(search.solve(part, shallower, leaves, math.inf), shallower)
            if search.is_for_loops(depth, leaves):
                found = search.solve(part, depth, leaves, limit)
                self.bounding.best, self.bounding.lowest = found, found.lower
            else:
                self.bounding.run()
        search.tick = lambda: None
        return min(self.bounding.lowest, self.bounding.best.lower), self.bounding.best

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(min(self.bounding.lowest, self.bounding.best.lower), self.bounding.best.upper)


def _shape_of(search: Search, part: Part, depth: int, leaves: int, answer: Answer) -> Shape:
    """The tree of an answer; what is below its test is looked up, or searched again where that takes no time."""
    if answer.test is None:
        return Shape(None)
    depth = search.settled(depth, leaves)[0] if answer.depth < 0 else answer.depth
    below = [
        _shape_of(search, child, depth - 1, own, search.solve(child, depth - 1, own, float("inf")))
        for child, own in zip(search.children(part, answer.test), answer.leaves, strict=True)
    ]
    return Shape(answer.test, tuple(below))


def _loss(tree: Tree, problem: Problem) -> float:
    """The loss of a tree on the rows of a problem."""
    leaves = tree.apply(problem.data)
    return sum(problem.leaf_loss(np.flatnonzero(leaves == leaf)) for leaf in np.unique(leaves))


def _pruned_by_price(tree: Tree, problem: Problem) -> Tree:
    """The tree with every branch pruned that does not pay for its leaves."""
    if not problem.price:
        return tree
    sums = np.zeros((tree.n_nodes_grown, problem.losses.shape[1]))
    np.add.at(sums, tree.apply(problem.data), problem.losses)
    for node in range(tree.n_nodes_grown - 1, 0, -1):
        sums[tree.parent[node]] += sums[node]
    alone = loss_of(sums, problem.is_squared) + problem.price
    below = np.zeros(tree.n_nodes_grown)
    for node in range(tree.n_nodes_grown - 1, -1, -1):
        if tree.feature[node] < 0 or alone[node] <= below[node] + ROUNDING * problem.price:
            below[node] = alone[node]
        if node:
            below[tree.parent[node]] += below[node]
    return tree.with_pruned(below >= alone)


def _grown(data: Dataset, problem: Problem, search: Search, shape: Shape, depth: int) -> Tree:
    """The tree with these tests, grown like any other with its splits and leaves chosen."""
    choices = Choices()
    for path, part, node in shape.walk(search, search.root):
        choices = choices.lock(path) if node.test is None else choices.force(path, request_of(problem, part, node.test))
    return grow(data, without_stops(problem.recipe).replace(max_depth=depth), choices=choices)


def without_stops(recipe: Recipe) -> Recipe:
    """The recipe with its tests, and without its rules for stopping."""
    return recipe.replace(
        max_depth=None,
        max_leaf_nodes=None,
        min_score=None,
        min_impurity_decrease=None,
        max_impurity=None,
        min_squared_error=None,
        chi2_level=None,
        stop_at_one_feature=False,
        mdl_stop=False,
        prepruning=False,
        empty_branches=False,
    )


def request_of(problem: Problem, part: Part, test: Test) -> SplitRequest:
    """A test as a person requests it at a node with these rows."""
    column, present = problem.columns[test.column], problem.present[test.column]
    name, labels = column.encoding.name, column.encoding.labels
    codes = np.unique(problem.codes[test.column, part.rows])
    if column.test == THRESHOLD:
        low, high = present[test.value], present[codes[np.searchsorted(codes, test.value, side="right")]]
        parameters = parameters_for(problem.recipe, problem.data)
        return SplitRequest(name, "threshold", threshold_of(column, int(low), int(high), parameters))
    if column.test == EACH_VALUE:
        return SplitRequest(name)
    earliest = int(codes[0])
    apart = [int(code) for code in codes if side_of(column.test, test.value, int(code), earliest)]
    return SplitRequest(name, "grouping", categories=tuple(labels[present[code]] for code in apart))
