"""Where the rows of a second table part from those of the first: the PSI of the leaves, divided among the splits.

DEFINITIONS section 8 defines it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.stopping import pearson, upper_tail
from explorer.messages import message
from explorer.recipe.class_weights import Floats
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.node_loops import added_up
from explorer.tree.tree import Tree

Rows = Dataset | Source | pd.DataFrame
LEVEL = 0.05
"""A split is marked where such a difference, or a larger one at any split, has at most this chance without drift."""
LEAST_EXPECTED = 5.0
"""Branches in which one table would have fewer rows than this are tested together."""
EMPTY_ROWS = 0.5
"""So many rows both tables have in a leaf that only one of them reaches."""


@dataclass(frozen=True, eq=False)
class Drift:
    """Facts of all n grown nodes; those below a leaf of the tree have shares and terms of 0.

    `shares` [n, 2] are the shares of each table's weight that pass the node. `term` [n] is (q − p)·ln(q/p) of the rows
    that end there, and `part` [n] what a split adds: how much the shares of its branches differ. Both add up to the
    PSI. `p_value` [n] is that of the split's difference, NaN where too few rows pass it.
    """

    shares: Floats
    term: Floats
    part: Floats
    p_value: Floats

    @property
    def psi(self) -> float:
        """The population stability index of the leaves."""
        return float(self.part.sum())

    @property
    def is_marked(self) -> NDArray[np.bool_]:
        """The splits at which rows part otherwise than by chance [n]: p ≤ 0.05 divided by how many were tested."""
        return np.asarray(self.p_value * np.count_nonzero(np.isfinite(self.p_value)) <= LEVEL)

    @property
    def first(self) -> int | None:
        """The marked split with the largest part of the PSI; None where no split is marked."""
        marked = np.flatnonzero(self.is_marked)
        return int(marked[np.argmax(self.part[marked])]) if marked.size else None


def psi_by_chance(n_leaves: int, n_before: int, n_now: int) -> float:
    """The mean PSI of so many rows each, drawn alike, over so many leaves: (leaves − 1)·(1/n + 1/m) (Yurdakul 2018).

    >>> round(psi_by_chance(3, 100, 50), 9)
    0.06
    """
    return (n_leaves - 1) * (1 / n_before + 1 / n_now)


def drift(tree: Tree, before: Rows, now: Rows) -> Drift:
    """Compare where the rows of two tables end in a tree; targets are not looked at.

    Of a connected table, weights count as numbers of rows. Raises InputError for a table without rows or without a
    column that the tree tests, and where counts alone do not tell where a row ends.

    >>> from explorer import CART, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis, CART.replace(max_depth=1))    # Overcast: 4 of 14 rows, then 8 of 11
    >>> result = drift(tree, tennis, tennis.take([0, 1, 2, 2, 2, 3, 6, 6, 11, 12, 12]))
    >>> result.part.round(3).tolist(), round(float(result.p_value[0]), 3)
    ([0.838, 0.0, 0.0], 0.028)
    """
    tables = [_Ends.of(tree, rows) for rows in (before, now)]
    own = np.stack([ends.weight for ends in tables], axis=1)
    below = added_up(tree.parent, tree.levels, own)
    smoothed = with_half_rows(own, [ends.row for ends in tables])
    passing = added_up(tree.parent, tree.levels, smoothed)
    owner, amounts = _branches(tree, passing, smoothed)
    branches = np.bincount(owner, psi_terms(amounts / passing[0]), minlength=tree.n_nodes_grown)
    part = np.where(tree.is_inner, branches - psi_terms(passing / passing[0]), 0.0)
    squares = added_up(tree.parent, tree.levels, np.stack([ends.squares for ends in tables], axis=1))
    n_rows = np.divide(below**2, squares, out=np.zeros_like(below), where=squares > 0)
    return Drift(below / below[0], psi_terms(smoothed / passing[0]), part, _p_values(tree, below, own, n_rows))


@dataclass(frozen=True, eq=False)
class _Ends:
    """The rows of a table that end in each node: sums of their weights and of the squares [n], and a mean row's."""

    weight: Floats
    squares: Floats
    row: float

    @classmethod
    def of(cls, tree: Tree, rows: Rows) -> _Ends:
        """Where the rows end; InputError without any."""
        table = as_rows(tree, rows) if isinstance(rows, Source) else rows
        n_rows = len(table) if isinstance(table, pd.DataFrame) else table.n_rows
        if not n_rows:
            raise InputError(message("The table has no rows. Load one with at least one row under the header."))
        weights = np.ones(n_rows) if isinstance(table, pd.DataFrame) else table.weight_of_rows()
        row, node, part = tree.routes(table)
        sums, n = weights[row] * part, tree.n_nodes_grown
        weight = np.bincount(node, sums, minlength=n).astype(np.float64)
        if isinstance(rows, Source):  # groups of rows of weight 1
            return cls(weight, weight, 1.0)
        squares = np.bincount(node, sums**2, minlength=n).astype(np.float64)
        return cls(weight, squares, float(weights.mean()))


