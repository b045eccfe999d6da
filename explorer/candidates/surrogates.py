"""Surrogate splits: where a row goes whose tested value is missing, by a test that splits the rows alike (section 6).

Breiman, Friedman, Olshen and Stone (1984), section 5.3, as in R's rpart. A surrogate sends each side of a threshold, or
each category, to the branch that most of its rows take; what is sent to the right branch is its *agreement*.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.jit import kernel
from explorer.recipe.columns import THRESHOLD, FeatureEncoding, TrainingColumn
from explorer.recipe.condition import Condition, threshold_between
from explorer.values import Value

MOST = 5
"""How many surrogates a node keeps."""
LEAST_WEIGHT = 2.0
"""Weight that both sides of a surrogate need, so that no single row makes one."""
BETTER = 1e-10
"""Adjusted agreement up to which a surrogate is no better than the heaviest branch."""


@dataclass(frozen=True)
class Surrogate:
    """One surrogate of a node: `to` holds the branch of the node that each branch of `condition` stands for.

    `agreement` is the share of the rows with a value for the node's test that it sends to the right branch;
    `adjusted` the share of those that the heaviest branch gets wrong, by which it does better.
    """

    feature: str
    condition: Condition
    to: tuple[int, ...]
    agreement: float
    adjusted: float


@dataclass(frozen=True, eq=False)
class Surrogates:
    """The surrogates of all nodes, best first: node t has those from `offset[t]` to `offset[t + 1]`.

    Each has a feature; a threshold sends values up to `cut` to branch `below` and others to `above`; a categorical one
    (cut nan) has pairs (code, branch) from its `pair_offset` on.
    """

    offset: NDArray[np.int64]
    feature: NDArray[np.int32]
    cut: NDArray[np.float64]
    below: NDArray[np.int32]
    above: NDArray[np.int32]
    agreement: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    pair_offset: NDArray[np.int64]
    code: NDArray[np.int32]
    branch: NDArray[np.int32]

    @property
    def node(self) -> NDArray[np.int64]:
        """The node that each surrogate belongs to."""
        return np.repeat(np.arange(self.offset.size - 1), np.diff(self.offset))

    def at(self, node: int, features: Sequence[FeatureEncoding]) -> tuple[Surrogate, ...]:
        """The surrogates of one node in words."""
        return tuple(self._surrogate(i, features) for i in range(int(self.offset[node]), int(self.offset[node + 1])))

    def taken(self, nodes: NDArray[np.intp], tested: NDArray[np.bool_]) -> Surrogates | None:
        """Those of some nodes, which are numbered anew in this order; none for nodes that are no longer `tested`."""
        counts = np.where(tested, np.diff(self.offset)[nodes], 0)
        which = runs(self.offset[nodes], counts)
        if not which.size:
            return None
        pairs = np.diff(self.pair_offset)[which]
        own = runs(self.pair_offset[which], pairs)
        per_surrogate = ("feature", "cut", "below", "above", "agreement", "adjusted")
        return Surrogates(
            offset=_ends(counts),
            pair_offset=_ends(pairs),
            code=self.code[own],
            branch=self.branch[own],
            **{name: getattr(self, name)[which] for name in per_surrogate},
        )

    def _surrogate(self, which: int, features: Sequence[FeatureEncoding]) -> Surrogate:
        encoding = features[int(self.feature[which])]
        numbers = float(self.agreement[which]), float(self.adjusted[which])
        if encoding.test == "threshold":
            to = int(self.below[which]), int(self.above[which])
            cut = float(self.cut[which])
            condition = Condition(encoding.name, "threshold", cut, scale=encoding.scale)
            return Surrogate(encoding.name, condition, to, *numbers)
        pairs = slice(int(self.pair_offset[which]), int(self.pair_offset[which + 1]))
        groups: dict[int, list[Value | None]] = {}
        for code, branch in zip(self.code[pairs].tolist(), self.branch[pairs].tolist(), strict=True):
            groups.setdefault(branch, []).append(encoding.labels[code])
        branches = tuple(map(tuple, groups.values()))
        condition = Condition(encoding.name, "subset", None, branches, has_intervals=encoding.is_binned)
        return Surrogate(encoding.name, condition, tuple(groups), *numbers)


def _ends(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Offsets of runs of these lengths."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def runs(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions start, start + 1, … of every run, one run after the other."""
    return np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())


@kernel
def adjusted_agreement(agreeing: float, majority: float, weight: float) -> float:
    """By how much of its errors a surrogate is better than sending all rows down the heaviest branch."""
    return (agreeing - majority) / (weight - majority) if weight > majority else 0.0


