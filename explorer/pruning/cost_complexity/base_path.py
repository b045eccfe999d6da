"""The nested subtrees of one tree: where each begins, its leaves and its risk (DEFINITIONS section 7)."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.errors import InputError
from explorer.messages import message
from explorer.tree.metrics import best_position
from explorer.tree.tree import Tree

MERGE = 1e-12
"""Alphas that differ by less than this, relatively, are one number."""


@dataclass(frozen=True, eq=False)
class BasePath:
    """The nested subtrees of one tree, from the full one (position 0) to the root alone.

    `alphas[k]` is where subtree k begins, `n_leaves[k]` its leaves, `risks[k]` its training risk. `collapse_alpha` is
    the critical α of each grown node: t is a leaf of T(α) when its own is ≤ α and that of every node above it is > α.
    Node t predicts for positions from `leaf_from[t]` up to, not including, `leaf_until[t]`.
    """

    tree: Tree = field(repr=False)
    risk: str
    alphas: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    risks: NDArray[np.float64]
    collapse_alpha: NDArray[np.float64] = field(repr=False)
    leaf_from: NDArray[np.int64] = field(repr=False)
    leaf_until: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        """Number of subtrees."""
        return self.alphas.size

    @property
    def midpoints(self) -> NDArray[np.float64]:
        """√(α_k·α_{k+1}) of every subtree, a value safely inside its interval; the last one is ∞."""
        return np.append(np.sqrt(self.alphas[:-1]) * np.sqrt(self.alphas[1:]), np.inf)

    @property
    def collapse_position(self) -> NDArray[np.int64]:
        """First position at which each node, by itself, is a leaf, [n]; 0 where it never was split.

        Nodes above it do not count: a number as large as the sequence is long means never.
        """
        own = 1 + np.searchsorted(self.alphas[1:], self.collapse_alpha)
        return np.where(self.tree.is_inner, own, 0)

    def position(self, alpha: float) -> int:
        """Position of T(α) in the sequence; of two entries at α = 0 the second, smaller one."""
        return int(self.positions(checked_alpha(alpha)))

    def positions(self, alphas: ArrayLike) -> NDArray[np.intp]:
        """The same for many α from 0 to ∞ at once."""
        return np.searchsorted(self.alphas * (1.0 - MERGE), np.asarray(alphas), side="right") - 1

    def position_of_leaves(self, leaves: int) -> int:
        """Position of the largest subtree with at most this many leaves."""
        if not leaves >= 1:
            raise InputError(message("A subtree has at least 1 leaf, not {leaves}: give 1 or more.", leaves=leaves))
        return int(np.argmax(self.n_leaves <= leaves))

    def subtree(self, alpha: float | None = None, *, position: int | None = None, leaves: int | None = None) -> Tree:
        """One tree of the sequence: by α, by position, or the largest with at most so many leaves.

        Node ids stay those of the grown tree. Raises InputError unless exactly one of the three is given.
        """
        if (alpha is None) + (position is None) + (leaves is None) != 2:
            raise InputError(message("Choose a subtree by exactly one of alpha, position or leaves."))
        if alpha is not None:
            return self._at(self.position(alpha))
        if leaves is not None:
            return self._at(self.position_of_leaves(leaves))
        assert position is not None
        return self._at(position)

    def _at(self, position: int) -> Tree:
        if not -len(self) <= position < len(self):
            raise InputError(no_position(self, position))
        position %= len(self)
        leaf = (self.leaf_from <= position) & (position < self.leaf_until)
        return self.tree.with_pruned(leaf & (self.tree.feature >= 0))

    def best(self, values: ArrayLike, metric: str | None = None) -> int:
        """Position of the best value of a curve; of equal ones the simplest tree."""
        return best_position(self.tree, values, metric)


def no_position(path: BasePath, position: int) -> str:
    """The error text for a position outside a sequence."""
    return message(
        "There is no pruned subtree at position {position}: positions go from 0 to {last}.",
        position=position,
        last=len(path) - 1,
    )


def checked_alpha(alpha: float) -> float:
    """α as a number from 0 to ∞, or InputError."""
    if not alpha >= 0:
        raise InputError(message("α is the penalty of a leaf and cannot be {alpha}: give 0 or more.", alpha=alpha))
    return float(alpha)
