"""Whether a certificate proves what it says: every number is worked out from the rows again, without the search."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.optimal.certificate import FORMAT, digest_of
from explorer.optimal.problem import Floats, Problem, loss_of
from explorer.recipe.columns import EACH_VALUE, ONE_VS_REST
from explorer.recipe.parameters import leaf_minimum
from explorer.recipe.recipe import CART, Recipe

Rows = NDArray[np.intp]
UNLIMITED = 2**31 - 1
ROUNDING = 1e-9


def check_certificate(data: Dataset, certificate: Mapping[str, Any], recipe: Recipe = CART) -> float:
    """Verify a certificate of `best_subtree` for this table and recipe; gives the objective that it proves to be least.

    Three things are checked: that the content is as it was written (its digest), that the tree has the objective, and
    that every test at every node is refused by a bound which follows from the rows. Raises InputError, which names
    what does not hold.

    >>> from explorer import Dataset, best_subtree, load_sample
    >>> data = Dataset.from_frame(load_sample("xor_six_rows").frame, "class")
    >>> check_certificate(data, best_subtree(data, 2).certificate)
    0.0
    """
    try:
        if certificate["format"] != FORMAT or certificate["digest"] != digest_of(certificate):
            refuse(message("its content is not what was written, by its digest"))
        problem = Problem.of(data, recipe, certificate["price_per_leaf"])
        if certificate["rows"] != problem.n_rows or certificate["columns"] != [
            column.encoding.name for column in problem.columns
        ]:
            refuse(message("it is of a table with other rows or columns"))
        checker = _Checker(problem, certificate["claims"])
        depth, leaves = certificate["depth"], certificate["max_leaves"] or UNLIMITED
        everything = np.arange(problem.n_rows)
        loss, n_leaves = checker.count(certificate["tree"], everything, depth)
        objective = loss + problem.price * n_leaves
        if abs(objective - certificate["objective"]) > checker.tolerance or n_leaves > leaves:
            refuse(message("its tree has another loss, or more leaves than it may"))
        checker.require(everything, depth, leaves, problem.is_limited, certificate["objective"], certificate["claim"])
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError):
        refuse(message("it has not the form of a certificate"))
    return float(objective)


def bounds_of_thresholds(
    data: Dataset, certificate: Mapping[str, Any], feature: str, recipe: Recipe = CART
) -> tuple[Floats, Floats]:
    """The thresholds of a numeric feature at the root, and the objective that no tree with each of them is below.

    The certificate is one that `check_certificate` accepts, of a tree that may have two splits on a path or more.
    """
    problem = Problem.of(data, recipe, certificate["price_per_leaf"])
    place = [column.encoding.name for column in problem.columns].index(feature)
    rows = np.arange(problem.n_rows)
    depth, leaves, is_relaxed, _, entries = certificate["claims"][certificate["claim"]]
    known = [told for column, *told in entries if column == place]
    bounds = _Checker(problem, certificate["claims"]).of_thresholds(rows, place, depth, leaves, is_relaxed, known, True)
    values = problem.columns[place].values[problem.present[place]]
    return (values[:-1] + values[1:]) / 2.0, np.array(bounds)


def refuse(fault: str) -> NoReturn:
    """Raise the error."""
    raise InputError(message("The certificate does not hold: {fault}. Work it out again from the table.", fault=fault))


class _Checker:
    """Claims about sets of rows, each verified once."""

    def __init__(self, problem: Problem, claims: list[Any]) -> None:
        self.problem, self.claims = problem, claims
        self.tolerance = 10.0 * ROUNDING * max(problem.leaf_loss(np.arange(problem.n_rows)), problem.price)
        self.verified: dict[int, bytes] = {}

    def count(self, tree: Any, rows: Rows, depth: int) -> tuple[float, int]:
        """Loss and leaves of the tree below a node; its tests are those that the recipe allows."""
        if not tree:
            return self.problem.leaf_loss(rows), 1
        column, test, branches = tree
        parts = self.parts(rows, column, test)
        if depth < 1 or len(branches) != len(parts) or not self.allows(rows, column, parts):
            refuse(message("its tree has a test that is not allowed"))
        below = [self.count(branch, part, depth - 1) for branch, part in zip(branches, parts, strict=True)]
        return sum(loss for loss, _ in below), sum(n for _, n in below)

    def parts(self, rows: Rows, column: int, test: int) -> list[Rows]:
        """The rows of every branch of a test."""
        codes = self.problem.codes[column, rows]
        if column < self.problem.n_numeric:
            return [rows[codes <= test], rows[codes > test]]
        if self.problem.kinds[column] == EACH_VALUE:
            return [rows[codes == code] for code in np.unique(codes)]
        apart = codes == test if self.problem.kinds[column] == ONE_VS_REST else (test >> codes) & 1 == 1
        second = apart != apart[np.argmin(codes)]
        return [rows[~second], rows[second]]

    def allows(self, rows: Rows, column: int, parts: list[Rows]) -> bool:
        """Whether the branches of a test at a node, and the node, are as large as the recipe asks."""
        limits, weights = self.problem.limits, self.problem.weights
        sizes = np.array([weights[part].sum() for part in parts])
        weight = float(sizes.sum())
        if weight < limits.min_split * (1.0 - ROUNDING) or not all(len(part) for part in parts):
            return False
        least = leaf_minimum(limits, weight) if column < self.problem.n_numeric else limits.min_leaf
        needed = 2 if limits.two_branches else len(parts)
        return int((sizes >= least * (1.0 - ROUNDING)).sum()) >= needed

    def tests(self, rows: Rows, column: int) -> Iterator[int]:
        """Every test of a column of categories at a node, as the certificate writes it."""
        present = np.unique(self.problem.codes[column, rows]).tolist()
        kind = self.problem.kinds[column]
        if len(present) < 2:
            return
        if kind == EACH_VALUE:
            yield 0
        elif kind == ONE_VS_REST:
            yield from present if len(present) > 2 else present[:1]
        else:
            for size in range(1, len(present)):
                for others in itertools.combinations(present[1:], size):
                    yield sum(1 << code for code in others)

    def require(self, rows: Rows, depth: int, leaves: int, is_limited: bool, bound: float, claim: int) -> None:
        """Refuse unless no tree of this depth and so many leaves is below the bound for these rows."""
        price = self.problem.price
        if bound <= max(price, self.problem.twin_loss(rows) + price) + self.tolerance:
            return
        depth = min(depth, leaves - 1)
        if depth <= 1:
            if bound > self.stump(rows, leaves if depth else 1, is_limited) + self.tolerance:
                refuse(message("a bound is above the best tree of one split"))
            return
        if not 0 <= claim < len(self.claims):
            refuse(message("a bound names no claim"))
        of_depth, of_leaves, is_relaxed, proven, _ = self.claims[claim]
        is_binary = not self.problem.has_many_branches and depth < 31
        if (
            of_depth < depth
            or (of_leaves < leaves and not (is_binary and of_leaves >= 2**depth))
            or (not is_limited and not is_relaxed)
            or bound > proven + self.tolerance
        ):
            refuse(message("claim {number} is about other trees", number=claim))
        if claim not in self.verified:
            self.verified[claim] = rows.tobytes()
            self.verify(claim, rows)
        elif self.verified[claim] != rows.tobytes():
            refuse(message("claim {number} is about other rows", number=claim))

    def verify(self, claim: int, rows: Rows) -> None:
        """Refuse unless every test at the node is refused by what the claim names."""
        depth, leaves, is_relaxed, bound, entries = self.claims[claim]
        least = self.problem.leaf_loss(rows) + self.problem.price
        known: dict[int, list[Any]] = {}
        for column, *told in entries:
            known.setdefault(column, []).append(told)
        for column in range(len(self.problem.kinds)):
            if column < self.problem.n_numeric:
                bounds = self.of_thresholds(rows, column, depth, leaves, is_relaxed, known.get(column, []))
            else:
                bounds = self.of_categories(rows, column, depth, leaves, is_relaxed, known.get(column, []))
            least = min([least, *bounds])
        if least < bound - self.tolerance:
            refuse(message("claim {number} does not follow from what it names", number=claim))

    def of_thresholds(
        self, rows: Rows, column: int, depth: int, leaves: int, is_relaxed: bool, known: list[Any], each: bool = False
    ) -> list[float]:
        """A bound for every threshold of a numeric column: between two that are known, more rows never lose less.

        Without minimum sizes only the least, unless `each` is wanted.
        """
        problem = self.problem
        order = rows[np.argsort(problem.codes[column, rows], kind="stable")]
        ranks = problem.codes[column, order]
        cuts = np.flatnonzero(np.diff(ranks)) + 1
        n_budgets = 1 if leaves == UNLIMITED else leaves - 1
        sides = np.full((2, len(cuts), n_budgets), -np.inf)
        own = np.full(len(cuts), -np.inf)
        for test, relaxed, limited in known:
            at = int(np.searchsorted(ranks[cuts - 1], test))
            parts = self.parts(rows, column, test)
            sides[:, at] = np.maximum(sides[:, at], self.branches(parts, depth, leaves, False, relaxed))
            if limited is not None:
                own[at] = shared(self.branches(parts, depth, leaves, True, limited), leaves)
            elif depth == 2 and not is_relaxed:
                own[at] = shared(self.stumps(parts, leaves, True), leaves)
        first, second = sides.copy()
        np.maximum.accumulate(sides[0], axis=0, out=first)
        np.maximum.accumulate(sides[1, ::-1], axis=0, out=second[::-1])
        if not problem.is_squared:  # a row adds no more than its largest loss
            most = np.cumsum(problem.most_losses[order])[cuts - 1, None]
            later = np.maximum.accumulate((sides[0] - most)[::-1], axis=0)[::-1] + most
            earlier = np.maximum.accumulate(sides[1] + most, axis=0) - most
            first, second = np.maximum(first, later), np.maximum(second, earlier)
        first, second = np.maximum(first, problem.price), np.maximum(second, problem.price)
        bounds = np.maximum((first + second[:, ::-1]).min(axis=1), problem.twin_loss(rows) + 2.0 * problem.price)
        bounds = np.maximum(bounds, own)
        if is_relaxed:
            return bounds.tolist() if each or not len(cuts) else [float(bounds.min())]
        return [
            bound
            for bound, rank in zip(bounds.tolist(), ranks[cuts - 1].tolist(), strict=True)
            if self.allows(rows, column, self.parts(rows, column, rank))
        ]

    def of_categories(
        self, rows: Rows, column: int, depth: int, leaves: int, is_relaxed: bool, known: list[Any]
    ) -> list[float]:
        """A bound for every test of a column of categories."""
        bounds = list[float]()
        for test in self.tests(rows, column):
            parts = self.parts(rows, column, test)
            if len(parts) > leaves or not (is_relaxed or self.allows(rows, column, parts)):
                continue
            bound = self.problem.twin_loss(rows) + self.problem.price * len(parts)
            told = [(relaxed, limited) for of, relaxed, limited in known if of == test]
            for relaxed, limited in told:
                branches = self.branches(parts, depth, leaves, limited is not None, limited or relaxed)
                bound = max(bound, shared(branches, leaves))
            if not told and depth == 2:
                bound = max(bound, shared(self.stumps(parts, leaves, not is_relaxed), leaves))
            bounds.append(bound)
        return bounds

    def branches(self, parts: list[Rows], depth: int, leaves: int, is_limited: bool, told: Any) -> Floats:
        """The bounds of the branches, [branches, budgets], each of them verified."""
        n_budgets = 1 if leaves == UNLIMITED else leaves - 1
        bounds = np.full((len(parts), n_budgets), -np.inf)
        for branch, (part, of_branch) in enumerate(zip(parts, told, strict=True)):
            for place, (bound, claim) in enumerate(of_branch):
                own = UNLIMITED if leaves == UNLIMITED else place + 1
                self.require(part, depth - 1, own, is_limited, bound, int(claim))
                bounds[branch, place] = bound
        return bounds

    def stumps(self, parts: list[Rows], leaves: int, is_limited: bool) -> Floats:
        """The best trees of one split for the branches, [branches, budgets]."""
        budgets = [UNLIMITED] if leaves == UNLIMITED else list(range(1, leaves))
        return np.array([[self.stump(part, own, is_limited) for own in budgets] for part in parts])

    def stump(self, rows: Rows, leaves: int, is_limited: bool) -> float:
        """The objective of the best tree of one split, with at most so many leaves."""
        problem, price = self.problem, self.problem.price
        least = problem.leaf_loss(rows) + price
        if leaves < 2:
            return least
        for column in range(len(problem.kinds)):
            if column >= problem.n_numeric:
                for test in self.tests(rows, column):
                    parts = self.parts(rows, column, test)
                    if len(parts) <= leaves and (not is_limited or self.allows(rows, column, parts)):
                        least = min(least, sum(problem.leaf_loss(part) + price for part in parts))
                continue
            order = rows[np.argsort(problem.codes[column, rows], kind="stable")]
            cuts = np.flatnonzero(np.diff(problem.codes[column, order])) + 1
            if is_limited:
                tests = problem.codes[column, order[cuts - 1]].tolist()
                cuts = cuts[[self.allows(rows, column, self.parts(rows, column, test)) for test in tests]]
            if cuts.size:
                sums = np.cumsum(problem.losses[order], axis=0)
                first = loss_of(sums[cuts - 1], problem.is_squared)
                second = loss_of(sums[-1] - sums[cuts - 1], problem.is_squared)
                least = min(least, float((first + second).min()) + 2.0 * price)
        return least


def shared(bounds: Floats, leaves: int) -> float:
    """The least sum over the branches, [branches, budgets], where their leaves add up to at most `leaves`."""
    if leaves == UNLIMITED:
        return float(bounds.sum())
    least = np.full(leaves + 1, np.inf)
    least[0] = 0.0
    for branch in bounds:
        longer = np.full(leaves + 1, np.inf)
        for own, bound in enumerate(branch.tolist(), 1):
            longer[own:] = np.minimum(longer[own:], least[: leaves + 1 - own] + bound)
        least = longer
    return float(least.min())
