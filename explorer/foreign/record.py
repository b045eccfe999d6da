"""What a reader finds in a model of another program: the nodes of its trees, and how the trees add up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree
from explorer.values import Value

Array = NDArray[Any]
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d{1,20}(E-?\d{1,3})?)?")


@dataclass(eq=False)
class ModelNodes:
    """The nodes of one tree as its file tells them; node 0 is the root. Nothing is checked yet.

    `children` are the ids below every node, node after node in branch order, `child_count` [n] of them (0 for a leaf).
    A node compares `feature` [n] (−1 for a leaf): a number up to `threshold` [n] takes branch 0, another branch 1; the
    threshold is already the largest 64-bit number that the library sends there. Categories take the branches of
    `pairs` [m, 3], (node, code, branch), codes being positions in the feature's labels. `missing_branch` [n] is for
    rows without a value, `unseen_branch` [n] those with a value that has no branch (None: as without a value); −1: they
    stay at the node. `value` of leaves are numbers [n], or class shares or weights [n, K]; `weight` [n] how many
    training rows they stand for, 0 where no leaf of the tree tells it. Those of other nodes follow from the leaves,
    unless `impurity` [n] is there: then the file tells all three of every node.
    """

    child_count: Array
    children: Array
    feature: Array
    threshold: Array
    missing_branch: Array
    value: Array
    weight: Array
    pairs: Array | None = None
    unseen_branch: Array | None = None
    impurity: Array | None = None

    @classmethod
    def of_two_sides(
        cls,
        left: ArrayLike,
        right: ArrayLike,
        feature: ArrayLike,
        threshold: ArrayLike,
        missing_left: ArrayLike,
        value: ArrayLike,
        weight: ArrayLike,
        *,
        pairs: Array | None = None,
        unseen_branch: Array | None = None,
        impurity: Array | None = None,
    ) -> ModelNodes:
        """The same from the two children of every node, [n] each, negative for a leaf."""
        sides = np.column_stack([np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)])
        splits = (sides >= 0).any(axis=1)
        return cls(
            np.where(splits, 2, 0),
            sides[splits].ravel(),
            np.where(splits, np.asarray(feature), -1),
            np.where(splits, np.asarray(threshold, dtype=np.float64), np.nan),
            np.where(splits, 1 - np.asarray(missing_left, dtype=np.int64), -1),
            np.asarray(value, dtype=np.float64),
            np.asarray(weight, dtype=np.float64),
            pairs,
            unseen_branch,
            impurity,
        )


@dataclass(frozen=True)
class Model:
    """What all trees of a model share: the library (with its version as far as the file tells), features, target.

    `classes` is empty where leaves hold numbers. With `is_strict` the library's test reads x < t. Where `counts_rows`,
    weights are numbers of training rows. `remark` replaces the usual sentence on where the tree comes from, `further`
    ones follow it.
    """

    library: str
    features: tuple[FeatureEncoding, ...]
    target: str
    classes: tuple[Value, ...] = ()
    is_strict: bool = False
    counts_rows: bool = True
    remark: Remark | None = None
    further: tuple[Remark, ...] = ()

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Where its trees come from."""
        sign = "<" if self.is_strict else "≤"
        code = "from_model" if self.counts_rows else "from_model_without_counts"
        return (Remark(code, (self.library, sign)) if self.remark is None else self.remark, *self.further)


@dataclass(frozen=True, eq=False)
class ReadMember:
    """A tree, its round from 1 on, what its answer is multiplied by, and the class whose score it adds to."""

    tree: Tree
    stage: int
    vote: float
    of_class: int | None = None
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ReadEnsemble:
    """The trees in order, and how their answers become a prediction: `combination` by its name.

    `start` [1] or [K] is the score before the first tree. `constant` are class shares or the mean that votes begin
    with; None for a sum, whose link turns the start into them. `ended` says what early stopping chose.
    """

    origin: str
    method: str
    combination: str
    members: tuple[ReadMember, ...]
    start: NDArray[np.float64]
    constant: NDArray[np.float64] | None
    target: str
    classes: tuple[Value, ...]
    features: tuple[FeatureEncoding, ...]
    ended: Remark | None = None
    version: str = ""


def members_of(trees: Sequence[Tree], width: int = 1, vote: float = 1.0) -> tuple[ReadMember, ...]:
    """The trees as members, round after round of `width` trees, one for each class where there are several."""
    return tuple(
        ReadMember(tree, place // width + 1, vote, of_class=place % width if width > 1 else None)
        for place, tree in enumerate(trees)
    )


def averaged(
    trees: Sequence[Tree],
    origin: str,
    target: str,
    features: tuple[FeatureEncoding, ...],
    votes: Array | None = None,
    version: str = "",
) -> ReadEnsemble:
    """A forest: the mean of the trees' class shares, or of their numbers; `votes` [trees] weigh them (None: 1 each)."""
    members, classes = members_of(trees), trees[0].classes
    if votes is not None:
        members = tuple(replace(each, vote=vote) for each, vote in zip(members, votes.tolist(), strict=True))
    root = np.average([tree.shares[0] if classes else tree.values[:1] for tree in trees], axis=0, weights=votes)
    combination = "mean_of_shares" if classes else "mean_of_numbers"
    return ReadEnsemble(
        origin=origin,
        method="forest",
        combination=combination,
        members=members,
        start=np.zeros_like(root),
        constant=root,
        target=target,
        classes=classes,
        features=features,
        version=version,
    )


def named(labels: Sequence[str]) -> list[Value]:
    """Labels as texts; as numbers where all are, as those of a column of numbers are written.

    >>> named(["1.0", "-2.5"]), named(["1", "02"])
    ([1, -2.5], ['1', '02'])
    """
    if all(_NUMBER.fullmatch(label) for label in labels) and len({"." in label for label in labels}) == 1:
        return [short(float(label)) if "." in label else int(label) for label in labels]
    return list(labels)


def short(number: float) -> Value:
    """A number as its cell is told: whole ones without a point."""
    return int(number) if float(number).is_integer() and abs(number) < 2**53 else number
