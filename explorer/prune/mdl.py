"""Pruning by minimum description length: the tree and its exceptions in bits (DEFINITIONS section 7).

Quinlan and Rivest (1989): the best tree is the one that, together with a list of the training rows it gets wrong, is
told in the fewest bits to somebody who knows the features but not the classes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from explorer.dataset import Dataset
from explorer.errors import InputError
from explorer.kernels import path as path_kernels
from explorer.kernels import prune as kernels
from explorer.prune.given_alpha import post_order
from explorer.prune.rows import values_at_nodes, wrong_rows
from explorer.tree import Tree
from explorer.usage import EACH_VALUE, ONE_VS_REST, TESTS, THRESHOLD

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bits:
    """What each grown node costs, [n]: naming its test, its class as a leaf, and the leaf's exceptions.

    A node takes 1 bit more to say whether it is a leaf. `test` is 0 where a node was never split.
    """

    test: Floats
    label: Floats
    exceptions: Floats

    @property
    def as_leaf(self) -> Floats:
        """The node as a leaf."""
        return 1.0 + self.label + self.exceptions

    @property
    def as_split(self) -> Floats:
        """The node with its test, without what hangs below."""
        return 1.0 + self.test


@dataclass(frozen=True)
class MdlStep:
    """The decision at one node: bits for the tree and bits for the exceptions, as a leaf and as a subtree."""

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
        leaf = f"{self.tree_bits_as_leaf:.2f} + {self.exception_bits_as_leaf:.2f} = {self.bits_as_leaf:.2f} bits"
        below = f"{self.tree_bits_below:.2f} + {self.exception_bits_below:.2f} = {self.bits_below:.2f} bits"
        verdict = "pruned to a leaf" if self.pruned else "kept"
        return (
            f"Node {self.node}: tree and exceptions take {leaf} with a leaf and {below} with its "
            f"{self.leaves_below:,} leaves: {verdict}."
        )


def description_bits(tree: Tree, train: Dataset | None = None) -> Bits:
    """Bits per node; with the training rows, thresholds are counted between the values that a node really has.

    Without them a threshold is one of W − 1, the most that W rows can have. Raises InputError for a numeric target.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> bits = description_bits(grow(data, ID3))    # log2(15) + log2 C(14, 5) = 3.907 + 10.967
    >>> float(bits.test[0]), float(bits.label[0]), round(float(bits.exceptions[0]), 3)
    (2.0, 1.0, 14.874)
    """
    if tree.is_regression:
        raise InputError(
            f"Description length counts classes, but the target '{tree.target}' is numeric: "
            "prune by cost and complexity or on validation rows."
        )
    classes, (errors, rows) = len(tree.classes), wrong_rows(tree, tree.stats)
    choose = (gammaln(rows + 1.0) - gammaln(errors + 1.0) - gammaln(rows - errors + 1.0)) / np.log(2.0)
    exceptions = np.log2(rows + 1.0) + np.maximum(choose, 0.0) + errors * np.log2(classes - 1.0)
    test = np.where(tree.feature >= 0, np.log2(_features_available(tree)) + _test_bits(tree, train), 0.0)
    return Bits(test, np.full(tree.n_grown, np.log2(classes)), exceptions)


def _kinds(tree: Tree) -> NDArray[np.int64]:
    """The kind of test at every node, [n]; −1 where there is none."""
    usual = np.array([*(TESTS[usage.test] for usage in tree.features), -1])
    kinds = np.asarray(usual[tree.feature])
    for node in np.flatnonzero(tree.forced) if tree.forced is not None else ():
        condition = tree.condition(int(node))
        assert condition is not None, "a forced node has a test"
        kinds[node] = TESTS[condition.kind]
    return kinds


def _features_available(tree: Tree) -> Floats:
    """How many features a node may ask about: a feature asked for each value is used up further down."""
    used_up = kernels.sums_above(tree.parent, (_kinds(tree) == EACH_VALUE).astype(np.float64))
    return np.maximum(len(tree.features) - used_up, 1.0)


def _test_bits(tree: Tree, train: Dataset | None) -> Floats:
    """log2 of the number of tests that a node's feature offers there, [n]."""
    kinds, values = _kinds(tree), np.diff(tree.cat_offset).astype(np.float64)
    most = tree.row_stats.sum(axis=1) if train is None else values_at_nodes(tree, train)
    thresholds = np.maximum(most - 1.0, 1.0)
    pairs = np.where(values > 2, values, 1.0)
    subsets = np.maximum(values - 1.0, 1.0)
    groups = subsets + np.log2(1.0 - 0.5**subsets)
    one = np.where(kinds == THRESHOLD, np.log2(thresholds), np.where(kinds == ONE_VS_REST, np.log2(pairs), groups))
    return np.where(kinds == EACH_VALUE, 0.0, one)


def mdl_prune(tree: Tree, train: Dataset | None = None) -> Tree:
    """Close every node that takes no more bits as a leaf than as a subtree, children decided before their parent.

    This leaves the smallest of all pruned forms with the least description length. `train` and errors: see
    `description_bits`.
    """
    _, _, closed = _decided(tree, description_bits(tree, train))
    return tree.with_closed(path_kernels.outermost(tree.parent, closed | tree.closed))


def mdl_steps(tree: Tree, train: Dataset | None = None) -> list[MdlStep]:
    """The decisions behind `mdl_prune`, children before their parent, for trees that somebody reads."""
    bits = description_bits(tree, train)
    _, leaves, closed = _decided(tree, bits)
    told, exceptions = 1.0 + bits.label, bits.exceptions.copy()
    (errors, rows), steps = wrong_rows(tree, tree.stats), list[MdlStep]()
    for node, _ in post_order(tree):
        below = list(tree.children_of(node))
        parts = float(bits.as_split[node] + told[below].sum()), float(exceptions[below].sum())
        as_leaf = float(told[node]), float(exceptions[node])
        counts = float(rows[node]), float(errors[node])
        steps.append(MdlStep(node, *counts, *as_leaf, *parts, int(leaves[node]), bool(closed[node])))
        if not closed[node]:
            told[node], exceptions[node] = parts
    return steps


def _decided(tree: Tree, bits: Bits) -> tuple[Floats, NDArray[np.int64], NDArray[np.bool_]]:
    """Per node: bits below, leaves below, and whether it becomes a leaf."""
    inner = tree.is_open & ~tree.is_leaf
    split = np.where(inner, bits.as_split, 0.0)
    arrays = (tree.first_child, tree.child_count, inner, split, bits.as_leaf - split)
    below, leaves, closed = kernels.decided_bottom_up(*arrays, 0.0, False)
    return below, leaves, closed
