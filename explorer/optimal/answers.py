"""What a search knows of the trees for some rows, with its proofs, and how leaves are shared out (section 27)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.optimal.depth_two import UNLIMITED
from explorer.optimal.problem import Floats, Ints

Rows = NDArray[np.int32]


class Test(NamedTuple):
    """A test of a column: the rank up to which rows go to the first branch, or a category, or a set of them as bits."""

    column: int
    value: int


class Answer(NamedTuple):
    """What is known of the trees for some rows: no loss is below `lower`, and a tree has `upper`.

    `test` is that of the tree (None: a leaf), `leaves` how many each of its branches may have; `claim` where the proof
    of `lower` is kept, −1 where nothing is kept or anybody can see it from the rows; `depth` that of the search which
    found the tree, −1 where it is the depth asked for.
    """

    lower: float
    upper: float
    test: Test | None = None
    leaves: tuple[int, ...] = ()
    claim: int = -1
    depth: int = -1


Bound = tuple[float, int]
"""A loss that no tree is below, and the claim that proves it (−1: seen from the rows)."""


@dataclass
class Entry:
    """What is known of the branches of one test: by branch and budget, without minimum sizes and with them."""

    test: Test
    relaxed: list[list[Bound]]
    limited: list[list[Bound]] | None = None


@dataclass
class Claim:
    """That for some rows no tree of a depth and with so many leaves is below a bound, with what shows it."""

    depth: int
    leaves: int
    is_relaxed: bool
    bound: float
    entries: list[Entry]


class OutOfTimeError(Exception):
    """The search was to end."""


@dataclass(frozen=True, eq=False)
class Part:
    """The rows of a node, ascending, and by every numeric column."""

    rows: Rows
    orders: Ints

    def take(self, side_of_row: Ints, side: int) -> Part:
        """Those of the rows that are on a side, by the sides of all rows, [N]."""
        rows = self.rows[side_of_row[self.rows] == side]
        orders = self.orders[side_of_row[self.orders] == side].reshape(len(self.orders), len(rows))
        return Part(rows, orders)


def shares_of(losses: Iterable[Floats], leaves: int) -> tuple[float, tuple[int, ...]]:
    """The least sum of one loss a branch, where the leaves of all branches add up; and the leaves of each.

    `losses` holds for each branch the loss with 1, 2, … leaves, or one number where leaves are not limited.

    >>> shares_of([np.array([5.0, 1.0, 1.0]), np.array([4.0, 3.0, 0.0])], 4)
    (4.0, (2, 2))
    """
    if leaves == UNLIMITED:
        losses = list(losses)
        return float(sum(branch[0] for branch in losses)), (UNLIMITED,) * len(losses)
    reached: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for branch in losses:
        longer: dict[int, tuple[float, tuple[int, ...]]] = {}
        for used, (loss, shares) in reached.items():
            for share, own in enumerate(branch[: max(leaves - used, 0)].tolist(), 1):
                if used + share not in longer or loss + own < longer[used + share][0]:
                    longer[used + share] = loss + own, (*shares, share)
        reached = longer
    return reached.get(leaves, (float("inf"), ()))
