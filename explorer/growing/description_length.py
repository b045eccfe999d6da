"""How many bits a tree and its exceptions take (DEFINITIONS section 7, minimum description length).

Quinlan and Rivest (1989): the best tree is the one that, together with a list of the training rows it gets wrong, is
described in the fewest bits to a receiver who knows the features but not the classes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.training_rows import values_at_nodes, wrong_rows
from explorer.messages import message
from explorer.recipe.columns import EACH_VALUE, ONE_VS_REST, TESTS, THRESHOLD
from explorer.tree.node_loops import sums_above
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
ROUNDING = 1e-12
"""Bits that fall by less than this share have not fallen."""


def saves_bits(as_leaf: ArrayLike, as_split: ArrayLike) -> NDArray[np.bool_]:
    """Whether splits take fewer bits than leaves, by more than rounding.

    >>> saves_bits([16.87, 2.0], [23.14, 1.5]).tolist()
    [False, True]
    """
    leaf = np.asarray(as_leaf, dtype=np.float64)
    return np.asarray(leaf - np.asarray(as_split) > ROUNDING * leaf)


@dataclass(frozen=True)
class Bits:
    """The bits that each grown node takes, [n]: naming its test, its class as a leaf, and the leaf's exceptions.

    A node takes 1 bit more to say whether it is a leaf. Naming a test takes log2 of the `features` that it can
    use and `which`, the bits for one of that feature's tests.
    """

    features: Floats
    which: Floats
    is_split: NDArray[np.bool_]
    label: Floats
    exceptions: Floats

    @property
    def test(self) -> Floats:
        """Naming the test; 0 where a node was never split."""
        return np.where(self.is_split, np.log2(self.features) + self.which, 0.0)

    @property
    def as_leaf(self) -> Floats:
        """The node as a leaf."""
        return 1.0 + self.label + self.exceptions

    @property
    def as_split(self) -> Floats:
        """The node with its test, without its branches."""
        return 1.0 + self.test


@dataclass(frozen=True)
class SplitBits:
    """Bits for the tree and for its exceptions: one node as a leaf, and with a test whose branches are leaves.

    `features` is how many the node may test; `which` are the bits for one of the tests of the feature chosen.
    """

    tree_as_leaf: float
    exceptions_as_leaf: float
    tree_as_split: float
    exceptions_as_split: float
    features: int
    which: float

    @property
    def as_leaf(self) -> float:
        """Both parts without the test."""
        return self.tree_as_leaf + self.exceptions_as_leaf

    @property
    def as_split(self) -> float:
        """Both parts with it."""
        return self.tree_as_split + self.exceptions_as_split

    @property
    def is_shorter(self) -> bool:
        """Whether the test saves bits, by more than rounding."""
        return bool(saves_bits(self.as_leaf, self.as_split))


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
            message(
                "MDL (description length) counts classes, but the target '{target}' is numeric: use cost-complexity "
                "pruning or reduced-error pruning.",
                target=tree.target,
            )
        )
    which = choice_bits(_kinds(tree), _values(tree, train))
    label = np.full(tree.n_nodes_grown, np.log2(len(tree.classes)))
    return Bits(_features_available(tree), which, tree.feature >= 0, label, exception_bits(tree, tree.stats))


def bits_of_split(tree: Tree, stats: Floats, features: int, kind: int, values: int) -> SplitBits:
    """One node of the tree with a test: `stats` [1 + branches, K] are class weights of the node and of its branches.

    `features` are those available there, `kind` and `values` as in `choice_bits`.
    """
    exceptions, leaf = exception_bits(tree, stats), 1.0 + float(np.log2(len(tree.classes)))
    which = float(choice_bits(kind, values))
    tree_bits = 1.0 + float(np.log2(features)) + which + (len(stats) - 1) * leaf
    return SplitBits(leaf, float(exceptions[0]), tree_bits, float(exceptions[1:].sum()), features, which)


def exception_bits(tree: Tree, stats: Floats) -> Floats:
    """log2(N + 1) + log2 C(N, E) + E·log2(K − 1) for leaves with these class weights [m, K], [m]."""
    from scipy.special import gammaln  # takes a fifth of a second, and few need it

    errors, rows = wrong_rows(tree, stats)
    choose = (gammaln(rows + 1.0) - gammaln(errors + 1.0) - gammaln(rows - errors + 1.0)) / np.log(2.0)
    return np.asarray(np.log2(rows + 1.0) + np.maximum(choose, 0.0) + errors * np.log2(len(tree.classes) - 1.0))


def choice_bits(kinds: ArrayLike, values: ArrayLike) -> Floats:
    """log2 of the number of tests that a feature with so many different values offers a node.

    >>> float(choice_bits(THRESHOLD, 5)), float(choice_bits(ONE_VS_REST, 4)), float(choice_bits(EACH_VALUE, 4))
    (2.0, 2.0, 0.0)
    """
    kinds, values = np.asarray(kinds), np.asarray(values, dtype=np.float64)
    gaps = np.maximum(values - 1.0, 1.0)
    subsets = gaps + np.log2(1.0 - 0.5**gaps)  # log2 of 2^gaps − 1, which would overflow
    one_vs_rest = np.log2(np.where(values > 2, values, 1.0))  # of two values, either against the rest is one test
    grouped = np.where(kinds == ONE_VS_REST, one_vs_rest, subsets)
    return np.where(kinds == EACH_VALUE, 0.0, np.where(kinds == THRESHOLD, np.log2(gaps), grouped))


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
    """How many features a node may test: one with a branch for each value is used up further down."""
    used_up = sums_above(tree.parent, (_kinds(tree) == EACH_VALUE).astype(np.float64))
    return np.maximum(len(tree.features) - used_up, 1.0)


def _values(tree: Tree, train: Dataset | None) -> Floats:
    """How many values each node's feature has there, [n]: of a numeric feature at most its rows."""
    most = tree.row_stats.sum(axis=1) if train is None else values_at_nodes(tree, train)
    return np.where(_kinds(tree) == THRESHOLD, most, np.diff(tree.cat_offset))