@kernel
def first_largest(weights: NDArray[np.float64]) -> int:
    """Position of the first weight that equals the largest but for rounding."""
    largest = 0.0
    for weight in weights:
        largest = max(largest, weight)
    for position in range(weights.size):
        if weights[position] >= largest * (1.0 - 1e-9):
            return position
    return 0


@dataclass(frozen=True, eq=False)
class SurrogateSplit:
    """One surrogate while growing: `branch_of_code` [values] with −1 where nothing is known."""

    column_index: int
    column: TrainingColumn
    cut: float
    branch_of_code: NDArray[np.int64]
    agreeing: float
    agreement: float
    adjusted: float


def find_surrogates(
    columns: Sequence[TrainingColumn], column_index: int, rows: NDArray[np.intp], weights: NDArray[np.float64],
    branch: NDArray[np.int64], n_branches: int, threshold_at: int, forbidden: Container[int] = (),
) -> list[SurrogateSplit]:  # fmt: skip
    """The best surrogates of a test of column `column_index`; `branch` [rows] is where that sends each row.

    A row without a value has branch −1. `threshold_at` says where thresholds lie between two values. No column
    `forbidden` by hand serves as a surrogate.
    """
    sent = branch >= 0
    totals = np.bincount(branch[sent], weights=weights[sent], minlength=n_branches).astype(np.float64)
    surrogates = []
    for index, column in enumerate(columns):
        codes = column.codes[rows]
        known = codes < column.n_values
        if index == column_index or index in forbidden or not known.any():
            continue
        table, counted = np.zeros((column.n_values, n_branches)), known & sent
        np.add.at(table, (codes[counted], branch[counted]), weights[counted])
        if column.test == THRESHOLD:
            split = _threshold(column, table, np.unique(codes[known]), threshold_at)
        else:
            split = _by_category(table, totals)
        if split is not None:
            cut, branch_of_code, agreeing = split
            adjusted = float(adjusted_agreement(agreeing, totals.max(), totals.sum()))
            if adjusted > BETTER:
                share = agreeing / float(totals.sum())
                surrogates.append(SurrogateSplit(index, column, cut, branch_of_code, agreeing, share, adjusted))
    return sorted(surrogates, key=lambda surrogate: -round(surrogate.agreeing, 9))[:MOST]


def _threshold(
    column: TrainingColumn, table: NDArray[np.float64], codes: NDArray[np.int32], threshold_at: int
) -> tuple[float, NDArray[np.int64], float] | None:
    """The threshold between two codes that sends most weight to the right branch, each side to its heaviest branch."""
    below = np.cumsum(table[codes], axis=0)[:-1]
    above = np.maximum(table.sum(axis=0) - below, 0.0)
    enough = np.minimum(below.sum(axis=1), above.sum(axis=1)) >= LEAST_WEIGHT * (1.0 - 1e-9)
    if not enough.any():
        return None
    agreeing = np.where(enough, below.max(axis=1) + above.max(axis=1), -np.inf)
    best = int(np.argmax(agreeing >= agreeing.max() - 1e-9 * max(agreeing.max(), 0.0)))
    cut = float(threshold_between(column.values, codes[best], codes[best + 1], threshold_at))
    to = int(first_largest(below[best])), int(first_largest(above[best]))
    return cut, np.where(column.values <= cut, *to).astype(np.int64), float(agreeing[best])


def _by_category(
    table: NDArray[np.float64], totals: NDArray[np.float64]
) -> tuple[float, NDArray[np.int64], float] | None:
    """Every category to the branch that it has most of, on a tie to the heavier one of all rows."""
    largest = table.max(axis=1, keepdims=True)
    equal = table >= largest - 1e-9 * largest
    to = np.where(equal, totals, -1.0).argmax(axis=1)
    sent = np.bincount(to, weights=table.sum(axis=1), minlength=len(totals))
    if sent.sum() - sent.max() < LEAST_WEIGHT * (1.0 - 1e-9):
        return None
    return np.nan, np.where(table.any(axis=1), to, -1).astype(np.int64), float(largest.sum())


def send_by_surrogates(
    surrogates: Sequence[SurrogateSplit], rows: NDArray[np.intp], branch: NDArray[np.int64], usual: int
) -> NDArray[np.int64]:
    """The branch of every row [rows]: those with −1 take that of their first usable surrogate, or `usual`."""
    branch = branch.copy()
    for surrogate in surrogates:
        sent = np.append(surrogate.branch_of_code, -1)[surrogate.column.codes[rows]]
        branch = np.where(branch < 0, sent, branch)
    return np.where(branch < 0, usual, branch)