def _branches(tree: Tree, below: Floats, own: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Owner and amounts [b, 2] of every branch, and of the rows that stop at a split as a branch of their own."""
    children = np.flatnonzero(tree.is_kept)[1:]
    stopped = np.flatnonzero(tree.is_inner & (own > 0).any(axis=1))
    return np.concatenate([tree.parent[children], stopped]), np.concatenate([below[children], own[stopped]])


def with_half_rows(amounts: Floats, rows: list[float]) -> Floats:
    """Amounts [n, 2] of two tables, with half a row more in both where only one has any; `rows` are mean weights."""
    return np.asarray(amounts + np.where((amounts > 0).sum(axis=1, keepdims=True) == 1, EMPTY_ROWS * np.array(rows), 0))


def psi_terms(shares: Floats) -> Floats:
    """(q − p)·ln(q/p) of each pair (p, q), 0 of (0, 0)."""
    p, q = np.where(shares > 0, shares, 1.0).T
    return np.asarray((q - p) * np.log(q / p))


def _p_values(tree: Tree, below: Floats, own: Floats, n_rows: Floats) -> Floats:
    """χ² of branches and tables at each split, on numbers of rows that weights are worth."""
    owner, amounts = _branches(tree, below, own)
    whole = below[owner]
    counts = np.divide(amounts * n_rows[owner], whole, out=np.zeros_like(amounts), where=whole > 0)
    return p_values_of_branches(counts, owner, n_rows)


def p_values_of_branches(counts: Floats, owner: NDArray[np.intp], n_rows: Floats) -> Floats:
    """χ² of branches, numbers of rows [b, 2], and tables, [n]; branch b belongs to `owner[b]` with `n_rows` [n, 2].

    Branches of few rows are tested together. NaN where rows are too few.
    """
    n = len(n_rows)
    pooled = counts.sum(axis=1) / np.maximum(n_rows[owner].sum(axis=1), 1e-300)
    is_small = pooled * n_rows[owner].min(axis=1) < LEAST_EXPECTED
    together = np.stack([np.bincount(owner, np.where(is_small, side, 0.0), minlength=n) for side in counts.T], axis=1)
    enough = together.sum(axis=1) * n_rows.min(axis=1) >= LEAST_EXPECTED * n_rows.sum(axis=1)
    counts = np.concatenate([np.where(is_small[:, None], 0.0, counts), np.where(enough[:, None], together, 0.0)])
    owner = np.concatenate([owner, np.arange(n)])
    statistic, df = pearson(counts, owner, n)
    tested = np.flatnonzero(df > 0)
    p_values = np.full(n, np.nan)
    p_values[tested] = [upper_tail(float(statistic[node]), int(df[node])) for node in tested]
    return p_values
