"""Branch and bound over the trees of a problem, by dynamic programming over sets of rows (section 27)."""

from __future__ import annotations

import hashlib
import heapq
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.optimal.answers import Answer, Bound, Claim, Entry, OutOfTimeError, Part, Test, shares_of
from explorer.optimal.depth_two import UNLIMITED, Arrays, best_of_depth_two
from explorer.optimal.pair_counts import BOTH, FIRST, SECOND, best_by_pairs, pays_to_count
from explorer.optimal.problem import Floats, Ints, Limits, Problem
from explorer.optimal.stumps import LEAF, best_stumps, is_admissible, side_of, test_at, tests_of
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.parameters import leaf_minimum
from explorer.recipe.split_score import at_least

ROUNDING = 1e-9
"""Losses that differ by at most this share of the root's loss are equal."""


@dataclass
class Search:
    """The search over one problem; `relaxed` is the same without minimum sizes, whose losses bound these from below."""

    problem: Problem
    stop: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(1, dtype=np.uint8))
    memo: dict[tuple[bytes, int, int], Answer] = field(default_factory=dict)
    is_relaxed: bool = False
    claims: list[Claim] | None = None
    """The proofs of lower bounds, where they are kept."""
    tick: Callable[[], None] = lambda: None
    """Called before every search of some rows."""

    def __post_init__(self) -> None:
        """Set the arrays out for the loops."""
        problem = self.problem
        limits = Limits() if self.is_relaxed else problem.limits
        self.arrays = Arrays(
            problem.codes,
            problem.kinds,
            problem.sizes,
            problem.losses,
            problem.is_squared,
            problem.weights,
            problem.most_losses,
            limits,
            problem.n_numeric,
        )
        self.root = Part(np.arange(problem.n_rows, dtype=np.int32), problem.orders)
        self.tolerance = ROUNDING * max(problem.leaf_loss(self.root.rows), problem.price)
        self.relaxed: Search = self
        if problem.is_limited and not self.is_relaxed:
            self.relaxed = Search(problem, self.stop, is_relaxed=True, claims=self.claims)
        self.branch = np.zeros(problem.n_rows, dtype=np.int32)

    @contextmanager
    def ending_after(self, seconds: float | None) -> Iterator[None]:
        """Within the block, searches end with `OutOfTimeError` once so many seconds have passed (None: never).

        What the first search of all compiles does not count.
        """
        self.solve(self.part(self.root.rows[:2]), 2, UNLIMITED, float("inf"))
        clock = threading.Timer(seconds or 0.0, self.stop.fill, [1])
        clock.daemon = True
        if seconds is not None:
            clock.start()
        try:
            yield
        finally:
            clock.cancel()
            self.stop[0] = 0

    def settled(self, depth: int, leaves: int) -> tuple[int, int]:
        """Depth and leaves without what no tree can use: as many leaves as the depth allows are no limit."""
        if leaves >= UNLIMITED or (not self.problem.has_many_branches and depth < 31 and leaves >= 2**depth):
            return depth, UNLIMITED
        return min(depth, leaves - 1), leaves

    def solve(self, part: Part, depth: int, leaves: int, limit: float) -> Answer:
        """The best tree for some rows, exact where its loss is below `limit`; otherwise `lower` is at least that."""
        depth, leaves = self.settled(depth, leaves)
        if self.stop[0]:
            raise OutOfTimeError
        if depth <= 1:
            return self._stump(part, depth, leaves)
        key = hashlib.blake2b(part.rows.tobytes(), digest_size=16).digest(), depth, leaves
        known = self.memo.get(key)
        if known is not None and (known.upper <= known.lower or known.lower >= limit - self.tolerance):
            return known
        self.tick()
        found = self._searched(part, depth, leaves, limit)
        if known is not None and known.lower > found.lower:
            found = found._replace(lower=known.lower, claim=known.claim)
        self.memo[key] = found
        return found

    def _searched(self, part: Part, depth: int, leaves: int, limit: float) -> Answer:
        leaf = self.problem.leaf_loss(part.rows) + self.problem.price
        least = self.problem.twin_loss(part.rows) + self.problem.price
        if least >= min(limit, leaf) - self.tolerance:
            return Answer(min(least, leaf), leaf)
        if self.is_for_loops(depth, leaves):
            return self._of_depth_two(part, leaves, min(limit, leaf), leaf)
        return Bounding(self, part, depth, leaves, limit, leaf).run()

    def is_for_loops(self, depth: int, leaves: int) -> bool:
        """Whether compiled loops search such trees alone; they do not share leaves among many branches."""
        return depth <= 1 or (depth == 2 and (leaves == UNLIMITED or not self.problem.has_many_branches))

    def _stump(self, part: Part, depth: int, leaves: int) -> Answer:
        most = leaves if depth == 1 else 1
        self.branch[part.rows] = 0
        losses, _, _, columns, tests = best_stumps(
            self.arrays, part.orders, part.rows, self.branch, 1, self.problem.price, most
        )
        loss = float(losses[0])
        if columns[0] == LEAF:
            return Answer(loss, loss)
        test = Test(int(columns[0]), int(tests[0]))
        return Answer(loss, loss, test, (1,) * len(self.children(part, test)))

    def _of_depth_two(self, part: Part, leaves: int, limit: float, leaf: float) -> Answer:
        """By the loops; of three leaves, one of the branches is a leaf."""
        best, entries = Answer(limit, leaf), list[Entry]()
        for may_split in (BOTH,) if leaves == UNLIMITED else (FIRST, SECOND):
            loss, column, test, below, above = self._by_loops(part, may_split, best.lower)
            if self.claims is not None:
                entries += self._entries_of_loops(part, may_split, below, above)
            if column != LEAF:
                found = Test(int(column), int(test))
                shares = {BOTH: (UNLIMITED,) * len(self.children(part, found)), FIRST: (2, 1), SECOND: (1, 2)}
                best = Answer(float(loss), float(loss), found, shares[may_split])
        return self.claimed(best, 2, leaves, entries)

    def _by_loops(self, part: Part, may_split: int, known: float) -> tuple[Any, ...]:
        """By counts of pairs of values where values are few, else threshold by threshold."""
        price = self.problem.price
        sizes = self._sizes_at(part)
        if pays_to_count(part.rows.size, sizes):
            own, values = self._ranked_anew(part, sizes)
            starts = np.append(0, np.cumsum(sizes)).astype(np.int64)
            loss, column, test, below, above = best_by_pairs(own, starts, price, may_split, known, self.tolerance)
            if 0 <= column < len(values):
                test = values[column][test]
            return loss, column, test, below, above
        found = best_of_depth_two(
            self.arrays, part.orders, part.rows, price, may_split, known, self.tolerance, self.stop
        )
        if not found[-1]:
            raise OutOfTimeError
        return tuple(found[:-1])

    def _sizes_at(self, part: Part) -> Ints:
        """How many values of every number some rows have, and how many categories there are, [p]."""
        sizes = self.problem.sizes.copy()
        for column, order in enumerate(part.orders):
            sizes[column] = np.count_nonzero(np.diff(self.problem.codes[column, order])) + 1
        return sizes

    def _ranked_anew(self, part: Part, sizes: Ints) -> tuple[Arrays, list[Ints]]:
        """Some rows as a problem of their own, with numbers ranked anew, and the ranks that the new ones stand for."""
        codes, values = self.problem.codes[:, part.rows], list[Ints]()
        for column in range(self.problem.n_numeric):
            present, codes[column] = np.unique(codes[column], return_inverse=True)
            values.append(present)
        own = self.arrays._replace(
            codes=codes, sizes=sizes, losses=self.problem.losses[part.rows], weights=self.problem.weights[part.rows]
        )
        return own, values

    def claimed(self, answer: Answer, depth: int, leaves: int, entries: list[Entry]) -> Answer:
        """The answer with its proof kept, where proofs are."""
        if self.claims is None:
            return answer
        self.claims.append(Claim(depth, leaves, self.relaxed is self, answer.lower, entries))
        return answer._replace(claim=len(self.claims) - 1)

    def _entries_of_loops(self, part: Part, may_split: int, below: Floats, above: Floats) -> list[Entry]:
        """What the loops found of thresholds: both branches stumps, or one of them a leaf."""
        entries, at = list[Entry](), 0
        for column, order in enumerate(part.orders):
            ranks = self.problem.codes[column, order]
            cuts = np.flatnonzero(np.diff(ranks)) + 1
            for position, cut in enumerate(cuts.tolist(), at):
                if np.isnan(below[position]):
                    continue
                bounds = [[(float(below[position]), -1)], [(float(above[position]), -1)]]
                if may_split == FIRST:
                    bounds = [[(self.problem.price, -1), *bounds[0]], [*bounds[1], (self.problem.price, -1)]]
                elif may_split == SECOND:
                    bounds = [[*bounds[0], (self.problem.price, -1)], [(self.problem.price, -1), *bounds[1]]]
                entries.append(Entry(Test(column, int(ranks[cut - 1])), bounds))
            at += len(cuts)
        return entries

    def part(self, rows: NDArray[Any]) -> Part:
        """Some of the rows, by their positions."""
        self.branch[:] = 0
        self.branch[rows] = 1
        return self.root.take(self.branch, 1)

    def children(self, part: Part, test: Test) -> list[Part]:
        """The rows of every branch of a test that has some."""
        codes = self.problem.codes[test.column, part.rows]
        if test.column < self.problem.n_numeric:
            sides = (codes > test.value).astype(np.int32)
        elif self.problem.kinds[test.column] == EACH_VALUE:
            sides = np.unique(codes, return_inverse=True)[1].astype(np.int32)
        else:
            kind, earliest = int(self.problem.kinds[test.column]), int(codes.min())
            sides = np.array([side_of(kind, test.value, int(code), earliest) for code in range(codes.max() + 1)])[codes]
        self.branch[part.rows] = sides
        return [part.take(self.branch, side) for side in range(int(sides.max()) + 1)]


