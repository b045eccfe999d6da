"""Rows with their answers, one by one: which are wrong, and by how much."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.conditions import Value
from explorer.costs import Floats
from explorer.dataset import Dataset
from explorer.scores import Judged, judged
from explorer.targets import targets_of
from explorer.tree import Tree

Positions = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Answered:
    """What is true of every row and what is answered, [n]: codes in `labels`, or numbers where `labels` is empty."""

    labels: tuple[Value, ...]
    truth: Floats = field(repr=False)
    answers: Floats = field(repr=False)

    @property
    def residuals(self) -> Floats:
        """What is true less what is answered, for numbers."""
        return self.truth - self.answers

    @property
    def worst(self) -> Positions:
        """Positions of the rows that are answered wrongly; for numbers the largest error first."""
        wrong = np.flatnonzero(self.truth != self.answers)
        return wrong if self.labels else wrong[np.argsort(-np.abs(self.residuals[wrong]), kind="stable")]

    def rows(self, true: int, answer: int) -> Positions:
        """Positions of the rows of one class that get one answer, both as codes."""
        return np.flatnonzero((self.truth == true) & (self.answers == answer))


def answered(tree: Tree, data: Dataset) -> Answered:
    """A tree's answers to rows beside the truth; InputError where tree and rows do not go together.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> found = answered(grow(tennis, ID3.replace(max_depth=1)), tennis)
    >>> found.labels, found.rows(1, 0).tolist(), len(found.worst)     # played on two sunny days, the 9th and the 11th
    (('No', 'Yes'), [8, 10], 4)
    """
    if tree.is_regression:
        return Answered((), targets_of(tree, data)[0], tree.answers(data))
    return answered_classes(judged(tree, data))


def answered_classes(rows: Judged) -> Answered:
    """The same of rows whose classes are answered already."""
    return Answered(rows.labels, rows.true.astype(np.float64), rows.answer.astype(np.float64))
