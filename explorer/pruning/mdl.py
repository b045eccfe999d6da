"""Pruning by minimum description length: bottom-up, what takes no more bits as a leaf (DEFINITIONS section 7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.formatting import leaves as leaves_words
from explorer.growing.description_length import Bits, description_bits
from explorer.growing.training_rows import wrong_rows
from explorer.messages import message
from explorer.pruning import bottom_up_loops as kernels
from explorer.pruning.cost_complexity import path_loops as path_kernels
from explorer.tree.tree import Tree, post_order

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MdlStep:
    """The decision at one node: bits of the tree and bits of the exceptions, as a leaf and as a subtree."""

    node: int
    rows: float
    errors: float
    tree_bits_as_leaf: float
    exception_bits_as_leaf: float
    tree_bits_below: float
    exception_bits_below: float
    leaves_below: int
    pruned: bool

    @property
    def bits_as_leaf(self) -> float:
        """Both parts with a leaf."""
        return self.tree_bits_as_leaf + self.exception_bits_as_leaf

    @property
    def bits_below(self) -> float:
        """Both parts with the subtree."""
        return self.tree_bits_below + self.exception_bits_below

    @property
    def text(self) -> str:
        """One sentence with the numbers."""
        return message(
            "Node {node}: tree and exceptions take {tree_leaf:.2f} + {exceptions_leaf:.2f} = {bits_leaf:.2f} bits "
            "with a leaf and {tree_below:.2f} + {exceptions_below:.2f} = {bits_below:.2f} bits with its {leaves}: "
            "{verdict}.",
            node=self.node,
            tree_leaf=self.tree_bits_as_leaf,
            exceptions_leaf=self.exception_bits_as_leaf,
            bits_leaf=self.bits_as_leaf,
            tree_below=self.tree_bits_below,
            exceptions_below=self.exception_bits_below,
            bits_below=self.bits_below,
            leaves=leaves_words(self.leaves_below),
            verdict=message("pruned to a leaf") if self.pruned else message("kept"),
        )


def mdl_prune(tree: Tree, train: Dataset | None = None) -> Tree:
    """Prune every node that takes no more bits as a leaf than as a subtree, children decided before their parent.

    The result is the smallest pruned subtree with the least description length. `train` and errors: see
    `description_bits`.
    """
    _, pruned = _decided(tree, description_bits(tree, train))
    return tree.with_pruned(path_kernels.outermost(tree.parent, pruned | tree.is_pruned))


def mdl_steps(tree: Tree, train: Dataset | None = None) -> list[MdlStep]:
    """The decisions behind `mdl_prune`, children before their parent; meant for trees small enough to read."""
    bits = description_bits(tree, train)
    leaves, pruned = _decided(tree, bits)
    tree_bits, exceptions = 1.0 + bits.label, bits.exceptions.copy()
    (errors, rows), steps = wrong_rows(tree, tree.stats), list[MdlStep]()
    for node, _ in post_order(tree):
        below = list(tree.children_of(node))
        as_subtree = float(bits.as_split[node] + tree_bits[below].sum()), float(exceptions[below].sum())
        as_leaf = float(tree_bits[node]), float(exceptions[node])
        counts = float(rows[node]), float(errors[node])
        steps.append(MdlStep(node, *counts, *as_leaf, *as_subtree, int(leaves[node]), bool(pruned[node])))
        if not pruned[node]:  # Quinlan and Rivest (1989): a kept subtree counts with its cost after pruning
            tree_bits[node], exceptions[node] = as_subtree
    return steps


def _decided(tree: Tree, bits: Bits) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Per node: leaves of its pruned subtree, and whether it becomes a leaf."""
    inner = tree.is_inner
    split = np.where(inner, bits.as_split, 0.0)
    arrays = (tree.first_child, tree.child_count, inner, split, bits.as_leaf - split)
    _, leaves, pruned = kernels.prune_bottom_up(*arrays, 0.0, False)
    return leaves, pruned