@dataclass(eq=False)
class Thresholds:
    """The thresholds of a numeric column at a node, ascending, with what is known of some of them.

    `cuts` [m] is how many rows lie below each, `most` [m] the sums of the most that these can lose; `bounds`, by
    position, the losses that no tree of the two branches is below, [2, budgets].
    """

    column: int
    ranks: Ints
    cuts: NDArray[np.intp]
    most: Floats
    bounds: dict[int, Floats] = field(default_factory=dict)


class Interval(NamedTuple):
    """Neighbouring thresholds from `low` to `high`, between two that are known (or −1)."""

    of: Thresholds
    low: int
    high: int
    before: int
    after: int


class Bounding:
    """The search at one node: intervals of thresholds and tests on categories, the lowest bound first."""

    def __init__(self, search: Search, part: Part, depth: int, leaves: int, limit: float, leaf: float) -> None:
        """Begin with the leaf, which has loss `leaf`; only trees below `limit` are looked for."""
        self.search, self.part, self.depth, self.leaves = search, part, depth, leaves
        self.best = Answer(min(limit, leaf), leaf)
        self.n_budgets = 1 if leaves == UNLIMITED else leaves - 1
        problem = search.problem
        self.lowest = problem.twin_loss(part.rows) + 2.0 * problem.price
        """The least loss that is possible for what is left."""
        self.least = self.lowest
        self.waiting: list[tuple[float, int, Interval | Test]] = []
        self.ties = count()
        self.entries: list[Entry] = []
        self.minimum = 0.0
        if problem.is_limited and not search.is_relaxed:
            self.minimum = leaf_minimum(problem.limits, float(problem.weights[part.rows].sum()))

    def run(self) -> Answer:
        """Look at what has the lowest bound until none is below the best tree."""
        problem = self.search.problem
        weight = float(problem.weights[self.part.rows].sum())
        if not self.search.is_relaxed and not at_least(weight, problem.limits.min_split):
            return self._done()
        if self.depth > 2:
            self.take(self.search.solve(self.part, self.depth - 1, self.leaves, self.best.lower), self.depth - 1)
        for column in range(problem.n_numeric):
            self._add_thresholds(column)
        for column in range(problem.n_numeric, len(problem.kinds)):
            self._add_categories(column)
        while self.waiting:
            self.lowest, _, item = heapq.heappop(self.waiting)
            if self.lowest >= self._goal:
                break
            if isinstance(item, Interval):
                self._look_into(item)
            else:
                children = self.search.children(self.part, item)
                self._try(item, children, self._nothing_known(len(children)))
        return self._done()

    def _done(self) -> Answer:
        self.lowest = self.best.lower
        return self.search.claimed(self.best, self.depth, self.leaves, self.entries)

    def take(self, answer: Answer, depth: int) -> None:
        """Go on from the best tree of less depth, if it is better; as many leaves as its depth allows are no limit."""
        if answer.upper < self._goal:
            most = UNLIMITED if self.leaves == UNLIMITED else 2 ** max(depth - 1, 0)
            leaves = tuple(most if own == UNLIMITED else own for own in answer.leaves)
            depth = depth if answer.depth < 0 else answer.depth
            self.best = answer._replace(lower=answer.upper, leaves=leaves, claim=-1, depth=depth)

    @property
    def _goal(self) -> float:
        """What a loss must be below to be worth a look."""
        return self.best.lower - self.search.tolerance

    def _nothing_known(self, k: int) -> Floats:
        """The bounds of branches before any is looked at."""
        return np.full((k, self.n_budgets), self.search.problem.price)

    def _add(self, bound: float, item: Interval | Test) -> None:
        if bound < self._goal:
            heapq.heappush(self.waiting, (bound, next(self.ties), item))

    def _add_thresholds(self, column: int) -> None:
        problem, order = self.search.problem, self.part.orders[column]
        ranks = problem.codes[column, order]
        cuts = np.flatnonzero(np.diff(ranks)) + 1
        sums = np.zeros(order.size) if problem.is_squared else np.cumsum(problem.most_losses[order])
        if self.minimum > 0.0:
            weights = np.cumsum(problem.weights[order])
            lighter = np.minimum(weights[cuts - 1], weights[-1] - weights[cuts - 1])
            cuts = cuts[at_least(lighter, self.minimum)]
        of = Thresholds(column, ranks[cuts - 1], cuts, sums[cuts - 1])
        self._add(self.least, Interval(of, 0, len(cuts) - 1, -1, -1))

    def _add_categories(self, column: int) -> None:
        problem = self.search.problem
        kind, codes = int(problem.kinds[column]), problem.codes[column, self.part.rows]
        weights = np.bincount(codes, weights=problem.weights[self.part.rows], minlength=int(problem.sizes[column]))
        present = np.flatnonzero(weights > 0.0)
        for number in range(tests_of(kind, present.size)):
            test = int(test_at(kind, present, number))
            if is_admissible(self.search.arrays, column, weights, present, test):
                self._add(self.least, Test(column, test))

    def _bounds_of(self, interval: Interval) -> Floats:
        """Bounds [thresholds] of an interval, from the known thresholds beside it.

        More rows never lose less, and one row adds no more than its largest loss.
        """
        of = interval.of
        at = slice(interval.low, interval.high + 1)
        first, second = np.full((2, interval.high + 1 - interval.low, self.n_budgets), self.search.problem.price)
        if interval.before >= 0:
            known, apart = of.bounds[interval.before], of.most[at] - of.most[interval.before]
            np.maximum(first, known[0], out=first)
            if not self.search.problem.is_squared:
                np.maximum(second, known[1] - apart[:, None], out=second)
        if interval.after >= 0:
            known, apart = of.bounds[interval.after], of.most[interval.after] - of.most[at]
            np.maximum(second, known[1], out=second)
            if not self.search.problem.is_squared:
                np.maximum(first, known[0] - apart[:, None], out=first)
        bounds = (first + second[:, ::-1]).min(axis=1)
        return np.asarray(np.maximum(bounds, self.least))

    def _look_into(self, interval: Interval) -> None:
        """Look at the middle of the thresholds that are not refused yet, and divide the others there."""
        of = interval.of
        left = interval.low + np.flatnonzero(self._bounds_of(interval) < self._goal)
        if not left.size:
            return
        middle = int(left[left.size // 2])
        known = self._nothing_known(2)
        if interval.before >= 0:
            known[0] = of.bounds[interval.before][0]
        if interval.after >= 0:
            known[1] = of.bounds[interval.after][1]
        test = Test(of.column, int(of.ranks[middle]))
        slack = float(of.most[left[-1]] - of.most[left[0]]) / 2.0
        of.bounds[middle] = self._try(test, self.search.children(self.part, test), known, slack)
        for half in (
            Interval(of, int(left[0]), middle - 1, interval.before, middle),
            Interval(of, middle + 1, int(left[-1]), middle, interval.after),
        ):
            if half.low <= half.high:
                self._add(float(self._bounds_of(half).min()), half)

    def _try(self, test: Test, children: list[Part], bounds: Floats, slack: float = 0.0) -> Floats:
        """Find the best trees below a test as far as they may beat the best; gives the bounds [branches, budgets]."""
        if len(children) > self.leaves:
            return bounds
        answers = self._solved(self.search.relaxed, children, bounds, slack)
        self.entries.append(Entry(test, [_bounds_in(found) for found in answers]))
        for branch, found in enumerate(answers):
            bounds[branch] = np.maximum(bounds[branch], [answer.lower for answer in found])
        if shares_of(bounds, self.leaves)[0] >= self._goal:
            return bounds
        if self.search.relaxed is not self.search:
            answers = self._solved(self.search, children, bounds)
            self.entries[-1].limited = [_bounds_in(found) for found in answers]
        losses = [np.array([answer.upper for answer in found]) for found in answers]
        loss, shares = shares_of(losses, self.leaves)
        if loss < self._goal:
            self.best = Answer(loss, loss, test, shares)
        return bounds

    def _solved(self, search: Search, children: list[Part], bounds: Floats, slack: float = 0.0) -> list[list[Answer]]:
        """The answers for every branch and budget, each as far as the bounds of the others leave it a chance."""
        answers = list[list[Answer]]()
        bounds = bounds.copy()
        for branch, child in enumerate(children):
            others = [known for other, known in enumerate(bounds) if other != branch]
            found = list[Answer]()
            for place in range(self.n_budgets):
                own = UNLIMITED if self.leaves == UNLIMITED else place + 1
                rest, _ = shares_of(others, UNLIMITED if self.leaves == UNLIMITED else self.leaves - own)
                limit = self.best.lower - rest + slack
                if np.isinf(rest):  # the others need more leaves than are left
                    found.append(Answer(bounds[branch, place], float("inf")))
                    continue
                answer = search.solve(child, self.depth - 1, own, limit)
                bounds[branch, place] = max(bounds[branch, place], answer.lower)
                found.append(answer)
            answers.append(found)
        return answers


def _bounds_in(answers: list[Answer]) -> list[Bound]:
    return [(answer.lower, answer.claim) for answer in answers]
